// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled tasks of the built-in kernels: the partition of the targets, and the rows of a grid, the fast
// sequential order of direct Coulomb summation: what is across a row is computed once per source and row.

#include "Tasks.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::openmp::gather_sum {
namespace {

using core::ceil_div, core::round_up;

/// A task of rows covers up to this many targets: loading a block of sources then costs under 1% of using it. With their
/// totals, six levels of the tree, they take 200 KiB of the stack.
template <bool WithGradient>
constexpr std::int64_t max_task_targets = WithGradient ? 1024 : 4096;
constexpr std::int64_t max_rows = 64;
/// Enough tasks to keep many cores busy to the end.
constexpr std::int64_t preferred_tasks = 256;

const GatherFunctions<float>& functions(float) { return gather_sum_kernels().f32; }
const GatherFunctions<double>& functions(double) { return gather_sum_kernels().f64; }
auto gaussian_function(float, bool with_gradient) { return gaussian_kernels().f32[with_gradient]; }
auto gaussian_function(double, bool with_gradient) { return gaussian_kernels().f64[with_gradient]; }

/// Some rows of a grid, or segments of them: where they are, and the totals of all. The first axis of the call runs along
/// the rows, and the others stand in the order in which r^2 adds them.
template <class T, bool WithGradient>
class RowTask {
public:
  RowTask(const core::GatherSumCall<T>& call, const GatherPartition& partition, std::int64_t task)
      : call_(call), pitch_(partition.length), begin_(task % partition.segments * partition.length),
        first_row_(task / partition.segments * partition.rows_per_task), third_axis_first_(partition.third_axis_first),
        length_(static_cast<int>(std::min(partition.length, call.output.potential.extent[0] - begin_))),
        rows_(
            static_cast<int>(std::min(partition.rows_per_task, row_count(call.output.potential.extent) - first_row_))),
        sums_(static_cast<int>(rows_ * pitch_), call.sources.count())
  {
    for (int i = 0; i < round_up(length_, gaussian_padding); ++i) // paddings repeat the last target and the last row
      along_[i] = static_cast<T>(call.targets.position(0, begin_ + std::min(i, length_ - 1)));
    for (int row = 0; row < round_up(rows_, gather_padding); ++row) {
      const core::Index3 index = index_of(0, std::min(row, rows_ - 1));
      for (int p = 0; p < 2; ++p) across_[p][row] = static_cast<T>(call.targets.position(p + 1, index[p + 1]));
    }
  }

  void sum(const GatherBuiltIn<T>& kernel)
  {
    SourceBlock<T> block;
    for (std::int64_t j = 0; j < call_.sources.count(); j += gather_sources) {
      block.load(call_.sources, j);
      kernel.family == GatherFamily::gaussian ? add_product(kernel, block) : add_rows(kernel, block);
      sums_.finish_block();
    }
  }

  void store() const
  {
    for (int row = 0; row < rows_; ++row)
      for (int i = 0; i < length_; ++i)
        call_.output.template store<WithGradient>(index_of(i, row), sums_.total(row * pitch_ + i));
  }

private:
  static std::int64_t row_count(const core::Index3& extent) { return extent[1] * extent[2]; }

  core::Index3 index_of(int i, int row) const
  {
    const std::int64_t extent = call_.output.potential.extent[third_axis_first_ ? 2 : 1];
    const std::int64_t fast = (first_row_ + row) % extent, slow = (first_row_ + row) / extent;
    return {begin_ + i, third_axis_first_ ? slow : fast, third_axis_first_ ? fast : slow};
  }

  /// Sources and gradients in the order of the axes; coordinates are the user's.
  template <class Block>
  void set_axes(Block& kernel_block, const SourceBlock<T>& block, int row)
  {
    kernel_block.weight = block.weight;
    kernel_block.sources = block.count;
    kernel_block.potential = sums_.potential() + row * pitch_;
    for (int p = 0; p < 3; ++p) {
      const int coordinate = call_.targets.coordinate[p];
      kernel_block.source[p] = block.coordinate[coordinate];
      if constexpr (WithGradient) kernel_block.gradient[p] = sums_.gradient(coordinate) + row * pitch_;
    }
  }

  void add_rows(const GatherBuiltIn<T>& kernel, const SourceBlock<T>& block)
  {
    const GatherFunction<T> sum_tile = functions(T{}).row[static_cast<int>(kernel.family)][WithGradient];
    GatherTile<T> tile{};
    tile.targets = length_;
    tile.parameter = kernel.parameter;
    tile.singular = kernel.singular;
    for (int row = 0; row < rows_; ++row) {
      set_axes(tile, block, row);
      tile.target[0] = along_;
      for (int p = 0; p < 2; ++p) tile.target[p + 1] = across_[p] + row;
      sum_tile(tile);
    }
  }

  void add_product(const GatherBuiltIn<T>& kernel, const SourceBlock<T>& block)
  {
    GaussianRows<T> rows{};
    rows.along = along_;
    rows.targets = length_;
    rows.rate = kernel.parameter;
    rows.pitch = pitch_;
    for (int row = 0; row < rows_; row += gaussian_rows) {
      set_axes(rows, block, row);
      rows.rows = std::min(gaussian_rows, rows_ - row);
      for (int p = 0; p < 2; ++p) rows.across[p] = across_[p] + row;
      gaussian_function(T{}, WithGradient)(rows);
    }
  }

  const core::GatherSumCall<T>& call_;
  std::int64_t pitch_, begin_, first_row_;
  bool third_axis_first_;
  int length_, rows_;
  alignas(64) T along_[max_tile_targets], across_[2][max_rows];
  TargetSums<WithGradient, static_cast<int>(max_task_targets<WithGradient>)> sums_;
};

template <bool WithGradient, class T>
void built_in_task(const core::GatherSumCall<T>& call, const GatherPartition& partition, const GatherBuiltIn<T>& kernel,
                   std::int64_t task)
{
  if (partition.rows) {
    RowTask<T, WithGradient> rows(call, partition, task);
    rows.sum(kernel);
    return rows.store();
  }
  const GatherFunction<T> sum_tile = functions(T{}).points[static_cast<int>(kernel.family)][WithGradient];
  const auto sum = [&](GatherTile<T>& tile) {
    tile.parameter = kernel.parameter;
    tile.singular = kernel.singular;
    sum_tile(tile);
  };
  point_task<WithGradient>(call, partition, sum, task);
}

} // namespace

GatherPartition partition_points(std::int64_t targets)
{
  // A tile of 64 is one round of the registers; longer ones share the loading of the sources.
  const std::int64_t length = std::clamp<std::int64_t>(round_up(targets / preferred_tasks, 64), 64, max_tile_targets);
  GatherPartition partition;
  partition.tasks = ceil_div(targets, length);
  partition.length = length;
  return partition;
}

GatherPartition partition_rows(const core::Index3& extent, const core::Index3& stride, GatherFamily family,
                               bool with_gradient)
{
  const std::int64_t max_targets = with_gradient ? max_task_targets<true> : max_task_targets<false>;
  const std::int64_t min_rows = family == GatherFamily::gaussian ? 16 : 1; // that share the factor along them
  GatherPartition partition{true};
  const std::int64_t row = std::max<std::int64_t>(extent[0], 1), rows = extent[1] * extent[2];
  partition.segments = ceil_div(row, max_tile_targets);
  partition.length = round_up(ceil_div(row, partition.segments), gather_padding);
  partition.rows_per_task = std::min(
      {std::max(rows * partition.segments / preferred_tasks, min_rows), max_rows, max_targets / partition.length});
  partition.tasks = partition.segments * ceil_div(rows, partition.rows_per_task);
  partition.third_axis_first = extent[2] > 1 && std::abs(stride[2]) < std::abs(stride[1]);
  return partition;
}

bool suits_rows(std::int64_t row, std::int64_t element_bytes, GatherFamily family)
{
  const std::int64_t lanes = (16 << static_cast<int>(instruction_set())) / element_bytes;
  return family == GatherFamily::gaussian || 4 * row >= 3 * round_up(row, lanes); // a pair costs 0.7 of one at a point
}

void run_task(const core::GatherSumCall<float>& call, const GatherPartition& partition,
              const GatherBuiltIn<float>& kernel, bool with_gradient, std::int64_t task)
{
  with_gradient ? built_in_task<true>(call, partition, kernel, task)
                : built_in_task<false>(call, partition, kernel, task);
}
void run_task(const core::GatherSumCall<double>& call, const GatherPartition& partition,
              const GatherBuiltIn<double>& kernel, bool with_gradient, std::int64_t task)
{
  with_gradient ? built_in_task<true>(call, partition, kernel, task)
                : built_in_task<false>(call, partition, kernel, task);
}

} // namespace Keramos::openmp::gather_sum
