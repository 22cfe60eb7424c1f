// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge rules as a kernel sees them, axis by axis. A star or a line reads at most `radius` indices beyond either end of an
// axis, and corner values never matter to it: so the host asks the rules once for those 2 * radius indices, and the answers
// travel as kernel parameters, in the middle of an array for the largest radius:
//
//     index      -2   -1  |  0   1   2  ...  n-1  |  n   n+1
//     beyond    [6]  [7]                            [8]  [9]
//
// On the device an index beyond an end costs a look-up, others a comparison that is the same for most blocks.
#pragma once

#include "../../../src/keramos/stencil/Problem.hpp"
#include "Tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace Keramos::cuda::stencil {

template <class T>
struct EdgeAxis {
  static constexpr int reach = max_radius;

  std::int64_t stride; ///< of the input, in elements
  std::int64_t valid_begin, valid_end;
  std::int64_t beyond[2 * reach]; ///< in elements from index 0; no_index: a value, or never asked
  T low_value, high_value;

  /// Whether the rules have no say in [begin, end).
  __device__ bool plain(std::int64_t begin, std::int64_t end) const { return begin >= valid_begin && end <= valid_end; }

  /// Where to read for `index`, in elements from index 0; no_index where `value` holds instead. Further out than the
  /// operator reaches it is one or the other: no point of the problem reads there. Without a branch, so that several
  /// look-ups overlap: one after the other they took 2 of the 4 microseconds of a derivative on 64^3 points (H200).
  __device__ std::int64_t offset(std::int64_t index) const
  {
    const std::int64_t from = index - (index < valid_begin ? valid_begin : valid_end) + reach;
    const std::int64_t outside = beyond[min(max(from, std::int64_t(0)), std::int64_t(2 * reach - 1))];
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
      const std::int64_t outside = offset_beyond((below ? low : high) + k);
      f(k, below || above ? outside : (first + k) * stride, below ? low_value : high_value);
    }
  }

  /// The same for an index beyond an end: so many from valid_begin, which is below it, or from valid_end.
  __device__ std::int64_t offset_beyond(int from) const { return beyond[min(max(from + reach, 0), 2 * reach - 1)]; }

  __device__ T value(std::int64_t index) const { return index < valid_begin ? low_value : high_value; }
};

/// The value of the rules at a point where at least one axis has nothing to read. Where several have not, the last View index
/// decides, as in numpy.pad: `view_axis` has that of each axis.
template <class T>
__device__ T value_beyond(const EdgeAxis<T> (&axis)[3], const int (&view_axis)[3], const core::Index3& point)
{
  T value{};
  int decides = -1;
#pragma unroll
  for (int p = 0; p < 3; ++p) {
    if (view_axis[p] < decides || axis[p].offset(point[p]) != core::no_index) continue;
    decides = view_axis[p];
    value = axis[p].value(point[p]);
  }
  return value;
}

/// Not the zero with a sign.
template <class T>
bool is_zero(T value)
{
  return value == T(0) && !std::signbit(value);
}

/// The axis for an operator of this radius.
template <class T>
EdgeAxis<T> edge_axis(const core::ProblemAxis<T>& axis, std::int64_t stride, int radius)
{
  EdgeAxis<T> result{stride, axis.valid_begin, axis.valid_end, {}, axis.low_value, axis.high_value};
  std::fill_n(result.beyond, 2 * result.reach, core::no_index);
  if (axis.extent == 0) return result; // no point asks, and rules have no answer
  for (int step = -radius; step < radius; ++step) {
    T value{};
    const std::int64_t index = axis.resolve(step + (step < 0 ? axis.valid_begin : axis.valid_end), value);
    result.beyond[result.reach + step] = index == core::no_index ? index : index * stride;
  }
  return result;
}

} // namespace Keramos::cuda::stencil
