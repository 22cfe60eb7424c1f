// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled tasks of the built-in kernels, and the partition of the targets.

#include "RowTask.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::openmp::gather_sum {
namespace {

using core::ceil_div, core::round_up;

/// Enough tasks to keep many cores busy to the end.
constexpr std::int64_t preferred_tasks = 256;

const GatherFunctions<float>& functions(float) { return gather_sum_kernels().f32; }
const GatherFunctions<double>& functions(double) { return gather_sum_kernels().f64; }
auto gaussian_function(float, GatherParts parts) { return gaussian_kernels().f32[static_cast<int>(parts)]; }
auto gaussian_function(double, GatherParts parts) { return gaussian_kernels().f64[static_cast<int>(parts)]; }

/// Adds a block of sources to the rows of a task: a Gaussian's matrix product.
template <class T, bool WithGradient>
void add_product(RowTask<T, WithGradient>& task, const GatherBuiltIn<T>& kernel, const SourceBlock<T>& block)
{
  GaussianRows<T> rows{};
  rows.along = task.along();
  rows.targets = task.length();
  rows.rate = kernel.parameter;
  rows.pitch = task.pitch();
  for (int row = 0; row < task.rows(); row += gaussian_rows) {
    task.set_axes(rows, block, row);
    rows.rows = std::min(gaussian_rows, task.rows() - row);
    for (int p = 0; p < 2; ++p) rows.across[p] = task.across(p) + row;
    gaussian_function(T{}, kernel.parts)(rows);
  }
}

template <bool WithGradient, class T>
void built_in_task(const core::GatherSumCall<T>& call, const GatherPartition& partition, const GatherBuiltIn<T>& kernel,
                   std::int64_t task)
{
  if (partition.rows && kernel.family == GatherFamily::gaussian) {
    RowTask<T, WithGradient> rows(call, partition, task);
    return rows.sum([&](const SourceBlock<T>& block) { add_product(rows, kernel, block); });
  }
  const auto& by_family = partition.rows ? functions(T{}).row : functions(T{}).points;
  const GatherFunction<T> sum_tile = by_family[static_cast<int>(kernel.family)][static_cast<int>(kernel.parts)];
  const auto sum = [&](GatherTile<T>& tile) {
    tile.parameter = kernel.parameter;
    tile.singular = kernel.singular;
    sum_tile(tile);
  };
  partition.rows ? row_task<WithGradient>(call, partition, sum, task)
                 : point_task<WithGradient>(call, partition, sum, task);
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
