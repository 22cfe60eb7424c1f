// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes on small grids: what the host decides. Such a grid only waits, so that the kernel (SmallStarKernel.hpp), which
// sees the axes as x (fastest), y and z, is told all in few bytes and in 32 bits, counted from the first point to compute.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Request.hpp"
#include "SmallAxis.hpp"
#include "SmallStarTuning.hpp"
#include "Star.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// What the kernel is told beside the epilogue.
template <class T>
struct SmallStarArguments {
  const T* in; ///< the first point
  T* out;
  int points[3];
  int out_stride[3];
  unsigned nothing;   ///< 0, which the compiler does not know
  bool has_zeros;     ///< beyond all ends
  bool marches;       ///< by SmallMarch.hpp, through `planes`
  int radius, planes; ///< `planes` of a thread
  SmallAxis<T> axis[3];
  StarWeights<T, max_small_star_radius> weights;
};

/// What the kernel of SmallPlanes.hpp is told instead: little, for no cache has it.
template <class T>
struct SmallPlanesArguments {
  const T* in; ///< the first point
  T* out;
  int points[3], stride[3], out_stride[3];
  int begin[3], end[3];      ///< indices that are read; zero is beyond them
  int radius, width, planes; ///< elements of a vector, or 1; planes of a thread
  StarWeights<T, max_small_star_radius> weights;
};

/// How a star runs.
template <class T>
struct SmallStarPlan {
  LaunchShape shape;
  core::Index3 begin; ///< the first point
  bool has_vectors;   ///< rows are made of whole ones, of 16 bytes, and all begin on them
  bool by_planes;     ///< by SmallPlanes.hpp, a kernel of its own
  SmallStarArguments<T> arguments;
  /// "star<3,4> small 64x4x4 v4", "star<3,4> small planes 96x6x12 v4", "star<3,4> small march 16x16x7"
  core::Text variant;
};

/// The tile of a block that marches, of `rows` rows of 16 bytes a thread, and its shared memory: planes with their halo, row by row.
template <class T, int Radius>
struct SmallMarchTile {
  static constexpr SmallMarchShape shape = small_march_shape;
  static constexpr int width = vector_width<T>, beside = static_cast<int>(core::ceil_div(Radius, width)); ///< vectors
  static constexpr int rows = shape.rows, height = shape.across * rows, pitch = 16 * (shape.lanes + 2 * beside);
  static constexpr int plane = pitch * (height + 2 * Radius), ring = shape.ahead + 1, bytes = ring * plane;
};

/// By SmallPlanes.hpp, in blocks with which the multiprocessor that has most to do has least.
template <class T>
void set_small_planes(SmallStarPlan<T>& plan, const StencilRequest<T>& request);

/// Empty if the call is no star of radius 1 to max_small_star_radius, if a field is smaller than the star's reach or has too many elements
/// for 32 bits, or if the grid would have too many blocks. What does not go by planes also wants rows that are made of whole vectors of 16
/// bytes, and enough of them for whole threads.
template <class T>
std::optional<SmallStarPlan<T>> plan_small_star(const StencilRequest<T>& request);

/// Where it is expected to be faster than the other kernels.
template <class T>
std::optional<SmallStarPlan<T>> choose_small_star(const StencilRequest<T>& request);

extern template void set_small_planes(SmallStarPlan<float>&, const StencilRequest<float>&);
extern template void set_small_planes(SmallStarPlan<double>&, const StencilRequest<double>&);
extern template std::optional<SmallStarPlan<float>> plan_small_star(const StencilRequest<float>&);
extern template std::optional<SmallStarPlan<double>> plan_small_star(const StencilRequest<double>&);
extern template std::optional<SmallStarPlan<float>> choose_small_star(const StencilRequest<float>&);
extern template std::optional<SmallStarPlan<double>> choose_small_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
