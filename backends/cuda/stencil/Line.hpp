// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines (derivatives along one axis; every operator of rank 1): what the host decides. The kernels (LineKernel.hpp) see
// the axes as x (fastest), then, where the line lies across the rows, the line's axis, then the rest.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "LineTuning.hpp"
#include "Points.hpp"
#include "Request.hpp"
#include "SmallAxis.hpp"
#include "Tuning.hpp"

#include <cstdlib>
#include <optional>

namespace Keramos::cuda::stencil {

/// Across the rows a block is 2^lanes x 2^across x 2^deep threads along the axes of the kernel. Along them it has 2^across x 2^deep
/// pencils, and 2^lanes threads go through one together.
struct LineBlock {
  int lanes = 5, across = 0, deep = 0;
};

/// Vectors of so many points on either side of a pencil.
KOKKOS_FUNCTION constexpr int line_halo(int radius, int points)
{
  return static_cast<int>(core::ceil_div(radius, points));
}

/// Vectors of a pencil in shared memory: its own ones, its halo, and one more because own points may begin within one. An odd number, so that lanes
/// with a pencil each find other banks.
KOKKOS_FUNCTION constexpr int pencil_length(int width, int radius, int points)
{
  return (width + 2 * line_halo(radius, points) + 1) | 1;
}

/// The shared memory of a block along the rows of a small grid, in elements: a pencil with its halo for each row of threads.
struct PencilLayout {
  int points; ///< of a thread: 16 bytes
  int halo;   ///< on either side of a pencil, so that own points start at 16 bytes
  int width;  ///< threads of a pencil
  int pencils;

  KOKKOS_FUNCTION constexpr int pitch() const { return width * points + 2 * halo; }
  KOKKOS_FUNCTION constexpr int elements() const { return pencils * pitch(); }
};

KOKKOS_FUNCTION constexpr PencilLayout pencil_layout(int radius, int points, int width, int pencils)
{
  return {points, points * line_halo(radius, points), width, pencils};
}

/// A small grid whose rows are made of whole vectors (LineVectors.hpp), from the first point to compute on.
template <class T>
struct SmallLine {
  bool is_taken, has_zeros; ///< beyond both ends of the line's axis
  int points[3];
  const T* in;
  T* out;
  int in_stride[3], out_stride[3];
  SmallAxis<T> axis; ///< the line's
};

/// What the kernels are told beside the epilogue.
template <class T>
struct LineArguments {
  SmallLine<T> small; ///< first: what a small grid waits for lies together
  const T* in;
  T* out;
  std::int64_t in_stride[3], out_stride[3];
  Range range[3];
  std::int64_t origin; ///< x of the first block's first point
  bool vectorised;     ///< 16 bytes a thread along x; large grids along the rows always are
  LineBlock block;
  int width; ///< of a block along the rows, in vectors
  unsigned blocks[3];
  int together = 0; ///< 2^together blocks along the last axis come before the next one along the middle axis
  T weight[2 * max_radius + 1]; ///< offsets -radius ... radius
  EdgeAxis<T> line;             ///< the line's axis

  /// The block's first point, for blocks of so many points.
  __device__ core::Index3 corner(const int (&points)[3]) const
  {
    const unsigned x = blockIdx.x % blocks[0], rest = blockIdx.x / blocks[0];
    const unsigned low = rest & ((1u << together) - 1), y = (rest >> together) % blocks[1];
    const unsigned z = ((rest >> together) / blocks[1] << together) + low;
    return {origin + std::int64_t(x) * points[0], range[1].begin + std::int64_t(y) * points[1],
            range[2].begin + std::int64_t(z) * points[2]};
  }
};

/// How a line runs.
template <class T>
struct LinePlan {
  int radius;
  bool along; ///< the rows; otherwise across them
  bool is_large;
  KernelOrder order;
  LaunchShape shape;
  LineArguments<T> arguments;
  core::Text variant; ///< "line<3,4> across 32x8x1 v4"
};

/// The weights by offset along `axis`; false for an application's own operator that only calls itself a line or lacks a tap of one, as of
/// stars (Star.cpp).
template <class Arguments, class T>
bool set_line_weights(Arguments& arguments, const StencilRequest<T>& request, int axis)
{
  if (request.taps != 2 * request.radius + 1) return false;
  for (int t = 0; t < request.taps; ++t) {
    for (int p = 0; p < 3; ++p)
      if (p != axis && request.offset[t][p] != 0) return false;
    const int offset = request.offset[t][axis];
    if (std::abs(offset) > request.radius) return false;
    arguments.weight[offset + request.radius] += request.weight[t];
  }
  return true;
}

/// Empty if the call is no line or the grid has too many blocks.
template <class T>
std::optional<LinePlan<T>> choose_line(const StencilRequest<T>& request);

extern template std::optional<LinePlan<float>> choose_line(const StencilRequest<float>&);
extern template std::optional<LinePlan<double>> choose_line(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
