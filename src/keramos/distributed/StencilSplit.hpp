// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil over a distributed field, on one rank: which axes go through the halo, and which points can be computed before
// the messages are there. Pure.
//
//     . . . . . . . . .     o  own points whose taps reach no halo that comes in messages: the interior
//     . b b b b b b b .     b  the boundary, in slabs: first those below and above along the slowest axis, whole; then, of
//     . c o o o o o d .     c  what is left, those along the next
//     . c o o o o o d .
//     . b b b b b b b .
//     . . . . . . . . .
#pragma once

#include "../core/InplaceVector.hpp"
#include "../stencil/EdgeRule.hpp"

#include <array>
#include <cstdint>

namespace Keramos::core {

/// An operator as an exchange sees it.
struct StencilReach {
  std::array<int, 3> low{}, high{};
  bool corners = false; ///< a tap goes along several axes

  /// What `ghost` asks for on either side.
  std::int64_t halo(std::size_t axis) const { return low[axis] > high[axis] ? low[axis] : high[axis]; }
  friend bool operator==(const StencilReach&, const StencilReach&) = default;
};

/// Half-open box of local points.
struct LocalBox {
  std::array<std::int64_t, 3> begin, end;

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
  friend bool operator==(const LocalBox&, const LocalBox&) = default;
};

/// Does an axis go through the halo? Those that several ranks share do, and those of which the application fills the ends.
bool goes_through_halo(int parts, const AxisRule& rule);

/// Must axes of one rank go through the halo as well? Only then do taps beyond two ends find the constant of the last axis,
/// where one of the two axes is shared and the other is not.
bool needs_whole_halo(const std::array<bool, 3>& through_halo, const std::array<AxisRule, 3>& edges, bool corners);

/// The points of a rank that are written: all that it owns, but under `interior` those whose taps stay inside.
LocalBox written_points(const std::array<std::int64_t, 3>& own_begin, const std::array<std::int64_t, 3>& own_extent,
                        const std::array<std::int64_t, 3>& extent, const std::array<AxisRule, 3>& edges,
                        const std::array<bool, 3>& through_halo, const StencilReach& reach);

/// The interior and, around it, the slabs of the boundary.
struct Split {
  LocalBox interior;
  InplaceVector<LocalBox, 6> boundary;
};

/// margin[axis]: how many own points below and above, along an axis, wait for messages. order: the axes, the slowest last.
Split split(const LocalBox& points, const std::array<std::int64_t, 3>& own_extent,
            const std::array<std::array<std::int64_t, 2>, 3>& margin, const std::array<int, 3>& order);

} // namespace Keramos::core
