// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to the kernel of a march, for the sources that compile these.
#pragma once

#include "Library.hpp"
#include "Lockstep.hpp"
#include "MarchFunctor.hpp"
#include "WithRadius.hpp"

namespace Keramos::cuda::stencil::library {

/// The shape of a march's blocks as a type.
template <class T, MarchKind Kind, int Radius, int Number>
struct MarchShapeOf {
  static constexpr MarchShape value = march_shape(Kind, Radius, sizeof(T), Number);
};

/// The sums of a box: a thread has rows of a column or of two.
template <class T, int Radius, class Shape>
using MarchBoxSums =
    std::conditional_t<Shape::value.has_pairs(), BoxPairSums<Radius, Shape>, BoxSums<T, Radius, true, Shape>>;

/// Single columns have one kernel, that before functors: it stores.
template <class Sums, class T>
void launch_march_of(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan)
{
  if constexpr (Sums::shape.has_singles()) {
    launch_march_functor_by<Sums>(taken, space, plan, core::StoreValue());
  } else {
    MarchArguments<T> arguments = plan.arguments;
    if constexpr (Sums::shape.drift > 0) arguments.groups.launch = next_lockstep_launch();
    launch_kernel<march_kernel<T, Sums>>(taken, space, plan.shape, arguments,
                                         std::get<typename Sums::Weights>(plan.weights));
  }
}

/// The plan's number is this one or a larger one.
template <int Number, class T>
void launch_march_numbered(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan)
{
  if constexpr (Number + 1 < march_shapes)
    if (plan.number > Number) return launch_march_numbered<Number + 1>(taken, space, plan);
  if (plan.kind == MarchKind::star)
    return with_radius<max_march_radius>(plan.radius, [&](auto radius) {
      using Shape = MarchShapeOf<T, MarchKind::star, radius.value, Number>;
      if constexpr (has_march_shape(MarchKind::star, radius.value, sizeof(T), Number))
        launch_march_of<MarchStarSums<T, radius.value, Shape>>(taken, space, plan);
    });
  with_radius<max_box_radius>(plan.radius, [&](auto radius) {
    using Box = MarchShapeOf<T, MarchKind::box, radius.value, Number>;
    using Sparse = MarchShapeOf<T, MarchKind::sparse, radius.value, Number>;
    if constexpr (has_march_shape(MarchKind::box, radius.value, sizeof(T), Number))
      if (plan.kind == MarchKind::box) return launch_march_of<MarchBoxSums<T, radius.value, Box>>(taken, space, plan);
    if constexpr (has_march_shape(MarchKind::sparse, radius.value, sizeof(T), Number))
      launch_march_of<BoxSums<T, radius.value, false, Sparse>>(taken, space, plan);
  });
}

template <class T>
void launch_march(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan)
{
  launch_march_numbered<0>(taken, space, plan);
}

} // namespace Keramos::cuda::stencil::library
