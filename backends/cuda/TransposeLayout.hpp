// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose as its plan looks at it: which elements travel together, and in which order the axes lie.
#pragma once

#include "TransposeJobs.hpp"

#include <array>
#include <cstdint>

namespace Keramos::cuda {

using core::MoveAxes;
using core::MoveAxis;

inline constexpr std::int64_t most_blocks = 0x7fffffff;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// a * b, or a number past most_blocks.
inline std::int64_t blocks_times(std::int64_t a, std::int64_t b)
{
  return a > most_blocks / b ? most_blocks + 1 : a * b;
}

inline bool lies_on(const void* pointer, int bytes) { return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0; }

/// Both arrays and what an element is.
struct Layout {
  MoveAxes axes;
  int size;
  const void *in, *out;

  void scale(int k, int up, int down)
  {
    axes.axis[k].in = axes[k].in * up / down;
    axes.axis[k].out = axes[k].out * up / down;
  }
};

/// Nothing to move is planned as one element: it is never launched.
void forget_emptiness(MoveAxes& axes);

/// Elements that do not lie on their size become several smaller ones. False: too many axes.
bool narrow_to_alignment(Layout& layout);

/// Where neighbours are neighbours in both arrays, 2, 4, 8 or 16 bytes of them are one element.
void widen(Layout& layout);

/// Axes by the stride of the input, fastest first; those that repeat the input come last.
std::array<int, core::max_rank> input_order(const MoveAxes& axes);

/// All axes but x and y. False: more than blocks can count.
/// Elements by which the first tile along an axis of neighbours is to be shorter than `side`, so that all others begin on
/// 256 bytes, or on as much of that as all rows, multiples of `pitch` elements apart, keep to: the unit in which memory is
/// read and written (H200, 16384^2, 4 bytes, % of a cudaMemcpy without and with: 91 and 97 behind the 128 bytes that Kokkos
/// puts in front of a View, 74 and 97 at an offset of 16). None where that made many more tiles.
int lead_of(const void* data, int size, int side, std::int64_t extent, std::int64_t pitch);

bool make_batch(const MoveAxes& axes, int x, int y, Batch& batch);

} // namespace Keramos::cuda
