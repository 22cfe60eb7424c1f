// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanBox.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "BoxTuning.hpp"

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
  const int size = layout.size();
  BoxJob job{};
  if (!make_grid(axes, extents_of(shape), Extents{}, output_order, job)) return std::nullopt;
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

} // namespace

bool make_grid(const MoveAxes& axes, const Extents& extent, const Extents& peel, const Order& order, BoxGrid& grid)
{
  std::int64_t boxes = 1;
  for (int n = 0; n < axes.count; ++n) {
    const int k = order[n];
    const std::int64_t blocks = core::ceil_div(axes[k].extent + peel[k], extent[k]);
    if (blocks_times(boxes, blocks) > max_blocks) return false;
    grid.axis[k] = {axes[k].extent,
                    axes[k].in,
                    axes[k].out,
                    static_cast<unsigned>(extent[k]),
                    static_cast<unsigned>(peel[k]),
                    block_divisor(blocks),
                    block_divisor(boxes)};
    boxes = blocks_times(boxes, blocks);
  }
  grid.count = axes.count;
  grid.boxes = static_cast<unsigned>(boxes);
  return true;
}

std::optional<MovePlan> plan_box(const Layout& layout, const core::BoxShape& shape)
{
  const auto job = make_box(layout, shape);
  if (!job) return std::nullopt;
  MovePlan plan;
  plan.kind = MoveKind::box;
  plan.size = layout.size();
  plan.blocks = job->boxes;
  plan.job = *job;
  const bool vector = plan.size < 16 && (job->read.vector || job->write.vector);
  plan.variant = [in = layout.in_size, out = layout.out_size, v = vector ? 16 / plan.size : 0] {
    return "box " + bytes_text(in, out) + (v > 0 ? core::text(" v", v) : "");
  };
  with_size(layout.in_size, [&](auto bytes) {
    plan.shared_bytes = static_cast<int>(BoxMemory<bytes>::offset(static_cast<unsigned>(shape.volume())));
  });
  return plan;
}

std::optional<MovePlan> plan_boxes(const Layout& layout)
{
  core::BoxShape shape(layout.axes, box_limits(std::min(max_box_elements, box_bytes / layout.in_size)));
  shape.cover(std::max(1, box_side_bytes(layout.size()) / layout.size()));
  return plan_box(layout, shape);
}

} // namespace Keramos::cuda::transpose
