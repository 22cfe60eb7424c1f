// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TransposePlanBox.hpp"

#include <algorithm>

namespace Keramos::cuda {
namespace {

/// Boxes begin on 16 bytes of an array: `stride` is its stride of an axis.
template <class Stride>
bool begins_on_chunks(const BoxJob& job, const void* data, int size, const Stride& stride)
{
  bool all = data && lies_on(data, 16);
  for (int k = 0; k < job.count; ++k)
    all = all && (job.axis[k].blocks.d == 1 || stride(job.axis[k]) * job.axis[k].chunk * size % 16 == 0);
  return all;
}

/// `in` and `out` are null where nothing is known of them.
std::optional<BoxJob> make_box(const MoveAxes& axes, const BoxShape& shape, int size, const void* in, const void* out)
{
  BoxJob job{};
  std::int64_t boxes = 1;
  for (int k = 0; k < axes.count; ++k) {
    const std::int64_t blocks = ceil_div(axes[k].extent, shape.chunk[k]);
    if (blocks_times(boxes, blocks) > most_blocks) return std::nullopt;
    job.axis[k] = {axes[k].extent,        axes[k].in,          axes[k].out, static_cast<unsigned>(shape.chunk[k]),
                   block_divisor(blocks), block_divisor(boxes)};
    boxes = blocks_times(boxes, blocks);
  }
  job.count = axes.count;
  job.boxes = static_cast<unsigned>(boxes);
  for (int k = 0; k < axes.count; ++k)
    if (shape.chunk[k] > 1) job.out_order[job.inner++] = k;
  int inner = 0;
  for (const int k : input_order(axes))
    if (k < axes.count && shape.chunk[k] > 1) job.in_order[inner++] = k;
  if (job.inner == 0) job.inner = 1; // one element a block: along its first axis, of one
  unsigned chunk[core::max_rank];
  for (int k = 0; k < axes.count; ++k) chunk[k] = job.axis[k].chunk;
  for (int k = 0; k < job.inner; ++k) job.chunk[k] = divisor(chunk[job.out_order[k]]);

  job.read_vector = begins_on_chunks(job, in, size, [](const auto& axis) { return axis.in; });
  job.write_vector = begins_on_chunks(job, out, size, [](const auto& axis) { return axis.out; });
  const auto walks = [&](bool slots_as_output) { // slots in an order that makes one side a single run, if any does
    job.slots_as_output = slots_as_output;
    job.read = box_walk(job, chunk, false, 16 / size);
    job.write = box_walk(job, chunk, true, 16 / size);
  };
  walks(true);
  if (job.write.count > 1) walks(false);
  return job;
}

MovePlan box_plan(const BoxJob& job, int size, MoveKind kind)
{
  MovePlan plan;
  plan.kind = kind;
  plan.size = size;
  plan.blocks = job.boxes;
  plan.job = job;
  plan.variant = (kind == MoveKind::box ? "box " : "copy ") + std::to_string(size) + " B";
  return plan;
}

} // namespace

std::optional<MovePlan> plan_box(const MoveAxes& axes, const BoxShape& shape, int size, int shared_size, const void* in,
                                 const void* out)
{
  const auto job = make_box(axes, shape, size, in, out);
  if (!job) return std::nullopt;
  MovePlan plan = box_plan(*job, size, MoveKind::box);
  with_size(shared_size, [&](auto bytes) {
    plan.shared_bytes = static_cast<int>(box_slot_bytes<bytes>(static_cast<unsigned>(shape.volume())));
  });
  if (size < 16 && (job->read.vector || job->write.vector)) plan.variant += " v" + std::to_string(16 / size);
  return plan;
}

std::optional<MovePlan> plan_copy(const MoveAxes& axes, int size)
{
  std::int64_t elements = 0;
  with_size(size, [&](auto bytes) { elements = box_threads * copy_in_flight<bytes>; });
  BoxShape shape(axes, elements);
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  const auto job = make_box(axes, shape, size, nullptr, nullptr);
  return job ? std::optional(box_plan(*job, size, MoveKind::copy)) : std::nullopt;
}

std::optional<MovePlan> plan_copy_rows(const MoveAxes& the_axes, int size)
{
  const int v = 16 / size;
  core::MoveAxes axes = the_axes;
  axes.axis[0] = {(axes[0].extent + 2 * v - 2) / v, v, v}; // chunks, wherever a row begins
  BoxShape shape(axes, box_threads * copy_rows_in_flight);
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  auto job = make_box(axes, shape, 16, nullptr, nullptr);
  if (!job) return std::nullopt;
  job->row = the_axes[0].extent;
  return box_plan(*job, size, MoveKind::copy_rows);
}

std::optional<MovePlan> plan_boxes(const TransposeTuning& tuning, const MoveAxes& axes, int size, int shared_size,
                                   const void* in, const void* out)
{
  const std::int64_t most = std::min(most_box_elements, tuning.box_bytes / shared_size);
  const std::int64_t side = std::max(1, tuning.box_side_bytes / size);
  const auto by_input = input_order(axes);
  BoxShape shape(axes, most);
  for (const bool output : {true, false}) {
    std::int64_t covered = 1;
    for (int p = 0; p < axes.count && covered < side; ++p) {
      const int k = output ? p : by_input[p];
      shape.grow(k, ceil_div(side, covered));
      covered *= shape.chunk[k];
    }
  }
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  return plan_box(axes, shape, size, shared_size, in, out);
}

} // namespace Keramos::cuda
