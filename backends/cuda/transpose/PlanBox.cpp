// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanBox.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"

#include <algorithm>

namespace Keramos::cuda::transpose {
namespace {

/// All boxes begin on 16 bytes of an array: `stride` is its stride of an axis.
template <class Stride>
bool boxes_are_aligned(const BoxJob& job, const void* data, int size, const Stride& stride)
{
  bool all = data && is_aligned(data, 16);
  for (int k = 0; k < job.count; ++k)
    all = all && (job.axis[k].blocks.d == 1 || stride(job.axis[k]) * job.axis[k].box * size % 16 == 0);
  return all;
}

std::optional<BoxJob> make_box(const Layout& layout, const core::BoxShape& shape)
{
  const auto& axes = layout.axes;
  const int size = layout.size;
  BoxJob job{};
  if (!make_grid(axes, extents_of(shape), output_order, job)) return std::nullopt;
  for (int k = 0; k < axes.count; ++k)
    if (shape.extent(k) > 1) job.out_order[job.inner++] = k;
  int inner = 0;
  for (const int k : core::input_order(axes))
    if (k < axes.count && shape.extent(k) > 1) job.in_order[inner++] = k;
  if (job.inner == 0) job.inner = 1; // one element per block: along its first axis, of one
  unsigned extent[core::max_rank];
  for (int k = 0; k < axes.count; ++k) extent[k] = job.axis[k].box;
  for (int k = 0; k < job.inner; ++k) job.box[k] = divisor(extent[job.out_order[k]]);

  job.read_vector = boxes_are_aligned(job, layout.in, size, [](const auto& axis) { return axis.in; });
  job.write_vector = boxes_are_aligned(job, layout.out, size, [](const auto& axis) { return axis.out; });
  const auto walks = [&](bool slots_as_output) { // slots in an order that makes one side a single run, if any does
    job.slots_as_output = slots_as_output;
    job.read = box_walk(job, extent, false, 16 / size);
    job.write = box_walk(job, extent, true, 16 / size);
  };
  walks(true);
  if (job.write.count > 1) walks(false);
  return job;
}

MovePlan box_plan(const BoxJob& job, int size, MoveKind kind, bool vector = false)
{
  MovePlan plan;
  plan.kind = kind;
  plan.size = size;
  plan.blocks = job.boxes;
  plan.job = job;
  plan.variant = [box = kind == MoveKind::box, size, vector] {
    return core::text(box ? "box " : "copy ", size, " B") + (vector ? core::text(" v", 16 / size) : "");
  };
  return plan;
}

/// As many elements as a block loads at once.
core::BoxShape copy_shape(const MoveAxes& axes, std::int64_t max_elements)
{
  core::BoxShape shape(axes, box_limits(max_elements));
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  return shape;
}

} // namespace

bool make_grid(const MoveAxes& axes, const Extents& extent, const Order& order, BoxGrid& grid)
{
  std::int64_t boxes = 1;
  for (int n = 0; n < axes.count; ++n) {
    const int k = order[n];
    const std::int64_t blocks = core::ceil_div(axes[k].extent, extent[k]);
    if (blocks_times(boxes, blocks) > max_blocks) return false;
    grid.axis[k] = {axes[k].extent,        axes[k].in,          axes[k].out, static_cast<unsigned>(extent[k]),
                    block_divisor(blocks), block_divisor(boxes)};
    boxes = blocks_times(boxes, blocks);
  }
  grid.count = axes.count;
  grid.boxes = static_cast<unsigned>(boxes);
  return true;
}

std::optional<MovePlan> plan_box(const Layout& layout, const core::BoxShape& shape, int shared_size)
{
  const auto job = make_box(layout, shape);
  if (!job) return std::nullopt;
  MovePlan plan =
      box_plan(*job, layout.size, MoveKind::box, layout.size < 16 && (job->read.vector || job->write.vector));
  with_size(shared_size, [&](auto bytes) {
    plan.shared_bytes = static_cast<int>(BoxMemory<bytes>::offset(static_cast<unsigned>(shape.volume())));
  });
  return plan;
}

std::optional<MovePlan> plan_boxes(const Layout& layout, int shared_size)
{
  core::BoxShape shape(layout.axes, box_limits(std::min(max_box_elements, box_bytes / shared_size)));
  shape.cover(std::max(1, box_side_bytes(layout.size) / layout.size));
  return plan_box(layout, shape, shared_size);
}

std::optional<MovePlan> plan_copy(const MoveAxes& axes, int size)
{
  std::int64_t elements = 0;
  with_size(size, [&](auto bytes) { elements = box_threads * copy_in_flight<bytes>; });
  const auto job = make_box({axes, size}, copy_shape(axes, elements));
  return job ? std::optional(box_plan(*job, size, MoveKind::copy)) : std::nullopt;
}

} // namespace Keramos::cuda::transpose
