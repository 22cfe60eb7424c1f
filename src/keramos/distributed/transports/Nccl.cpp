// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nccl.hpp"

#ifdef Keramos_HAS_NCCL

#include "../CudaEvent.hpp"
#include "Buffers.hpp"

#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace Keramos::core {
namespace {

using cuda::Event;
using cuda::require_success;

void require_nccl(ncclResult_t result, const char* call)
{
  if (result != ncclSuccess) throw std::runtime_error(text("Keramos: ", call, ": ", ncclGetErrorString(result)));
}

struct FreeNccl {
  void operator()(ncclComm_t comm) const { ncclCommDestroy(comm); }
};
using SharedNccl = std::shared_ptr<ncclComm>;

class NcclChannel final : public Channel {
public:
  NcclChannel(SharedNccl comm, const std::vector<Message>& sends, const std::vector<Message>& receives)
      : comm_(std::move(comm)), sends_(sends), receives_(receives), out_(sends, Memory::device),
        in_(receives, Memory::device)
  {
  }

  void* send_buffer(std::size_t message) override { return out_[message]; }
  const void* receive_buffer(std::size_t message) override { return in_[message]; }

  void reserve(const Queue& queue) override { arrived_.before(static_cast<cudaStream_t>(queue.stream())); }
  void post(const Queue& queue) override
  {
    const auto stream = static_cast<cudaStream_t>(queue.stream());
    released_.before(stream);
    require_nccl(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t i = 0; i < sends_.size(); ++i)
      require_nccl(ncclSend(out_[i], sends_[i].bytes, ncclInt8, sends_[i].rank, comm_.get(), stream), "ncclSend");
    for (std::size_t i = 0; i < receives_.size(); ++i)
      require_nccl(ncclRecv(in_[i], receives_[i].bytes, ncclInt8, receives_[i].rank, comm_.get(), stream), "ncclRecv");
    require_nccl(ncclGroupEnd(), "ncclGroupEnd");
    arrived_.record(stream);
  }
  void progress() override {}
  void wait(const Queue& queue) override { arrived_.before(static_cast<cudaStream_t>(queue.stream())); }
  void release(const Queue& queue) override { released_.record(static_cast<cudaStream_t>(queue.stream())); }

private:
  SharedNccl comm_;
  std::vector<Message> sends_, receives_;
  Buffers out_, in_;
  Event arrived_, released_;
};

class NcclGroup final : public Nccl {
public:
  explicit NcclGroup(ncclComm_t comm) : comm_(comm, FreeNccl()) {}

  std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives) override
  {
    return std::make_unique<NcclChannel>(comm_, sends, receives);
  }

private:
  SharedNccl comm_;
};

/// (collective) Where ranks share a GPU, NCCL refuses these, and those that have one of their own wait for them forever.
bool has_gpu_for_each(Communicator& ranks)
{
  int device = 0;
  cudaDeviceProp properties{};
  require_success(cudaGetDevice(&device), [] { return "the GPU of this rank"; });
  require_success(cudaGetDeviceProperties(&properties, device), [] { return "the GPU of this rank"; });
  std::array<char, sizeof properties.uuid> mine{};
  std::memcpy(mine.data(), &properties.uuid, mine.size());
  std::vector<std::array<char, sizeof properties.uuid>> all(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(mine.data(), mine.size(), all.data());
  return !any_rank(ranks, std::ranges::count(all, mine) > 1);
}

} // namespace

std::unique_ptr<Nccl> nccl_of(Communicator& ranks)
{
  if (!has_gpu_for_each(ranks)) return nullptr;
  ncclUniqueId id{};
  const bool has_id = ranks.rank() != 0 || ncclGetUniqueId(&id) == ncclSuccess;
  if (any_rank(ranks, !has_id)) return nullptr;
  ranks.broadcast(&id, sizeof id, 0);
  ncclComm_t comm = nullptr;
  const ncclResult_t result = ncclCommInitRank(&comm, ranks.size(), id, ranks.rank());
  auto group = result == ncclSuccess ? std::make_unique<NcclGroup>(comm) : nullptr;
  return any_rank(ranks, !group) ? nullptr : std::move(group);
}

} // namespace Keramos::core

#else

namespace Keramos::core {

std::unique_ptr<Nccl> nccl_of(Communicator&) { return nullptr; }

} // namespace Keramos::core

#endif
