// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exchange of a field's halo: a HaloPlan with its memory and its messages, made at the first call of its kind and kept
// with the field.
#pragma once

#include "../core/Dispatch.hpp"
#include "../stencil/Checks.hpp"
#include "ExchangedField.hpp"
#include "Lane.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Keramos::core {

/// The halos of fields of one partition, in one message for each pair of ranks.
template <class T, class Exec>
class HaloExchange final : public Remembered {
public:
  /// (collective) terms: those of every rank, of all fields one behind the other.
  template <int Rank>
  HaloExchange(const Partition<Rank>& partition, std::vector<ExchangedField<T>> fields, std::vector<HaloTerms> terms)
      : communicator_(partition.ranks().communicator()), fields_(std::move(fields)), terms_(std::move(terms))
  {
    find_messages(partition);
    name_memory(sends_, outgoing_, [&](const Found& found, BoxCopy<T>& box) {
      set_source(box, found);
      return std::pair(const_cast<T*>(box.from), box.from_stride);
    });
    name_memory(receives_, incoming_, [&](const Found& found, BoxCopy<T>& box) {
      set_target(box, found);
      return std::pair(box.to, box.to_stride);
    });
    channel_ = communicator_.open(sends_, receives_, place_of<Exec>, fields_.front().request.beside);
    make_copies();
  }

  template <class RequestOf, class... Views>
  bool is_for(const RequestOf& request_of, const Distributed<Views>&... field) const
  {
    if (fields_.size() != sizeof...(field)) return false;
    std::size_t next = 0;
    return (fields_[next++].is(field, request_of(field)) && ...);
  }
  /// One of its fields is no more.
  bool expired() const
  {
    return std::ranges::any_of(fields_, [](const auto& field) { return field.identity.expired(); });
  }

  /// Of the first field: the axes, the fastest in memory first.
  const AxesInMemory& order() const { return fields_.front().order; }

  Communicator& communicator() const { return communicator_; }
  const std::vector<Message>& sends() const { return sends_; }

  /// Some of the halo below (side 0) or above (side 1) along an axis comes in messages.
  bool has_messages(int axis, int side) const { return has_messages_[axis][side]; }

  /// Packs, sends, and fills what comes from this rank itself.
  void begin(const On<Exec>& on) const
  {
    const ProfilingRegion region("exchange_halo::begin", on.label);
    within_.copy(on.space, on.label);
    receiving_.begin(on.space); // whoever reads the halo as it is has done so before it is written
    send(sending_.begin(on.space), on.label);
  }
  void progress() const { channel_->progress(); }
  bool wants_progress() const { return channel_->wants_progress(); }
  /// Work in the spaces of both lanes finds the halo full.
  void arrive(const On<Exec>& on) const
  {
    const ProfilingRegion region("exchange_halo::finish", on.label);
    receive(receiving_.space(on.space), on.label);
    sending_.follow(receiving_);
  }
  /// Work in `exec` follows that of both lanes.
  void finish(const Exec& exec) const
  {
    receiving_.end(exec);
    sending_.end(exec);
  }
  std::array<const Exec*, 2> lanes(const Exec& exec) const { return {&receiving_.space(exec), &sending_.space(exec)}; }

  /// All at once, in one queue.
  void fill(const On<Exec>& on) const
  {
    {
      const ProfilingRegion region("exchange_halo::begin", on.label);
      within_.copy(on.space, on.label);
      send(on.space, on.label);
    }
    const ProfilingRegion region("exchange_halo::finish", on.label);
    receive(on.space, on.label);
  }

private:
  struct Found {
    std::size_t field;
    std::size_t message;
    std::int64_t offset; ///< of its first element in the message
    HaloPiece piece;
    int reader; ///< whose halo it belongs to
  };

  /// In a message the axes stand as its receiver's memory has them.
  const AxesInMemory& order_of(const Found& found) const
  {
    return terms_[static_cast<std::size_t>(found.reader) * fields_.size() + found.field].order;
  }
  BoxCopy<T> box_of(const Found& found) const { return ExchangedField<T>::box_of(found.piece, order_of(found)); }
  void set_source(BoxCopy<T>& box, const Found& found) const
  {
    fields_[found.field].set_source(box, found.piece, order_of(found));
  }
  void set_target(BoxCopy<T>& box, const Found& found) const
  {
    fields_[found.field].set_target(box, found.piece, order_of(found));
  }

  void send(const Exec& queue, const std::string& label) const
  {
    channel_->reserve(Queue(queue));
    pack_.copy(queue, label);
    channel_->post(Queue(queue));
  }
  void receive(const Exec& queue, const std::string& label) const
  {
    channel_->wait(Queue(queue));
    unpack_.copy(queue, label);
    channel_->release(Queue(queue));
  }

  /// Every piece that this rank sends or receives, with its place in a message: to each partner one, from each one.
  template <int Rank>
  void find_messages(const Partition<Rank>& partition)
  {
    const int me = partition.ranks().rank(), size = partition.ranks().size();
    for (int distance = 1; distance < size; ++distance) {
      const int to = (me + distance) % size, from = (me + size - distance) % size;
      add_message(partition, sends_, outgoing_, to, to, me);
      add_message(partition, receives_, incoming_, from, me, from);
    }
    for (std::size_t field = 0; field < fields_.size(); ++field)
      for (const HaloPiece& piece : pieces_of(partition, fields_[field].request, me))
        if (piece.is_constant || source_rank(partition, piece) == me) own_.push_back({field, 0, 0, piece, me});
    for (const Found& found : incoming_) note_sides(found.piece, partition.box());
  }

  /// What `reader` reads of `owner`, all fields one behind the other.
  template <int Rank>
  void add_message(const Partition<Rank>& partition, std::vector<Message>& messages, std::vector<Found>& list,
                   int partner, int reader, int owner) const
  {
    std::int64_t points = 0;
    for (std::size_t field = 0; field < fields_.size(); ++field)
      for (const HaloPiece& piece : pieces_between(partition, fields_[field].request, reader, owner)) {
        list.push_back({field, messages.size(), points, piece, reader});
        points += points_of(piece);
      }
    if (points > 0) messages.push_back({partner, static_cast<std::size_t>(points) * sizeof(T)});
  }

  template <int Rank>
  void note_sides(const HaloPiece& piece, const Subdomain<Rank>& box)
  {
    for (int axis = 0; axis < Rank; ++axis) {
      if (piece.begin[axis] < 0) has_messages_[axis][0] = true;
      if (piece.begin[axis] >= box.extent(axis)) has_messages_[axis][1] = true;
    }
  }

  /// Tells the channel where a message lies as it is to be sent, or received: it is one piece whose points lie in the
  /// field as they do in the message.
  template <class Memory>
  void name_memory(std::vector<Message>& messages, const std::vector<Found>& list, const Memory& memory) const
  {
    for (const Found& found : list) {
      BoxCopy<T> box = box_of(found);
      const auto [first, stride] = memory(found, box);
      if (static_cast<std::size_t>(box.elements()) * sizeof(T) == messages[found.message].bytes &&
          is_dense(box.extent, stride))
        messages[found.message].in_place = first;
    }
  }
  static bool is_dense(const Index3& extent, const Index3& stride)
  {
    const Index3 dense = dense_strides(extent);
    for (int axis = 0; axis < 3; ++axis)
      if (extent[axis] > 1 && stride[axis] != dense[axis]) return false;
    return true;
  }

  /// In a message the points of a piece lie one behind the other.
  static Index3 dense_strides(const Index3& extent) { return {1, extent[0], extent[0] * extent[1]}; }

  void make_copies()
  {
    std::vector<BoxCopy<T>> pack, unpack, within;
    for (const Found& found : outgoing_) {
      BoxCopy<T>& box = pack.emplace_back(box_of(found));
      set_source(box, found);
      box.to = static_cast<T*>(channel_->send_buffer(found.message)) + found.offset;
      box.to_stride = dense_strides(box.extent);
      if (box.to == box.from) pack.pop_back(); // sent from there
    }
    for (const Found& found : incoming_) {
      BoxCopy<T>& box = unpack.emplace_back(box_of(found));
      box.from = static_cast<const T*>(channel_->receive_buffer(found.message)) + found.offset;
      box.from_stride = dense_strides(box.extent);
      set_target(box, found);
      if (box.to == box.from) unpack.pop_back(); // received there
    }
    for (const Found& found : own_) {
      BoxCopy<T>& box = within.emplace_back(box_of(found));
      set_target(box, found);
      if (found.piece.is_constant)
        box.value = static_cast<T>(found.piece.value);
      else
        set_source(box, found);
    }
    pack_ = {"Keramos::exchange_halo::pack", std::move(pack)};
    unpack_ = {"Keramos::exchange_halo::unpack", std::move(unpack)};
    within_ = {"Keramos::exchange_halo::within", std::move(within)};
  }

  Communicator& communicator_;
  std::vector<ExchangedField<T>> fields_;
  std::vector<HaloTerms> terms_;
  std::array<std::array<bool, 2>, 3> has_messages_{};
  std::vector<Message> sends_, receives_;
  std::vector<Found> outgoing_, incoming_, own_;
  std::unique_ptr<Channel> channel_;
  Lane<Exec> sending_{LaneOf::sending}, receiving_{LaneOf::receiving};
  BoxCopies<T, Exec> pack_, unpack_, within_;
};

template <class View, class Exec>
using HaloExchangeOf = HaloExchange<typename View::value_type, Exec>;

/// (collective) The terms of every rank, of all fields one behind the other. Throws Error, on all ranks, where one would send
/// another points that this one does not wait for. Who sends nothing to whom may differ.
template <class T, int Rank>
std::vector<HaloTerms> agree_on_halos(const Partition<Rank>& partition, const std::vector<ExchangedField<T>>& fields)
{
  Communicator& ranks = partition.ranks().communicator();
  std::vector<HaloTerms> mine;
  for (const ExchangedField<T>& field : fields) mine.push_back({field.request, field.order});
  std::vector<HaloTerms> all(mine.size() * static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(mine.data(), mine.size() * sizeof(HaloTerms), all.data());
  agree(ranks, [&] {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int reader = static_cast<int>(i / mine.size());
      if (!sends_the_same(partition, mine[i % mine.size()].request, all[i].request, reader, ranks.rank()))
        fail("exchange_halo", "edges",
             text("the same kinds of rules, and fields with halos of the same widths, as on rank ", reader), "others");
    }
  });
  return all;
}

/// (collective at the first call of a kind) The exchange of these fields for the requests that request_of(field) gives. The
/// first field keeps it.
template <class Exec, class RequestOf, class View, class... Views>
const HaloExchangeOf<View, Exec>& halo_exchange(const RequestOf& request_of, const Distributed<View>& first,
                                                const Distributed<Views>&... others)
{
  using Exchange = HaloExchangeOf<View, Exec>;
  using T = typename View::value_type;
  auto& remembered = first.remembered();
  for (const auto& one : remembered)
    if (const auto* exchange = dynamic_cast<const Exchange*>(one.get()))
      if (exchange->is_for(request_of, first, others...)) return *exchange;
  agree(first.communicator(), [&] {
    for (int axis = 0; axis < Distributed<View>::rank; ++axis)
      check_sides("exchange_halo", axis, request_of(first).edges[static_cast<std::size_t>(axis)]);
    (check_same_partition("exchange_halo", "fields", others, "the first", first), ...);
  });
  std::vector<ExchangedField<T>> fields{{first, request_of(first)}, {others, request_of(others)}...};
  std::vector<HaloTerms> terms = agree_on_halos(first.partition(), fields);
  first.communicator().choose_transport(place_of<Exec>);
  std::erase_if(remembered, [](const auto& one) {
    const auto* old = dynamic_cast<const Exchange*>(one.get());
    return old && old->expired();
  });
  or_abort(first.communicator(), "exchange_halo", [&] {
    remembered.push_back(std::make_unique<Exchange>(first.partition(), std::move(fields), std::move(terms)));
  });
  return static_cast<const Exchange&>(*remembered.back());
}

} // namespace Keramos::core
