// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with few targets and many sources: a thread owns a block of 256 sources, which it adds one after the other
// to J targets, and a group of `step` threads as many neighbouring blocks. All groups of a thread block read the same
// sources, slice by slice from shared memory:
//
//     slice      the next sources of each of the step blocks, read from memory in their order
//     nodes      eight threads' totals in a row make a node of level 1, by shuffles; eight of these, where a step is 64
//                blocks, one of level 2, which the first threads of a group add to the trees of their targets
//
// 64 blocks serve a target or a few, which wait for memory, 8 blocks more of them, which wait for their sums.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "Kernels.hpp"

namespace Keramos::cuda::gather_sum {

/// So many sources of a block in shared memory.
template <class T, int Count>
struct SliceSources {
  static constexpr int skips_unroll = 1, count = Count;
  using Cursor = typename StagedSources<T>::Cursor;

  const SourceRecord<T>* records;

  __device__ Cursor cursor() const { return {records}; }
};

/// Slices of the blocks of sources side by side, in dynamic shared memory: one is read while others come. The records that the lanes
/// of a warp read together lie one more than a power of two apart, so that they meet in no bank.
template <class T>
class Slices {
public:
  static constexpr int stages = 4;
  static constexpr int shortest = 128 / sizeof(SourceRecord<T>); ///< of them, compiled without a loop

  __device__ explicit Slices(const GatherPartition& partition) : step_(partition.step), length_(length_of(partition)) {}

  __device__ int length() const { return length_; } ///< sources of a block in a slice

  /// Begins to bring a slice of every block; block b begins at begin + b * source_block, and there are sources up to `end`.
  /// A thread has one source of every few blocks: of records it only moves on by as many bytes.
  __device__ void start(const core::GatherSources<T>& sources, const GatherPartition& partition, std::int64_t begin,
                        std::int64_t end, int slice)
  {
    const int own = static_cast<int>(threadIdx.x) % length_, side_by_side = static_cast<int>(blockDim.x) / length_;
    const std::int64_t first = begin + slice * length_ + own;
    const int blocks = static_cast<int>(min(core::ceil_div(end - first, core::source_block), std::int64_t{step_}));
    int block = static_cast<int>(threadIdx.x) / length_;
    if (block == side_by_side) block = blocks; // threads that are left over where a slice is longer than a warp
    if (partition.reads_records) {
      const std::int64_t stride = sources.positions.stride[0] * core::source_block;
      const T* record = sources.positions.data[0] + first * sources.positions.stride[0] + block * stride;
      for (; block < blocks; block += side_by_side, record += side_by_side * stride)
        stage_record(at(slice, block)[own], record);
    } else {
      for (; block < blocks; block += side_by_side)
        stage_one(at(slice, block)[own], sources, partition, first + block * core::source_block);
    }
  }
  __device__ SourceRecord<T>* at(int slice, int block)
  {
    return records() + (slice % stages * step_ + block) * (length_ + 1);
  }

  /// Bytes that the slices of a thread block take.
  static unsigned bytes(const GatherPartition& partition)
  {
    return static_cast<unsigned>(stages * partition.step * (length_of(partition) + 1) * sizeof(SourceRecord<T>));
  }

private:
  KOKKOS_INLINE_FUNCTION static int length_of(const GatherPartition& partition)
  {
    return partition.slice_bytes / static_cast<int>(sizeof(SourceRecord<T>));
  }
  __device__ static SourceRecord<T>* records()
  {
    extern __shared__ __align__(16) unsigned char few_memory[];
    return reinterpret_cast<SourceRecord<T>*>(few_memory);
  }

  int step_, length_;
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
      for (int c = 0; c < components; ++c) {
        const double node = sum_of_eight(core::component(total[k], c));
        if (threadIdx.x % 8 == 0) nodes_[threadIdx.x / 8][k][c] = node;
      }
    __syncthreads();
    if (lane < J) {
      core::GatherTotal<double> node;
      for (int octet = 0; octet < octets; ++octet)
        for (int c = 0; c < components; ++c)
          core::component(node, c) += nodes_[(threadIdx.x - lane) / 8 + octet][lane][c];
      tree.add(octets == 1 ? 1 : 2, number, node);
    }
    __syncthreads();
  }

private:
  static constexpr int components = core::total_components<WithGradient>;
  double nodes_[few_threads / 8][J][components];
};

template <int Count, class Value, int J>
__device__ auto first_of(Value (&values)[J]) -> Value (&)[Count]
{
  return reinterpret_cast<Value(&)[Count]>(values);
}

/// Adds `here` sources of a slice to the first of the targets, as many as the group has. nvcc 13.0 takes the wrong branch where it
/// knows `length` of here = max(0, min(.., length)) and `here == length` is asked (VIMNMX.RELU with a predicate); it does not here.
template <bool WithGradient, int Own, int J, class Pair, class T = typename Pair::value_type>
__device__ void add_slice(core::GatherTotal<T> (&sum)[J], const Pair& pair, const SourceRecord<T>* records, int here,
                          const core::Point<T> (&target)[J])
{
  constexpr int shortest = Slices<T>::shortest;
  if (here == shortest)
    add_sources<WithGradient, false>(first_of<Own>(sum), pair, SliceSources<T, shortest>{records},
                                     first_of<Own>(target));
  else
    add_sources<WithGradient, false>(first_of<Own>(sum), pair, StagedSources<T>{records, here, 0},
                                     first_of<Own>(target));
}

/// Adds block `lane` of those that begin at `begin`, of which there are `left` sources, slice by slice.
template <bool WithGradient, int J, class Pair, class T = typename Pair::value_type>
__device__ void add_slices(core::GatherTotal<T> (&sum)[J], const Pair& pair, Slices<T>& slices,
                           const core::GatherSources<T>& sources, const GatherPartition& partition, std::int64_t begin,
                           std::int64_t end, int lane, int left, const core::Point<T> (&target)[J])
{
  constexpr int stages = Slices<T>::stages;
  constexpr bool varies = J == varying_group;
  const int length = slices.length(), own = partition.targets_per_thread,
            used = static_cast<int>(core::ceil_div(min(end - begin, core::source_block), length));
  const auto start = [&](int slice) {
    if (slice < used) slices.start(sources, partition, begin, end, slice);
    commit_copies();
  };
  for (int slice = 0; slice + 1 < stages; ++slice) start(slice);
#pragma unroll 1
  for (int slice = 0; slice < used; ++slice) {
    wait_for_copies<stages - 2>();
    __syncthreads(); // then all threads have left the slice before
    start(slice + stages - 1);
    const SourceRecord<T>* const records = slices.at(slice, lane);
    const int here = max(0, min(left - slice * length, length));
    if (varies && own == smaller_group)
      add_slice<WithGradient, varies ? smaller_group : J>(sum, pair, records, here, target);
    else if (varies && own == 1)
      add_slice<WithGradient, 1>(sum, pair, records, here, target);
    else
      add_slice<WithGradient, J>(sum, pair, records, here, target);
  }
}

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
  const int step = partition.step, lane = threadIdx.x % step, own = partition.targets_per_thread;
  const auto& extent = call.output.potential.extent;
  const std::int64_t count = core::count_of(extent);
  const std::int64_t first = (std::int64_t{blockIdx.x} * (blockDim.x / step) + threadIdx.x / step) * own;
  core::Point<T> target[J];
  read_targets<1>(target, call, partition.order, first, count);

  Slices<T> slices(partition);
  __shared__ StepNodes<J, WithGradient> nodes;
  core::BlockTree<WithGradient> tree;
  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  const std::int64_t stride = step * core::source_block;
  for (std::int64_t number = 0, begin = chunk.begin; begin < chunk.end; begin += stride, ++number) {
    const std::int64_t mine = begin + lane * core::source_block;
    const int left = static_cast<int>(max(std::int64_t{0}, min(chunk.end - mine, core::source_block)));
    const SourcesInPlace<T> sources{&call.sources, partition.order, mine, left};
    const auto loop = [&]<bool Skips>(core::GatherTotal<T>(&sum)[J], std::bool_constant<Skips>) {
      if constexpr (Skips)
        add_sources<WithGradient, true>(sum, pair, sources, target);
      else
        add_slices<WithGradient>(sum, pair, slices, call.sources, partition, begin, chunk.end, lane, left, target);
    };
    core::GatherTotal<double> total[J];
    add_block<WithGradient>(total, pair, sources, loop, [&](int k) { return target[k]; });
    nodes.add(tree, total, step, number);
  }
  if (lane < own && first + lane < count)
    result.store(call.output, index_of(first + lane, extent), by_coordinate(tree.total(), partition.order));
}

} // namespace Keramos::cuda::gather_sum
