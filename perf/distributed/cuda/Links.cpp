// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Links.hpp"

#include "Ipc.hpp"
#include "Nccl.hpp"

#include <mpi.h>

namespace perf::distributed {
namespace {

void copy_async(void* to, const void* from, std::size_t bytes)
{
  require_success(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "a copy of a message");
}

/// A copy engine writes into the other's memory, and an event says that it has.
class IpcLink final : public Link {
public:
  explicit IpcLink(std::size_t bytes) : Link(bytes), there_(bytes)
  {
    in_ = Bytes(static_cast<unsigned char*>(there_.mine()), bytes);
  }

  void exchange(std::size_t bytes) override
  {
    if (partner() >= 0) copy_async(there_.of(partner()), out_.data(), bytes);
    copied_.record();
    MPI_Barrier(MPI_COMM_WORLD); // both have recorded
    if (partner() >= 0) copied_.wait_for(partner());
    MPI_Barrier(MPI_COMM_WORLD); // and both wait for that, not for the next
  }

private:
  SharedBuffer there_;
  SharedEvents copied_;
};

/// Down, across, up, one after the other.
class PinnedLink final : public Link {
public:
  explicit PinnedLink(std::size_t bytes) : Link(bytes), down_("down", bytes), up_("up", bytes) {}

  void exchange(std::size_t bytes) override
  {
    if (partner() < 0) return;
    const int count = static_cast<int>(bytes);
    copy_async(down_.data(), out_.data(), bytes);
    require_success(cudaStreamSynchronize(stream()), "a copy of a message");
    MPI_Sendrecv(down_.data(), count, MPI_BYTE, partner(), 0, up_.data(), count, MPI_BYTE, partner(), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    copy_async(in_.data(), up_.data(), bytes);
    require_success(cudaStreamSynchronize(stream()), "a copy of a message"); // `up_` is free again
  }

private:
  using Pinned = Kokkos::View<unsigned char*, Kokkos::CudaHostPinnedSpace>;
  Pinned down_, up_;
};

#ifdef Keramos_HAS_NCCL
class NcclLink final : public Link {
public:
  using Link::Link;

  void exchange(std::size_t bytes) override
  {
    if (partner() < 0) return;
    const ncclComm_t comm = nccl();
    require_nccl(ncclGroupStart(), "ncclGroupStart");
    require_nccl(ncclSend(out_.data(), bytes, ncclInt8, partner(), comm, stream()), "ncclSend");
    require_nccl(ncclRecv(in_.data(), bytes, ncclInt8, partner(), comm, stream()), "ncclRecv");
    require_nccl(ncclGroupEnd(), "ncclGroupEnd");
  }
};
#endif

template <class Link>
std::unique_ptr<perf::distributed::Link> made(std::size_t bytes)
{
  return std::make_unique<Link>(bytes);
}

} // namespace

std::vector<LinkWay> link_ways()
{
  return {{"peer", made<IpcLink>},
#ifdef Keramos_HAS_NCCL
          {"nccl", made<NcclLink>},
#endif
          {"mpi", made<PinnedLink>}};
}

} // namespace perf::distributed
