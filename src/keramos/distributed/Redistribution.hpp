// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements moved from one distributed field to another. The sender's local kernel writes a box straight into the message, in
// the order in which the receiver's memory has it, so that the receiver copies rows; what a rank has for itself goes from
// field to field while messages travel:
//
//     pack, post, own piece, then for every round:  pack and post the next one,  wait, unpack
#pragma once

#include "../core/Dispatch.hpp"
#include "../transpose/Dispatch.hpp"
#include "DistributedField.hpp"
#include "DistributedKernel.hpp"
#include "Lane.hpp"
#include "RedistributionPlan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Keramos {

/// How much memory the messages of a call may take on a rank, sent and received ones together. What does not fit travels in
/// several rounds, each of which carries one element of every message at least.
struct BufferLimit {
  /// A transpose of 32768^2 floats over two H200 by `peer` takes 3.15 ms with this limit, 3.35 with 128 MiB and 3.82 with
  /// 64 MiB: links reach their full rate with long messages.
  std::size_t bytes = std::size_t{256} << 20;
};

namespace core {

/// What a rank tells the others at the first call of a kind.
struct RedistributionTerms {
  std::array<std::int64_t, 3> axes{0, 1, 2};     ///< axis k of out is axis axes[k] of in
  std::array<int, 3> order{};                    ///< the axes of out, the fastest of this rank's local View first
  std::uint64_t cuts_of_in = 0, cuts_of_out = 0; ///< checksums
};

template <int Rank>
Cuts<Rank> cuts_of(const Partition<Rank>& partition)
{
  Cuts<Rank> cuts;
  for (int axis = 0; axis < Rank; ++axis) cuts[static_cast<std::size_t>(axis)] = partition.cuts(axis);
  return cuts;
}

/// Owned points of a local View; the axes behind its rank have extent 1.
template <class T, class View>
Field<T, 3> local_part(const Distributed<View>& field, const Subdomain<Distributed<View>::rank>& box)
{
  const auto local = padded<3>(field_of(field.local()));
  Field<T, 3> part{reinterpret_cast<T*>(local.data), local.extent, local.stride};
  for (int axis = 0; axis < Distributed<View>::rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    part.extent[axis] = box.extent(axis);
    if (!box.empty()) part.data += (box.begin[at] - field.box().begin[at] + field.halo().low[at]) * part.stride[axis];
  }
  return part;
}

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

/// All that a call needs, for two fields and one order of axes; kept with `out`, so that later calls allocate nothing.
/// Depends on the size of elements and not on their type.
template <class Element, class Space>
class Redistribution final : public Remembered {
public:
  /// (collective) terms: those of every rank.
  template <class InView, class OutView>
  Redistribution(const Distributed<InView>& in, const Distributed<OutView>& out,
                 const std::vector<RedistributionTerms>& terms, const BufferLimit& limit)
      : in_(identity_of(in)), communicator_(out.communicator()),
        axes_(terms[static_cast<std::size_t>(communicator_.rank())].axes)
  {
    constexpr int rank = Distributed<InView>::rank;
    std::array<std::int64_t, rank> axes;
    std::copy_n(axes_.begin(), rank, axes.begin());
    const auto plan =
        redistribution_plan<rank>(cuts_of(in.partition()), cuts_of(out.partition()), axes, communicator_.rank());
    for (const auto& piece : plan.sends) {
      std::array<int, 3> order = terms[static_cast<std::size_t>(piece.rank)].order;
      for (int& axis : order) axis = static_cast<int>(axes_[static_cast<std::size_t>(axis)]); // of in
      outgoing_.push_back({piece.rank, permuted(local_part<const Element>(in, piece.box), order)});
    }
    const std::array<int, 3>& order = terms[static_cast<std::size_t>(communicator_.rank())].order;
    for (const auto& piece : plan.receives)
      incoming_.push_back({piece.rank, permuted(local_part<Element>(out, piece.box), order)});
    own_.rank = rank;
    own_.in = padded<max_rank>(local_part<const Element>(in, plan.own_in));
    own_.out = padded<max_rank>(local_part<Element>(out, plan.own_out));
    std::copy(axes_.begin(), axes_.end(), own_.axes.begin());
    agree_on_rounds(limit);
    open();
  }

  bool is_for(const std::shared_ptr<const int>& in, const std::array<std::int64_t, 3>& axes) const
  {
    return in_.lock() == in && axes_ == axes;
  }
  /// The field that it moves from is no more.
  bool expired() const { return in_.expired(); }

  /// What run() would take; Error where the only backend allowed covers no such call.
  DistributedKernel ask(On<Space> on, const char* function) const
  {
    on.dry = true;
    const Kernel boundary = pack(on, function, 0);
    unpack(on, function, 0);
    return {move_own(on, function), boundary, transport()};
  }

  DistributedKernel run(const On<Space>& on, const char* function) const
  {
    if (is_short_) return run_in_order(on, function);
    const On<Space> packing = in(packing_, on), sending = in(sending_, on), receiving = in(receiving_, on);
    for (const auto* lane : {&packing_, &sending_, &receiving_}) lane->begin(on.space);
    const Kernel boundary = send(packing, sending, function, 0);
    const Kernel interior = move_own(on, function);
    for (std::int64_t round = 0; round < rounds_; ++round) {
      if (round + 1 < rounds_) send(packing, sending, function, round + 1);
      receive(receiving, function, round);
    }
    for (const auto* lane : {&packing_, &sending_, &receiving_}) lane->end(on.space);
    return {interior, boundary, transport()};
  }

private:
  /// Up to here the order of streams costs more than what could run beside the messages.
  static constexpr std::size_t short_message = std::size_t{4} << 20;

  void agree_on_rounds(const BufferLimit& limit)
  {
    std::vector<Index3> messages;
    for (const auto& load : outgoing_) messages.push_back(load.field.extent);
    for (const auto& load : incoming_) messages.push_back(load.field.extent);
    const auto elements = static_cast<std::int64_t>(limit.bytes / sizeof(Element));
    rounds_ = most(rounds_within(messages, elements));
    if (rounds_ > 1) rounds_ = most(rounds_within(messages, elements / 2)); // two of them are on their way together
  }
  std::int64_t most(std::int64_t mine) const
  {
    std::vector<std::int64_t> all(static_cast<std::size_t>(communicator_.size()));
    communicator_.all_gather(&mine, sizeof mine, all.data());
    return *std::max_element(all.begin(), all.end());
  }

  /// A message has one size in all rounds; the last ones may use less of it.
  template <class Loads>
  std::vector<Message> cut(Loads& loads) const
  {
    std::vector<Message> messages;
    for (auto& load : loads) {
      load.part = part_extents(load.field.extent, rounds_);
      messages.push_back({load.rank, load.elements() * sizeof(Element)});
    }
    return messages;
  }

  void open()
  {
    const std::vector<Message> sends = cut(outgoing_), receives = cut(incoming_);
    std::size_t bytes = 0;
    for (const Message& message : sends) bytes = std::max(bytes, message.bytes);
    is_short_ = rounds_ == 1 && bytes <= short_message;
    for (std::size_t c = 0; c < (rounds_ > 1 ? 2u : 1u); ++c) {
      channel_[c] = communicator_.open(sends, receives, place_of<Space>, !is_short_);
      for (std::size_t i = 0; i < outgoing_.size(); ++i)
        outgoing_[i].message[c] = static_cast<Element*>(channel_[c]->send_buffer(i));
      for (std::size_t i = 0; i < incoming_.size(); ++i)
        incoming_[i].message[c] = static_cast<const Element*>(channel_[c]->receive_buffer(i));
    }
  }

  const char* transport() const { return communicator_.transport(place_of<Space>); }
  Channel& channel(std::int64_t round) const { return *channel_[static_cast<std::size_t>(round % 2)]; }
  static On<Space> in(const Lane<Space>& lane, const On<Space>& on) { return on.in(lane.space(on.space)); }

  DistributedKernel run_in_order(const On<Space>& on, const char* function) const
  {
    const Kernel boundary = send(on, on, function, 0);
    const Kernel interior = move_own(on, function);
    receive(on, function, 0);
    return {interior, boundary, transport()};
  }

  /// One message after the other, each at the full rate of the link, while the next one is packed.
  Kernel send(const On<Space>& packing, const On<Space>& sending, const char* function, std::int64_t round) const
  {
    channel(round).reserve(Queue(packing.space));
    const Kernel kernel = pack(packing, function, round);
    if (&packing != &sending) sending_.follow(packing_);
    channel(round).post(Queue(sending.space));
    return kernel;
  }
  void receive(const On<Space>& on, const char* function, std::int64_t round) const
  {
    {
      const ProfilingRegion region("redistribution::wait", on.label);
      channel(round).wait(Queue(on.space));
    }
    unpack(on, function, round);
    channel(round).release(Queue(on.space));
  }

  /// One local kernel, for elements whose axes stand in the same order.
  static Kernel move(const On<Space>& on, const char* function, const Field<const Element, 3>& from,
                     const Field<Element, 3>& to)
  {
    const TransposeCall<Element, Element> call{function, 3, padded<max_rank>(from), padded<max_rank>(to)};
    return dispatch_transpose(on, TransposeProblem<Element, Element>(call), Move{});
  }

  Kernel move_own(const On<Space>& on, const char* function) const
  {
    TransposeCall<Element, Element> call = own_;
    call.operation = function;
    return dispatch_transpose(on, TransposeProblem<Element, Element>(call), Move{});
  }

  /// Returns the kernel of the first message, or that of a call without elements.
  Kernel pack(const On<Space>& on, const char* function, std::int64_t round) const
  {
    const ProfilingRegion region("redistribution::pack", on.label);
    if (outgoing_.empty()) return move(on, function, {}, {});
    Kernel first;
    for (const auto& load : outgoing_) {
      const auto [here, there] = load.travels(round);
      if (there.empty()) continue;
      const Kernel kernel = move(on, function, here, there);
      if (&load == &outgoing_.front()) first = kernel;
    }
    return first;
  }

  void unpack(const On<Space>& on, const char* function, std::int64_t round) const
  {
    const ProfilingRegion region("redistribution::unpack", on.label);
    for (const auto& load : incoming_) {
      const auto [here, there] = load.travels(round);
      if (!there.empty()) move(on, function, there, here);
    }
  }

  std::weak_ptr<const int> in_;
  Communicator& communicator_;
  std::array<std::int64_t, 3> axes_;
  std::vector<Load<const Element, Element>> outgoing_;
  std::vector<Load<Element, const Element>> incoming_;
  TransposeCall<Element, Element> own_;
  std::int64_t rounds_ = 1;
  bool is_short_ = false;
  std::array<std::unique_ptr<Channel>, 2> channel_; ///< of the even rounds and of the odd ones
  Lane<Space> packing_{LaneOf::packing}, sending_{LaneOf::sending}, receiving_{LaneOf::receiving};
};

} // namespace core
} // namespace Keramos
