// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the ranks of one machine write for each other: a window of MPI on the host, CUDA IPC on GPUs. And its
// end: nobody may free what another rank still writes.
#pragma once

#include "../Communicator.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace Keramos::core {

/// A piece of memory of every rank, as this process sees it.
class SharedMemory {
public:
  virtual ~SharedMemory() = default;
  virtual std::byte* of(int rank) const = 0;
  /// Waits until this process writes no part of it any more. Its channel is gone, and with it the streams' names: so for
  /// all of the GPU, when a channel is opened and another one has died, and never in a later call.
  virtual void settle() const {}
  /// Lets go of what is other ranks': CUDA wants it closed everywhere before its owner frees it.
  virtual void disconnect() {}
};

/// How the memory is reached: as a GPU reaches it where `is_mapped`, which then is the host's own memory.
enum class Sharing { host, host_mapped, ipc };

/// What every byte of shared memory is when it begins.
inline constexpr int first_byte = 0xff;

/// (collective) `bytes` of this rank; other ranks may have another number. `node` has the ranks of
/// the group in their order. Null, on all ranks, where the machine cannot: GPUs that do not reach each other.
std::shared_ptr<SharedMemory> share(Communicator& ranks, MPI_Comm node, std::size_t bytes, Sharing sharing);

/// Memory whose users are gone on some ranks, and not yet on all.
class Retirement {
public:
  void add(std::shared_ptr<SharedMemory> memory) { held_.push_back({next_++, std::move(memory)}); }
  /// (collective) Frees some of what nobody uses any more on any rank. False, on all ranks: there was nothing.
  bool collect(Communicator& ranks);
  /// (collective) The end of the group: frees all of it. What a rank uses still, nobody may free alone: it is left.
  void finish(Communicator& ranks);
  /// Never frees it: for the end of a rank that cannot ask the others.
  void leave();

private:
  struct Held {
    std::uint64_t number; ///< the same on all ranks
    std::shared_ptr<SharedMemory> memory;
  };
  std::vector<Held> held_;
  std::uint64_t next_ = 1;
};

} // namespace Keramos::core
