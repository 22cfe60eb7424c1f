// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements moved from one distributed field to another. The sender's local kernel writes a box straight into the message, in
// the order in which the receiver's memory has it, so that the receiver copies rows; what a rank has for itself goes from
// field to field while messages travel:
//
//     pack, post, own piece, then for every turn:  pack and post the next one,  wait, unpack
//
// A turn is a round of a step. Where messages had better go one at a time, a step has those to one rank and from one, in
// round-robin order, all rounds of it before the next: a GPU has one partner, and two of them meet there only for as long as
// they are apart. Else all messages travel in one step.
#pragma once

#include "../core/Dispatch.hpp"
#include "../transpose/Dispatch.hpp"
#include "DistributedField.hpp"
#include "DistributedKernel.hpp"
#include "FieldIdentity.hpp"
#include "Lane.hpp"
#include "RedistributionPlan.hpp"
#include "RedistributionStep.hpp"

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
  /// A transpose of 32768^2 floats over four H200 by `peer` takes 2.44 ms with this limit, 2.70 with 512 MiB and 2.78 with
  /// 256 MiB: links reach their full rate with long messages.
  std::size_t bytes = std::size_t{1} << 30;
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
    Step<Element> all;
    for (const auto& piece : plan.sends) {
      std::array<int, 3> order = terms[static_cast<std::size_t>(piece.rank)].order;
      for (int& axis : order) axis = static_cast<int>(axes_[static_cast<std::size_t>(axis)]); // of in
      all.outgoing.push_back({piece.rank, permuted(local_part<const Element>(in, piece.box), order)});
    }
    const std::array<int, 3>& order = terms[static_cast<std::size_t>(communicator_.rank())].order;
    for (const auto& piece : plan.receives)
      all.incoming.push_back({piece.rank, permuted(local_part<Element>(out, piece.box), order)});
    own_.rank = rank;
    own_.in = padded<max_rank>(local_part<const Element>(in, plan.own_in));
    own_.out = padded<max_rank>(local_part<Element>(out, plan.own_out));
    std::copy(axes_.begin(), axes_.end(), own_.axes.begin());
    agree_on_rounds(all, limit);
    open(std::move(all));
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
    Kernel boundary;
    for (std::int64_t turn = 0; turn < turns(); turn += rounds_) {
      const Kernel kernel = pack(on, function, turn);
      if (turn == 0) boundary = kernel;
      unpack(on, function, turn);
    }
    return {move_own(on, function), boundary, transport()};
  }

  DistributedKernel run(const On<Space>& on, const char* function) const
  {
    if (is_short_) return run_in_order(on, function);
    const On<Space> packing = in(packing_, on), sending = in(sending_, on), receiving = in(receiving_, on);
    for (const auto* lane : {&packing_, &sending_, &receiving_}) lane->begin(on.space);
    const Kernel boundary = send(packing, sending, function, 0);
    const Kernel interior = move_own(on, function);
    for (std::int64_t turn = 0; turn < turns(); ++turn) {
      if (turn + 1 < turns()) send(packing, sending, function, turn + 1);
      receive(receiving, function, turn);
    }
    for (const auto* lane : {&packing_, &sending_, &receiving_}) lane->end(on.space);
    return {interior, boundary, transport()};
  }

private:
  /// Up to here the order of streams costs more than what could run beside the messages.
  static constexpr std::size_t short_message = std::size_t{4} << 20;

  void agree_on_rounds(const Step<Element>& all, const BufferLimit& limit)
  {
    std::vector<Index3> messages;
    std::int64_t longest = 0;
    for (const auto& load : all.outgoing) {
      const Index3& extent = messages.emplace_back(load.field.extent);
      longest = std::max(longest, extent[0] * extent[1] * extent[2]);
    }
    for (const auto& load : all.incoming) messages.push_back(load.field.extent);
    const auto elements = static_cast<std::int64_t>(std::min<std::size_t>(limit.bytes / sizeof(Element), INT64_MAX));
    rounds_ = most(rounds_within(messages, elements));
    if (rounds_ > 1) rounds_ = most(rounds_within(messages, elements / 2)); // two of them are on their way together
    is_short_ = rounds_ == 1 && static_cast<std::size_t>(most(longest)) * sizeof(Element) <= short_message;
  }
  std::int64_t most(std::int64_t mine) const
  {
    std::vector<std::int64_t> all(static_cast<std::size_t>(communicator_.size()));
    communicator_.all_gather(&mine, sizeof mine, all.data());
    return *std::max_element(all.begin(), all.end());
  }

  /// Steps that no rank has messages in are left out.
  void open(Step<Element> all)
  {
    const bool in_steps = !is_short_ && communicator_.one_at_a_time(place_of<Space>);
    std::vector<Step<Element>> steps(in_steps ? static_cast<std::size_t>(communicator_.size()) : 1);
    if (!in_steps) {
      steps.front() = std::move(all);
    } else {
      for (auto& load : all.outgoing) steps[distance(communicator_.rank(), load.rank)].outgoing.push_back(load);
      for (auto& load : all.incoming) steps[distance(load.rank, communicator_.rank())].incoming.push_back(load);
    }
    for (Step<Element>& step : steps) {
      if (in_steps && !any_rank(communicator_, !step.empty())) continue;
      step.open(communicator_, rounds_, place_of<Space>, !is_short_);
      steps_.push_back(std::move(step));
    }
  }
  std::size_t distance(int from, int to) const
  {
    return static_cast<std::size_t>((to - from + communicator_.size()) % communicator_.size());
  }

  const char* transport() const { return communicator_.transport(place_of<Space>); }
  std::int64_t turns() const { return static_cast<std::int64_t>(steps_.size()) * rounds_; }
  const Step<Element>& step(std::int64_t turn) const { return steps_[static_cast<std::size_t>(turn / rounds_)]; }
  std::int64_t round(std::int64_t turn) const { return turn % rounds_; }
  Channel& channel(std::int64_t turn) const { return *step(turn).channel[static_cast<std::size_t>(round(turn) % 2)]; }
  static On<Space> in(const Lane<Space>& lane, const On<Space>& on) { return on.in(lane.space(on.space)); }

  DistributedKernel run_in_order(const On<Space>& on, const char* function) const
  {
    const Kernel boundary = send(on, on, function, 0);
    const Kernel interior = move_own(on, function);
    receive(on, function, 0);
    return {interior, boundary, transport()};
  }

  /// The messages of a turn, while those of the next one are packed.
  Kernel send(const On<Space>& packing, const On<Space>& sending, const char* function, std::int64_t turn) const
  {
    channel(turn).reserve(Queue(packing.space));
    const Kernel kernel = pack(packing, function, turn);
    if (&packing != &sending) sending_.follow(packing_);
    channel(turn).post(Queue(sending.space));
    return kernel;
  }
  void receive(const On<Space>& on, const char* function, std::int64_t turn) const
  {
    {
      const ProfilingRegion region("redistribution::wait", on.label);
      channel(turn).wait(Queue(on.space));
    }
    unpack(on, function, turn);
    channel(turn).release(Queue(on.space));
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
  Kernel pack(const On<Space>& on, const char* function, std::int64_t turn) const
  {
    const ProfilingRegion region("redistribution::pack", on.label);
    const auto& outgoing = step(turn).outgoing;
    if (outgoing.empty()) return move(on, function, {}, {});
    Kernel first;
    for (const auto& load : outgoing) {
      const auto [here, there] = load.travels(round(turn));
      if (there.empty()) continue;
      const Kernel kernel = move(on, function, here, there);
      if (&load == &outgoing.front()) first = kernel;
    }
    return first;
  }

  void unpack(const On<Space>& on, const char* function, std::int64_t turn) const
  {
    const ProfilingRegion region("redistribution::unpack", on.label);
    for (const auto& load : step(turn).incoming) {
      const auto [here, there] = load.travels(round(turn));
      if (!there.empty()) move(on, function, there, here);
    }
  }

  std::weak_ptr<const int> in_;
  Communicator& communicator_;
  std::array<std::int64_t, 3> axes_;
  TransposeCall<Element, Element> own_;
  std::int64_t rounds_ = 1;
  bool is_short_ = false;
  std::vector<Step<Element>> steps_;
  Lane<Space> packing_{LaneOf::packing}, sending_{LaneOf::sending}, receiving_{LaneOf::receiving};
};

} // namespace core
} // namespace Keramos
