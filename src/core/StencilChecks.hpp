// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What apply_stencil demands of a call at run time, for every operator the same.
#pragma once

#include "StencilProblem.hpp"
#include "Views.hpp"

namespace Keramos::core {

/// The map of these rules goes round the axis, or `in` is larger: they make sense on both sides only.
inline void check_sides(int axis, const AxisRule& rule)
{
  for (Edge both : {Edge::periodic, Edge::periodic_closed, Edge::ghost})
    if ((rule.low.kind == both) != (rule.high.kind == both))
      fail("apply_stencil", "edges", text(to_string(both), " on both sides of axis ", axis),
           text("sides(", to_string(rule.low.kind), ", ", to_string(rule.high.kind), ")"));
}

inline void check_region(int axis, std::int64_t begin, std::int64_t end, std::int64_t extent)
{
  if (begin < 0 || begin > end || end > extent)
    fail("apply_stencil", "region", text("0 <= begin <= end <= ", extent, " along axis ", axis),
         text("[", begin, ", ", end, ")"));
}

template <class T, int Capacity>
void check_stencil(const StencilCall<T, Capacity>& call)
{
  std::vector<std::int64_t> expected, got;
  for (int axis = 0; axis < call.rank; ++axis) {
    check_sides(axis, call.edges[axis]);
    const bool ghost = call.edges[axis].low.kind == Edge::ghost;
    expected.push_back(call.out.extent[axis] + (ghost ? std::int64_t{2} * call.reach(axis) : 0));
    got.push_back(call.in.extent[axis]);
  }
  check_extents("apply_stencil", "in", expected, got);
  for (int axis = 0; axis < call.rank; ++axis)
    check_region(axis, call.begin[axis], call.end[axis], call.out.extent[axis]);
  check_output("apply_stencil", "out", call.out);
  check_apart("apply_stencil", "in", call.in, "out", call.out);
}

} // namespace Keramos::core
