// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stencil calls over distributed fields keep from call to call, and by what they know it again.
#pragma once

#include "DistributedEpilogue.hpp"
#include "Exchange.hpp"
#include "StencilSplit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace Keramos::core {

/// Of an operator whose taps are not checked yet.
template <StencilOperator Op>
StencilReach reach_of(const Op& op)
{
  StencilReach reach;
  for (int t = 0; t < Op::tap_count; ++t) {
    const auto offset = op.offset(t);
    int axes = 0;
    for (std::size_t axis = 0; axis < Op::rank; ++axis) {
      const int distance = std::clamp(static_cast<int>(offset[axis]), -INT32_MAX, INT32_MAX);
      reach.low[axis] = std::max(reach.low[axis], -distance);
      reach.high[axis] = std::max(reach.high[axis], distance);
      if (distance != 0) ++axes;
    }
    if (axes > 1) reach.corners = true;
  }
  return reach;
}

/// What tells kinds of calls apart: two calls that agree in this need the same exchange and pass the same checks.
struct StencilKind {
  StencilReach reach;
  std::array<AxisRule, 3> edges{periodic, periodic, periodic};
  std::optional<LocalBox> region; ///< in global indices
  std::weak_ptr<const int> out;
  std::vector<std::weak_ptr<const int>> fields;

  template <std::size_t Count>
  bool is(const StencilReach& the_reach, const std::array<AxisRule, 3>& the_edges,
          const std::optional<LocalBox>& the_region, const std::shared_ptr<const int>& the_out,
          const Identities<Count>& the_fields) const
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!is_same_rule(edges[axis], the_edges[axis])) return false;
    return reach == the_reach && region == the_region && is_same_identity(out, the_out) &&
           std::equal(fields.begin(), fields.end(), the_fields.begin(), the_fields.end(), is_same_identity);
  }
};

/// What a kind of call needs besides its arguments: made by all ranks together at the first one, and kept with its input.
template <class View, class Exec>
struct StencilSetup final : Remembered {
  static constexpr std::size_t rank = static_cast<std::size_t>(Distributed<View>::rank);

  StencilKind kind;
  std::array<bool, 3> through_halo{};
  /// The input with a halo as wide as the operator asks for, where it has none such itself.
  std::optional<Distributed<View>> staging;
  const HaloExchangeOf<View, Exec>* exchange = nullptr;

  /// The halo that the call reads.
  HaloRequest request() const
  {
    HaloRequest request;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (!through_halo[axis]) continue;
      request.low[axis] = kind.reach.low[axis];
      request.high[axis] = kind.reach.high[axis];
      request.edges[axis] = kind.edges[axis];
    }
    request.corners = kind.reach.corners;
    return request;
  }

  /// The one that the local View has around it: `ghost` wants it alike on both sides.
  Halo<Distributed<View>::rank> halo() const
  {
    Halo<Distributed<View>::rank> halo;
    for (std::size_t axis = 0; axis < rank; ++axis)
      if (through_halo[axis]) halo.low[axis] = halo.high[axis] = kind.reach.halo(axis);
    return halo;
  }

  /// The own points next to a halo that comes in messages.
  std::array<std::array<std::int64_t, 2>, 3> margins() const
  {
    std::array<std::array<std::int64_t, 2>, 3> margin{};
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (exchange->has_messages(static_cast<int>(axis), 0)) margin[axis][0] = kind.reach.low[axis];
      if (exchange->has_messages(static_cast<int>(axis), 1)) margin[axis][1] = kind.reach.high[axis];
    }
    return margin;
  }
};

} // namespace Keramos::core
