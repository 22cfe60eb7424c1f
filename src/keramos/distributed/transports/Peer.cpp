// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of channels between peers, of hosts and of GPUs.
#include "Peer.hpp"

#include "../CudaEvent.hpp"
#include "Buffers.hpp"
#include "MpiRequests.hpp"
#include "PeerChannel.hpp"
#include "StreamCounters.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>

namespace Keramos::core {
namespace {

class HostPeerChannel final : public PeerChannel {
public:
  using PeerChannel::PeerChannel;

  void reserve(const Queue&) override
  {
    for (const Message& send : sends_) wait_for(free_here(send), sent_);
  }
  void post(const Queue& queue) override
  {
    queue.fence();
    ++sent_;
    for (const Message& send : sends_) set(full_there(send), sent_);
  }
  void wait(const Queue&) override
  {
    if (received_ == sent_) return; // nothing was posted
    ++received_;
    for (const Message& receive : receives_) wait_for(full_here(receive), received_);
  }
  void release(const Queue& queue) override
  {
    queue.fence();
    for (const Message& receive : receives_) set(free_there(receive), received_);
  }

private:
  static void set(std::uint32_t& counter, std::uint32_t value)
  {
    std::atomic_ref(counter).store(value, std::memory_order_release);
  }
  /// The rank that is waited for may want this core; or it sends an application's own message here, which most MPIs move only
  /// while somebody calls them.
  static void wait_for(std::uint32_t& counter, std::uint32_t value)
  {
    constexpr unsigned looks_a_probe = 64; // beside a yield, 0.5 us, a probe within one machine is nothing: 0.04
    for (unsigned looks = 1;
         static_cast<std::int32_t>(std::atomic_ref(counter).load(std::memory_order_acquire) - value) < 0; ++looks) {
      std::this_thread::yield();
      if (looks % looks_a_probe == 0) let_mpi_progress();
    }
  }
  /// Looks for a message that hardly anybody sends, in a communicator that is always there: a channel may outlive its group's.
  static void let_mpi_progress()
  {
    constexpr int tag = 32767; // the largest that every MPI has
    int found = 0;
    require_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
  }
};

#ifdef KOKKOS_ENABLE_CUDA
using cuda::require_success;

cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

void copy_async(std::byte* to, const std::byte* from, std::size_t bytes, const Queue& queue)
{
  require_success(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(queue)),
                  [] { return "a copy of a message"; });
}

/// Receives what the GPU of another rank has written here, in whichever way.
class IpcChannel : public PeerChannel {
public:
  IpcChannel(int rank, std::shared_ptr<SharedMemory> memory, const std::vector<std::uint64_t>& places,
             const std::vector<Message>& sends, const std::vector<Message>& receives)
      : PeerChannel(rank, std::move(memory), places, sends, receives), batch_(std::max(sends.size(), receives.size()))
  {
  }

  void wait(const Queue& queue) override
  {
    if (received_ == sent_) return; // nothing was posted
    ++received_;
    for (const Message& receive : receives_) batch_.wait_for(full_here(receive), received_);
    batch_.run(queue);
  }
  void release(const Queue& queue) override
  {
    for (const Message& receive : receives_) batch_.set(free_there(receive), received_);
    batch_.run(queue);
  }

protected:
  CounterBatch batch_;
};

/// Packing kernels store into the receiver's memory. Streams change slowly between kernels, copy engines and counters: with
/// a copy engine the bare chain of an exchange of 4 MiB both ways takes 38 us on two H200, this way 29.
class StoreChannel final : public IpcChannel {
public:
  using IpcChannel::IpcChannel;

  void reserve(const Queue& queue) override
  {
    for (const Message& send : sends_) batch_.wait_for(free_here(send), sent_);
    batch_.run(queue);
  }
  void post(const Queue& queue) override
  {
    ++sent_;
    for (const Message& send : sends_) batch_.set(full_there(send), sent_);
    batch_.run(queue);
  }
};

/// Copy engines leave the multiprocessors to other work, and carry large messages at 390 GB/s each way between two
/// H200, where stores reach 330 to 360.
class CopyChannel final : public IpcChannel {
public:
  CopyChannel(int rank, std::shared_ptr<SharedMemory> memory, const std::vector<std::uint64_t>& places,
              const std::vector<Message>& sends, const std::vector<Message>& receives)
      : IpcChannel(rank, std::move(memory), places, sends, receives), out_(sends, Memory::device)
  {
  }

  void* send_buffer(std::size_t message) override { return out_[message]; }

  void reserve(const Queue& queue) override { copied_.before(stream_of(queue)); }
  void post(const Queue& queue) override
  {
    const StreamCounters stream(queue);
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      stream.wait_for(free_here(sends_[i]), sent_);
      copy_async(remote_[i], out_[i], sends_[i].bytes, queue);
      stream.set(full_there(sends_[i]), sent_ + 1);
    }
    copied_.record(stream_of(queue));
    ++sent_;
  }

private:
  Buffers out_;
  cuda::Event copied_;
};

/// Copy engines move messages to the receiver's part of the window and from there, a piece after the other, so that both
/// are at work at once. Full and free count pieces: after as many exchanges as sent_ says, one less than (sent_ + 1) * pieces.
class MappedChannel final : public PeerChannel {
public:
  MappedChannel(int rank, std::shared_ptr<SharedMemory> memory, const std::vector<std::uint64_t>& places,
                const std::vector<Message>& sends, const std::vector<Message>& receives)
      : PeerChannel(rank, std::move(memory), places, sends, receives), out_(sends, Memory::device),
        in_(receives, Memory::device)
  {
  }

  void* send_buffer(std::size_t message) override { return out_[message]; }
  const void* receive_buffer(std::size_t message) override { return in_[message]; }

  void reserve(const Queue& queue) override { copied_.before(stream_of(queue)); }
  void post(const Queue& queue) override
  {
    const StreamCounters stream(queue);
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      std::uint32_t count = (sent_ + 1) * pieces(sends_[i]) - 1;
      stream.wait_for(free_here(sends_[i]), count);
      for_each(sends_[i], [&](std::size_t begin, std::size_t bytes) {
        copy_async(remote_[i] + begin, out_[i] + begin, bytes, queue);
        stream.set(full_there(sends_[i]), ++count);
      });
    }
    copied_.record(stream_of(queue));
    ++sent_;
  }
  void wait(const Queue& queue) override
  {
    if (received_ == sent_) return; // nothing was posted
    const StreamCounters stream(queue);
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      std::uint32_t count = (received_ + 1) * pieces(receives_[i]) - 1;
      for_each(receives_[i], [&](std::size_t begin, std::size_t bytes) {
        stream.wait_for(full_here(receives_[i]), ++count);
        copy_async(in_[i] + begin, local_[i] + begin, bytes, queue);
      });
      stream.set(free_there(receives_[i]), count); // read to the end
    }
    ++received_;
  }
  void release(const Queue&) override {} // the next messages are received in the same queue

private:
  /// A piece of 4 MiB in eight: both directions overlap, and a counter costs little beside it.
  static constexpr std::size_t piece = std::size_t{512} << 10;

  static std::uint32_t pieces(const Message& message)
  {
    return static_cast<std::uint32_t>((message.bytes + piece - 1) / piece);
  }
  template <class F>
  static void for_each(const Message& message, const F& f)
  {
    for (std::size_t begin = 0; begin < message.bytes; begin += piece) f(begin, std::min(piece, message.bytes - begin));
  }

  Buffers out_, in_;
  cuda::Event copied_;
};
#endif

} // namespace

std::unique_ptr<Channel> open_peer(Communicator& ranks, MPI_Comm node, Retirement& retirement,
                                   const std::vector<Message>& sends, const std::vector<Message>& receives,
                                   Sharing sharing, bool beside)
{
  retirement.collect(ranks);
  std::size_t bytes = 0;
  const std::vector<std::uint64_t> places = places_of_messages(ranks, receives, bytes);
  auto memory = share(ranks, node, bytes, sharing);
  if (!memory) return nullptr;
  retirement.add(memory);
#ifdef KOKKOS_ENABLE_CUDA
  if (sharing == Sharing::ipc && beside)
    return std::make_unique<CopyChannel>(ranks.rank(), std::move(memory), places, sends, receives);
  if (sharing == Sharing::ipc)
    return std::make_unique<StoreChannel>(ranks.rank(), std::move(memory), places, sends, receives);
  if (sharing == Sharing::host_mapped)
    return std::make_unique<MappedChannel>(ranks.rank(), std::move(memory), places, sends, receives);
#else
  static_cast<void>(beside);
#endif
  return std::make_unique<HostPeerChannel>(ranks.rank(), std::move(memory), places, sends, receives);
}

} // namespace Keramos::core
