// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and events of GPUs that other processes of the machine reach, by CUDA IPC.
#pragma once

#include "../../cuda/Buffers.hpp"
#include "../Ranks.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace perf::distributed {

/// (collective) Every rank's `mine`.
template <class T>
std::vector<T> of_all_ranks(const T& mine)
{
  std::vector<T> all(static_cast<std::size_t>(ranks()));
  MPI_Allgather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

/// Memory of every rank's GPU, mapped by all.
class SharedBuffer {
public:
  /// (collective)
  explicit SharedBuffer(std::size_t bytes) : of_(static_cast<std::size_t>(ranks()))
  {
    void* mine = nullptr;
    cudaIpcMemHandle_t handle;
    require_success(cudaMalloc(&mine, bytes), "cudaMalloc");
    require_success(cudaIpcGetMemHandle(&handle, mine), "cudaIpcGetMemHandle");
    const auto handles = of_all_ranks(handle);
    for (std::size_t other = 0; other < of_.size(); ++other)
      if (static_cast<int>(other) == rank())
        of_[other] = mine;
      else
        require_success(cudaIpcOpenMemHandle(&of_[other], handles[other], cudaIpcMemLazyEnablePeerAccess),
                        "cudaIpcOpenMemHandle");
  }
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;
  /// (collective)
  ~SharedBuffer()
  {
    finish();
    for (std::size_t other = 0; other < of_.size(); ++other)
      if (static_cast<int>(other) != rank()) cudaIpcCloseMemHandle(of_[other]);
    meet(); // nobody maps what is freed
    cudaFree(mine());
  }

  void* mine() const { return of(rank()); }
  void* of(int other) const { return of_[static_cast<std::size_t>(other)]; }

private:
  std::vector<void*> of_;
};

/// An event of every rank. One of another process that waits in a stream is what was recorded last by then: hosts order that.
class SharedEvents {
public:
  /// (collective)
  SharedEvents() : of_(static_cast<std::size_t>(ranks()))
  {
    cudaEvent_t mine;
    cudaIpcEventHandle_t handle;
    require_success(cudaEventCreateWithFlags(&mine, cudaEventDisableTiming | cudaEventInterprocess), "cudaEventCreate");
    require_success(cudaIpcGetEventHandle(&handle, mine), "cudaIpcGetEventHandle");
    const auto handles = of_all_ranks(handle);
    for (std::size_t other = 0; other < of_.size(); ++other)
      if (static_cast<int>(other) == rank())
        of_[other] = mine;
      else
        require_success(cudaIpcOpenEventHandle(&of_[other], handles[other]), "cudaIpcOpenEventHandle");
  }
  SharedEvents(const SharedEvents&) = delete;
  SharedEvents& operator=(const SharedEvents&) = delete;
  /// (collective)
  ~SharedEvents()
  {
    finish();
    meet();
    for (const cudaEvent_t event : of_) cudaEventDestroy(event);
  }

  void record() const
  {
    require_success(cudaEventRecord(of_[static_cast<std::size_t>(rank())], stream()), "cudaEventRecord");
  }
  /// What enters the stream from now on follows what that rank has recorded last.
  void wait_for(int other) const
  {
    require_success(cudaStreamWaitEvent(stream(), of_[static_cast<std::size_t>(other)], 0), "cudaStreamWaitEvent");
  }

private:
  std::vector<cudaEvent_t> of_;
};

} // namespace perf::distributed
