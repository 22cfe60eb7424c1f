// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this GPU can do at best, here and now: the fastest copy, and the reciprocal square roots that a direct Coulomb sum
// is made of.
#include "../Platform.hpp"
#include "Buffers.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace perf {
namespace {

// ---- Copies ---------------------------------------------------------------------------------------------------------

using Quads = Kokkos::View<float4*, Kokkos::CudaSpace>;

struct Pair {
  Quads from, to;
  std::int64_t count() const { return static_cast<std::int64_t>(from.size()); }
  double bytes_moved() const { return 2.0 * from.size() * sizeof(float4); }
};

constexpr int copy_threads = 256;

__global__ void copy_quads_kernel(const float4* from, float4* to, std::int64_t count)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * copy_threads + threadIdx.x;
  if (n < count) to[n] = from[n];
}

/// Four loads under way a thread, and hints that nothing here is used again.
__global__ void copy_4_quads_kernel(const float4* from, float4* to, std::int64_t count)
{
  const std::int64_t first = std::int64_t{blockIdx.x} * 4 * copy_threads + threadIdx.x;
  float4 value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * copy_threads < count) value[k] = __ldcs(from + first + k * copy_threads);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * copy_threads < count) __stcs(to + first + k * copy_threads, value[k]);
}

void copy_by_memcpy(const Pair& pair)
{
  require_success(cudaMemcpyAsync(pair.to.data(), pair.from.data(), pair.count() * sizeof(float4),
                                  cudaMemcpyDeviceToDevice, stream()),
                  "cudaMemcpyAsync");
}

unsigned blocks_for(std::int64_t count, int of_a_block)
{
  return static_cast<unsigned>((count + of_a_block - 1) / of_a_block);
}

void copy_by_quads(const Pair& pair)
{
  copy_quads_kernel<<<blocks_for(pair.count(), copy_threads), copy_threads, 0, stream()>>>(
      pair.from.data(), pair.to.data(), pair.count());
}

void copy_by_4_quads(const Pair& pair)
{
  copy_4_quads_kernel<<<blocks_for(pair.count(), 4 * copy_threads), copy_threads, 0, stream()>>>(
      pair.from.data(), pair.to.data(), pair.count());
}

struct Way {
  const char* name;
  void (*copy)(const Pair&);
};
constexpr std::array kernels{Way{"cudaMemcpyAsync", copy_by_memcpy}, Way{"float4", copy_by_quads},
                             Way{"4_float4_streaming", copy_by_4_quads}};

/// Several allocations: where an array lies decides ten percent. Each array is 1 GiB, on small cards a thirty-second of
/// the memory.
class Copies {
public:
  Copies()
  {
    const auto memory = static_cast<std::int64_t>(Gpu().cuda_device_prop().totalGlobalMem);
    const std::int64_t bytes = std::min(std::int64_t{1} << 30, memory / 32);
    for (Pair& pair : pairs_) {
      pair = {device_array<Quads>("copied from", bytes / sizeof(float4)),
              device_array<Quads>("copied to", bytes / sizeof(float4))};
      fill_device_random(reinterpret_cast<float*>(pair.from.data()), 4 * pair.count(), 1);
      poison_device(pair.to.data(), bytes);
    }
  }

  /// Bytes a second, the best of the allocations.
  double rate(const Way& way) const
  {
    double best = 0, host_seconds = 0;
    for (const Pair& pair : pairs_)
      best = std::max(best, pair.bytes_moved() / seconds_of([&] { way.copy(pair); }, host_seconds));
    return best;
  }

private:
  Pair pairs_[3];
};

// ---- Reciprocal square roots ------------------------------------------------------------------------------------------

constexpr int chains = 8, rounds = 1024, root_threads = 256;

__global__ void roots_kernel(float* sums)
{
  float value[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) value[c] = 2.0f + c + threadIdx.x;
#pragma unroll 4
  for (int n = 0; n < rounds; ++n)
#pragma unroll
    for (int c = 0; c < chains; ++c) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(value[c]));
  float sum = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) sum += value[c];
  sums[blockIdx.x * root_threads + threadIdx.x] = sum;
}

} // namespace

std::vector<CopyWay> copy_ways()
{
  const auto copies = std::make_shared<Copies>();
  std::vector<CopyWay> result;
  for (const Way& way : kernels) result.push_back({way.name, [copies, way] { return copies->rate(way); }});
  return result;
}

double arithmetic_rate()
{
  const int blocks = 16 * Gpu().cuda_device_prop().multiProcessorCount;
  const Kokkos::View<float*, Kokkos::CudaSpace> sums("sums of roots", std::size_t(blocks) * root_threads);
  double best = 0, host_seconds = 0;
  for (int n = 0; n < 2; ++n) {
    const auto work = [&] { roots_kernel<<<blocks, root_threads, 0, stream()>>>(sums.data()); };
    best = std::max(best, 1.0 * blocks * root_threads * chains * rounds / seconds_of(work, host_seconds));
  }
  return best;
}

} // namespace perf
