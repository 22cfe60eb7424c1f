// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums that are too small for a thread of its own to each few targets: all warps of a thread block have the same
// targets, one to four a lane, and each its own blocks of 256 sources. Their totals meet in shared memory, so that there is
// no second kernel and no scratch. The sources come slice by slice, to each warp its own, and nobody waits for other warps.
// H200, Coulomb in float beside chunks and a second kernel: 3000 points and sources 11.3 us instead of 17.0, a grid of 128^2
// with 500 sources 9.3 instead of 16.9. With 4000, and with 1, 2, 4 and 8 targets a lane on the grid, 35.9, 28.8, 24.7 and 41.9;
// chunks 27.5.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "Kernels.hpp"

#include <algorithm>

namespace Keramos::cuda::gather_sum {

/// The slices of a warp's block of sources, one for each lane to bring: one is read while the next one comes.
template <class T>
class WarpSlices {
public:
  static constexpr int length = 32;

  /// f(StagedSources) for slice after slice of `count` sources that begin at `begin`.
  template <class F>
  __device__ void for_each(const core::GatherSources<T>& sources, const GatherPartition& partition, std::int64_t begin,
                           int count, const F& f)
  {
    start(sources, partition, begin, count, 0);
    for (int first = 0; first < count; first += length) {
      wait_for_copies<0>();
      __syncwarp(); // then all lanes have left the other slice
      start(sources, partition, begin, count, first + length);
      f(StagedSources<T>{records_[first / length % 2], min(count - first, length), 0});
    }
  }

private:
  __device__ void start(const core::GatherSources<T>& sources, const GatherPartition& partition, std::int64_t begin,
                        int count, int first)
  {
    const int lane = threadIdx.x % length, j = first + lane;
    if (j < count) stage_one(records_[first / length % 2][lane], sources, partition, begin + j);
    commit_copies();
  }

  SourceRecord<T> records_[2][length];
};

/// The sums of 32 J targets over all sources, which target thread t % 32 + 32 k has with k = t / 32: lane t % 32's k-th.
/// add(sum, skips, sources) adds sources to a lane's sums; target(k) is its k-th target.
template <int J, bool WithGradient, class Pair, class Add, class Target, class T = typename Pair::value_type>
__device__ core::GatherTotal<double> sum_by_warps(const core::GatherSources<T>& sources,
                                                  const GatherPartition& partition, const Pair& pair, const Add& add,
                                                  const Target& target)
{
  constexpr int components = core::total_components<WithGradient>;
  __shared__ WarpSlices<T> slices[max_warps];
  __shared__ double totals[max_warps][components][32 * J];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  const std::int64_t blocks = core::ceil_div(sources.count(), core::source_block);
  core::BlockTree<WithGradient> tree; // its lowest level is `node`
  core::GatherTotal<double> node;
  for (std::int64_t first = 0; first < blocks; first += warps) {
    const std::int64_t begin = (first + warp) * core::source_block;
    const int count = static_cast<int>(max(std::int64_t{0}, min(sources.count() - begin, core::source_block)));
    const SourcesInPlace<T> in_place{&sources, partition.order, begin, count};
    const auto loop = [&]<bool Skips>(core::GatherTotal<T>(&sum)[J], std::bool_constant<Skips> skips) {
      if constexpr (Skips)
        add(sum, skips, in_place);
      else
        slices[warp].for_each(sources, partition, begin, count,
                              [&](const StagedSources<T>& slice) { add(sum, skips, slice); });
    };
    core::GatherTotal<double> total[J];
    add_block<WithGradient>(total, pair, in_place, loop, target);
#pragma unroll
    for (int k = 0; k < J; ++k)
      for (int c = 0; c < components; ++c) totals[warp][c][32 * k + lane] = core::component(total[k], c);
    __syncthreads();
    if (threadIdx.x < 32 * J)
      for (int other = 0; other < warps && first + other < blocks; ++other) {
        for (int c = 0; c < components; ++c) core::component(node, c) += totals[other][c][threadIdx.x];
        if (!core::completes_parent(0, first + other)) continue;
        tree.add(1, (first + other) >> core::tree_radix_bits, node);
        node = {};
      }
    __syncthreads();
  }
  tree.add(0, 0, node);
  return tree.total();
}

/// Blocks of max_warps warps that a multiprocessor should hold: bounds the registers. Chosen.
template <class T, bool WithGradient>
inline constexpr int warps_blocks = sizeof(T) == 4 && !WithGradient ? 2 : 1;

/// Sources a round on a grid: 16 would not fit the registers.
template <class Pair, bool WithGradient>
inline constexpr int grid_warp_round = std::min(Pair::template grid_unroll<WithGradient>, 8);

template <int J, bool WithGradient, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(32 * max_warps, warps_blocks<T, WithGradient>)
    gather_on_grid_by_warps(const __grid_constant__ core::GatherSumCall<T> call,
                            const __grid_constant__ GatherPartition partition, const __grid_constant__ Pair pair,
                            const GatherResult<T, WithGradient> result)
{
  const auto& extent = call.output.potential.extent;
  const std::int64_t column = blockIdx.x % partition.column_tiles * 32 + threadIdx.x % 32;
  const std::int64_t first = blockIdx.x / partition.column_tiles * J;
  const GridLine<T, J> line(call.targets, partition.z_first, column, first, extent);
  const core::GatherTotal<double> total = sum_by_warps<J, WithGradient>(
      call.sources, partition, pair,
      [&](auto& sum, auto skips, const auto& sources) {
        line.template add<WithGradient, skips, grid_warp_round<Pair, WithGradient>>(sum, pair, sources);
      },
      [&](int k) { return line.target(k); });
  const std::int64_t k = first + threadIdx.x / 32;
  if (threadIdx.x < 32 * J && k < extent[1] && line.exists())
    result.store(call.output, line.index(k), by_coordinate(total, partition.order));
}

template <int J, bool WithGradient, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(32 * max_warps, warps_blocks<T, WithGradient>)
    gather_at_points_by_warps(const __grid_constant__ core::GatherSumCall<T> call,
                              const __grid_constant__ GatherPartition partition, const __grid_constant__ Pair pair,
                              const GatherResult<T, WithGradient> result)
{
  const auto& extent = call.output.potential.extent;
  const std::int64_t count = core::count_of(extent);
  const std::int64_t first = blockIdx.x * std::int64_t{32 * J};
  core::Point<T> target[J];
#pragma unroll
  for (int k = 0; k < J; ++k)
    target[k] = target_at(call, partition.order, min(first + 32 * k + threadIdx.x % 32, count - 1));
  const core::GatherTotal<double> total = sum_by_warps<J, WithGradient>(
      call.sources, partition, pair,
      [&](auto& sum, auto skips, const auto& sources) { add_sources<WithGradient, skips>(sum, pair, sources, target); },
      [&](int k) { return target[k]; });
  const std::int64_t i = first + threadIdx.x;
  if (threadIdx.x < 32 * J && i < count)
    result.store(call.output, index_of(i, extent), by_coordinate(total, partition.order));
}

} // namespace Keramos::cuda::gather_sum
