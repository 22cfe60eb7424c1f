// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks as threads of one process, so that what is distributed can be tested without a communication library, and under
// conditions that none offers: messages that come late and in any order, or not before somebody says so.
#pragma once

#include "../../src/keramos/distributed/Communicator.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace test {

/// body(ranks) in `count` threads, each of which is one rank. What a thread throws is thrown here, once all have ended;
/// where one throws and others wait for it, they throw as well instead of waiting forever.
///
/// seed   of the delays: a message arrives after a number of calls of progress() or wait() that depends on it; where it is odd,
///        the ranks want to send to one at a time
void on_ranks(int count, std::uint64_t seed,
              const std::function<void(std::shared_ptr<Keramos::core::Communicator>)>& body);

/// In this rank's thread: no message arrives anywhere until all ranks have called release_messages().
void withhold_messages(Keramos::core::Communicator& ranks);
void release_messages(Keramos::core::Communicator& ranks);

} // namespace test
