// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and inclusive scans of a block, once through shared memory, written afresh after M. Harris, "Optimizing parallel
// reduction in CUDA" (NVIDIA, 2007) and M. Harris, S. Sengupta and J. Owens, "Parallel prefix sum (scan) with CUDA" (GPU Gems
// 3, chapter 39, 2007), and once by warp shuffles, after J. Luitjens, "Faster parallel reductions on Kepler" (NVIDIA developer
// blog, 2014); and what is built on them: sums and scans of segments, and of a whole array.
#pragma once

#include "Buffers.hpp"

#include <cstdint>

namespace perf::classic {

constexpr int segment = 1024; // elements, and threads of a block
constexpr unsigned all_lanes = 0xffffffffu;

/// Halves the threads that add, with a barrier a step; and doubles the distance they add over, between two buffers.
struct BySharedMemory {
  static constexpr const char* name = "shared memory";

  /// In thread 0.
  __device__ static unsigned sum(unsigned value)
  {
    __shared__ unsigned kept[segment];
    kept[threadIdx.x] = value;
    for (unsigned half = segment / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) kept[threadIdx.x] += kept[threadIdx.x + half];
    }
    return kept[threadIdx.x];
  }

  /// In every thread: its value and all before.
  __device__ static unsigned scan(unsigned value)
  {
    __shared__ unsigned kept[2][segment];
    int now = 0;
    kept[now][threadIdx.x] = value;
    for (unsigned distance = 1; distance < segment; distance *= 2) {
      __syncthreads();
      if (threadIdx.x >= distance) value += kept[now][threadIdx.x - distance];
      now = 1 - now;
      kept[now][threadIdx.x] = value;
    }
    return value;
  }
};

/// Within a warp registers change lanes; only the 32 warps meet in shared memory.
struct ByShuffles {
  static constexpr const char* name = "warp shuffles";

  __device__ static unsigned sum(unsigned value)
  {
    __shared__ unsigned of_warp[32];
    value = sum_of_warp(value);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    return threadIdx.x < 32 ? sum_of_warp(of_warp[threadIdx.x]) : 0;
  }

  __device__ static unsigned scan(unsigned value)
  {
    __shared__ unsigned of_warp[32];
    value = scan_of_warp(value);
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 31) of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) of_warp[threadIdx.x] = scan_of_warp(of_warp[threadIdx.x]);
    __syncthreads();
    return warp == 0 ? value : value + of_warp[warp - 1];
  }

private:
  __device__ static unsigned sum_of_warp(unsigned value)
  {
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(all_lanes, value, lanes);
    return value;
  }
  __device__ static unsigned scan_of_warp(unsigned value)
  {
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
      const unsigned before = __shfl_up_sync(all_lanes, value, lanes);
      if (threadIdx.x % 32 >= lanes) value += before;
    }
    return value;
  }
};

// ---- Segments of 1024, a block each ---------------------------------------------------------------------------------------

template <class Way>
__global__ void __launch_bounds__(segment) sum_segments_kernel(const unsigned* in, unsigned* out)
{
  const unsigned sum = Way::sum(in[std::int64_t{blockIdx.x} * segment + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <class Way>
__global__ void __launch_bounds__(segment) scan_segments_kernel(const unsigned* in, unsigned* out)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * segment + threadIdx.x;
  out[n] = Way::scan(in[n]);
}

// ---- A whole array, a multiple of 4096 elements -------------------------------------------------------------------------

template <class Way>
__global__ void __launch_bounds__(segment) sum_kernel(const uint4* in, std::int64_t count, unsigned* out)
{
  unsigned sum = 0;
  for (std::int64_t n = std::int64_t{blockIdx.x} * segment + threadIdx.x; n < count;
       n += std::int64_t{gridDim.x} * segment) {
    const uint4 four = in[n];
    sum += four.x + four.y + four.z + four.w;
  }
  sum = Way::sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <class Way>
__global__ void __launch_bounds__(segment) sum_of_sums_kernel(const unsigned* sums, int count, unsigned* out)
{
  const unsigned sum = Way::sum(static_cast<int>(threadIdx.x) < count ? sums[threadIdx.x] : 0);
  if (threadIdx.x == 0) *out = sum;
}

/// Two passes, the second by one block; `scratch` holds 1024 elements.
template <class Way>
void sum(const unsigned* in, std::int64_t count, unsigned* out, unsigned* scratch, int multiprocessors)
{
  const int blocks = std::min(2 * multiprocessors, segment);
  sum_kernel<Way><<<blocks, segment, 0, stream()>>>(reinterpret_cast<const uint4*>(in), count / 4, scratch);
  sum_of_sums_kernel<Way><<<1, segment, 0, stream()>>>(scratch, blocks, out);
  require_launched("sum");
}

/// Each block scans 4096 elements and leaves their sum.
template <class Way>
__global__ void __launch_bounds__(segment) scan_tiles_kernel(const uint4* in, uint4* out, unsigned* sums)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * segment + threadIdx.x;
  uint4 four = in[n];
  four.y += four.x;
  four.z += four.y;
  four.w += four.z;
  const unsigned end = Way::scan(four.w), before = end - four.w;
  out[n] = {four.x + before, four.y + before, four.z + before, end};
  if (threadIdx.x == segment - 1) sums[blockIdx.x] = end;
}

/// One block walks through the sums of all tiles and scans them in place.
template <class Way>
__global__ void __launch_bounds__(segment) scan_sums_kernel(unsigned* sums, int count)
{
  __shared__ unsigned last;
  unsigned before = 0;
  for (int first = 0; first < count; first += segment) {
    const int n = first + threadIdx.x;
    const unsigned value = before + Way::scan(n < count ? sums[n] : 0);
    if (n < count) sums[n] = value;
    if (threadIdx.x == segment - 1) last = value;
    __syncthreads();
    before = last;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(segment) add_sums_kernel(uint4* out, const unsigned* sums)
{
  if (blockIdx.x == 0) return;
  const std::int64_t n = std::int64_t{blockIdx.x} * segment + threadIdx.x;
  const unsigned before = sums[blockIdx.x - 1];
  uint4 four = out[n];
  out[n] = {four.x + before, four.y + before, four.z + before, four.w + before};
}

/// `scratch` holds count / 4096 elements.
template <class Way>
void scan(const unsigned* in, std::int64_t count, unsigned* out, unsigned* scratch)
{
  const auto tiles = static_cast<int>(count / (4 * segment));
  scan_tiles_kernel<Way>
      <<<tiles, segment, 0, stream()>>>(reinterpret_cast<const uint4*>(in), reinterpret_cast<uint4*>(out), scratch);
  scan_sums_kernel<Way><<<1, segment, 0, stream()>>>(scratch, tiles);
  add_sums_kernel<<<tiles, segment, 0, stream()>>>(reinterpret_cast<uint4*>(out), scratch);
  require_launched("scan");
}

} // namespace perf::classic
