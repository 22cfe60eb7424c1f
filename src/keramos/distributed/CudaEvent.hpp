// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event of CUDA, which orders streams.
#pragma once

#include "../core/Cuda.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Keramos::cuda {

/// Of the current GPU. One that was never recorded is done.
class Event {
public:
  Event()
  {
    require_success(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), [] { return "cudaEventCreate"; });
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) const
  {
    require_success(cudaEventRecord(event_, stream), [] { return "cudaEventRecord"; });
  }
  /// What enters the stream from now on follows it.
  void before(cudaStream_t stream) const
  {
    require_success(cudaStreamWaitEvent(stream, event_, 0), [] { return "cudaStreamWaitEvent"; });
  }
  bool is_done() const
  {
    const cudaError_t answer = cudaEventQuery(event_);
    if (answer != cudaErrorNotReady) require_success(answer, [] { return "cudaEventQuery"; });
    return answer == cudaSuccess;
  }
  void synchronise() const
  {
    require_success(cudaEventSynchronize(event_), [] { return "cudaEventSynchronize"; });
  }

private:
  cudaEvent_t event_ = nullptr;
};

} // namespace Keramos::cuda

#endif
