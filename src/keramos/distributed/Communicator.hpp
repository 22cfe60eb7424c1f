// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the distributed calls need of a communication library: a group of ranks that agree on small things, and channels
// for the messages that one exchange sends again and again. transports/ implements it; the tests do too, within one
// process.
#pragma once

#include "../core/Error.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Keramos::core {

/// One message of an exchange: to or from which rank, and its bytes. Two ranks send each other at most one in an
/// exchange; what a rank has for itself is no message.
struct Message {
  int rank = 0;
  std::size_t bytes = 0;
};

/// The messages of one exchange, with the memory that they are packed into and unpacked from. Opened once, by all ranks
/// together, and used often; it then allocates nothing. In this order, any number of times:
///
///     pack into send_buffer(i)   post()   progress() ...   wait()   unpack from receive_buffer(i)
///
/// Buffers are aligned to 16 bytes at least.
class Channel {
public:
  virtual ~Channel() = default;
  virtual void* send_buffer(std::size_t message) = 0;
  virtual const void* receive_buffer(std::size_t message) = 0;
  /// The send buffers are full, and the receive buffers free.
  virtual void post() = 0;
  /// Gives the library a chance to move messages; returns at once.
  virtual void progress() = 0;
  /// Returns when the receive buffers are full, and the send buffers free.
  virtual void wait() = 0;
};

/// A group of ranks. Calls marked (collective) are made by all ranks in the same order.
class Communicator {
public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The way messages take: "mpi".
  virtual const char* transport() const = 0;

  /// (collective) Every rank's `bytes` from `mine`, in the order of ranks, in `all`. For sizes and errors, not for fields.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;
  /// (collective) What `root` has there.
  virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
  /// (collective) The messages that a rank sends are those that the others receive from it.
  virtual std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives) = 0;
  /// Ends all ranks: this one cannot go on, and the others would wait for it.
  [[noreturn]] virtual void abort(const std::string& reason) = 0;
};

/// (collective) Runs `check`, which may throw Keramos::Error. Where it throws on any rank, all ranks throw what the first
/// of these said, with the number of that rank.
void agree(Communicator& communicator, const std::function<void()>& check);

/// What body() returns. Where it throws, all ranks end: this one cannot go on, and the others would wait for it.
template <class Body>
auto or_abort(Communicator& communicator, const char* function, const Body& body)
{
  try {
    return body();
  } catch (const std::exception& error) {
    communicator.abort(text("Keramos::", function, ": ", error.what()));
    throw; // g++ does not believe a virtual function that it never returns
  }
}

/// (collective) Has every rank the same number?
bool is_same_everywhere(Communicator& communicator, std::uint64_t mine);

/// (collective) Does any rank say so?
bool any_rank(Communicator& communicator, bool mine);

} // namespace Keramos::core
