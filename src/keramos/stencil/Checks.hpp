// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What apply_stencil demands of a call: of its types by sentences of the compiler, of its values at run time, for every
// operator the same.
#pragma once

#include "../core/IndexArgument.hpp"
#include "../core/Views.hpp"
#include "Problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace Keramos::core {

/// Of an application's own operator.
template <class Op>
consteval void require_stencil_operator()
{
  using Offset = std::remove_cvref_t<decltype(std::declval<const Op&>().offset(0))>;
  using Distance = std::remove_cvref_t<decltype(std::declval<const Offset&>()[0])>;
  static_assert(Op::tap_count >= 0, "Keramos::apply_stencil: argument 'op' must not have a negative tap_count.");
  static_assert(!std::is_floating_point_v<Distance> &&
                    (index_count<Offset>() == 0 || index_count<Offset>() >= static_cast<std::size_t>(Op::rank)),
                "Keramos::apply_stencil: argument 'op' must have offsets of a whole number for each View index.");
}

template <class Op, class InView, class OutView>
consteval void require_stencil_views()
{
  require_stencil_operator<Op>();
  static_assert(static_cast<int>(InView::rank) == Op::rank && static_cast<int>(OutView::rank) == Op::rank,
                "Keramos::apply_stencil: the operator, the input and the output must have the same rank.");
  static_assert(Real<typename InView::value_type> &&
                    std::is_same_v<typename InView::non_const_value_type, typename OutView::value_type>,
                "Keramos::apply_stencil: input and output must have one value type, float or double.");
}

/// Offsets are ints, and so are the reaches, which are offsets without their signs.
template <int Rank, class Offset>
void check_tap(const Offset& offset)
{
  const auto is_int = [](std::int64_t distance) { return distance >= -INT32_MAX && distance <= INT32_MAX; };
  bool are_ints = true;
  for (int axis = 0; axis < Rank; ++axis) are_ints = are_ints && is_int(static_cast<std::int64_t>(offset[axis]));
  if (are_ints) return;
  std::array<std::int64_t, Rank> wide;
  for (int axis = 0; axis < Rank; ++axis) wide[axis] = static_cast<std::int64_t>(offset[axis]);
  fail("apply_stencil", "op", text("offsets from ", -INT32_MAX, " to ", INT32_MAX), tuple_text(wide));
}

/// The map of these rules goes round the axis: they make sense on both sides only.
inline void check_sides(const char* function, int axis, const AxisRule& rule)
{
  for (Edge both : {Edge::periodic, Edge::periodic_closed})
    if ((rule.low.kind == both) != (rule.high.kind == both))
      fail(function, "edges", text(to_string(both), " on both sides of axis ", axis),
           text("sides(", to_string(rule.low.kind), ", ", to_string(rule.high.kind), ")"));
}

inline void check_region(int axis, std::int64_t begin, std::int64_t end, std::int64_t extent)
{
  if (begin < 0 || begin > end || end > extent)
    fail("apply_stencil", "region", text("0 <= begin <= end <= ", extent, " along axis ", axis),
         text("[", begin, ", ", end, ")"));
}

/// Extents along the first `rank` axes. Nothing is allocated where they agree.
inline void check_stencil_extents(const char* argument, int rank, const Index3& expected, const Index3& got)
{
  const auto axes = [rank](const Index3& extent) { return std::vector(extent.data(), extent.data() + rank); };
  for (int axis = 0; axis < rank; ++axis)
    if (expected[axis] != got[axis]) check_extents("apply_stencil", argument, axes(expected), axes(got));
}

template <class T, int Capacity>
void check_stencil(const StencilCall<T, Capacity>& call)
{
  Index3 expected = call.out.extent;
  for (int axis = 0; axis < call.rank; ++axis) {
    check_sides("apply_stencil", axis, call.edges[axis]);
    expected[axis] += call.halo_low(axis) + call.halo_high(axis);
  }
  check_stencil_extents("in", call.rank, expected, call.in.extent);
  for (int axis = 0; axis < call.rank; ++axis)
    check_region(axis, call.begin[axis], call.end[axis], call.out.extent[axis]);
  check_output("apply_stencil", "out", call.out);
  check_apart("apply_stencil", "in", call.in, "out", call.out);
}

/// The same elements at the same indices.
template <class T>
bool is_same_field(const Field<const T, 3>& field, const Field<T, 3>& out)
{
  bool same = field.data == out.data;
  for (int axis = 0; axis < 3; ++axis) same = same && (out.extent[axis] == 1 || field.stride[axis] == out.stride[axis]);
  return same;
}

/// An epilogue reads its fields at the point it writes: another point may not have written there before.
template <class T>
void check_out_or_apart(const char* argument, const Field<const T, 3>& field, const Field<T, 3>& out)
{
  if (is_same_field(field, out)) return;
  const Answer answer = share_a_byte(footprint(field), footprint(out));
  if (answer != Answer::no)
    refuse(answer, "apply_stencil", argument, "'out' itself, element for element, or no element in common with it",
           "a View that overlaps it partly");
}

} // namespace Keramos::core
