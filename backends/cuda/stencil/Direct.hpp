// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes on thin Regions, where a tile is mostly empty: what the host decides. The kernel (DirectKernel.hpp) sees the axes
// as x (fastest), the column, along which a thread has several points, and the other one.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Grid.hpp"
#include "Star.hpp"
#include "Tuning.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// What lies beyond one end of an axis: nothing but the rule's value, or the indices so many elements from where they would be. Along x it is
/// so by whole vectors of a thread. Otherwise only the rules say.
struct DirectEnd {
  bool is_value, is_shifted;
  std::int64_t shift; ///< 0 if not shifted
};

/// What the kernel is told beside the epilogue.
template <class T>
struct DirectArguments {
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  EdgeAxis<T> axis[3];
  StarWeights<T> weights;
  std::int64_t origin;    ///< x of the first block's first point
  DirectEnd beyond[3][2]; ///< the low end and the high end
  int row_vectors;        ///< that hold a row's points, where it goes by rows
  bool vectorised;        ///< 16 bytes a thread along x; otherwise one element
  bool column_is_slowest; ///< of the three axes; otherwise the other one is
  bool prefetches;        ///< what its blocks read, while the kernel before still runs
};

/// What the kernel of DirectPlain.hpp is told instead: little, for no cache has it.
template <class T>
struct DirectPlainArguments {
  const T* in; ///< the first point to compute, from which indices are counted
  T* out;
  int extent[3];
  std::int64_t stride[3], out_stride[3];
  int begin[2], end[2]; ///< indices that are read, along x and the other axis; zero is beyond them
  bool column_is_slowest;
  StarWeights<T> weights;
};

/// Vectors beside a row's points, rows on a side of a block's square with those around it, and what these take, side by side.
template <class T>
inline constexpr int direct_rows_beside = static_cast<int>(core::ceil_div(max_direct_radius, vector_width<T>));
inline constexpr int direct_rows_all = direct_rows_side + 2 * max_direct_radius;
template <class T>
KOKKOS_FUNCTION constexpr int direct_rows_bytes(int vectors)
{
  return 16 * direct_rows_all * direct_rows_all * (vectors + 2 * direct_rows_beside<T>);
}

/// How a star runs.
template <class T>
struct DirectPlan {
  int radius;
  bool by_rows; ///< in shared memory (DirectRowsKernel.hpp), on Regions that are thin along x
  KernelOrder order;
  LaunchShape shape;
  DirectArguments<T> arguments;
  std::optional<DirectPlainArguments<T>> plain; ///< by DirectPlain.hpp
  /// "star<3,4> direct 64x8x4 v4", "star<3,4> direct plain 128x8x4 v4", "star<3,4> direct rows 4x16x16 v4"
  core::Text variant;
};

/// Empty if the call is no star of radius 1 to max_direct_radius or the grid has too many blocks.
template <class T>
std::optional<DirectPlan<T>> plan_direct(const StencilRequest<T>& request);

/// Where it is expected to be faster than the other kernels.
template <class T>
std::optional<DirectPlan<T>> choose_direct(const StencilRequest<T>& request);

extern template std::optional<DirectPlan<float>> plan_direct(const StencilRequest<float>&);
extern template std::optional<DirectPlan<double>> plan_direct(const StencilRequest<double>&);
extern template std::optional<DirectPlan<float>> choose_direct(const StencilRequest<float>&);
extern template std::optional<DirectPlan<double>> choose_direct(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
