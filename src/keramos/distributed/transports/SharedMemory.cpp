// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedMemory.hpp"

#include "../../core/Cuda.hpp"
#include "MpiRequests.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace Keramos::core {
namespace {

std::size_t count(int ranks) { return static_cast<std::size_t>(ranks); }

constexpr std::size_t page = 4096;
std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// A window of MPI's shared memory. Every rank has whole pages of it, wherever MPI lets its part begin.
class Window : public SharedMemory {
public:
  Window(int rank_here, int ranks, MPI_Comm node, std::size_t bytes) : base_(count(ranks)), bytes_(count(ranks))
  {
    const std::size_t wanted = whole_pages(bytes) + page;
    void* own = nullptr;
    require_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(wanted), 1, MPI_INFO_NULL, node, &own, &window_),
                "MPI_Win_allocate_shared");
    for (int rank = 0; rank < ranks; ++rank) {
      MPI_Aint size = 0;
      int unit = 0;
      void* base = nullptr;
      require_mpi(MPI_Win_shared_query(window_, rank, &size, &unit, &base), "MPI_Win_shared_query");
      bytes_[count(rank)] = static_cast<std::size_t>(size) - page;
      auto space = static_cast<std::size_t>(size);
      base_[count(rank)] = static_cast<std::byte*>(std::align(page, bytes_[count(rank)], base, space));
    }
    std::memset(of(rank_here), first_byte, bytes);
    require_mpi(MPI_Barrier(node), "MPI_Barrier"); // the first bytes are there
  }
  /// (collective)
  ~Window() override
  {
    if (!is_mpi_finalised()) MPI_Win_free(&window_);
  }

  std::byte* of(int rank) const override { return base_[count(rank)]; }

protected:
  std::vector<std::byte*> base_;
  std::vector<std::size_t> bytes_;

private:
  MPI_Win window_ = MPI_WIN_NULL;
};

#ifdef KOKKOS_ENABLE_CUDA
using cuda::require_success;

/// The same, where GPUs copy to and from it.
class MappedWindow final : public Window {
public:
  MappedWindow(int rank_here, int ranks, MPI_Comm node, std::size_t bytes) : Window(rank_here, ranks, node, bytes)
  {
    for (std::size_t rank = 0; rank < base_.size(); ++rank) {
      require_success(cudaHostRegister(base_[rank], bytes_[rank], cudaHostRegisterPortable | cudaHostRegisterMapped),
                      [] { return "pinning memory for messages"; });
      registered_.push_back(base_[rank]);
      void* mapped = nullptr;
      require_success(cudaHostGetDevicePointer(&mapped, base_[rank], 0), [] { return "mapping memory for messages"; });
      base_[rank] = static_cast<std::byte*>(mapped);
    }
  }
  ~MappedWindow() override
  {
    for (std::byte* base : registered_) cudaHostUnregister(base);
  }

  void settle() const override { cudaDeviceSynchronize(); }

private:
  std::vector<std::byte*> registered_;
};

/// Memory of GPUs, opened in the other processes.
class Ipc final : public SharedMemory {
public:
  Ipc(int rank, int ranks, std::size_t bytes) : me_(count(rank)), base_(count(ranks))
  {
    void* own = nullptr;
    failed_ = cudaMalloc(&own, bytes) != cudaSuccess || cudaMemset(own, first_byte, bytes) != cudaSuccess ||
              cudaStreamSynchronize(nullptr) != cudaSuccess;
    base_[me_] = static_cast<std::byte*>(own);
  }
  ~Ipc() override
  {
    disconnect();
    cudaFree(base_[me_]);
  }

  void disconnect() override
  {
    for (std::size_t rank = 0; rank < base_.size(); ++rank)
      if (rank != me_ && base_[rank]) cudaIpcCloseMemHandle(std::exchange(base_[rank], nullptr));
  }

  /// (collective) False where any rank cannot.
  bool connect(Communicator& ranks)
  {
    cudaIpcMemHandle_t mine{};
    failed_ = failed_ || cudaIpcGetMemHandle(&mine, base_[me_]) != cudaSuccess;
    std::vector<cudaIpcMemHandle_t> all(base_.size());
    if (any_rank(ranks, failed_)) return give_up();
    ranks.all_gather(&mine, sizeof mine, all.data());
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (rank == me_) continue;
      void* other = nullptr;
      failed_ = failed_ || cudaIpcOpenMemHandle(&other, all[rank], cudaIpcMemLazyEnablePeerAccess) != cudaSuccess;
      base_[rank] = static_cast<std::byte*>(other);
    }
    if (!any_rank(ranks, failed_)) return true;
    disconnect();
    any_rank(ranks, failed_); // all have
    return give_up();
  }

  std::byte* of(int rank) const override { return base_[count(rank)]; }
  void settle() const override { cudaDeviceSynchronize(); }

private:
  static bool give_up()
  {
    static_cast<void>(cudaGetLastError()); // it has been looked at
    return false;
  }

  std::size_t me_;
  std::vector<std::byte*> base_;
  bool failed_ = false;
};
#endif

} // namespace

std::shared_ptr<SharedMemory> share(Communicator& ranks, MPI_Comm node, std::size_t bytes, Sharing sharing)
{
  bytes = std::max<std::size_t>(bytes, 1);
#ifdef KOKKOS_ENABLE_CUDA
  if (sharing == Sharing::host_mapped) return std::make_shared<MappedWindow>(ranks.rank(), ranks.size(), node, bytes);
  if (sharing == Sharing::ipc) {
    auto memory = std::make_shared<Ipc>(ranks.rank(), ranks.size(), bytes);
    if (!memory->connect(ranks)) return nullptr;
    return memory;
  }
#else
  static_cast<void>(sharing);
#endif
  return std::make_shared<Window>(ranks.rank(), ranks.size(), node, bytes);
}

void Retirement::leave()
{
  if (!held_.empty()) static_cast<void>(new std::vector<Held>(std::move(held_)));
}

void Retirement::finish(Communicator& ranks)
{
  while (!held_.empty() && collect(ranks)) {
  }
  leave();
}

bool Retirement::collect(Communicator& ranks)
{
  std::array<std::uint64_t, 16> mine{}; // what does not fit is found the next time
  std::size_t found = 0;
  for (const Held& held : held_)
    if (held.memory.use_count() == 1 && found < mine.size()) {
      held.memory->settle();
      mine[found++] = held.number;
    }
  std::vector<std::array<std::uint64_t, 16>> all(count(ranks.size()));
  ranks.all_gather(&mine, sizeof mine, all.data());
  const auto is_over = [&](const Held& held) {
    return std::ranges::all_of(all, [&](const auto& list) { return std::ranges::count(list, held.number) > 0; });
  };
  bool is_any = false; // the same on all ranks
  for (const Held& held : held_)
    if (is_over(held)) {
      held.memory->disconnect();
      is_any = true;
    }
  if (is_any) any_rank(ranks, false); // all have
  std::erase_if(held_, is_over);
  return is_any;
}

} // namespace Keramos::core
