// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanRows.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "PlanBox.hpp"

#include <algorithm>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;
using core::round_up;

/// Rows that are numbered through: their elements are counted by an int.
constexpr std::int64_t max_numbered_row = 1 << 30;

/// Elements that the input covers, from its first one on; strides may be negative.
void cover_input(const MoveAxes& axes, RowsJob& job)
{
  job.in_begin = 0;
  job.in_end = 1;
  for (int k = 0; k < axes.count; ++k) {
    const std::int64_t reach = (axes[k].extent - 1) * axes[k].in;
    (reach < 0 ? job.in_begin : job.in_end) += reach;
  }
}

/// The long axes of a box in the order of one side, and how many of them make up a run of contiguous elements.
template <class Order, class Stride>
BoxRowsJob::Side side_of(const MoveAxes& axes, const core::BoxShape& shape, const Order& order, const Stride& stride)
{
  BoxRowsJob::Side side{};
  std::int64_t run = 1;
  bool grows = true;
  int count = 0;
  for (int p = 0; p < axes.count; ++p) {
    const int k = order[p];
    if (shape.extent(k) == 1) continue;
    grows = grows && stride(axes[k]) == run;
    side.run_axes += grows;
    run *= shape.extent(k);
    grows = grows && shape.extent(k) == axes[k].extent;
    side.axis[count++] = {k, divisor(static_cast<unsigned>(shape.extent(k))), 0, stride(axes[k])};
  }
  return side;
}

struct Runs {
  std::int64_t length = 1, rows = 1;
};
Runs runs_of(const BoxRowsJob::Side& side, int inner)
{
  Runs runs;
  for (int k = 0; k < inner; ++k) (k < side.run_axes ? runs.length : runs.rows) *= side.axis[k].box.d;
  return runs;
}

/// Elements that are neighbours in the runs of both sides.
std::int64_t group_of(const BoxRowsJob& job)
{
  std::int64_t group = 1;
  const int common = std::min(job.in.run_axes, job.out.run_axes);
  for (int k = 0; k < common && job.in.axis[k].number == job.out.axis[k].number; ++k) group *= job.in.axis[k].box.d;
  return group;
}

/// Slots of a run of the input with the gap behind it: along a run of the output, groups of `group` slots lie a pitch apart, and
/// meet every bank if the pitch is `group` modulo all banks.
std::int64_t pitch_of(std::int64_t length, std::int64_t group, int size)
{
  const std::int64_t banks = 128 / size;
  return length + ((group - length) % banks + banks) % banks;
}

/// Slots are numbered as the input lies, its runs a pitch apart.
void place_slots(BoxRowsJob& job, std::int64_t pitch, int size)
{
  std::int64_t slots = 1;
  for (int k = 0; k < job.inner; ++k) {
    if (k == job.in.run_axes) slots = pitch;
    job.in.axis[k].slot = static_cast<unsigned>(slots * size);
    for (int other = 0; other < job.inner; ++other)
      if (job.out.axis[other].number == job.in.axis[k].number) job.out.axis[other].slot = job.in.axis[k].slot;
    slots *= job.in.axis[k].box.d;
  }
}

/// The box with the longest runs, of the same number of bytes on both sides, that shared memory is to hold.
core::BoxShape box_rows_shape(const MoveAxes& axes, int size)
{
  const auto shape_of = [&](int bytes) {
    core::BoxShape shape(axes, box_limits(max_box_elements));
    shape.span(std::max(1, bytes / size));
    return shape;
  };
  int bytes = box_run_bytes[0];
  for (const int longer : box_run_bytes)
    if (shape_of(longer).volume() * size <= box_rows_bytes) bytes = longer;
  return shape_of(bytes);
}

} // namespace

std::optional<MovePlan> plan_rows(const MoveAxes& axes, int size)
{
  const int v = 16 / size;
  const std::int64_t row_vectors = (axes[0].extent + 2 * v - 2) / v;
  RowsJob job{};
  cover_input(axes, job);
  job.row = axes[0].extent;
  job.vectors = row_vectors;
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

std::optional<MovePlan> plan_box_rows(const MoveAxes& axes, int size)
{
  const core::BoxShape shape = box_rows_shape(axes, size);
  BoxRowsJob job{};
  if (!make_grid(axes, shape, job.grid)) return std::nullopt;
  for (int k = 0; k < axes.count; ++k) job.inner += shape.extent(k) > 1;
  const std::array<int, core::max_rank> by_output{0, 1, 2, 3, 4, 5};
  job.in = side_of(axes, shape, core::input_order(axes), [](const MoveAxis& axis) { return axis.in; });
  job.out = side_of(axes, shape, by_output, [](const MoveAxis& axis) { return axis.out; });
  const Runs in = runs_of(job.in, job.inner), out = runs_of(job.out, job.inner);
  const std::int64_t shortest = std::min(in.length, out.length);
  if (shortest < min_box_run || shortest * size < min_box_run_bytes || std::min(in.rows, out.rows) == 1)
    return std::nullopt;

  const std::int64_t pitch = pitch_of(in.length, group_of(job), size);
  place_slots(job, pitch, size);
  std::int64_t bytes = round_up(pitch * in.rows * size, 16);
  const auto place = [&](std::int64_t table_bytes) {
    const std::int64_t first = bytes;
    bytes += round_up(table_bytes, 16);
    return static_cast<unsigned>(first);
  };
  job.in.first_row = place(in.rows * sizeof(BoxRow));
  job.out.first_row = place(out.rows * sizeof(BoxRow));
  job.first_column = place(out.length * sizeof(unsigned));
  if (bytes > max_box_rows_bytes) return std::nullopt;

  MovePlan plan;
  plan.kind = MoveKind::box_rows;
  plan.size = size;
  plan.blocks = job.grid.boxes;
  plan.threads = box_rows_threads(size, shape.volume() * size);
  plan.shared_bytes = static_cast<int>(bytes);
  plan.job = job;
  plan.variant = [size] { return core::text("box rows ", size, " B"); };
  return plan;
}

} // namespace Keramos::cuda::transpose
