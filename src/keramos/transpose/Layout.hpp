// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every backend that plans a transpose asks of its axes: which elements travel together, in which order the axes lie,
// and how a box grows over them. Pure, on the host, and nothing allocates: a plan is made in every call.
#pragma once

#include "Problem.hpp"

#include <array>
#include <cstdint>

namespace Keramos::core {

/// A single element has an axis as well, where a plan wants one.
inline void ensure_axis(MoveAxes& axes)
{
  if (axes.count == 0) axes = {1, {MoveAxis{1, 1, 1}}};
}

/// Where neighbours are neighbours in both arrays, 2, 4, 8 or 16 bytes of them are one element, of `max_size` bytes at
/// most. Returns the size of an element.
int widen(MoveAxes& axes, int size, int max_size = 16);

/// Axes by the stride of the input, fastest first; those that repeat the input come last.
std::array<int, max_rank> input_order(const MoveAxes& axes);

/// Do the axes stand in one order on both sides, so that a copy reads as it writes?
bool same_order(const MoveAxes& axes);

/// What bounds a box.
struct BoxLimits {
  std::int64_t elements;
  int axes = max_rank; ///< along which it may be longer than one element
  int lanes = 1;       ///< that move it together; more than one want rows of whole multiples, and boxes of even size
};

/// The extents of a box, which begins as one element and grows.
class BoxShape {
public:
  BoxShape(const MoveAxes& axes, const BoxLimits& limits) : axes_(axes), limits_(limits) { extent_.fill(1); }

  /// At least `wanted` along axis k, if the axis is that long and the limits allow it.
  void grow(int k, std::int64_t wanted);
  /// As far as the limits allow along axis k.
  void fill(int k);

  /// Grows along the fastest axes of the output until runs of so many elements are covered, then along those of the input.
  void span(std::int64_t output_run, std::int64_t input_run);
  /// The same, and then as far as the limits allow: for axes that are short on either side.
  void cover(std::int64_t run);

  std::int64_t extent(int k) const { return extent_[k]; }
  std::int64_t volume() const { return volume_; }

private:
  const MoveAxes& axes_;
  BoxLimits limits_;
  std::array<std::int64_t, max_rank> extent_;
  std::int64_t volume_ = 1;
  int long_axes_ = 0; ///< along which it is longer than one element
};

} // namespace Keramos::core
