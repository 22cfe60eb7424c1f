// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's shared memory:
//
//     for every rank: full, how much of its messages has arrived here; free, how much of ours it has read
//     a buffer for every message that is received
//
// Counters only grow, by one for each piece of a message, and are compared so that they may overflow: they begin at their largest
// value, so that every channel's first exchange shows that they do. A sender waits for `free` before it writes again what it
// has written in the last exchange.
#pragma once

#include "Buffers.hpp"
#include "SharedMemory.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Keramos::core {

inline constexpr std::uint32_t first_count = UINT32_MAX; // in memory of first_byte

struct alignas(256) PeerCounters {
  alignas(128) std::uint32_t full;
  alignas(128) std::uint32_t free;
};

inline PeerCounters& peer_counters(const SharedMemory& memory, int of, int partner)
{
  return reinterpret_cast<PeerCounters*>(memory.of(of))[partner];
}

/// (collective) Where the buffers lie for what rank s sends rank r: result[r * size + s], from the beginning of r's memory.
inline std::vector<std::uint64_t> places_of_messages(Communicator& ranks, const std::vector<Message>& receives,
                                                     std::size_t& bytes)
{
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<std::uint64_t> mine(size), all(size * size);
  bytes = size * sizeof(PeerCounters);
  for (const Message& message : receives) {
    const std::size_t place = message_place(bytes, message.bytes);
    mine[static_cast<std::size_t>(message.rank)] = place;
    bytes = place + message.bytes;
  }
  ranks.all_gather(mine.data(), size * sizeof(std::uint64_t), all.data());
  return all;
}

/// The parts that every kind of channel between peers has.
class PeerChannel : public Channel {
public:
  PeerChannel(int rank, std::shared_ptr<SharedMemory> memory, const std::vector<std::uint64_t>& places,
              std::vector<Message> sends, std::vector<Message> receives)
      : rank_(rank), sends_(std::move(sends)), receives_(std::move(receives)), memory_(std::move(memory))
  {
    const auto size = [&] {
      std::size_t ranks = 1;
      while (ranks * ranks < places.size()) ++ranks;
      return ranks;
    }();
    const auto me = static_cast<std::size_t>(rank);
    for (const Message& message : sends_) {
      const auto to = static_cast<std::size_t>(message.rank);
      remote_.push_back(memory_->of(message.rank) + places[to * size + me]);
    }
    for (const Message& message : receives_)
      local_.push_back(memory_->of(rank) + places[me * size + static_cast<std::size_t>(message.rank)]);
  }

  void* send_buffer(std::size_t message) override { return remote_[message]; }
  const void* receive_buffer(std::size_t message) override { return local_[message]; }
  void progress() override {}
  bool wants_progress() const override { return false; }

protected:
  std::uint32_t& full_there(const Message& send) const { return peer_counters(*memory_, send.rank, rank_).full; }
  std::uint32_t& full_here(const Message& receive) const { return peer_counters(*memory_, rank_, receive.rank).full; }
  std::uint32_t& free_there(const Message& receive) const { return peer_counters(*memory_, receive.rank, rank_).free; }
  std::uint32_t& free_here(const Message& send) const { return peer_counters(*memory_, rank_, send.rank).free; }

  int rank_;
  std::vector<Message> sends_, receives_;
  std::vector<std::byte*> remote_, local_;
  std::uint32_t sent_ = first_count, received_ = first_count; ///< exchanges that were posted, and waited for

private:
  std::shared_ptr<SharedMemory> memory_;
};

} // namespace Keramos::core
