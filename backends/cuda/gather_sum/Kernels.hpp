// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels in which a thread owns targets: sources are broadcast from shared memory to J of them.
//
//     on a grid   lanes run over the columns (axes 0 and 2), a thread has J targets along axis 1, which share
//                 dx^2 + dz^2: a Coulomb pair is FADD, FFMA, MUFU.RSQ, FFMA, and the special function unit, with 8
//                 cycles per warp, is the limit
//     points      lanes run over the targets, wherever they are; J of a thread share only the reading of a source
//
// Blocks of 256 sources are summed in the value type and their totals in double, by the tree of blocks. Where targets
// alone do not fill the GPU the sources are partitioned into chunks (blockIdx.y), which are nodes of the tree, and their
// sums go to scratch: Chunks.cpp adds them.
#pragma once

#include "../Launch.hpp"
#include "Partition.hpp"
#include "Stage.hpp"
#include "Targets.hpp"

#include <type_traits>

namespace Keramos::cuda::gather_sum {

/// The levels above the lowest of J targets' trees of blocks, in local memory: a thread comes here once in eight blocks.
/// Only the levels that a chunk's sources reach are touched: H200, 128^2 targets with 4000 sources, chunks of one block,
/// 32.8 us instead of 36.0.
template <int J, bool WithGradient>
class UpperLevels {
public:
  __device__ explicit UpperLevels(std::int64_t sources) : levels_(core::levels_of(sources) - 1)
  {
    for (int i = 0; i < levels_ * pitch; ++i) sums_[i] = 0;
  }

  /// Eight blocks, of which the last one is `block`, have been added up: a node of level 1.
  __device__ __noinline__ void carry(int k, core::GatherTotal<double> node, std::int64_t block)
  {
    for (int c = 0; c < components; ++c)
      core::add_node(sums_ + k * components + c, pitch, 1, block >> core::tree_radix_bits, core::component(node, c));
  }

  /// With what is left of the lowest level.
  __device__ core::GatherTotal<double> total(int k, const core::GatherTotal<double>& rest) const
  {
    return levels_ == 0 ? rest : sum_of_levels(k, rest);
  }

private:
  __device__ __noinline__ core::GatherTotal<double> sum_of_levels(int k, core::GatherTotal<double> rest) const
  {
    for (int c = 0; c < components; ++c)
      for (int level = 0; level < levels_; ++level)
        core::component(rest, c) = sums_[level * pitch + k * components + c] + core::component(rest, c);
    return rest;
  }

  static constexpr int components = core::total_components<WithGradient>, pitch = J * components;
  int levels_;
  double sums_[(core::tree_levels - 1) * pitch];
};

/// Adds one block of sources to the totals of J targets. loop(sum, skips) goes through the sources and adds to the
/// sums; target(k) is the k-th target.
template <bool WithGradient, int J, class Pair, class Sources, class Loop, class Target>
__device__ void add_block(core::GatherTotal<double> (&total)[J], const Pair& pair, const Sources& sources,
                          const Loop& loop, const Target& target)
{
  using Sum = core::GatherTotal<typename Pair::value_type>;
  Sum sum[J];
  loop(sum, std::false_type());
  bool finite = true;
#pragma unroll
  for (int k = 0; k < J; ++k) finite = finite && is_finite<WithGradient>(sum[k]);
  if (!finite && pair.skips()) { // all of them again: those that were finite come out as they were
#pragma unroll
    for (int k = 0; k < J; ++k) sum[k] = Sum();
    loop(sum, std::true_type());
  }
#pragma unroll
  for (int k = 0; k < J; ++k) total[k].add(pair.template total<WithGradient>(sum[k], target(k), sources));
}

/// The same for a block in shared memory, and what the tree of blocks asks for then.
template <bool WithGradient, int J, class Pair, class Sources, class Loop, class Target>
__device__ void add_block(core::GatherTotal<double> (&total)[J], UpperLevels<J, WithGradient>& upper, const Pair& pair,
                          const Sources& sources, const Loop& loop, const Target& target)
{
  add_block<WithGradient>(total, pair, sources, loop, target);
  if (!core::completes_parent(0, sources.number)) return;
#pragma unroll
  for (int k = 0; k < J; ++k) {
    upper.carry(k, total[k], sources.number);
    total[k] = {};
  }
}

/// Blocks that a multiprocessor should hold at least. H200, Coulomb in float at points, Gpairs/s: 3100, 3177 with 6, 8. Grids: see the pairs.
template <class Pair, bool WithGradient>
inline constexpr int gather_grid_blocks = Pair::template grid_blocks<WithGradient>;
template <class T, bool WithGradient, int J>
inline constexpr int gather_point_blocks = sizeof(T) == 4 ? (WithGradient || J > 4 ? 4 : 8) : (WithGradient ? 2 : 3);

/// J targets along the second axis of a grid from `first` on, in a column that is numbered through axes 0 and 2. Beyond the last one
/// stands the last: functors see distances that there are.
template <class T, int J>
class GridLine {
public:
  __device__ GridLine(const core::GatherTargets<T>& targets, bool z_first, std::int64_t column, std::int64_t first,
                      const core::Index3& extent)
      : i0_(column % extent[0]), i2_(column / extent[0]), exists_(i2_ < extent[2])
  {
    const T at_i0 = static_cast<T>(targets.position(0, i0_)), at_i2 = static_cast<T>(targets.position(2, i2_));
    x_ = z_first ? at_i2 : at_i0, z_ = z_first ? at_i0 : at_i2;
#pragma unroll
    for (int k = 0; k < J; ++k) y_[k] = static_cast<T>(targets.position(1, min(first + k, extent[1] - 1)));
  }

  __device__ bool exists() const { return exists_; }
  __device__ core::Index3 index(std::int64_t i1) const { return {i0_, i1, i2_}; }
  __device__ core::Point<T> target(int k) const { return {x_, y_[k], z_}; }

  /// sum[k] += what the sources add to target k, so many of them a round.
  template <bool WithGradient, bool Skips, int Round, class Pair, class Sources>
  __device__ void add(core::GatherTotal<T> (&sum)[J], const Pair& pair, const Sources& sources) const
  {
    auto cursor = sources.cursor();
#pragma unroll(Skips ? Sources::skips_unroll : Round)
    for (int j = 0; j < sources.count; ++j) {
      const SourceRecord<T> source = cursor.next();
      const T dx = x_ - source.x, dz = z_ - source.z, across = fma(dx, dx, fma(dz, dz, pair.shift()));
#pragma unroll
      for (int k = 0; k < J; ++k) {
        const T dy = y_[k] - source.y;
        pair.template add<WithGradient, Skips>(sum[k], fma(dy, dy, across), source.weight, dx, dy, dz);
      }
    }
  }

private:
  std::int64_t i0_, i2_;
  bool exists_;
  T x_, z_, y_[J];
};

template <int J, bool WithGradient, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(gather_threads, gather_grid_blocks<Pair, WithGradient>)
    gather_on_grid(const __grid_constant__ core::GatherSumCall<T> call,
                   const __grid_constant__ GatherPartition partition, const __grid_constant__ Pair given,
                   const GatherResult<T, WithGradient> result)
{
  let_next_kernel_begin();
  const auto& pair = with_powers_at_hand(given);
  const auto& extent = call.output.potential.extent;
  const std::int64_t column = blockIdx.x % partition.column_tiles * gather_threads + threadIdx.x;
  const std::int64_t first = blockIdx.x / partition.column_tiles * J;
  const GridLine<T, J> line(call.targets, partition.z_first, column, first, extent);

  core::GatherTotal<double> total[J];
  UpperLevels<J, WithGradient> upper(partition.chunk);
  const auto block = [&](const StagedSources<T>& sources) {
    const auto loop = [&]<bool Skips>(core::GatherTotal<T>(&sum)[J], std::bool_constant<Skips>) {
      line.template add<WithGradient, Skips, Pair::template grid_unroll<WithGradient>>(sum, pair, sources);
    };
    add_block(total, upper, pair, sources, loop, [&](int k) { return line.target(k); });
  };
  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  for_each_staged(call.sources, partition, chunk, line.exists(), block);
  if (!line.exists()) return;
#pragma unroll
  for (int k = 0; k < J; ++k)
    if (first + k < extent[1])
      result.store(call.output, line.index(first + k), by_coordinate(upper.total(k, total[k]), partition.order));
}

/// sum[k] += what the sources add to target[k].
template <bool WithGradient, bool Skips, int J, class Pair, class Sources, class T = typename Pair::value_type>
__device__ void add_sources(core::GatherTotal<T> (&sum)[J], const Pair& pair, const Sources& sources,
                            const core::Point<T> (&target)[J])
{
  auto cursor = sources.cursor();
#pragma unroll(Skips ? Sources::skips_unroll : Pair::template point_unroll <WithGradient>)
  for (int j = 0; j < sources.count; ++j) {
    const SourceRecord<T> source = cursor.next();
#pragma unroll
    for (int k = 0; k < J; ++k) pair.template add<WithGradient, Skips>(sum[k], target[k], source);
  }
}

template <int J, bool WithGradient, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(gather_threads, gather_point_blocks<T, WithGradient, J>)
    gather_at_points(const __grid_constant__ core::GatherSumCall<T> call,
                     const __grid_constant__ GatherPartition partition, const __grid_constant__ Pair given,
                     const GatherResult<T, WithGradient> result)
{
  let_next_kernel_begin();
  const auto& pair = with_powers_at_hand(given);
  const std::int64_t count = core::count_of(call.output.potential.extent);
  const std::int64_t first = blockIdx.x * std::int64_t{J * gather_threads} + threadIdx.x;
  core::Point<T> target[J];
  read_targets<gather_threads>(target, call, partition.order, first, count);

  core::GatherTotal<double> total[J];
  UpperLevels<J, WithGradient> upper(partition.chunk);
  const auto block = [&](const StagedSources<T>& sources) {
    const auto loop = [&]<bool Skips>(core::GatherTotal<T>(&sum)[J], std::bool_constant<Skips>) {
      add_sources<WithGradient, Skips>(sum, pair, sources, target);
    };
    add_block(total, upper, pair, sources, loop, [&](int k) { return target[k]; });
  };
  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  for_each_staged(call.sources, partition, chunk, first < count, block);
#pragma unroll
  for (int k = 0; k < J; ++k) {
    const std::int64_t i = first + k * gather_threads;
    if (i < count) result.store_flat(call.output, i, by_coordinate(upper.total(k, total[k]), partition.order));
  }
}

} // namespace Keramos::cuda::gather_sum
