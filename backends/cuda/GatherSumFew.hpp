// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with few targets and many sources: a thread owns sources, a group of a block's warps J targets and a chunk
// of the sources, and warp shuffles bring the sums together. The groups of a block read the same sources, which stay in
// the L1 cache. Then the second pass of every launch with several chunks. All orders of addition are fixed: two runs
// agree bit for bit.
#pragma once

#include "GatherSumKernels.hpp"

namespace Keramos::cuda {

__device__ inline double warp_sum(double value)
{
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

template <bool WithGradient>
__device__ core::GatherTotal<double> warp_sum(const core::GatherTotal<double>& total)
{
  core::GatherTotal<double> sum{warp_sum(total.potential), {}};
  if constexpr (WithGradient)
    for (int d = 0; d < 3; ++d) sum.gradient[d] = warp_sum(total.gradient[d]);
  return sum;
}

template <int J, bool WithGradient, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(few_threads, 2)
    gather_few(const __grid_constant__ core::GatherSumCall<T> call, const __grid_constant__ GatherCut cut,
               const __grid_constant__ Pair pair, const GatherResult<T, WithGradient> result)
{
  const int step = few_threads / cut.groups, group = threadIdx.x / step; // of threads, whole warps
  const auto& extent = call.output.potential.extent;
  const std::int64_t count = extent[0] * extent[1] * extent[2];
  const std::int64_t block = std::int64_t{blockIdx.x} * cut.groups * J, first = block + group * J;
  __shared__ core::Point<T> of_block[few_threads / 32 * J];
  if (threadIdx.x < cut.groups * J) of_block[threadIdx.x] = target_at(call, min(block + threadIdx.x, count - 1));
  __syncthreads();
  core::Point<T> target[J];
#pragma unroll
  for (int k = 0; k < J; ++k) target[k] = of_block[group * J + k];

  core::GatherTotal<double> total[J];
  const SourceRange chunk(blockIdx.y, cut.chunk, call.sources.count());
  for (std::int64_t begin = chunk.begin + threadIdx.x % step; begin < chunk.end; begin += step * core::source_block) {
    const std::int64_t left = (chunk.end - begin + step - 1) / step;
    const StridedSources<T> sources{&call.sources, begin, step, static_cast<int>(min(left, core::source_block))};
    const auto loop = [&]<bool Skips>(core::GatherTotal<T>(&sum)[J], std::bool_constant<Skips>) {
      add_sources<WithGradient, Skips>(sum, pair, sources, target);
    };
    add_block<WithGradient>(total, pair, sources, loop, [&](int k) { return target[k]; });
  }

  __shared__ core::GatherTotal<double> of_warp[few_threads / 32][J];
#pragma unroll
  for (int k = 0; k < J; ++k) {
    const core::GatherTotal<double> sum = warp_sum<WithGradient>(total[k]);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32][k] = sum;
  }
  __syncthreads();
  const int k = threadIdx.x % step;
  if (k >= J || first + k >= count) return;
  core::GatherTotal<double> sum;
  for (int warp = group * step / 32; warp < (group + 1) * step / 32; ++warp) add(sum, of_warp[warp][k]);
  result.store(call.output, index_of(first + k, extent), sum);
}

/// The second pass: `lanes` neighbouring threads, a power of two up to 32, add the chunks of a target.
template <class T, bool WithGradient>
__global__ void __launch_bounds__(few_threads)
    gather_chunks(const __grid_constant__ core::GatherOutput<T> output, const double* const partial,
                  const std::int64_t chunks, const int lanes)
{
  constexpr int components = GatherResult<T, WithGradient>::components;
  const std::int64_t count = output.potential.extent[0] * output.potential.extent[1] * output.potential.extent[2];
  const std::int64_t i = (std::int64_t{blockIdx.x} * few_threads + threadIdx.x) / lanes;
  const int lane = threadIdx.x % lanes;
  double sum[components] = {};
  if (i < count)
    for (std::int64_t chunk = lane; chunk < chunks; chunk += lanes)
      for (int c = 0; c < components; ++c) sum[c] += partial[(chunk * components + c) * count + i];
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    for (int c = 0; c < components; ++c) sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], offset);
  if (i >= count || lane != 0) return;
  core::GatherTotal<double> total{sum[0], {}};
  if constexpr (WithGradient)
    for (int d = 0; d < 3; ++d) total.gradient[d] = sum[d + 1];
  output.store(index_of(i, output.potential.extent), total);
}

} // namespace Keramos::cuda
