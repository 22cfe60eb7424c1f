// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled tasks of the built-in kernels: how targets are cut, and the rows of a grid, the fast sequential order of
// direct Coulomb summation: what is across a row is computed once a source and row.

#include "GatherTasks.hpp"

#include <algorithm>

namespace Keramos::openmp {
namespace {

constexpr std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceiling(a, b) * b; }

/// A task of rows covers up to this many targets: loading a block of sources then costs under 1% of using it.
constexpr std::int64_t task_targets = 2048;
/// Enough tasks to keep many cores busy to the end.
constexpr std::int64_t wished_tasks = 256;

const GatherFunctions<float>& functions(float) { return gather_sum_kernels().f32; }
const GatherFunctions<double>& functions(double) { return gather_sum_kernels().f64; }

/// Rows of a grid: the totals of all of them, and the coordinates along one.
template <class T, bool WithGradient>
struct RowTiles {
  alignas(64) T along[most_targets];
  alignas(64) double potential[task_targets] = {};
  alignas(64) double gradient[3][WithGradient ? task_targets : 1] = {};
};

template <bool WithGradient, class T>
void row_task(const core::GatherSumCall<T>& call, const GatherCut& cut, const GatherBuiltIn<T>& kernel,
              std::int64_t task)
{
  const auto& targets = call.targets;
  const auto& extent = call.output.potential.extent;
  const GatherFunction<T> sum_tile = functions(T{}).row[static_cast<int>(kernel.family)][WithGradient];
  const std::int64_t begin = task % cut.segments * cut.length;
  const int length = static_cast<int>(std::min(cut.length, extent[0] - begin));
  const std::int64_t first_row = task / cut.segments * cut.rows_per_task;
  const std::int64_t end_row = std::min(first_row + cut.rows_per_task, extent[1] * extent[2]);

  RowTiles<T, WithGradient> rows;
  for (int i = 0; i < cut.length; ++i) // the padding repeats the last target
    rows.along[i] = static_cast<T>(targets.place(0, begin + std::min(i, length - 1)));
  SourceBlock<T> block;
  GatherTile<T> tile{};
  tile.weight = block.weight;
  tile.target[0] = rows.along;
  tile.targets = length;
  tile.parameter = kernel.parameter;
  tile.singular = kernel.singular;
  for (int p = 0; p < 3; ++p) tile.source[p] = block.coordinate[targets.coordinate[p]];

  for (std::int64_t j = 0; j < call.sources.count(); j += gather_sources) {
    block.load(call.sources, j);
    tile.sources = block.count;
    for (std::int64_t row = first_row; row < end_row; ++row) {
      const T second = static_cast<T>(targets.place(1, row % extent[1]));
      const T third = static_cast<T>(targets.place(2, row / extent[1]));
      const std::int64_t at = (row - first_row) * cut.length;
      tile.target[1] = &second;
      tile.target[2] = &third;
      tile.potential = rows.potential + at;
      for (int p = 0; WithGradient && p < 3; ++p) tile.gradient[p] = rows.gradient[targets.coordinate[p]] + at;
      sum_tile(tile);
    }
  }
  for (std::int64_t row = first_row; row < end_row; ++row)
    for (int i = 0; i < length; ++i) {
      const std::int64_t at = (row - first_row) * cut.length + i;
      core::GatherTotal<double> total{rows.potential[at], {}};
      if constexpr (WithGradient) total.gradient = {rows.gradient[0][at], rows.gradient[1][at], rows.gradient[2][at]};
      call.output.store({begin + i, row % extent[1], row / extent[1]}, total);
    }
}

template <bool WithGradient, class T>
void built_in_task(const core::GatherSumCall<T>& call, const GatherCut& cut, const GatherBuiltIn<T>& kernel,
                   std::int64_t task)
{
  if (cut.rows) return row_task<WithGradient>(call, cut, kernel, task);
  const GatherFunction<T> sum_tile = functions(T{}).points[static_cast<int>(kernel.family)][WithGradient];
  const auto sum = [&](GatherTile<T>& tile) {
    tile.parameter = kernel.parameter;
    tile.singular = kernel.singular;
    sum_tile(tile);
  };
  point_task<WithGradient>(call, cut, sum, task);
}

} // namespace

GatherCut cut_points(std::int64_t targets)
{
  // A tile of 64 is one round of the registers; longer ones share the loading of the sources.
  const std::int64_t length = std::clamp<std::int64_t>(round_up(targets / wished_tasks, 64), 64, most_targets);
  return {false, ceiling(targets, length), length};
}

GatherCut cut_rows(const core::Index3& extent)
{
  GatherCut cut{true};
  const std::int64_t row = std::max<std::int64_t>(extent[0], 1), rows = extent[1] * extent[2];
  cut.segments = ceiling(row, most_targets);
  cut.length = round_up(ceiling(row, cut.segments), gather_padding);
  cut.rows_per_task = std::clamp<std::int64_t>(rows * cut.segments / wished_tasks, 1, task_targets / cut.length);
  cut.tasks = cut.segments * ceiling(rows, cut.rows_per_task);
  return cut;
}

bool fills_vectors(std::int64_t row, std::int64_t element_bytes)
{
  const std::int64_t lanes = (16 << static_cast<int>(instruction_set())) / element_bytes;
  return 4 * row >= 3 * round_up(row, lanes);
}

void run_task(const core::GatherSumCall<float>& call, const GatherCut& cut, const GatherBuiltIn<float>& kernel,
              bool with_gradient, std::int64_t task)
{
  with_gradient ? built_in_task<true>(call, cut, kernel, task) : built_in_task<false>(call, cut, kernel, task);
}
void run_task(const core::GatherSumCall<double>& call, const GatherCut& cut, const GatherBuiltIn<double>& kernel,
              bool with_gradient, std::int64_t task)
{
  with_gradient ? built_in_task<true>(call, cut, kernel, task) : built_in_task<false>(call, cut, kernel, task);
}

} // namespace Keramos::openmp
