// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MpiChannels.hpp"

#include "../CudaEvent.hpp"
#include "Buffers.hpp"
#include "MpiRequests.hpp"

#include <array>
#include <utility>

namespace Keramos::core {
namespace {

std::vector<Message> without_places(std::vector<Message> messages)
{
  for (Message& message : messages) message.in_place = nullptr;
  return messages;
}

/// Messages are in nobody's memory but the channel's: what an exception leaves on its way writes nowhere else.
class DirectChannel final : public Channel {
public:
  DirectChannel(SharedComm comm, int tag, std::size_t piece, const std::vector<Message>& sends,
                const std::vector<Message>& receives, Memory memory)
      : comm_(std::move(comm)), send_buffers_(without_places(sends), memory),
        receive_buffers_(without_places(receives), memory)
  {
    for (std::size_t i = 0; i < receives.size(); ++i)
      for_each_piece(receives[i].bytes, piece, [&](std::size_t begin, int bytes) {
        requests_.receive(receive_buffers_[i] + begin, bytes, receives[i].rank, tag, *comm_);
      });
    for (std::size_t i = 0; i < sends.size(); ++i)
      for_each_piece(sends[i].bytes, piece, [&](std::size_t begin, int bytes) {
        requests_.send(send_buffers_[i] + begin, bytes, sends[i].rank, tag, *comm_);
      });
  }

  /// Never waits: where an exception leaves messages on their way, the others may never send theirs.
  ~DirectChannel() override
  {
    if (!posted_) return;
    send_buffers_.leave();
    receive_buffers_.leave();
  }

  void* send_buffer(std::size_t message) override { return send_buffers_[message]; }
  const void* receive_buffer(std::size_t message) override { return receive_buffers_[message]; }

  void post(const Queue& queue) override
  {
    queue.fence();
    posted_ = true;
    requests_.start();
  }
  void progress() override
  {
    if (posted_ && requests_.test()) posted_ = false;
  }
  void wait(const Queue&) override
  {
    if (posted_) requests_.wait();
    posted_ = false;
  }
  void release(const Queue& queue) override { queue.fence(); }

private:
  SharedComm comm_;
  Buffers send_buffers_, receive_buffers_;
  Requests requests_;
  bool posted_ = false; ///< and not yet known to be done
};

} // namespace

std::unique_ptr<Channel> open_direct(SharedComm comm, int tag, std::size_t piece, const std::vector<Message>& sends,
                                     const std::vector<Message>& receives, Place place)
{
  const Memory memory = place == Place::host ? Memory::host : Memory::device;
  return std::make_unique<DirectChannel>(std::move(comm), tag, piece, sends, receives, memory);
}

#ifdef KOKKOS_ENABLE_CUDA
namespace {

using cuda::Event;
using cuda::require_success;

/// Large enough for the full rate of the link between host and GPU, small enough that several are on their way in the
/// message of a halo: 512 KiB of 4 MiB.
constexpr std::size_t staged_piece = std::size_t{512} << 10;

/// A piece of a message: on the GPU, and in pinned memory.
struct Piece {
  std::byte *device, *host;
  std::size_t bytes;
};

/// The pieces of all messages of one direction, in the order in which they travel, with their requests.
struct Pieces {
  Pieces(const std::vector<Message>& messages, const std::vector<Message>& of_host)
      : device(messages, Memory::device), host(of_host, Memory::pinned)
  {
    for (std::size_t i = 0; i < messages.size(); ++i)
      for_each_piece(messages[i].bytes, staged_piece, [&](std::size_t begin, int bytes) {
        list.push_back({device[i] + begin, host[i] + begin, static_cast<std::size_t>(bytes)});
        rank.push_back(messages[i].rank);
      });
  }

  Buffers device, host;
  std::vector<Piece> list;
  std::vector<int> rank;
  Requests requests;
  std::size_t done = 0; ///< of the list, in its order: handed to MPI, or on their way to the GPU
};

class StagedChannel final : public Channel {
public:
  StagedChannel(SharedComm comm, int tag, const std::vector<Message>& sends, const std::vector<Message>& receives)
      : comm_(std::move(comm)), out_(sends, without_places(sends)), in_(receives, without_places(receives)),
        is_packed_(out_.list.size())
  {
    for (std::size_t i = 0; i < in_.list.size(); ++i)
      in_.requests.receive(in_.list[i].host, static_cast<int>(in_.list[i].bytes), in_.rank[i], tag, *comm_);
    for (std::size_t i = 0; i < out_.list.size(); ++i)
      out_.requests.send(out_.list[i].host, static_cast<int>(out_.list[i].bytes), out_.rank[i], tag, *comm_);
    require_success(cudaStreamCreateWithFlags(&arriving_, cudaStreamNonBlocking), [] { return "a stream"; });
  }
  ~StagedChannel() override
  {
    if (posted_) out_.host.leave(), in_.host.leave();
    cudaStreamDestroy(arriving_);
  }

  void* send_buffer(std::size_t message) override { return out_.device[message]; }
  const void* receive_buffer(std::size_t message) override { return in_.device[message]; }

  void reserve(const Queue& queue) override
  {
    if (!is_packed_.empty()) is_packed_.back().before(static_cast<cudaStream_t>(queue.stream()));
  }
  /// Waits for what the last exchange copied from the pinned buffers, which now are written again.
  void post(const Queue& queue) override
  {
    const auto stream = static_cast<cudaStream_t>(queue.stream());
    arrived_.synchronise();
    in_.done = out_.done = 0;
    posted_ = true;
    in_.requests.start();
    for (std::size_t i = 0; i < out_.list.size(); ++i) {
      const Piece& piece = out_.list[i];
      copy(piece.host, piece.device, piece.bytes, stream);
      is_packed_[i].record(stream);
    }
    released_.before(arriving_);
  }

  void progress() override
  {
    if (posted_) advance();
  }

  void wait(const Queue& queue) override
  {
    while (posted_ && !advance()) continue;
    if (posted_) out_.requests.wait();
    posted_ = false;
    arrived_.record(arriving_);
    arrived_.before(static_cast<cudaStream_t>(queue.stream()));
  }

  void release(const Queue& queue) override { released_.record(static_cast<cudaStream_t>(queue.stream())); }

private:
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaStream_t stream)
  {
    require_success(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), [] { return "a copy of a message"; });
  }

  /// Hands on what can go on by now; true when nothing is left.
  bool advance()
  {
    for (; out_.done < out_.list.size() && is_packed_[out_.done].is_done(); ++out_.done) out_.requests.start(out_.done);
    for (; in_.done < in_.list.size() && in_.requests.test(in_.done); ++in_.done) {
      const Piece& piece = in_.list[in_.done];
      copy(piece.device, piece.host, piece.bytes, arriving_);
    }
    return out_.done == out_.list.size() && in_.done == in_.list.size();
  }

  SharedComm comm_;
  Pieces out_, in_;
  std::vector<Event> is_packed_; ///< copied to pinned memory
  Event arrived_;                ///< all receive buffers are full
  Event released_;               ///< and free again
  cudaStream_t arriving_ = nullptr;
  bool posted_ = false; ///< and not yet waited for
};

} // namespace

std::unique_ptr<Channel> open_staged(SharedComm comm, int tag, const std::vector<Message>& sends,
                                     const std::vector<Message>& receives)
{
  return std::make_unique<StagedChannel>(std::move(comm), tag, sends, receives);
}
#endif

} // namespace Keramos::core
