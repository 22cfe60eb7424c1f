// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From run-time radius to kernel, for the sources that compile the library's stencil kernels: one source a type, rank and
// epilogue, so that none takes long.
#pragma once

#include "LineKernel.hpp"
#include "StarKernel.hpp"
#include "StencilLibrary.hpp"
#include "TileKernel.hpp"

#include <utility>

namespace Keramos::cuda::library {

/// f(std::integral_constant<int, radius>) for 1 <= radius <= Largest.
template <int Largest, class F>
void with_radius(int radius, F f)
{
  [&]<int... R>(std::integer_sequence<int, R...>)
  {
    static_cast<void>(((radius == R + 1 && (f(std::integral_constant<int, R + 1>()), true)) || ...));
  }
  (std::make_integer_sequence<int, Largest>());
}

template <int Rank, class T, class Epilogue>
void launch_star(const std::string& name, const Kokkos::Cuda& space, const StarPlan& plan, const StarProblem<T>& star,
                 const Epilogue& epilogue)
{
  with_radius<largest_radius>(
      star.radius, [&](auto radius) { launch_star_of<Rank, radius.value>(name, space, plan, star, epilogue); });
}

template <class T>
void launch_line(const std::string& name, const Kokkos::Cuda& space, const LinePlan& plan, const LineProblem<T>& line)
{
  with_radius<largest_radius>(
      line.radius, [&](auto radius) { launch_line_of<radius.value>(name, space, plan, line, core::Store()); });
}

template <class T, int Capacity, class Epilogue>
void launch_tile(const std::string& name, const Kokkos::Cuda& space, const TilePlan& plan,
                 const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  if constexpr (Capacity <= 128) { // boxes of radius 1 and 2
    if (plan.box_radius > 0)
      return with_radius<largest_box_radius>(plan.box_radius, [&](auto radius) {
        if (problem.call.rank == 2)
          launch_box_of<2, radius.value>(name, space, plan, problem, epilogue);
        else
          launch_box_of<3, radius.value>(name, space, plan, problem, epilogue);
      });
  }
  launch_taps(name, space, plan, problem, epilogue);
}

} // namespace Keramos::cuda::library
