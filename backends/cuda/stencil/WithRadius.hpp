// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a run-time radius to a template argument, for the sources that compile the library's stencil kernels.
#pragma once

#include <type_traits>
#include <utility>

namespace Keramos::cuda::stencil::library {

/// f(std::integral_constant<int, radius>) for 1 <= radius <= Max.
template <int Max, class F>
void with_radius(int radius, F f)
{
  [&]<int... R>(std::integer_sequence<int, R...>)
  {
    static_cast<void>(((radius == R + 1 && (f(std::integral_constant<int, R + 1>()), true)) || ...));
  }
  (std::make_integer_sequence<int, Max>());
}

} // namespace Keramos::cuda::stencil::library
