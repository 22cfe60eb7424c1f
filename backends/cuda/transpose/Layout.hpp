// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose as a CUDA plan looks at it: both arrays, how they lie in memory, and the batch of what a block walks no part of.
#pragma once

#include "../../../src/keramos/transpose/Layout.hpp"
#include "../Memory.hpp"
#include "Jobs.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace Keramos::cuda::transpose {

using core::MoveAxes;
using core::MoveAxis;

inline constexpr std::int64_t max_blocks = 0x7fffffff;

/// a * b, or a number past max_blocks.
inline std::int64_t blocks_times(std::int64_t a, std::int64_t b) { return a > max_blocks / b ? max_blocks + 1 : a * b; }

/// Both arrays and the bytes of an element of either, which functors may change. The pointers are null where nothing is known of
/// them.
struct Layout {
  MoveAxes axes;
  int in_size, out_size;
  const void *in = nullptr, *out = nullptr;
  bool accumulates = false; ///< onto what the output holds

  int size() const { return std::max(in_size, out_size); }
  bool is_aligned(int bytes) const { return cuda::is_aligned(in, bytes) && cuda::is_aligned(out, bytes); }
};

/// "4 B", or "4 to 8 B".
std::string bytes_text(int in_size, int out_size);

/// Nothing to move is planned as one element: it is never launched.
void count_empty_as_one(MoveAxes& axes);

/// Of plain moves, whose elements have one size: those that are not aligned to it become several smaller ones; and where
/// neighbours always travel together, several are one. False: too many axes.
bool fit_to_alignment(Layout& layout);

/// Elements by which the first tile along an axis of neighbours is to be shorter than `side`, so that all others begin on
/// 256 bytes, or on as much of that as all rows, multiples of `pitch` elements apart, keep to: the unit in which memory is
/// read and written (H200, 16384^2, 4 bytes, % of a cudaMemcpy without and with: 91 and 97 behind the 128 bytes that Kokkos
/// puts in front of a View, 74 and 97 at an offset of 16). None where that made many more tiles.
int peel_of(const void* data, int size, int side, std::int64_t extent, std::int64_t pitch);

/// The axis that continues what the first `count` axes have of the input, so many elements, where these are short and blocks in the order
/// of the output come to it late; else 0.
int late_neighbour(const MoveAxes& axes, int count, std::int64_t elements, int size);

/// Elements that the input covers, from its first one on; strides may be negative.
template <class Job>
void cover_input(const MoveAxes& axes, Job& job)
{
  job.in_begin = 0;
  job.in_end = 1;
  for (int k = 0; k < axes.count; ++k) {
    const std::int64_t reach = (axes[k].extent - 1) * axes[k].in;
    (reach < 0 ? job.in_begin : job.in_end) += reach;
  }
}

/// All axes but x and y. False: more than blocks can count.
bool make_batch(const MoveAxes& axes, int x, int y, Batch& batch);

} // namespace Keramos::cuda::transpose
