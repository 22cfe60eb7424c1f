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

  /// Where to read for `index`, in elements from index 0; no_index where `value` holds instead, and for places that no
  /// point of the problem reads.
  __device__ std::int64_t offset(std::int64_t index) const
  {
    if (plain(index, index + 1)) return index * stride;
    const std::int64_t place = index - (index < valid_begin ? valid_begin : valid_end) + Reach;
    return place >= 0 && place < 2 * Reach ? beyond[place] : core::no_index;
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
