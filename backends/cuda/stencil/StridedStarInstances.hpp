// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to the kernel, for the sources that compile these.
#pragma once

#include "Library.hpp"
#include "StridedStarKernel.hpp"
#include "WithRadius.hpp"

namespace Keramos::cuda::stencil::library {

/// The shape of a strided star's blocks as a type.
template <int Radius>
struct StridedStarShapeOf {
  static constexpr StridedStarShape value = strided_star_shape(Radius);
};

template <int Radius, class T>
void launch_strided_star_of(const Kernel& taken, const Kokkos::Cuda& space, const StridedStarPlan<T>& plan)
{
  using Shape = StridedStarShapeOf<Radius>;
  constexpr int classes = vector_width<T>;
  StridedStarMaps<T> maps;
  for (int z = 0; z < classes; ++z)
    for (int y = 0; y < classes; ++y)
      maps.of[z][y] = tensor_map(strided_box(plan.arguments, strided_star_layout<T>(Shape::value, Radius), z, y));
  StridedStarArguments<T> arguments = plan.arguments;
  arguments.groups.launch = next_lockstep_launch();
  launch_kernel<strided_star_kernel<T, StarSums<T, Radius, Shape>>>(taken, space, plan.shape, maps, arguments);
}

template <class T>
void launch_strided_star(const Kernel& taken, const Kokkos::Cuda& space, const StridedStarPlan<T>& plan)
{
  with_radius<max_strided_star_radius>(plan.radius,
                                       [&](auto radius) { launch_strided_star_of<radius.value>(taken, space, plan); });
}

} // namespace Keramos::cuda::stencil::library
