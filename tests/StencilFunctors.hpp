// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors that tests put behind stencils on hosts.
#pragma once

#include <Kokkos_Macros.hpp>

namespace test {

template <class T>
struct Damped {
  KOKKOS_FUNCTION T operator()(T sum, T centre, int, int, int) const { return sum - T(0.25) * centre; }
};

/// The wave update as a functor of what it declares.
template <class T>
struct Leaps {
  KOKKOS_FUNCTION T operator()(T sum, T centre, T previous, T scale) const
  {
    return centre - T(0.5) * previous + scale * sum;
  }
};

} // namespace test
