// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator in front of another one, which looks at what is opened, or fails.
#pragma once

#include "../../src/keramos/distributed/Communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace test {

class RelayChannel final : public Keramos::core::Channel {
public:
  RelayChannel(std::unique_ptr<Keramos::core::Channel> channel, std::function<void()> on_post,
               std::function<void()> on_wait)
      : channel_(std::move(channel)), on_post_(std::move(on_post)), on_wait_(std::move(on_wait))
  {
  }
  void* send_buffer(std::size_t message) override { return channel_->send_buffer(message); }
  const void* receive_buffer(std::size_t message) override { return channel_->receive_buffer(message); }
  void reserve(const Keramos::core::Queue& queue) override { channel_->reserve(queue); }
  void post(const Keramos::core::Queue& queue) override
  {
    on_post_();
    channel_->post(queue);
  }
  void progress() override { channel_->progress(); }
  void wait(const Keramos::core::Queue& queue) override
  {
    on_wait_();
    channel_->wait(queue);
  }
  void release(const Keramos::core::Queue& queue) override { channel_->release(queue); }

private:
  std::unique_ptr<Keramos::core::Channel> channel_;
  std::function<void()> on_post_, on_wait_;
};

class Relay final : public Keramos::core::Communicator {
public:
  explicit Relay(std::shared_ptr<Keramos::core::Communicator> ranks) : ranks_(std::move(ranks)) {}

  std::vector<std::size_t> opened; ///< bytes of all messages of every channel
  std::size_t messages = 0;        ///< of the last one
  int posts = 0, gathers = 0, broadcasts = 0;
  std::size_t largest_broadcast = 0; ///< bytes
  std::function<void()> on_post = [] {}, on_wait = [] {};

  int rank() const override { return ranks_->rank(); }
  int size() const override { return ranks_->size(); }
  const char* name() const override { return ranks_->name(); }
  const char* transport(Keramos::core::Place place) const override { return ranks_->transport(place); }
  void all_gather(const void* mine, std::size_t bytes, void* all) override
  {
    ++gathers;
    ranks_->all_gather(mine, bytes, all);
  }
  void broadcast(void* data, std::size_t bytes, int root) override
  {
    ++broadcasts;
    largest_broadcast = std::max(largest_broadcast, bytes);
    ranks_->broadcast(data, bytes, root);
  }
  void choose_transport(Keramos::core::Place place) override { ranks_->choose_transport(place); }
  bool one_at_a_time(Keramos::core::Place place) const override { return ranks_->one_at_a_time(place); }
  std::unique_ptr<Keramos::core::Channel> open(const std::vector<Keramos::core::Message>& sends,
                                               const std::vector<Keramos::core::Message>& receives,
                                               Keramos::core::Place place, bool beside) override
  {
    messages = sends.size() + receives.size();
    opened.push_back(0);
    for (const auto* list : {&sends, &receives})
      for (const Keramos::core::Message& message : *list) opened.back() += message.bytes;
    const auto posted = [this] {
      ++posts;
      on_post();
    };
    return std::make_unique<RelayChannel>(ranks_->open(sends, receives, place, beside), posted, [this] { on_wait(); });
  }
  [[noreturn]] void abort(const std::string& reason) override
  {
    ranks_->abort(reason);
    throw std::logic_error("abort() has come back");
  }

private:
  std::shared_ptr<Keramos::core::Communicator> ranks_;
};

} // namespace test
