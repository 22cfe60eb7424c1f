// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of a redistribution that travel together, and the memory that they are packed into.
#pragma once

#include "../core/Field.hpp"
#include "Communicator.hpp"
#include "RedistributionPlan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Keramos::core {

/// One message: the elements that it takes from a local View, or brings there.
template <class T, class Buffer>
struct Load {
  int rank;                         ///< whom it goes to, or comes from
  Field<T, 3> field;                ///< axes in the order of the message, fastest first
  Index3 part{};                    ///< the most that travels in one round
  std::array<Buffer*, 2> message{}; ///< of the even rounds and of the odd ones

  std::size_t elements() const { return static_cast<std::size_t>(part[0] * part[1] * part[2]); }

  /// What travels in one round, in the View and in the message; nothing may be left.
  std::pair<Field<T, 3>, Field<Buffer, 3>> travels(std::int64_t round) const
  {
    const auto [begin, extent] = message_part(field.extent, part, round);
    Field<T, 3> here{field.data, extent, field.stride};
    for (int axis = 0; axis < 3; ++axis) here.data += begin[axis] * field.stride[axis];
    return {here, {message[round % 2], extent, {1, extent[0], extent[0] * extent[1]}}};
  }
};

/// What a rank sends and receives together: in a step to one rank and from one, short messages all at once.
template <class Element>
struct Step {
  std::vector<Load<const Element, Element>> outgoing;
  std::vector<Load<Element, const Element>> incoming;
  std::array<std::unique_ptr<Channel>, 2> channel; ///< of the even rounds and of the odd ones

  bool empty() const { return outgoing.empty() && incoming.empty(); }

  /// (collective)
  void open(Communicator& communicator, std::int64_t rounds, Place place, bool beside)
  {
    const std::vector<Message> sends = cut(outgoing, rounds), receives = cut(incoming, rounds);
    for (std::size_t c = 0; c < (rounds > 1 ? 2u : 1u); ++c) {
      channel[c] = communicator.open(sends, receives, place, beside);
      for (std::size_t i = 0; i < outgoing.size(); ++i)
        outgoing[i].message[c] = static_cast<Element*>(channel[c]->send_buffer(i));
      for (std::size_t i = 0; i < incoming.size(); ++i)
        incoming[i].message[c] = static_cast<const Element*>(channel[c]->receive_buffer(i));
    }
  }

private:
  /// A message has one size in all rounds; the last ones may use less of it.
  template <class Loads>
  static std::vector<Message> cut(Loads& loads, std::int64_t rounds)
  {
    std::vector<Message> messages;
    for (auto& load : loads) {
      load.part = part_extents(load.field.extent, rounds);
      messages.push_back({load.rank, load.elements() * sizeof(Element)});
    }
    return messages;
  }
};

} // namespace Keramos::core
