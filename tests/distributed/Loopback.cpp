// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loopback.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace test {
namespace {

using Keramos::core::Channel;
using Keramos::core::Communicator;
using Keramos::core::Message;
using Keramos::core::Place;
using Keramos::core::Queue;

struct Packet {
  std::vector<std::byte> bytes;
  int looks = 0; ///< so often somebody looks for it before it is there
};

/// What the ranks share.
struct World {
  World(int count, std::uint64_t seed)
      : size(count), one_at_a_time(seed % 2 == 1), slots(static_cast<std::size_t>(count)), random(seed)
  {
  }

  int size;
  bool one_at_a_time;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::vector<std::byte>> slots; ///< of all_gather
  int arrived = 0;
  std::uint64_t round = 0;
  bool failed = false;
  int withheld = 0; ///< ranks that have not released the messages yet
  std::map<std::pair<std::pair<int, int>, std::size_t>, std::deque<Packet>> on_the_way; ///< by (from, to) and channel
  std::mt19937_64 random;

  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, const Condition& condition)
  {
    changed.wait(lock, [&] { return failed || condition(); });
    if (failed) throw std::runtime_error("another rank has failed");
  }
  void barrier(std::unique_lock<std::mutex>& lock)
  {
    const std::uint64_t mine = round;
    if (++arrived == size) {
      arrived = 0;
      ++round;
      changed.notify_all();
    }
    wait(lock, [&] { return round != mine; });
  }
};

struct alignas(64) Chunk {
  std::byte bytes[64];
};

class LoopbackChannel final : public Channel {
public:
  LoopbackChannel(std::shared_ptr<World> world, int rank, std::size_t number, std::vector<Message> sends,
                  std::vector<Message> receives)
      : world_(std::move(world)), rank_(rank), number_(number), sends_(std::move(sends)),
        receives_(std::move(receives)), send_buffers_(buffers(sends_)), receive_buffers_(buffers(receives_)),
        is_here_(receives_.size())
  {
  }

  void* send_buffer(std::size_t message) override { return memory(sends_[message], send_buffers_[message]); }
  const void* receive_buffer(std::size_t message) override
  {
    return memory(receives_[message], receive_buffers_[message]);
  }

  void post(const Queue& queue) override
  {
    queue.fence();
    const std::lock_guard lock(world_->mutex);
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      Packet packet;
      const auto* bytes = static_cast<const std::byte*>(send_buffer(i));
      packet.bytes.assign(bytes, bytes + sends_[i].bytes);
      packet.looks = static_cast<int>(world_->random() % 4);
      world_->on_the_way[{{rank_, sends_[i].rank}, number_}].push_back(std::move(packet));
    }
    is_here_.assign(receives_.size(), false);
    // Poison: what is read before it has arrived shows.
    for (std::size_t i = 0; i < receives_.size(); ++i)
      std::memset(memory(receives_[i], receive_buffers_[i]), 0xff, receives_[i].bytes);
    world_->changed.notify_all();
  }

  void progress() override
  {
    const std::lock_guard lock(world_->mutex);
    look();
  }

  void wait(const Queue&) override
  {
    std::unique_lock lock(world_->mutex);
    while (!look()) {
      world_->changed.wait_for(lock, std::chrono::milliseconds(1)); // each look brings a late message nearer
      if (world_->failed) throw std::runtime_error("another rank has failed");
    }
  }

  void release(const Queue&) override {}

private:
  /// Every other channel takes messages from where they lie, and puts them where they are wanted.
  void* memory(const Message& message, std::vector<Chunk>& buffer) const
  {
    return number_ % 2 == 1 && message.in_place ? message.in_place : buffer.data();
  }

  static std::vector<std::vector<Chunk>> buffers(const std::vector<Message>& messages)
  {
    std::vector<std::vector<Chunk>> result;
    for (const Message& message : messages) result.emplace_back((message.bytes + sizeof(Chunk)) / sizeof(Chunk));
    return result;
  }

  /// Takes what has arrived, from the last message to the first; true when all is here.
  bool look()
  {
    bool all = true;
    for (std::size_t i = receives_.size(); i-- > 0;)
      if (!is_here_[i] && !(is_here_[i] = take(i))) all = false;
    return all;
  }
  bool take(std::size_t i)
  {
    auto& queue = world_->on_the_way[{{receives_[i].rank, rank_}, number_}];
    if (world_->withheld > 0 || queue.empty() || queue.front().looks-- > 0) return false;
    if (queue.front().bytes.size() != receives_[i].bytes)
      throw std::logic_error("a message of another size than its receiver expects");
    if (receives_[i].bytes > 0)
      std::memcpy(memory(receives_[i], receive_buffers_[i]), queue.front().bytes.data(), receives_[i].bytes);
    queue.pop_front();
    return true;
  }

  std::shared_ptr<World> world_;
  int rank_;
  std::size_t number_;
  std::vector<Message> sends_, receives_;
  std::vector<std::vector<Chunk>> send_buffers_, receive_buffers_;
  std::vector<bool> is_here_;
};

class Loopback final : public Communicator {
public:
  Loopback(std::shared_ptr<World> world, int rank) : world_(std::move(world)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return world_->size; }
  const char* name() const override { return "loopback"; }
  const char* transport(Place) const override { return "loopback"; }
  bool one_at_a_time(Place) const override { return world_->one_at_a_time; }

  void all_gather(const void* mine, std::size_t bytes, void* all) override
  {
    std::unique_lock lock(world_->mutex);
    const auto* first = static_cast<const std::byte*>(mine);
    world_->slots[static_cast<std::size_t>(rank_)].assign(first, first + bytes);
    world_->barrier(lock);
    auto* to = static_cast<std::byte*>(all);
    for (const auto& slot : world_->slots) {
      if (slot.size() != bytes) throw std::logic_error("ranks call different collectives");
      to = std::copy(slot.begin(), slot.end(), to);
    }
    world_->barrier(lock);
  }
  void broadcast(void* data, std::size_t bytes, int root) override
  {
    std::vector<std::byte> all(bytes * static_cast<std::size_t>(size()));
    all_gather(data, bytes, all.data());
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(bytes) * root, bytes, static_cast<std::byte*>(data));
  }
  std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives, Place,
                                bool) override
  {
    check_partners(sends, receives);
    return std::make_unique<LoopbackChannel>(world_, rank_, channels_++, sends, receives);
  }
  [[noreturn]] void abort(const std::string& reason) override { throw std::runtime_error("aborted: " + reason); }

  World& world() { return *world_; }

private:
  /// What others receive from this rank must be what it sends.
  void check_partners(const std::vector<Message>& sends, const std::vector<Message>& receives)
  {
    const auto ranks = static_cast<std::size_t>(size());
    std::vector<std::size_t> outgoing(2 * ranks), all(2 * ranks * ranks);
    for (const Message& message : sends) outgoing[static_cast<std::size_t>(message.rank)] += message.bytes + 1;
    for (const Message& message : receives)
      outgoing[ranks + static_cast<std::size_t>(message.rank)] += message.bytes + 1;
    all_gather(outgoing.data(), outgoing.size() * sizeof(std::size_t), all.data());
    const auto me = static_cast<std::size_t>(rank_);
    for (std::size_t other = 0; other < ranks; ++other)
      if (all[2 * ranks * other + ranks + me] != outgoing[other] ||
          all[2 * ranks * other + me] != outgoing[ranks + other])
        throw std::logic_error("two ranks disagree on what one sends the other");
    if (outgoing[me] != 0) throw std::logic_error("a message to oneself");
  }

  std::shared_ptr<World> world_;
  int rank_;
  std::size_t channels_ = 0;
};

} // namespace

void on_ranks(int count, std::uint64_t seed, const std::function<void(std::shared_ptr<Communicator>)>& body)
{
  const auto world = std::make_shared<World>(count, seed);
  std::vector<std::thread> threads;
  std::exception_ptr first;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      try {
        body(std::make_shared<Loopback>(world, rank));
      } catch (...) {
        const std::lock_guard lock(world->mutex);
        if (!world->failed) first = std::current_exception();
        world->failed = true;
        world->changed.notify_all();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

void withhold_messages(Communicator& ranks)
{
  World& world = static_cast<Loopback&>(ranks).world();
  std::unique_lock lock(world.mutex);
  world.barrier(lock);
  world.withheld = world.size;
  world.barrier(lock);
}

void release_messages(Communicator& ranks)
{
  World& world = static_cast<Loopback&>(ranks).world();
  const std::lock_guard lock(world.mutex);
  --world.withheld;
  world.changed.notify_all();
}

} // namespace test
