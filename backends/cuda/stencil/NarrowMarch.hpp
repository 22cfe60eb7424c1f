// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes whose rows are short, and what lies within a box of radius 1: what the host decides. The kernel (NarrowMarchKernel.hpp) sees the axes as x (fastest), y and z
// (the march).
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Grid.hpp"
#include "NarrowMarchTuning.hpp"
#include "Star.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// What the kernel is told beside the weights and the epilogue.
template <class T>
struct NarrowMarchArguments {
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  EdgeAxis<T> axis[3];
  std::int64_t chunk;  ///< planes of a block
  unsigned tiles[2];   ///< along x and y
  int columns, groups; ///< of a tile, and its threads along y
  int pitch, plane;    ///< elements of a row and of a plane in shared memory
};

/// How it runs.
template <class T>
struct NarrowMarchPlan : MarchOperator<T> {
  LaunchShape shape;
  NarrowMarchArguments<T> arguments;
  core::Text variant; ///< "star<3,4> narrow 33x44"
};

/// Empty if the call is no star of radius 1 to max_narrow_radius nor within a box of radius max_narrow_box_radius, if what lies beyond the field of such a
/// box is several values, if a plane of the input has too many bytes for 32 bits or if there would be too many blocks.
template <class T>
std::optional<NarrowMarchPlan<T>> plan_narrow_march(const StencilRequest<T>& request);

/// Where it is expected to be faster than the other kernels.
template <class T>
std::optional<NarrowMarchPlan<T>> choose_narrow_march(const StencilRequest<T>& request, NarrowWork work);

extern template std::optional<NarrowMarchPlan<float>> plan_narrow_march(const StencilRequest<float>&);
extern template std::optional<NarrowMarchPlan<double>> plan_narrow_march(const StencilRequest<double>&);
extern template std::optional<NarrowMarchPlan<float>> choose_narrow_march(const StencilRequest<float>&, NarrowWork);
extern template std::optional<NarrowMarchPlan<double>> choose_narrow_march(const StencilRequest<double>&, NarrowWork);

} // namespace Keramos::cuda::stencil
