// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of apply_stencil: what they may be, and the call that they make, with their types taken away.
#pragma once

#include "../core/IndexArgument.hpp"
#include "../core/Views.hpp"
#include "Checks.hpp"
#include "Epilogue.hpp"
#include "Problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Keramos {

/// Half-open box of points [begin, end), in indices of the output. A corner is a list in braces or an array, of whole
/// numbers of any type, or a std::vector of them. Throws Error: a vector of more or fewer than Rank.
///
///     Keramos::Region<3>{{4, 4, 4}, {60, 60, 60}}                     // as Kokkos::MDRangePolicy has it
///     Keramos::Region{std::array{4, 4, 4}, Kokkos::Array{n0, n1, n2}} // the rank follows from the arrays
template <int Rank>
struct Region {
  std::array<std::int64_t, Rank> begin, end;

  constexpr Region(const core::Corner<Rank>& first, const core::Corner<Rank>& last)
      : begin(core::checked("begin", first)), end(core::checked("end", last))
  {
  }
};
template <core::CountedList Begin, core::CountedList End>
Region(const Begin&, const End&) -> Region<static_cast<int>(core::index_count<Begin>())>;
template <std::size_t Rank, std::size_t EndRank>
Region(const core::IndexArgument (&)[Rank], const core::IndexArgument (&)[EndRank]) -> Region<static_cast<int>(Rank)>;

namespace core {

/// The rules that a call with this operator takes. Not deduced, so that one rule converts to them (and through a type of
/// the standard library, without which nvcc 13 refuses the conversion).
template <class Op>
using RulesOf = std::type_identity_t<EdgeRules<Op::rank>>;

// clang-format off
template <class F, class OutView>
concept EpilogueFor =
    declares_fields<F> || UserEpilogue<F, typename OutView::value_type, static_cast<int>(OutView::rank)>;
// clang-format on

/// What the layout says where strides do not, because of extents of 1.
template <class View>
bool last_index_fastest(const View& view)
{
  using Layout = typename View::array_layout;
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight> || View::rank < 2)
    return true;
  else if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>)
    return false;
  else
    return view.stride(0) >= view.stride(View::rank - 1);
}

/// The operator as data, its offsets in View index order.
template <class T, int Capacity, StencilOperator Op>
void read_taps(const Op& op, StencilCall<T, Capacity>& call)
{
  Kokkos::Array<int, 3> lowest{}, highest{};
  constexpr int count = Op::tap_count, rank = Op::rank; // an application's operator may have them of other types
  call.taps.count = count;
  for (int t = 0; t < count; ++t) {
    const auto offset = op.offset(t);
    check_tap<Op::rank>(offset);
    call.taps.weight[t] = static_cast<T>(op.weight(t));
    Kokkos::Array<int, 3> distance{};
    for (int axis = 0; axis < rank; ++axis) {
      distance[axis] = static_cast<int>(offset[axis]);
      lowest[axis] = std::min(lowest[axis], distance[axis]);
      highest[axis] = std::max(highest[axis], distance[axis]);
    }
    call.taps.offset[t] = distance;
  }
  for (int axis = 0; axis < 3; ++axis) call.reach_low[axis] = -lowest[axis];
  call.reach_high = highest;
}

/// The call, erased: from here on only the value type and the rounded-up number of taps are types.
template <StencilOperator Op, class InView, class OutView>
auto stencil_call(const Op& op, const InView& in, const OutView& out, const EdgeRules<Op::rank>& edges,
                  const Region<Op::rank>* region)
{
  using T = typename OutView::value_type;
  StencilCall<T, tap_capacity(Op::tap_count)> call;
  call.rank = Op::rank;
  call.shape = Op::shape;
  call.radius = Op::radius;
  read_taps(op, call);
  call.in = padded<3>(read_only(field_of(in)));
  call.out = padded<3>(field_of(out));
  call.last_index_fastest = last_index_fastest(in);
  call.end = call.out.extent;
  for (int axis = 0; axis < call.rank; ++axis) {
    call.edges[axis] = edges[axis];
    if (!region) continue;
    call.begin[axis] = region->begin[axis];
    call.end[axis] = region->end[axis];
  }
  return call;
}

} // namespace core
} // namespace Keramos
