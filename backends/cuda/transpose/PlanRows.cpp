// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanRows.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "Tuning.hpp"

#include <algorithm>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;

/// Rows that are numbered through: their elements are counted by an int.
constexpr std::int64_t max_numbered_row = 1 << 30;

/// Short rows share lines with those that follow them in the input. Where much else would be read in between, these come next.
MoveAxes with_neighbours_first(MoveAxes axes, int size)
{
  const int next = late_neighbour(axes, 1, axes[0].extent, size);
  const auto second = axes.axis.begin() + 1;
  if (next > 0) std::rotate(second, second + next - 1, second + next);
  return axes;
}

} // namespace

std::optional<MovePlan> plan_rows(const MoveAxes& in_order_of_output, int size)
{
  const MoveAxes axes = with_neighbours_first(in_order_of_output, size);
  const int v = 16 / size;
  const std::int64_t row_vectors = (axes[0].extent + 2 * v - 2) / v;
  RowsJob job{};
  cover_input(axes, job);
  job.row = axes[0].extent;
  job.vectors = row_vectors;
  job.has_gaps = axes.count > 1 && std::none_of(axes.axis.begin() + 1, axes.axis.begin() + axes.count,
                                                [&](const MoveAxis& axis) { return axis.out == job.row; });
  int k = 1;
  for (; k < axes.count && job.row <= max_numbered_row && job.vectors <= max_blocks / axes[k].extent; ++k) {
    job.vectors *= axes[k].extent;
    job.rows.axis[job.rows.count++] = {block_divisor(axes[k].extent), axes[k].in, axes[k].out};
  }
  std::int64_t batches = 1;
  for (; k < axes.count; ++k) {
    batches = blocks_times(batches, axes[k].extent);
    job.batch.axis[job.batch.count++] = {block_divisor(axes[k].extent), axes[k].in, axes[k].out};
  }
  const std::int64_t blocks = ceil_div(job.vectors, CopiedRows::threads * CopiedRows::in_flight);
  if (blocks_times(blocks, batches) > max_blocks) return std::nullopt;
  job.blocks = block_divisor(blocks);
  if (job.rows.count > 0) job.row_vectors = block_divisor(row_vectors);

  MovePlan plan;
  plan.kind = MoveKind::rows;
  plan.size = size;
  plan.blocks = static_cast<unsigned>(blocks * batches);
  plan.job = job;
  plan.variant = [size, v] { return core::text("copy ", size, " B v", v); };
  return plan;
}

} // namespace Keramos::cuda::transpose
