// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exchange of a field's halo: a HaloPlan with its memory and its messages, made at the first call of its kind and kept
// with the field.
#pragma once

#include "../core/Dispatch.hpp"
#include "../stencil/Checks.hpp"
#include "BoxCopies.hpp"
#include "DistributedField.hpp"
#include "HaloPlan.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Keramos::core {

/// The same rules, also where a constant is no number.
inline bool is_same_rule(const AxisRule& a, const AxisRule& b)
{
  const auto same = [](const EdgeRule& one, const EdgeRule& other) {
    return one.kind == other.kind &&
           std::bit_cast<std::uint64_t>(one.value) == std::bit_cast<std::uint64_t>(other.value);
  };
  return same(a.low, b.low) && same(a.high, b.high);
}

/// What an exchange is for: two that agree in this are one.
struct HaloRequest {
  std::array<std::int64_t, 3> low{}, high{}; ///< widths to fill; 0 along axes that are left out
  std::array<AxisRule, 3> edges{periodic, periodic, periodic};
  bool corners = true;

  friend bool operator==(const HaloRequest& a, const HaloRequest& b)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!is_same_rule(a.edges[axis], b.edges[axis])) return false;
    return a.low == b.low && a.high == b.high && a.corners == b.corners;
  }
};

/// An axis of a partition, or one of a single point behind its rank.
template <int Rank>
HaloAxis halo_axis(const Partition<Rank>& partition, const HaloRequest& request, std::size_t axis)
{
  if (axis >= Rank) return {{0, 1}};
  return {partition.cuts(static_cast<int>(axis)), request.low[axis], request.high[axis], request.edges[axis]};
}

/// The pieces of one rank's halo.
template <int Rank>
std::vector<HaloPiece> pieces_of(const Partition<Rank>& partition, const HaloRequest& request, int rank)
{
  const auto at = partition.ranks().coordinates(rank);
  Kokkos::Array<int, 3> part{};
  for (int axis = 0; axis < Rank; ++axis) part[axis] = at[static_cast<std::size_t>(axis)];
  return halo_pieces(
      {halo_axis(partition, request, 0), halo_axis(partition, request, 1), halo_axis(partition, request, 2)}, part,
      request.corners);
}

/// The rank that owns a piece's images.
template <int Rank>
int source_rank(const Partition<Rank>& partition, const HaloPiece& piece)
{
  std::array<int, Rank> at;
  for (int axis = 0; axis < Rank; ++axis) at[static_cast<std::size_t>(axis)] = piece.part[axis];
  return partition.ranks().rank_at(at);
}

inline std::int64_t points_of(const HaloPiece& piece) { return piece.extent[0] * piece.extent[1] * piece.extent[2]; }

template <class View>
class HaloExchange final : public Remembered {
  using T = typename View::value_type;
  using Memory = typename View::memory_space;
  static constexpr int rank = static_cast<int>(View::rank);

public:
  /// (collective)
  HaloExchange(const Distributed<View>& field, const HaloRequest& request)
      : request_(request), field_(padded<3>(field_of(field.local())))
  {
    const Partition<rank>& partition = field.partition();
    for (int axis = 0; axis < rank; ++axis) {
      own_begin_[axis] = partition.box().begin[static_cast<std::size_t>(axis)];
      offset_[axis] = field.halo().low[static_cast<std::size_t>(axis)];
    }
    order_ = fastest_first(field_, std::array<int, 3>{0, 1, 2}, rank);
    find_messages(partition);
    channel_ = field.communicator().open(sends_, receives_);
    make_copies();
  }

  const HaloRequest& request() const { return request_; }

  /// The axes, the fastest in memory first.
  const std::array<int, 3>& order() const { return order_; }

  /// Some of the halo below (side 0) or above (side 1) along an axis comes in messages.
  bool has_messages(int axis, int side) const { return has_messages_[axis][side]; }

  /// Packs, sends, and fills what comes from this rank itself.
  template <class Exec>
  void begin(const Exec& exec) const
  {
    const ProfilingRegion region("exchange_halo::begin");
    pack_.copy(exec);
    if (!sends_.empty()) exec.fence("Keramos: messages are packed");
    channel_->post();
    within_.copy(exec);
  }
  void progress() const { channel_->progress(); }
  template <class Exec>
  void finish(const Exec& exec) const
  {
    const ProfilingRegion region("exchange_halo::finish");
    channel_->wait();
    unpack_.copy(exec);
    if (!receives_.empty())
      exec.fence("Keramos: messages are unpacked"); // their buffers are free for the next exchange
  }

private:
  struct Found {
    int rank; ///< who receives it
    std::size_t message;
    std::int64_t offset; ///< of its first element in the message
    HaloPiece piece;
  };

  /// Every piece that this rank sends or receives, with its place in a message: to each partner one, from each one.
  void find_messages(const Partition<rank>& partition)
  {
    const int me = partition.ranks().rank(), size = partition.ranks().size();
    for (int distance = 1; distance < size; ++distance) {
      const int other = (me + distance) % size;
      add_message(sends_, outgoing_, other, pieces_of(partition, request_, other),
                  [&](const HaloPiece& piece) { return source_rank(partition, piece) == me; });
    }
    const std::vector<HaloPiece> mine = pieces_of(partition, request_, me);
    for (int distance = 1; distance < size; ++distance) {
      const int other = (me + size - distance) % size;
      add_message(receives_, incoming_, other, mine,
                  [&](const HaloPiece& piece) { return source_rank(partition, piece) == other; });
    }
    for (const HaloPiece& piece : mine)
      if (piece.is_constant || source_rank(partition, piece) == me) own_.push_back(piece);
    for (const Found& found : incoming_) note_sides(found.piece, partition.box());
  }

  template <class Matches>
  static void add_message(std::vector<Message>& messages, std::vector<Found>& list, int other,
                          const std::vector<HaloPiece>& pieces, const Matches& matches)
  {
    std::int64_t points = 0;
    for (const HaloPiece& piece : pieces)
      if (!piece.is_constant && matches(piece)) {
        list.push_back({other, messages.size(), points, piece});
        points += points_of(piece);
      }
    if (points > 0) messages.push_back({other, static_cast<std::size_t>(points) * sizeof(T)});
  }

  void note_sides(const HaloPiece& piece, const Subdomain<rank>& box)
  {
    for (int axis = 0; axis < rank; ++axis) {
      if (piece.begin[axis] < 0) has_messages_[axis][0] = true;
      if (piece.begin[axis] >= box.extent(axis)) has_messages_[axis][1] = true;
    }
  }

  T* local(const Index3& index) const
  {
    Index3 at;
    for (int axis = 0; axis < 3; ++axis) at[axis] = index[axis] + offset_[axis];
    return &field_[at];
  }

  /// The images of a piece, in this rank's memory.
  void set_source(BoxCopy<T>& box, const HaloPiece& piece) const
  {
    Index3 source;
    for (int axis = 0; axis < 3; ++axis) source[axis] = piece.source[axis] - own_begin_[axis];
    box.from = local(source);
    for (int p = 0; p < 3; ++p) box.from_stride[p] = field_.stride[order_[p]] * piece.step[order_[p]];
  }
  void set_target(BoxCopy<T>& box, const HaloPiece& piece) const
  {
    box.to = local(piece.begin);
    for (int p = 0; p < 3; ++p) box.to_stride[p] = field_.stride[order_[p]];
  }
  BoxCopy<T> box_of(const HaloPiece& piece) const
  {
    BoxCopy<T> box;
    for (int p = 0; p < 3; ++p) box.extent[p] = piece.extent[order_[p]];
    return box;
  }
  /// In a message the points of a piece lie one behind the other.
  static Index3 dense_strides(const Index3& extent) { return {1, extent[0], extent[0] * extent[1]}; }

  void make_copies()
  {
    std::vector<BoxCopy<T>> pack, unpack, within;
    for (const Found& found : outgoing_) {
      BoxCopy<T>& box = pack.emplace_back(box_of(found.piece));
      set_source(box, found.piece);
      box.to = static_cast<T*>(channel_->send_buffer(found.message)) + found.offset;
      box.to_stride = dense_strides(box.extent);
    }
    for (const Found& found : incoming_) {
      BoxCopy<T>& box = unpack.emplace_back(box_of(found.piece));
      box.from = static_cast<const T*>(channel_->receive_buffer(found.message)) + found.offset;
      box.from_stride = dense_strides(box.extent);
      set_target(box, found.piece);
    }
    for (const HaloPiece& piece : own_) {
      BoxCopy<T>& box = within.emplace_back(box_of(piece));
      set_target(box, piece);
      if (piece.is_constant)
        box.value = static_cast<T>(piece.value);
      else
        set_source(box, piece);
    }
    pack_ = {"Keramos::exchange_halo::pack", std::move(pack)};
    unpack_ = {"Keramos::exchange_halo::unpack", std::move(unpack)};
    within_ = {"Keramos::exchange_halo::within", std::move(within)};
  }

  HaloRequest request_;
  Field<T, 3> field_;             ///< the local View
  std::array<int, 3> order_{};    ///< the axes, the fastest first
  Index3 own_begin_{}, offset_{}; ///< of the first own point: global, and in the local View
  std::array<std::array<bool, 2>, 3> has_messages_{};
  std::vector<Message> sends_, receives_;
  std::vector<Found> outgoing_, incoming_;
  std::vector<HaloPiece> own_;
  std::unique_ptr<Channel> channel_;
  BoxCopies<T, Memory> pack_, unpack_, within_;
};

/// (collective at the first call of a kind) The exchange that a field keeps for this request.
template <class View>
const HaloExchange<View>& halo_exchange(const Distributed<View>& field, const HaloRequest& request)
{
  for (const auto& one : field.remembered())
    if (const auto* exchange = dynamic_cast<const HaloExchange<View>*>(one.get()))
      if (exchange->request() == request) return *exchange;
  agree(field.communicator(), [&] {
    for (int axis = 0; axis < Distributed<View>::rank; ++axis)
      check_sides("exchange_halo", axis, request.edges[static_cast<std::size_t>(axis)]);
  });
  field.remembered().push_back(std::make_unique<HaloExchange<View>>(field, request));
  return static_cast<const HaloExchange<View>&>(*field.remembered().back());
}

} // namespace Keramos::core
