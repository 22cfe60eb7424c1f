// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From run-time radius to kernel, for the sources that compile the library's stencil kernels: one source per type, rank and
// epilogue, so that none takes long.
#pragma once

#include "DirectKernel.hpp"
#include "Library.hpp"
#include "LineKernel.hpp"
#include "LineMarchKernel.hpp"
#include "LineSlabKernel.hpp"
#include "PlaneKernel.hpp"
#include "PlaneTileKernel.hpp"
#include "SmallPlanes.hpp"
#include "SmallStarKernel.hpp"
#include "StarKernel.hpp"
#include "TileKernel.hpp"
#include "WithRadius.hpp"

namespace Keramos::cuda::stencil::library {

template <int Rank, class T, class Epilogue>
void launch_star(const Kernel& taken, const Kokkos::Cuda& space, const StarPlan<T>& plan, const Epilogue& epilogue)
{
  with_radius<max_radius>(plan.radius,
                          [&](auto radius) { launch_star_of<Rank, radius.value>(taken, space, plan, epilogue); });
}

template <class T, class Epilogue>
void launch_direct(const Kernel& taken, const Kokkos::Cuda& space, const DirectPlan<T>& plan, const Epilogue& epilogue)
{
  if (plan.by_rows)
    return launch_kernel<direct_rows_kernel<T, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
  with_radius<max_direct_radius>(plan.radius,
                                 [&](auto radius) { launch_direct_of<radius.value>(taken, space, plan, epilogue); });
}

template <class T>
SmallPlanesArguments<T> small_planes_arguments(const SmallStarPlan<T>& plan)
{
  const SmallStarArguments<T>& from = plan.arguments;
  SmallPlanesArguments<T> result{
      from.in,     from.out,    {}, {}, {}, {}, {}, from.radius, plan.has_vectors ? vector_width<T> : 1,
      from.planes, from.weights};
  for (int p = 0; p < 3; ++p) {
    result.points[p] = from.points[p];
    result.stride[p] = from.axis[p].stride;
    result.out_stride[p] = from.out_stride[p];
    result.begin[p] = from.axis[p].begin;
    result.end[p] = from.axis[p].end;
  }
  return result;
}

template <class T, class Epilogue>
void launch_small_star(const Kernel& taken, const Kokkos::Cuda& space, const SmallStarPlan<T>& plan,
                       const Epilogue& epilogue)
{
  constexpr int planes = small_star_planes(sizeof(T), Epilogue::operands);
  Epilogue from_first = epilogue; // as the kernel counts
  if constexpr (Epilogue::operands > 0)
    for (auto& operand : from_first.operand)
      if (operand.is_field()) operand.field.data = &operand.field[plan.begin];
  if (plan.by_planes)
    return launch_kernel<small_planes_kernel<T, Epilogue>>(taken, space, plan.shape, small_planes_arguments(plan),
                                                           from_first);
  launch_kernel<small_star_kernel<T, small_star_items, planes, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                          from_first);
}

template <class T, class Epilogue>
void launch_plane(const Kernel& taken, const Kokkos::Cuda& space, const PlanePlan<T>& plan, const Epilogue& epilogue)
{
  if constexpr (core::only_stores<Epilogue>) {
    if (plan.by_tiles)
      return launch_kernel<plane_tile_kernel<T, max_plane_star>>(taken, space, plan.shape, plan.arguments);
  }
  with_radius<max_plane_star>(plan.radius, [&](auto radius) {
    if (plan.is_star)
      launch_plane_of<true, radius.value>(taken, space, plan, epilogue);
    else if constexpr (has_plane_boxes<Epilogue>)
      launch_plane_of<false, radius.value>(taken, space, plan, epilogue);
  });
}

template <class T, class Epilogue>
void launch_line(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan, const Epilogue& epilogue)
{
  with_radius<max_radius>(plan.radius,
                          [&](auto radius) { launch_line_of<radius.value>(taken, space, plan, epilogue); });
}

template <class T>
void launch_line_march(const Kernel& taken, const Kokkos::Cuda& space, const LineMarchPlan<T>& plan)
{
  with_radius<max_line_march_radius>(plan.radius, [&](auto radius) {
    launch_kernel<line_march_kernel<T, radius.value>>(taken, space, plan.shape, plan.arguments);
  });
}

template <class T>
void launch_line_slab(const Kernel& taken, const Kokkos::Cuda& space, const LineSlabPlan<T>& plan)
{
  with_radius<max_line_march_radius>(plan.radius, [&](auto radius) {
    launch_kernel<line_slab_kernel<T, radius.value>>(taken, space, plan.shape, plan.arguments);
  });
}

template <class T, int Capacity, class Epilogue>
void launch_tile(const Kernel& taken, const Kokkos::Cuda& space, const TilePlan<T, Capacity>& plan,
                 const Epilogue& epilogue)
{
  if constexpr (Capacity <= 128) { // boxes of radius 1 and 2
    if (plan.box_radius > 0)
      return with_radius<max_box_radius>(plan.box_radius, [&](auto radius) {
        constexpr int side = 2 * radius.value + 1;
        if (plan.box_rank == 2)
          launch_box_of<2, radius.value>(taken, space, plan, epilogue);
        else if constexpr (side * side * side <= Capacity)
          launch_box_of<3, radius.value>(taken, space, plan, epilogue);
      });
  }
  launch_taps(taken, space, plan, epilogue);
}

} // namespace Keramos::cuda::stencil::library
