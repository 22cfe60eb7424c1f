// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tasks of the host's gather-sums. The partition of the targets depends on the extents alone, and no sum on the
// partition, so that a result changes neither with the number of threads nor with the other targets.
//
//     task = a tile of targets              for each block of 256 sources:
//            (or some rows of a grid)           load it into arrays of coordinates and of weights,
//                                               sum it in the value type,
//                                               add the sums to the tile's totals in double, by the tree of blocks
//                                           store the totals
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "../../../src/keramos/gather_sum/Interaction.hpp"
#include "../HostKernels.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::openmp::gather_sum {

static_assert(core::source_block == gather_sources);

/// Targets of a tile: with their totals, and a gradient's, 102 KiB of the stack in float, of which a call touches the
/// levels of the tree that its sources reach.
inline constexpr int max_tile_targets = 512;

/// How targets become tasks.
struct GatherPartition {
  bool rows = false;
  std::int64_t tasks = 0;
  std::int64_t length = 0;        ///< targets of a tile
  std::int64_t segments = 1;      ///< tiles along a row
  std::int64_t rows_per_task = 1; ///< one after the other along the second axis, then the third
  bool third_axis_first = false;  ///< along the third axis, then the second
  /// Points: the coordinates in the order in which r^2 adds them, the last one first.
  Kokkos::Array<int, 3> order{0, 1, 2};
};

GatherPartition partition_points(std::int64_t targets);
GatherPartition partition_rows(const core::Index3& extent, const core::Index3& stride, GatherFamily family,
                               bool with_gradient);

/// Are rows of this many targets faster than single points, which have the same bits? Short ones leave lanes of the vectors
/// idle. A Gaussian on a grid is always a product of rows: its bits are others.
bool suits_rows(std::int64_t row, std::int64_t element_bytes, GatherFamily family);

/// A built-in kernel in the terms of simd/GatherSum.hpp.
template <class T>
struct GatherBuiltIn {
  GatherFamily family;
  T parameter;
  bool singular;
  GatherParts parts = GatherParts::potential;
};

void run_task(const core::GatherSumCall<float>& call, const GatherPartition& partition,
              const GatherBuiltIn<float>& kernel, bool with_gradient, std::int64_t task);
void run_task(const core::GatherSumCall<double>& call, const GatherPartition& partition,
              const GatherBuiltIn<double>& kernel, bool with_gradient, std::int64_t task);

/// One block of sources, an array per coordinate.
template <class T>
struct SourceBlock {
  alignas(64) T coordinate[3][gather_sources] = {};
  alignas(64) T weight[gather_sources];
  int count = 0;

  void load(const core::GatherSources<T>& sources, std::int64_t begin)
  {
    count = static_cast<int>(std::min<std::int64_t>(gather_sources, sources.count() - begin));
    const auto& [positions, weights] = sources;
    for (int d = 0; d < positions.dimension; ++d) copy(positions.data[d], positions.stride[d], begin, coordinate[d]);
    copy(weights.data, weights.stride[0], begin, weight);
  }

private:
  /// Four strided elements a round. Zen 3, 64 targets a task, Coulomb of float on a grid: from rows of three coordinates 5.9
  /// instead of 6.6 ms, from structs of 32 bytes 6.3 instead of 7.1.
  void copy(const T* from, std::int64_t stride, std::int64_t begin, T* to) const
  {
    from += begin * stride;
    int j = 0;
    if (stride == 1)
      for (; j < count; ++j) to[j] = from[j];
    for (; j + 4 <= count; j += 4) {
      const T *a = from + j * stride, four[] = {a[0], a[stride], a[2 * stride], a[3 * stride]};
      std::copy_n(four, 4, to + j);
    }
    for (; j < count; ++j) to[j] = from[j * stride];
  }
};

/// The totals of up to Max targets: a running sum for each level of the tree of blocks.
template <bool WithGradient, int Max>
class TargetSums {
public:
  /// Clears what `count` targets and so many sources take.
  TargetSums(int count, std::int64_t sources) : count_(count), levels_(core::levels_of(sources))
  {
    for (int level = 0; level < levels_; ++level)
      for (auto& sums : sums_[level]) std::fill_n(sums, count, 0.);
  }

  /// Where the kernels add a block's totals.
  double* potential() { return sums_[0][0]; }
  double* gradient(int d) { return sums_[0][WithGradient ? 1 + d : 0]; }

  /// The totals of the next block, of all targets, have been added.
  void finish_block()
  {
    std::int64_t number = blocks_++;
    for (int level = 0; core::completes_parent(level, number); ++level, number >>= core::tree_radix_bits)
      for (int c = 0; c < components; ++c)
        for (int i = 0; i < count_; ++i) {
          sums_[level + 1][c][i] += sums_[level][c][i];
          sums_[level][c][i] = 0;
        }
  }

  core::GatherTotal<double> total(std::int64_t i) const
  {
    core::GatherTotal<double> total;
    for (int c = 0; c < components; ++c)
      core::component(total, c) = core::sum_of_nodes(&sums_[0][c][i], components * Max, levels_);
    return total;
  }

private:
  static constexpr int components = core::total_components<WithGradient>;
  alignas(64) double sums_[core::tree_levels][components][Max];
  int count_, levels_;
  std::int64_t blocks_ = 0;
};

/// A tile of targets anywhere, an array per coordinate, and its totals. The padding repeats the last target.
template <class T, bool WithGradient>
struct PointTile {
  alignas(64) T coordinate[3][max_tile_targets];
  int count;
  TargetSums<WithGradient, max_tile_targets> sums;

  PointTile(const core::GatherSumCall<T>& call, std::int64_t begin, std::int64_t end)
      : count(static_cast<int>(end - begin)),
        sums(static_cast<int>(core::round_up(count, gather_padding)), call.sources.count())
  {
    core::Point<T> target{};
    for (int i = 0; i < core::round_up(count, gather_padding); ++i) {
      if (i < count) target = call.targets[core::unflatten(begin + i, call.output.potential.extent)];
      for (int d = 0; d < 3; ++d) coordinate[d][i] = target[d];
    }
  }

  void store(const core::GatherSumCall<T>& call, std::int64_t begin) const
  {
    for (int i = 0; i < count; ++i)
      call.output.template store<WithGradient>(core::unflatten(begin + i, call.output.potential.extent), sums.total(i));
  }
};

/// One task over single points: sum_tile(GatherTile) adds a block of sources to a tile's totals.
template <bool WithGradient, class T, class SumTile>
void point_task(const core::GatherSumCall<T>& call, const GatherPartition& partition, const SumTile& sum_tile,
                std::int64_t task)
{
  const std::int64_t begin = task * partition.length, count = core::count_of(call.output.potential.extent);
  PointTile<T, WithGradient> points(call, begin, std::min(begin + partition.length, count));
  SourceBlock<T> block;
  GatherTile<T> tile{};
  tile.weight = block.weight;
  tile.targets = points.count;
  tile.potential = points.sums.potential();
  for (int d = 0; d < 3; ++d) {
    const int coordinate = partition.order[d];
    tile.source[d] = block.coordinate[coordinate];
    tile.target[d] = points.coordinate[coordinate];
    tile.gradient[d] = points.sums.gradient(coordinate);
  }
  for (std::int64_t j = 0; j < call.sources.count(); j += gather_sources) {
    block.load(call.sources, j);
    tile.sources = block.count;
    sum_tile(tile);
    points.sums.finish_block();
  }
  points.store(call, begin);
}

} // namespace Keramos::openmp::gather_sum
