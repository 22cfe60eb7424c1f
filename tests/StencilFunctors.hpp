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

/// The same by the indices of the point, of a type that a functor may choose.
template <class Index, class Field>
struct LeapsAt {
  using T = typename Field::non_const_value_type;
  Field previous;
  T scale;
  KOKKOS_FUNCTION T operator()(T sum, T centre, Index i, Index j, Index k) const
  {
    return Leaps<T>()(sum, centre, previous(i, j, k), scale);
  }
};

/// Stores by itself, and counts its calls.
template <class Field, class Calls>
struct StoresDamped {
  using T = typename Field::non_const_value_type;
  Field out;
  Calls calls;
  KOKKOS_FUNCTION void operator()(T sum, T centre, int i, int j, int k) const
  {
    out(i, j, k) = Damped<T>()(sum, centre, i, j, k);
    ++calls(i, j, k);
  }
};

} // namespace test
