// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel a transpose takes, and with what parameters. Element types are erased here: the plain kernels know a size,
// and Transpose.hpp knows the user's functor.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Device.hpp"
#include "Jobs.hpp"
#include "Shapes.hpp"

#include <optional>
#include <variant>

namespace Keramos::cuda::transpose {

enum class MoveKind {
  tile_vector,       ///< 16 bytes per lane on both sides
  tile_vector_small, ///< the same for few tiles, or tiles that would be partly empty
  tile_vector_wide,  ///< the same for few rows of the output, or rows far from each other
  tile_unaligned,    ///< where the sides are not aligned to 16 bytes
  tile_small,        ///< an element per lane there, for small matrices
  tile_joined,       ///< the same over several short axes of the output
  tile,              ///< an element per lane, any strides
  matrices,          ///< small matrices that are contiguous on both sides
  rows,              ///< the fast axis is one on both sides and rows are contiguous, 16 bytes per lane
  narrow,            ///< points of few components, by shuffles
  box_rows,          ///< runs of a line and more on both sides, in a box over short axes
  box                ///< short axes on either side
};

struct MovePlan {
  MoveKind kind = MoveKind::box;
  int size = 0; ///< bytes of an element, larger than the user's where neighbours always travel together
  unsigned blocks = 0;
  unsigned threads = 0; ///< of kinds box_rows and tile_joined
  int shared_bytes = 0;
  double cost = 0;        ///< of kind box_rows: beside the time that the bytes take that are moved, as a part of it
  NarrowShape narrow{};   ///< of kind narrow
  bool to_planes = false; ///< of kind narrow
  /// Of kind tile_unaligned: the launch before this one writes nothing that this one reads, which so may begin to read early.
  bool reads_early = false;
  std::variant<BoxJob, BoxRowsJob, RowsJob, TileJob, JoinedTileJob, MatricesJob, NarrowJob> job;
  core::Text variant;
};

enum class SwapKind {
  vector,    ///< 16 bytes per lane
  unaligned, ///< the same where rows do not lie on sectors
  element    ///< an element per lane, any strides
};

struct SwapPlan {
  SwapKind kind = SwapKind::element;
  int size = 0;
  unsigned blocks = 0;
  SwapJob job{};
  core::Text variant;
};

/// A plain move of elements of `size` bytes. None: more blocks than a grid has.
std::optional<MovePlan> plan_move(const Device& device, const core::MoveAxes& axes, int size, const void* in,
                                  const void* out);
/// With a functor between an input and an output of these sizes: kinds box_rows and box, tile where functor_takes_tiles,
/// tile_unaligned where narrows_in_tiles, and tile_joined of accumulations.
std::optional<MovePlan> plan_functor_move(const Device& device, const core::MoveAxes& axes, int in_size, int out_size,
                                          const void* in, const void* out, bool accumulates);

/// A stack of square matrices, and the bytes of an element; see InPlaceProblem.
struct InPlaceLayout {
  std::int64_t order, fast, slow;
  core::MoveAxes stack;
  int size;
  const void* data;
};

/// In place. Small matrices come several to a box, which is read before it is written; others are swaps.
using InPlaceMove = std::variant<MovePlan, SwapPlan>;
std::optional<InPlaceMove> plan_in_place(const Device& device, const InPlaceLayout& layout, bool functor);

} // namespace Keramos::cuda::transpose
