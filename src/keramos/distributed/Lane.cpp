// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lane.hpp"

#include "CudaEvent.hpp"

#include <array>

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

namespace {

void order(const cuda::Event& event, cudaStream_t earlier, cudaStream_t later)
{
  event.record(earlier);
  event.before(later);
}

} // namespace

Lane<Kokkos::Cuda>::Lane(LaneOf work)
    : stream_([&] {
        static std::array<std::weak_ptr<Stream>, 3> lanes; // they end with their last user, before Kokkos does
        std::weak_ptr<Stream>& lane = lanes[static_cast<std::size_t>(work)];
        auto stream = lane.lock();
        if (!stream) lane = stream = std::make_shared<Stream>();
        return stream;
      }()),
      space_(stream_->stream)
{
}

const Kokkos::Cuda& Lane<Kokkos::Cuda>::begin(const Kokkos::Cuda& exec) const
{
  order(stream_->begun, exec.cuda_stream(), stream_->stream);
  return space_;
}

void Lane<Kokkos::Cuda>::follow(const Lane& other) const
{
  order(other.stream_->ended, other.stream_->stream, stream_->stream);
}

void Lane<Kokkos::Cuda>::end(const Kokkos::Cuda& exec) const
{
  order(stream_->ended, stream_->stream, exec.cuda_stream());
}

} // namespace Keramos::core

#endif
