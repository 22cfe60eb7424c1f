// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with few targets and many sources: a thread owns a block of 256 sources, which it adds one after the other
// to J targets, and a group of `step` threads as many neighbouring blocks. All groups of a thread block read the same
// sources, slice by slice from shared memory:
//
//     slice      the next 16 (double: 8) sources of each of the step blocks, read from memory in their order
//     (32 and 16 of half as many blocks: H200, one target with 10^7 sources 80.6 us instead of 60.6)
//     nodes      eight threads' totals in a row make a node of level 1, by shuffles; eight of these, where a step is 64
//                blocks, one of level 2, which the first threads of a group add to the trees of their targets
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "Kernels.hpp"

namespace Keramos::cuda::gather_sum {

/// Slices of the blocks of sources side by side, two of them: one is read while the next one comes. The records that the
/// lanes of a warp read together lie one more than a power of two apart, so that they meet in no bank.
template <class T>
class Slices {
public:
  static constexpr int length = 64 / sizeof(T); ///< with 64 blocks 2 x 17 KiB, in double 2 x 18 KiB
  static constexpr int of_block = core::source_block / length;
  static_assert(of_block % 2 == 0, "the next blocks begin where nobody reads any more");

  /// Begins to bring a slice of every block; block b begins at begin + b * source_block, and there are sources up to `end`.
  /// A thread has one source of every few blocks: of records it only moves on by as many bytes.
  __device__ void start(const core::GatherSources<T>& sources, const GatherPartition& partition, std::int64_t begin,
                        std::int64_t end, int slice)
  {
    const int own = static_cast<int>(threadIdx.x) % length, side_by_side = static_cast<int>(blockDim.x) / length;
    const std::int64_t first = begin + slice * length + own;
    const int blocks =
        static_cast<int>(min(core::ceil_div(end - first, core::source_block), std::int64_t{partition.step}));
    int block = static_cast<int>(threadIdx.x) / length;
    if (partition.reads_records) {
      const std::int64_t stride = sources.positions.stride[0] * core::source_block;
      const T* record = sources.positions.data[0] + first * sources.positions.stride[0] + block * stride;
      for (; block < blocks; block += side_by_side, record += side_by_side * stride)
        stage_record(records_[slice % 2][block][own], record);
    } else {
      for (; block < blocks; block += side_by_side)
        stage_one(records_[slice % 2][block][own], sources, partition, first + block * core::source_block);
    }
    commit_copies();
  }
  /// Waits for the slice that was started last; then all threads have left the other one.
  __device__ void wait()
  {
    wait_for_copies<0>();
    __syncthreads();
  }
  __device__ const SourceRecord<T>* of(int slice, int block) const { return records_[slice % 2][block]; }

private:
  SourceRecord<T> records_[2][max_few_step][length + 1];
};

/// The sum of eight neighbouring lanes' values, in their order; all eight get it.
__device__ inline double sum_of_eight(double value)
{
  double sum = 0;
  for (int lane = 0; lane < 8; ++lane) sum += __shfl_sync(0xffffffffu, value, lane, 8);
  return sum;
}

/// Adds the blocks of one step to the trees of a group's targets: that of target k is with the group's thread k.
template <int J, bool WithGradient>
class StepNodes {
public:
  __device__ void add(core::BlockTree<WithGradient>& tree, core::GatherTotal<double> (&total)[J], int step,
                      std::int64_t number)
  {
    const int lane = threadIdx.x % step, octets = step / 8;
#pragma unroll
    for (int k = 0; k < J; ++k)
      for (int c = 0; c < core::total_components<WithGradient>; ++c) {
        const double node = sum_of_eight(core::component(total[k], c));
        if (threadIdx.x % 8 == 0) core::component(nodes_[threadIdx.x / 8][k], c) = node;
      }
    __syncthreads();
    if (lane < J) {
      core::GatherTotal<double> node;
      for (int octet = 0; octet < octets; ++octet) node.add(nodes_[(threadIdx.x - lane) / 8 + octet][lane]);
      tree.add(octets == 1 ? 1 : 2, number, node);
    }
    __syncthreads();
  }

private:
  core::GatherTotal<double> nodes_[few_threads / 8][J];
};

/// Blocks that a multiprocessor should hold at least: bounds the registers. Chosen.
template <class T, bool WithGradient>
inline constexpr int few_blocks = sizeof(T) == 4 && !WithGradient ? 3 : 2;

template <int J, bool WithGradient, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(few_threads, few_blocks<T, WithGradient>)
    gather_few(const __grid_constant__ core::GatherSumCall<T> call, const __grid_constant__ GatherPartition partition,
               const __grid_constant__ Pair pair, const GatherResult<T, WithGradient> result)
{
  let_next_kernel_begin();
  static_assert(J <= 8, "the first threads of a group own its targets");
  const int step = partition.step, lane = threadIdx.x % step;
  const auto& extent = call.output.potential.extent;
  const std::int64_t count = core::count_of(extent);
  const std::int64_t first = (std::int64_t{blockIdx.x} * (blockDim.x / step) + threadIdx.x / step) * J;
  core::Point<T> target[J];
#pragma unroll
  for (int k = 0; k < J; ++k) target[k] = target_at(call, partition.order, min(first + k, count - 1));

  __shared__ Slices<T> slices;
  __shared__ StepNodes<J, WithGradient> nodes;
  core::BlockTree<WithGradient> tree;
  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  const std::int64_t stride = step * core::source_block;
  for (std::int64_t number = 0, begin = chunk.begin; begin < chunk.end; begin += stride, ++number) {
    const std::int64_t mine = begin + lane * core::source_block;
    const int left = static_cast<int>(max(std::int64_t{0}, min(chunk.end - mine, core::source_block)));
    const SourcesInPlace<T> sources{&call.sources, partition.order, mine, left};
    const auto loop = [&]<bool Skips>(core::GatherTotal<T>(&sum)[J], std::bool_constant<Skips>) {
      if constexpr (Skips) {
        add_sources<WithGradient, true>(sum, pair, sources, target);
      } else {
        const int used = static_cast<int>(
            min(core::ceil_div(chunk.end - begin, std::int64_t{Slices<T>::length}), std::int64_t{Slices<T>::of_block}));
        slices.start(call.sources, partition, begin, chunk.end, 0);
        for (int slice = 0; slice < used; ++slice) {
          slices.wait();
          if (slice + 1 < used) slices.start(call.sources, partition, begin, chunk.end, slice + 1);
          const int here = max(0, min(left - slice * Slices<T>::length, Slices<T>::length));
          add_sources<WithGradient, false>(sum, pair, StagedSources<T>{slices.of(slice, lane), here, 0}, target);
        }
      }
    };
    core::GatherTotal<double> total[J];
    add_block<WithGradient>(total, pair, sources, loop, [&](int k) { return target[k]; });
    nodes.add(tree, total, step, number);
  }
  if (lane < J && first + lane < count)
    result.store(call.output, index_of(first + lane, extent), by_coordinate(tree.total(), partition.order));
}

} // namespace Keramos::cuda::gather_sum
