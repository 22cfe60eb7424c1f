// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "PlanBox.hpp"
#include "PlanRows.hpp"
#include "RowsBox.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;
using core::round_up;

struct Runs {
  std::int64_t length = 1, rows = 1;
};
Runs runs_of(const BoxRowsJob::Side& side, int inner)
{
  Runs runs;
  for (int k = 0; k < inner; ++k) (k < side.run_axes ? runs.length : runs.rows) *= side.axis[k].box.d;
  return runs;
}

/// Bytes of shared memory between neighbours along an axis that takes `least`: behind a sector they lie as in the input.
std::int64_t slot_pitch(std::int64_t least, std::int64_t stride_bytes)
{
  return least + ((stride_bytes - least) % sector_bytes + sector_bytes) % sector_bytes;
}

/// Do all runs of the input begin on a sector?
bool runs_begin_on_sectors(const BoxRowsJob& job, const Layout& layout)
{
  bool all = is_aligned(layout.in, sector_bytes);
  for (int k = 0; k < job.grid.count; ++k) {
    const auto& axis = job.grid.axis[k];
    std::int64_t step = axis.in; // between runs
    for (int r = 0; r < job.in.run_axes; ++r)
      if (job.in.axis[r].number == k) step = axis.blocks.d == 1 ? 0 : axis.in * axis.box;
    all = all && step * layout.in_size % sector_bytes == 0;
    all = all && axis.peel * axis.in * layout.in_size % sector_bytes == 0;
    if (k == job.cut) all = all && job.shared * axis.in * layout.in_size % sector_bytes == 0;
  }
  return all;
}

/// Slots are numbered as the input lies. Returns their bytes.
std::int64_t place_slots(BoxRowsJob& job, const Layout& layout)
{
  const int size = layout.in_size;
  const bool on_sectors = runs_begin_on_sectors(job, layout);
  std::int64_t bytes = size;
  for (int k = 0; k < job.inner; ++k) {
    auto& axis = job.in.axis[k];
    if (k == job.in.run_axes) // runs share no sector
      bytes = on_sectors ? round_up(bytes, sector_bytes) : bytes + 2 * (sector_bytes - size);
    if (k >= job.in.run_axes) bytes = slot_pitch(bytes, axis.stride * size);
    axis.slot = static_cast<unsigned>(bytes);
    for (int other = 0; other < job.inner; ++other)
      if (job.out.axis[other].number == axis.number) job.out.axis[other].slot = axis.slot;
    bytes *= axis.box.d;
  }
  return bytes;
}

/// By how many bits BoxBytes shifts, where lanes gather `bytes` apart: the lowest bits in which they differ, but none of a
/// place among 128 bytes.
unsigned swizzle_shift(unsigned bytes) { return std::max(3, std::countr_zero(bytes) - 4); }

/// The long axes of a box in the order of one side, and how many of them make up a run of contiguous elements.
template <class Order, class Stride>
BoxRowsJob::Side side_of(const MoveAxes& axes, const RowsBox& box, const Order& order, const Stride& stride)
{
  BoxRowsJob::Side side{};
  std::int64_t run = 1;
  bool grows = true;
  int count = 0;
  for (int p = 0; p < axes.count; ++p) {
    const int k = order[p];
    if (box.extent(k) == 1) continue;
    grows = grows && stride(axes[k]) == run;
    side.run_axes += grows;
    run *= box.extent(k);
    (grows ? side.along : side.across) |= 1u << k;
    grows = grows && box.own[k] == axes[k].extent;
    side.axis[count++] = {k, divisor(static_cast<unsigned>(box.extent(k))), 0, stride(axes[k])};
  }
  return side;
}

/// Few neighbours along the input first, since boxes there read parts of the same lines and pages, then those along the output.
Order block_order(const MoveAxes& axes, const Extents& own)
{
  const auto by_input = core::input_order(axes);
  std::array<bool, core::max_rank> taken{};
  Order order{};
  int count = 0;
  const auto take = [&](int k) {
    taken[k] = true;
    order[count++] = k;
  };
  std::int64_t boxes = 1;
  for (int p = 0; p < axes.count; ++p) {
    boxes *= ceil_div(axes[by_input[p]].extent, own[by_input[p]]);
    if (boxes > max_neighbours) break;
    take(by_input[p]);
  }
  for (int k = 0; k < axes.count; ++k)
    if (!taken[k]) take(k);
  return order;
}

/// Elements by which the first box along an axis of neighbours is shorter, so that all others begin where memory has its lines.
Extents peels_of(const Layout& layout, const RowsBox& box)
{
  const MoveAxes& axes = layout.axes;
  const int in_fast = core::input_order(axes)[0];
  std::int64_t in_pitch = 0, out_pitch = 0;
  for (int k = 0; k < axes.count; ++k) {
    if (k != in_fast) in_pitch = std::gcd(in_pitch, axes[k].in);
    if (k != 0) out_pitch = std::gcd(out_pitch, axes[k].out);
  }
  Extents peel{};
  const auto peel_off = [&](int k, std::int64_t stride, const void* data, int size, std::int64_t pitch) {
    if (stride == 1 && k != box.cut && box.own[k] < axes[k].extent)
      peel[k] = peel_of(data, size, static_cast<int>(box.own[k]), axes[k].extent, pitch);
  };
  peel_off(in_fast, axes[in_fast].in, layout.in, layout.in_size, in_pitch);
  peel_off(0, axes[0].out, layout.out, layout.out_size, out_pitch);
  return peel;
}

/// Both sides of a box; their slots have no places yet.
BoxRowsJob job_of(const Layout& layout, const RowsBox& box)
{
  const MoveAxes& axes = layout.axes;
  BoxRowsJob job{};
  if (!make_grid(axes, box.own, peels_of(layout, box), block_order(axes, box.own), job.grid)) return job;
  for (int k = 0; k < axes.count; ++k) job.inner += box.extent(k) > 1;
  if (job.inner > max_box_axes) return job;
  job.in = side_of(axes, box, core::input_order(axes), [](const MoveAxis& axis) { return axis.in; });
  job.out = side_of(axes, box, output_order, [](const MoveAxis& axis) { return axis.out; });
  job.cut = box.cut;
  job.shared = static_cast<int>(box.shared);
  return job;
}

/// Where threads begin with a run: at its line or at its sector.
unsigned unit_of(std::int64_t length, int size)
{
  const auto bytes = static_cast<unsigned>(length * size);
  const unsigned by_sectors = vectors_of(bytes, size, sector_bytes);
  return vectors_of(bytes, size, line_bytes) > min_fewer_vectors * by_sectors ? sector_bytes : line_bytes;
}

/// Where slots and tables lie in shared memory. Returns its bytes.
std::int64_t place(BoxRowsJob& job, const Layout& layout)
{
  const Runs in = runs_of(job.in, job.inner), out = runs_of(job.out, job.inner);
  job.in.unit = unit_of(in.length, layout.in_size);
  job.out.unit = unit_of(out.length, layout.out_size);
  const auto& last = job.out.axis[job.out.run_axes - 1];
  std::int64_t bytes = round_up(place_slots(job, layout) + 2 * sector_bytes, 128);
  job.period = divisor(static_cast<unsigned>(out.length / last.box.d));
  job.pitch = last.slot;
  job.shift = swizzle_shift(job.out.axis[0].slot * (16 / layout.out_size));
  const auto take = [&](std::int64_t table_bytes) {
    const std::int64_t first = bytes;
    bytes += round_up(table_bytes, 16);
    return static_cast<unsigned>(first);
  };
  job.in.first_row = take(in.rows * sizeof(BoxRow));
  job.out.first_row = take(out.rows * sizeof(BoxRow));
  job.step = job.out.run_axes == 2 ? job.out.axis[0].slot : 0;
  job.columns = job.out.run_axes > 2 ? job.period.d : 0;
  job.first_extent = take((core::max_rank + job.columns) * sizeof(unsigned));
  if (layout.accumulates) {
    const auto run_bytes = static_cast<unsigned>(out.length * layout.out_size);
    job.first_held = take(16 * out.rows * vectors_of(run_bytes, layout.out_size, job.out.unit));
  }
  return bytes;
}

/// A box and its shared memory.
struct PlacedJob {
  BoxRowsJob job{};
  std::int64_t bytes = 0;

  bool has_runs() const { return job.in.run_axes > 0 && job.out.run_axes > 0; }
  double runs_per_element() const ///< of both sides
  {
    return 1.0 / static_cast<double>(runs_of(job.in, job.inner).length) +
           1.0 / static_cast<double>(runs_of(job.out, job.inner).length);
  }
};

/// Do boxes cut the runs of the input in pieces, and those of the output?
int cut_sides(const BoxRowsJob& job)
{
  bool in = false, out = false;
  for (int k = 0; k < job.grid.count; ++k) {
    const bool cut = job.grid.axis[k].blocks.d > 1;
    in = in || (cut && job.in.along >> k & 1);
    out = out || (cut && job.out.along >> k & 1);
  }
  return in + out;
}

PlacedJob placed(const Layout& layout, const RowsBox& box)
{
  if (box.own[0] == 0) return {};
  PlacedJob result{job_of(layout, box), 0};
  if (result.has_runs()) result.bytes = place(result.job, layout);
  return result;
}

/// Does a multiprocessor hold as many of these boxes as it shall?
bool fits(const Device& device, const Layout& layout, const PlacedJob& box)
{
  const BoxRowsBytes& limits = box_bytes_of(layout);
  const int blocks = box.job.cut < 0 ? limits.uncut_blocks : limits.blocks;
  return blocks * (box.bytes + reserved_shared_bytes) <= device.shared_per_multiprocessor;
}

/// A box of so many bytes, or smaller ones until they fit, down to half of that (chosen).
PlacedJob job_of_bytes(const Device& device, const Layout& layout, std::int64_t bytes, bool whole_rows = false)
{
  for (std::int64_t size = bytes;; size -= box_bytes_step) {
    const PlacedJob result =
        placed(layout, rows_box(layout, std::min<std::int64_t>(max_box_elements, size / layout.size()), whole_rows));
    if (fits(device, layout, result) || size <= bytes / 2) return result;
  }
}

/// A larger box where that makes much longer runs, or whole rows of the input and fewer cuts; smaller ones where there are few.
PlacedJob best_job(const Device& device, const Layout& layout)
{
  const std::int64_t boxes = std::int64_t{min_boxes} * std::max(1, device.multiprocessors);
  const std::int64_t most_bytes = layout.axes.size() / boxes * layout.size();
  const BoxRowsBytes bytes = box_bytes_of(layout);
  if (const auto lines = box_of_lines(layout); lines && lines->volume() * layout.size() <= most_bytes)
    if (PlacedJob job = placed(layout, *lines); fits(device, layout, job)) {
      job.job.of_lines = true;
      return job;
    }
  const PlacedJob job = job_of_bytes(device, layout, std::min<std::int64_t>(most_bytes, bytes.box));
  if (!job.has_runs() || most_bytes < bytes.longer_runs) return job;
  const auto is_worth_it = [&](const PlacedJob& other, double longer) {
    return other.has_runs() && job.runs_per_element() > longer * other.runs_per_element();
  };
  const PlacedJob larger = job_of_bytes(device, layout, bytes.longer_runs);
  if (is_worth_it(larger, min_longer_runs)) return larger;
  const PlacedJob whole = job_of_bytes(device, layout, bytes.longer_runs, true);
  const bool cuts_less = cut_sides(whole.job) < cut_sides(job.job);
  return cuts_less && is_worth_it(whole, min_longer_whole_runs) ? whole : job;
}

} // namespace

std::optional<MovePlan> plan_box_rows(const Device& device, const Layout& layout)
{
  const MoveAxes& axes = layout.axes;
  auto [job, bytes] = best_job(device, layout);
  if (bytes == 0) return std::nullopt; // no runs
  cover_input(axes, job);
  const Runs in = runs_of(job.in, job.inner), out = runs_of(job.out, job.inner);
  const std::int64_t shortest = std::min(in.length, out.length);
  if (shortest * layout.size() < min_box_run_bytes) return std::nullopt;
  if (in.length * in.rows > max_box_elements) return std::nullopt;
  if (bytes > std::min(box_bytes_of(layout).shared, device.shared_per_block)) return std::nullopt;

  MovePlan plan;
  plan.kind = MoveKind::box_rows;
  plan.size = layout.size();
  plan.blocks = job.grid.boxes;
  plan.threads = box_rows_threads(in.length * in.rows * plan.size, box_bytes_of(layout), job.cut >= 0);
  plan.shared_bytes = static_cast<int>(bytes);
  plan.job = job;
  plan.variant = [in = layout.in_size, out = layout.out_size] { return "box rows " + bytes_text(in, out); };
  return plan;
}

} // namespace Keramos::cuda::transpose
