// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StencilSplit.hpp"

#include <algorithm>
#include <cstddef>

namespace Keramos::core {
namespace {

bool says(const AxisRule& rule, Edge kind) { return rule.low.kind == kind || rule.high.kind == kind; }

} // namespace

bool goes_through_halo(int parts, const AxisRule& rule) { return parts > 1 || says(rule, Edge::ghost); }

bool needs_whole_halo(const std::array<bool, 3>& through_halo, const std::array<AxisRule, 3>& edges, bool corners)
{
  if (!corners) return false;
  for (std::size_t last = 0; last < 3; ++last)
    for (std::size_t axis = 0; axis < last; ++axis)
      if (through_halo[last] && !through_halo[axis] && says(edges[last], Edge::constant) &&
          says(edges[axis], Edge::constant))
        return true;
  return false;
}

LocalBox written_points(const std::array<std::int64_t, 3>& own_begin, const std::array<std::int64_t, 3>& own_extent,
                        const std::array<std::int64_t, 3>& extent, const std::array<AxisRule, 3>& edges,
                        const std::array<bool, 3>& through_halo, const StencilReach& reach)
{
  LocalBox box{{0, 0, 0}, own_extent};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!through_halo[axis]) continue; // the kernel itself leaves points out
    if (edges[axis].low.kind == Edge::interior)
      box.begin[axis] = std::max<std::int64_t>(0, reach.low[axis] - own_begin[axis]);
    if (edges[axis].high.kind == Edge::interior)
      box.end[axis] = std::min(own_extent[axis], extent[axis] - reach.high[axis] - own_begin[axis]);
    box.begin[axis] = std::min(box.begin[axis], own_extent[axis]);
    box.end[axis] = std::max(box.begin[axis], box.end[axis]);
  }
  return box;
}

Split split(const LocalBox& points, const std::array<std::int64_t, 3>& own_extent,
            const std::array<std::array<std::int64_t, 2>, 3>& margin, const std::array<int, 3>& order)
{
  Split result;
  LocalBox rest = points;
  const auto add = [&](const LocalBox& slab) {
    if (!slab.empty()) result.boundary.push_back(slab);
  };
  for (int p = 2; p >= 0; --p) {
    const auto axis = static_cast<std::size_t>(order[static_cast<std::size_t>(p)]);
    const std::int64_t begin = std::clamp(margin[axis][0], rest.begin[axis], rest.end[axis]);
    const std::int64_t end = std::clamp(own_extent[axis] - margin[axis][1], begin, rest.end[axis]);
    LocalBox below = rest, above = rest;
    below.end[axis] = begin;
    above.begin[axis] = end;
    add(below);
    add(above);
    rest.begin[axis] = begin;
    rest.end[axis] = end;
  }
  result.interior = rest;
  return result;
}

} // namespace Keramos::core
