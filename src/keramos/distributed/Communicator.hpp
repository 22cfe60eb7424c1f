// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the distributed calls need of a communication library: a group of ranks that agree on small things, and channels
// for the messages that one exchange sends again and again. transports/ implements it; the tests do too, within one
// process.
#pragma once

#include "../core/Error.hpp"
#include "../core/Execution.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Keramos {

/// How messages travel.
///
/// automatic  on hosts by `peer` within one machine, else by `mpi`; on GPUs by `peer` or `nccl`, whichever moves 1 MiB
///            in less time, else by `mpi`. KERAMOS_TRANSPORT in the environment names another one
/// mpi        messages of MPI. Those of GPUs go through pinned memory of the host, within one machine a window of MPI,
///            unless MPI says that it takes pointers of GPUs
/// nccl       GPUs only, which hosts pass over; one for each rank
/// peer       ranks of one machine: into each other's memory, by CUDA IPC on GPUs, on hosts in a window of MPI
enum class Transport { automatic, mpi, nccl, peer };

namespace core {

/// What packs messages and unpacks them: kernels of the host or of a GPU. Buffers lie where these reach them.
enum class Place { host, device };

template <class Exec>
inline constexpr Place place_of = is_host<Exec> ? Place::host : Place::device;

/// An execution space instance whose type is taken away: the kernels that pack messages, or unpack them, run in it.
class Queue {
public:
  /// Refers to `exec`, which lives longer.
  template <ExecutionSpace Exec>
  explicit Queue(const Exec& exec)
      : exec_(&exec), fence_([](const void* held) {
          static const std::string name = "Keramos: messages are packed";
          static_cast<const Exec*>(held)->fence(name);
        })
  {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) stream_ = exec.cuda_stream();
#endif
  }

  /// Waits until its kernels are done.
  void fence() const { fence_(exec_); }
  /// Of a GPU, its stream.
  void* stream() const { return stream_; }

private:
  const void* exec_;
  void (*fence_)(const void*);
  void* stream_ = nullptr;
};

/// One message of an exchange: to or from which rank, and its bytes. Two ranks send each other at most one in an
/// exchange; what a rank has for itself is no message.
struct Message {
  int rank = 0;
  std::size_t bytes = 0;
  /// Its bytes lie here, or are wanted here, one behind the other: a channel may take this memory for its buffer.
  void* in_place = nullptr;
};

/// The messages of one exchange, with the memory that they are packed into and unpacked from. Opened once, by all ranks
/// together, and used often; it then allocates nothing. In this order, any number of times:
///
///     reserve   pack into send_buffer(i)   post   progress ...   wait   unpack from receive_buffer(i)   release
///
/// Packing and unpacking are kernels in a queue, which may be another one for each; a call is ordered in the queue that it
/// is given. Where it can be, it returns at once. Buffers are aligned to 16 bytes at least, but for in_place ones.
class Channel {
public:
  virtual ~Channel() = default;
  virtual void* send_buffer(std::size_t message) = 0;
  virtual const void* receive_buffer(std::size_t message) = 0;
  /// What enters the queue from now on finds the send buffers free.
  virtual void reserve(const Queue&) {}
  /// When the queue is here, the send buffers are full.
  virtual void post(const Queue& queue) = 0;
  /// Gives the library a chance to move messages; returns at once.
  virtual void progress() = 0;
  /// Messages move while a host calls: work that it does itself is better done in parts, with progress() between them.
  virtual bool wants_progress() const { return true; }
  /// What enters the queue from now on finds the receive buffers full, and this rank's own messages sent.
  virtual void wait(const Queue& queue) = 0;
  /// When the queue is here, the receive buffers are free.
  virtual void release(const Queue& queue) = 0;
};

/// A group of ranks. Calls marked (collective) are made by all ranks in the same order.
class Communicator {
public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// What its collective calls are made by: "mpi".
  virtual const char* name() const = 0;
  /// The way that messages between such buffers take: "mpi", "nccl", "peer".
  virtual const char* transport(Place place) const = 0;

  /// (collective) Every rank's `bytes` from `mine`, in the order of ranks, in `all`. For sizes and errors, not for fields.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;
  /// (collective) What `root` has there.
  virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
  /// (collective) Chooses the transport for such buffers, unless it is chosen. Throws Error, on all ranks, where the one that was
  /// asked for is not to be had.
  virtual void choose_transport(Place) {}
  /// Long messages take less time where a rank has one partner after the other than where all of them travel at once. All
  /// ranks say the same, once the transport is chosen.
  virtual bool one_at_a_time(Place) const { return false; }
  /// (collective) The messages that a rank sends are those that the others receive from it. `beside`: kernels of others run
  /// while messages travel, and should not be in their way; else nothing does, and the time of an exchange counts.
  virtual std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives,
                                        Place place = Place::host, bool beside = false) = 0;
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

} // namespace core
} // namespace Keramos
