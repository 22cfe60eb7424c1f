// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines (derivatives along one axis; every operator of rank 1): what the host decides. The kernels (LineKernel.hpp) see
// the axes as x (fastest), then, where the line lies across the rows, the line's axis, then the rest.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Edges.hpp"
#include "Points.hpp"
#include "Request.hpp"
#include "Tuning.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// A block is 2^lanes x 2^across x 2^deep threads along the axes of the kernel.
struct LineBlock {
  int lanes = 5, across = 0, deep = 0;

  KOKKOS_FUNCTION int threads() const { return 1 << (lanes + across + deep); }
};

/// The shared memory of a block along the rows, in elements: a pencil with its halo for each row of threads.
struct LineLayout {
  int points; ///< of a thread: 16 bytes
  int halo;   ///< on either side of a pencil, so that own points start at 16 bytes
  int width;  ///< threads of a pencil
  int pencils;

  KOKKOS_FUNCTION constexpr int pitch() const { return width * points + 2 * halo; }
  KOKKOS_FUNCTION constexpr int elements() const { return pencils * pitch(); }
};

KOKKOS_FUNCTION constexpr LineLayout line_layout(int radius, int points, int width, int pencils)
{
  return {points, static_cast<int>(core::round_up(radius, points)), width, pencils};
}

/// What the kernels are told beside the epilogue.
template <class T>
struct LineArguments {
  const T* in;
  T* out;
  std::int64_t in_stride[3], out_stride[3];
  Range range[3];
  std::int64_t origin; ///< x of the first block's first point
  LineBlock block;
  unsigned blocks[3];
  T weight[2 * max_radius + 1]; ///< offsets -radius ... radius
  EdgeAxis<T> line;             ///< the line's axis
};

/// How a line runs.
template <class T>
struct LinePlan {
  int radius;
  bool along; ///< the rows; otherwise across them
  bool vectorised;
  KernelOrder order;
  LaunchShape shape;
  LineArguments<T> arguments;
  core::Text variant; ///< "line<3,4> across 32x8x1 v4"
};

/// Empty if the call is no line or the grid has too many blocks.
template <class T>
std::optional<LinePlan<T>> choose_line(const StencilRequest<T>& request);

extern template std::optional<LinePlan<float>> choose_line(const StencilRequest<float>&);
extern template std::optional<LinePlan<double>> choose_line(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
