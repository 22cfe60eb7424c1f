// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge rules as a kernel sees them, axis by axis. A star or a line reads at most `Reach` places beyond either end of an
// axis, and corner values never matter to it: so the host asks the rules once for those 2 * Reach places, and the answers
// travel as kernel parameters:
//
//     index      -2   -1  |  0   1   2  ...  n-1  |  n   n+1
//     beyond    [0]  [1]                            [2]  [3]
//
// On the device a place beyond an end costs a look-up, others a comparison that is the same for most blocks.
#pragma once

#include "../../src/core/StencilProblem.hpp"

#include <array>
#include <cstdint>

namespace Keramos::cuda {

template <class T, int Reach>
struct EdgeAxis {
  std::int64_t stride; ///< of the input, in elements
  std::int64_t valid_begin, valid_end;
  std::int64_t beyond[2 * Reach]; ///< in elements from index 0; no_index: a value, or never asked
  T low_value, high_value;

  /// Whether the rules have no say in [begin, end).
  __device__ bool plain(std::int64_t begin, std::int64_t end) const { return begin >= valid_begin && end <= valid_end; }

  /// Where to read for `index`, in elements from index 0; no_index where `value` holds instead. Further out than Reach it
  /// is any such place: no point of the problem reads there. Without a branch, so that several look-ups overlap: one after
  /// the other they took 2 of the 4 microseconds of a derivative on 64^3 points (H200).
  __device__ std::int64_t offset(std::int64_t index) const
  {
    const std::int64_t from = index - (index < valid_begin ? valid_begin : valid_end) + Reach;
    const std::int64_t outside = beyond[min(max(from, std::int64_t(0)), std::int64_t(2 * Reach - 1))];
    return plain(index, index + 1) ? index * stride : outside;
  }

  /// f(k, offset(first + k), value(first + k)) for k in [0, Count): in 32 bits, because a small grid waits for every
  /// instruction.
  template <int Count, class F>
  __device__ void for_each_offset(std::int64_t first, F f) const
  {
    constexpr std::int64_t far = 1 << 30;
    const int low = static_cast<int>(min(max(first - valid_begin, -far), far));
    const int high = static_cast<int>(min(max(first - valid_end, -far), far));
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const bool below = low + k < 0, above = high + k >= 0;
      const int place = min(max((below ? low : high) + k + Reach, 0), 2 * Reach - 1);
      const std::int64_t outside = beyond[place];
      f(k, below || above ? outside : (first + k) * stride, below ? low_value : high_value);
    }
  }

  __device__ T value(std::int64_t index) const { return index < valid_begin ? low_value : high_value; }
};

template <int Reach, class T>
EdgeAxis<T, Reach> edge_axis(const core::ProblemAxis<T>& axis, std::int64_t stride)
{
  EdgeAxis<T, Reach> result{stride, axis.valid_begin, axis.valid_end, {}, axis.low_value, axis.high_value};
  for (int step = 0; step < Reach; ++step) {
    const std::int64_t places[2] = {axis.valid_begin - Reach + step, axis.valid_end + step};
    for (int side = 0; side < 2; ++side) {
      T value{};
      const std::int64_t index = axis.resolve(places[side], value);
      result.beyond[side * Reach + step] = index == core::no_index ? index : index * stride;
    }
  }
  return result;
}

} // namespace Keramos::cuda
