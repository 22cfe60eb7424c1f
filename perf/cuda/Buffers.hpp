// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data on the GPU: random inputs, poisoned outputs, and as many sets of both in turn as the L2 cache cannot keep.
#pragma once

#include "../Arrays.hpp"
#include "../Harness.hpp"
#include "../Platform.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf {

using Gpu = Kokkos::Cuda;

/// A raw kernel of ours or of others, on the stream that Keramos and Kokkos get.
inline cudaStream_t stream() { return Gpu().cuda_stream(); }

inline void require_success(cudaError_t error, const char* what)
{
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// After every launch of a raw kernel: its configuration was possible.
inline void require_launched(const char* what) { require_success(cudaGetLastError(), what); }

inline std::int64_t l2_bytes() { return Gpu().cuda_device_prop().l2CacheSize; }

/// In the second and third allocation of a case (Nearby.hpp), behind a gap of a third and two thirds of an array.
template <class View, class... Extents>
View device_array(const std::string& label, Extents... extents)
{
  if (gaps.allocation > 0) {
    const std::size_t bytes = View::required_allocation_size(extents...) / 3 * gaps.allocation;
    using Gap = Kokkos::View<char*, Gpu>;
    gaps.memory.push_back(std::make_shared<Gap>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "gap"),
                                                std::min(bytes, std::size_t{256} << 20)));
  }
  return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), extents...);
}

constexpr int fill_threads = 256;
inline unsigned fill_blocks(std::int64_t count)
{
  return static_cast<unsigned>((count + fill_threads - 1) / fill_threads);
}

template <class T>
__global__ void random_kernel(T* data, std::int64_t count, std::uint64_t seed)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) data[n] = random_number<T>(seed << 40 ^ static_cast<std::uint64_t>(n));
}

template <class T>
void fill_device_random(T* data, std::int64_t count, std::uint64_t seed)
{
  random_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(data, count, seed);
  require_launched("random numbers");
}

/// Every byte 0xff: NaN in float and double, -1 in integers.
inline void poison_device(void* data, std::int64_t bytes)
{
  require_success(cudaMemsetAsync(data, 0xff, bytes, stream()), "poison");
}

/// An int on the GPU that kernels count mistakes in.
class Mistakes {
public:
  Mistakes() : count_("mistakes") {}
  int* counter() const { return count_.data(); }
  std::string text(const char* what = "wrong elements") const
  {
    int count = 0;
    Kokkos::deep_copy(count, Kokkos::View<int, Kokkos::CudaSpace>(count_));
    return count == 0 ? "" : std::to_string(count) + " " + what;
  }

private:
  Kokkos::View<int, Kokkos::CudaSpace> count_;
};

/// Sets of buffers for one case, each call on the next, so that together they are at least eight times the L2 cache.
template <class Buffers>
class Ring {
public:
  template <class Make>
  Ring(std::int64_t bytes_of_a_set, const Make& make)
  {
    const std::int64_t sets = std::max<std::int64_t>(1, (8 * l2_bytes() + bytes_of_a_set - 1) / bytes_of_a_set);
    for (std::int64_t n = 0; n < sets; ++n) sets_.push_back(make(n));
  }

  const Buffers& next() const
  {
    last_ = (last_ + 1) % sets_.size();
    return sets_[last_];
  }
  const Buffers& last() const { return sets_[last_]; }
  const std::vector<Buffers>& all() const { return sets_; }

private:
  std::vector<Buffers> sets_;
  mutable std::size_t last_ = 0;
};

/// Calls in one repetition: events resolve half a microsecond, so that a millisecond of small calls is timed to a part
/// in a thousand; at most 200 launches wait in the queue.
inline int calls_for(double bytes_of_a_call)
{
  return bytes_of_a_call >= 256e6 ? 1 : bytes_of_a_call >= 32e6 ? 10 : 100;
}

} // namespace perf
