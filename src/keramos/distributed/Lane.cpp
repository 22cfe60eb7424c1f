// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lane.hpp"

#include "CudaEvent.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Keramos::core {

struct Lane<Kokkos::Cuda>::Stream {
  Stream()
  {
    using cuda::require_success;
    int least = 0, greatest = 0;
    require_success(cudaDeviceGetStreamPriorityRange(&least, &greatest), [] { return "a range of priorities"; });
    require_success(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), [] { return "a stream"; });
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream); }

  cudaStream_t stream = nullptr;
  cuda::Event begun, ended;
};

Lane<Kokkos::Cuda>::Lane(const Kokkos::Cuda&) : stream_(std::make_shared<Stream>()), space_(stream_->stream) {}

const Kokkos::Cuda& Lane<Kokkos::Cuda>::begin(const Kokkos::Cuda& exec) const
{
  stream_->begun.record(exec.cuda_stream());
  stream_->begun.before(stream_->stream);
  return space_;
}

void Lane<Kokkos::Cuda>::end(const Kokkos::Cuda& exec) const
{
  stream_->ended.record(stream_->stream);
  stream_->ended.before(exec.cuda_stream());
}

} // namespace Keramos::core

#endif
