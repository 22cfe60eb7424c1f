// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small stars and boxes over two axes: what the host decides. The kernel (PlaneKernel.hpp) sees the axes as x (fastest) and y,
// along which a thread has several points.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../BlockDivisor.hpp"
#include "../Launch.hpp"
#include "Grid.hpp"
#include "PlaneTuning.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// How a thread reaches rows: by vectors that lie on 16 bytes in the input and in the output alike, or by such vectors around what it
/// reads, wherever each row begins.
enum class PlaneRows { alike, shifted };

/// What blocks ask the L2 for that later ones read, so that these wait for the L2 alone: each has a piece of the rows of a band of blocks, in the
/// order of memory.
struct PlanePrefetch {
  const char* from = nullptr; ///< what the first block asks for, on 16 bytes
  std::uint64_t end = 0;      ///< how far from there pieces begin at most; 0 where nothing is asked for
  unsigned band = 0;          ///< bytes of the rows of a band
  unsigned piece = 0;         ///< bytes of a block, a multiple of 16
};

/// The ends of rows, which blocks in front of the others have for themselves: a warp that has an end waits for it alone, and what it looks up there
/// it waits for several times.
struct PlaneEnds {
  unsigned blocks = 0;        ///< 0: all threads are of the others
  unsigned low = 0, high = 0; ///< vectors at the begin and at the end of each thread's rows
  std::int64_t high_from = 0; ///< number of the first one there
};

/// What the kernel is told beside the epilogue.
template <class T>
struct PlaneArguments {
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  EdgeAxis<T> axis[3];
  std::int64_t origin; ///< x of the first block's first point
  int step;            ///< elements between rows that are alike, beyond whole vectors
  Range plain[2];      ///< x and y of threads that read nothing beyond an end and compute all of their points
  int lanes, across;   ///< a block is 2^lanes x 2^across threads
  BlockDivisor blocks_along_x;
  bool warps_overlap; ///< by a lane along x
  bool y_decides;     ///< of two values beyond the ends
  PlanePrefetch prefetch;
  PlaneEnds ends;
  T weight[2 * max_plane_star + 1][2 * max_plane_star + 1]; ///< along y, x, from -radius on
  unsigned operands_alike; ///< a bit each of the epilogue's first 32: a field whose rows begin as those of the input do
};

/// How such an operator runs.
template <class T>
struct PlanePlan {
  bool is_star;
  int radius;
  PlaneRows rows;
  LaunchShape shape;
  PlaneArguments<T> arguments;
  bool has_epilogue;
  bool by_tiles = false; ///< PlaneTileKernel.hpp
  core::Text variant;    ///< "box<2,1> rows 256x32 v4"

  PlaneKind kind() const { return {is_star, radius, sizeof(T), arguments.step != 0, has_epilogue}; }
};

/// Whether there is a kernel. Stars in float whose rows are not alike march: 81% of the copy at radius 1 (16381^2, H200) and not 77%;
/// see max_plane_star for what reaches further.
template <class T>
constexpr bool has_plane(bool is_star, int radius, PlaneRows rows)
{
  if (radius > max_plane_radius) return is_star && rows == PlaneRows::alike;
  return rows == PlaneRows::alike || !is_star || sizeof(T) == 8;
}

/// Whether there are kernels for shifted rows: there warps overlap, and some points are finished twice, not by an application's functor,
/// which may do more than return a value, nor where an operand is the output.
template <class Epilogue>
inline constexpr bool has_shifted_planes = core::only_stores<Epilogue>;

/// Whether there are kernels for boxes: where an epilogue has operands NarrowRows.hpp has one.
template <class Epilogue>
inline constexpr bool has_plane_boxes = Epilogue::operands == 0;

/// Whether an epilogue has a kernel for rows that lie more than whole vectors apart (docs/tuning/stencils.md, Two axes). 16383x16385 points on an
/// H200, f32 and f64, of the copy of what is moved, before and so: star of radius 1, reading a View 62 and 101%, 71 and 101%, a declared field 80 and
/// 101%, 95 and 102%, a coefficient 58 and 90%, 69 and 95%; of radius 4, a View 48 and 94%, 54 and 92%; box of radius 1, a View 45 and 101%, 71 and
/// 102%. Boxes of radius 2 were not measured.
constexpr bool has_epilogue_steps(bool is_star, int radius) { return is_star || !steps_apart(is_star, radius); }

template <class Epilogue, class T>
bool has_plane_kernel(const PlanePlan<T>& plan)
{
  if (has_shifted_planes<Epilogue>) return true;
  if (!plan.is_star && !has_plane_boxes<Epilogue>) return false;
  return plan.rows == PlaneRows::alike && (plan.arguments.step == 0 || has_epilogue_steps(plan.is_star, plan.radius));
}

/// Empty if the call is no such operator, rows are not contiguous or the grid has too many blocks.
template <class T>
std::optional<PlanePlan<T>> choose_plane(const StencilRequest<T>& request);

extern template std::optional<PlanePlan<float>> choose_plane(const StencilRequest<float>&);
extern template std::optional<PlanePlan<double>> choose_plane(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
