// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines along the middle axis of large grids whose rows begin anywhere: what the host decides. The kernel (LineSlabKernel.hpp) sees
// planes of contiguous elements, whose neighbours along the line lie a row apart, with zeros before a plane's first one and behind its last.
#pragma once

#include "LineBulk.hpp"

namespace Keramos::cuda::stencil {

/// In double registers do as well: 92% of the copy at 509x511x513 (an H200), where they make 82% in float.
template <class T>
inline constexpr bool has_line_slabs = sizeof(T) == 4;

/// What the kernel is told. Elements count from the first point to compute on in their plane.
template <class T>
struct LineSlabArguments {
  const T* in;
  T* out;
  std::int64_t in_step, out_step; ///< between planes
  int row, points;                ///< of a row, of a plane
  int valid_begin, valid_end;     ///< elements of a plane that are read
  unsigned slabs;                 ///< of a plane
  LineMarchWeights<T> weights;
};

/// How a line runs.
template <class T>
struct LineSlabPlan {
  int radius;
  LaunchShape shape;
  LineSlabArguments<T> arguments;
  core::Text variant; ///< "line<3,4> slab 12288"
};

/// A block's shared memory: a barrier, and what its points read.
template <class T>
struct LineSlabTile {
  static constexpr LineSlabShape shape = line_slab_shape;
  static constexpr int boundary = 128 / static_cast<int>(sizeof(T)), ///< elements of a line of memory
      tile_at = 128;

  /// Of rows of so many points.
  static constexpr std::int64_t bytes(int radius, std::int64_t row)
  {
    return tile_at + (shape.elements + 2 * radius * row + boundary) * static_cast<int>(sizeof(T)) + 16;
  }
};

/// Empty if the call is no line along the middle axis of a large grid, if planes are not contiguous or rows too long, if their rows all lie
/// alike on `line_march_boundary`, or if rules want something else than zeros; and where memory is not fast, for there registers make 91%.
template <class T>
std::optional<LineSlabPlan<T>> choose_line_slab(const StencilRequest<T>& request);

extern template std::optional<LineSlabPlan<float>> choose_line_slab(const StencilRequest<float>&);

} // namespace Keramos::cuda::stencil
