// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with few targets and many sources: a thread owns sources, a group of a block's warps J targets and a
// chunk of the sources, and warp shuffles bring the sums together. The groups of a block read the same sources, which
// stay in the L1 cache. All orders of addition are fixed: two runs agree bit for bit.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "Kernels.hpp"

namespace Keramos::cuda::gather_sum {

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
    gather_few(const __grid_constant__ core::GatherSumCall<T> call, const __grid_constant__ GatherPartition partition,
               const __grid_constant__ Pair pair, const GatherResult<T, WithGradient> result)
{
  const int step = few_threads / partition.groups, group = threadIdx.x / step; // of threads, whole warps
  const auto& extent = call.output.potential.extent;
  const std::int64_t count = core::count_of(extent);
  const std::int64_t block = std::int64_t{blockIdx.x} * partition.groups * J, first = block + group * J;
  __shared__ core::Point<T> of_block[few_threads / 32 * J];
  if (threadIdx.x < partition.groups * J) of_block[threadIdx.x] = target_at(call, min(block + threadIdx.x, count - 1));
  __syncthreads();
  core::Point<T> target[J];
#pragma unroll
  for (int k = 0; k < J; ++k) target[k] = of_block[group * J + k];

  core::GatherTotal<double> total[J];
  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  for (std::int64_t begin = chunk.begin + threadIdx.x % step; begin < chunk.end; begin += step * core::source_block) {
    const std::int64_t left = core::ceil_div(chunk.end - begin, step);
    const StridedSources<T> sources{&call.sources, begin, step, static_cast<int>(min(left, core::source_block))};
    add_block_at<WithGradient>(total, pair, sources, target);
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
  for (int warp = group * step / 32; warp < (group + 1) * step / 32; ++warp) sum.add(of_warp[warp][k]);
  result.store(call.output, index_of(first + k, extent), sum);
}

} // namespace Keramos::cuda::gather_sum
