// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator without the other ranks: to count what this one allocates.
#pragma once

#include "../../src/keramos/distributed/Communicator.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

/// The first of several ranks of which the others never speak.
class Alone final : public Keramos::core::Communicator {
  struct Buffers final : Keramos::core::Channel {
    std::vector<std::vector<double>> sent, received;
    void* send_buffer(std::size_t message) override { return sent[message].data(); }
    const void* receive_buffer(std::size_t message) override { return received[message].data(); }
    void post(const Keramos::core::Queue&) override {}
    void progress() override {}
    void wait(const Keramos::core::Queue&) override {}
    void release(const Keramos::core::Queue&) override {}
  };

public:
  int rank() const override { return 0; }
  int size() const override { return 3; }
  const char* name() const override { return "none"; }
  const char* transport(Keramos::core::Place) const override { return "none"; }
  void all_gather(const void* mine, std::size_t bytes, void* all) override
  {
    for (int rank = 0; rank < size(); ++rank)
      std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(rank) * bytes, mine, bytes);
  }
  void broadcast(void*, std::size_t, int) override {}
  std::unique_ptr<Keramos::core::Channel> open(const std::vector<Keramos::core::Message>& sends,
                                               const std::vector<Keramos::core::Message>& receives,
                                               Keramos::core::Place, bool) override
  {
    auto channel = std::make_unique<Buffers>();
    for (const auto& message : sends) channel->sent.emplace_back(message.bytes / sizeof(double));
    for (const auto& message : receives) channel->received.emplace_back(message.bytes / sizeof(double));
    return channel;
  }
  [[noreturn]] void abort(const std::string& reason) override { throw std::runtime_error(reason); }
};

} // namespace test
