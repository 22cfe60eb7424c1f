// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlacedBox.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "BoxTuning.hpp"
#include "Tuning.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace Keramos::cuda::transpose {

using core::ceil_div;
using core::round_up;

Runs runs_of(const BoxRowsJob::Side& side, int inner)
{
  Runs runs;
  for (int k = 0; k < inner; ++k) (k < side.run_axes ? runs.length : runs.rows) *= side.axis[k].box.d;
  return runs;
}

bool runs_begin_on_sectors(const BoxRowsJob& job, const BoxRowsJob::Side& side, std::int64_t BoxGrid::Axis::*stride,
                           const void* data, int size)
{
  bool all = is_aligned(data, sector_bytes);
  for (int k = 0; k < job.grid.count; ++k) {
    const auto& axis = job.grid.axis[k];
    std::int64_t step = axis.*stride; // between runs
    for (int r = 0; r < side.run_axes; ++r)
      if (side.axis[r].number == k) step = axis.blocks.d == 1 ? 0 : step * axis.box;
    all = all && step * size % sector_bytes == 0;
    all = all && axis.peel * axis.*stride * size % sector_bytes == 0;
    if (k == job.cut) all = all && job.shared * axis.*stride * size % sector_bytes == 0;
  }
  return all;
}

namespace {

/// Bytes of shared memory between neighbours along an axis that takes `least`: behind a sector they lie as in the input.
std::int64_t slot_pitch(std::int64_t least, std::int64_t stride_bytes)
{
  return least + ((stride_bytes - least) % sector_bytes + sector_bytes) % sector_bytes;
}

/// Slots are numbered as the input lies. Returns their bytes.
std::int64_t place_slots(BoxRowsJob& job, const Layout& layout)
{
  const int size = layout.in_size;
  const bool on_sectors = runs_begin_on_sectors(job, job.in, &BoxGrid::Axis::in, layout.in, size);
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

/// By how many bits SwizzledBytes shifts, where lanes gather `bytes` apart: the lowest bits in which they differ, but none of a
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

/// How many neighbours along the input come first: few, but all of them if they share many lines, and blocks that walk along the output
/// would come to the next of them so late that these have left the cache.
std::int64_t most_neighbours(const Layout& layout, const Extents& own, const Extents& boxes)
{
  const MoveAxes& axes = layout.axes;
  const auto by_input = core::input_order(axes);
  std::int64_t run = layout.in_size, box = layout.in_size, between = 1;
  int p = 0;
  for (; p < axes.count - 1 && boxes[by_input[p]] == 1; ++p) run *= own[by_input[p]];
  const int k = by_input[p];
  run *= own[k];
  for (int n = 0; n < axes.count; ++n) box *= own[n];
  for (int n = 0; n < k; ++n) between *= boxes[n];
  const std::int64_t most = max_bytes_to_neighbour / box;
  const bool come_late = run < short_run_bytes && between > most && boxes[k] <= most;
  return come_late ? std::max<std::int64_t>(boxes[k], max_neighbours) : max_neighbours;
}

/// Few neighbours along the input first, since boxes there read parts of the same lines and pages, then those along the output.
Order block_order(const Layout& layout, const Extents& own)
{
  const MoveAxes& axes = layout.axes;
  const auto by_input = core::input_order(axes);
  Extents boxes{};
  for (int k = 0; k < axes.count; ++k) boxes[k] = ceil_div(axes[k].extent, own[k]);
  std::array<bool, core::max_rank> taken{};
  Order order{};
  int count = 0;
  const auto take = [&](int k) {
    taken[k] = true;
    order[count++] = k;
  };
  const std::int64_t most = most_neighbours(layout, own, boxes);
  std::int64_t neighbours = 1;
  for (int p = 0; p < axes.count; ++p) {
    neighbours *= boxes[by_input[p]];
    if (neighbours > most) break;
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
  if (!make_grid(axes, box.own, peels_of(layout, box), block_order(layout, box.own), job.grid)) return job;
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
  const bool ends_once = layout.in_size >= min_box_rows_size || job.period.d >= 16u / layout.out_size; // in a vector
  job.step = job.out.run_axes == 2 && ends_once ? job.out.axis[0].slot : 0;
  job.columns = job.period.d > 1 && job.step == 0 ? job.period.d : 0;
  job.by_patches = out.rows >= patch_rows && job.out.axis[job.out.run_axes].slot == unsigned(layout.in_size);
  job.first_extent = take((core::max_rank + job.columns) * sizeof(unsigned));
  if (layout.accumulates) {
    const auto run_bytes = static_cast<unsigned>(out.length * layout.out_size);
    job.first_held = take(16 * out.rows * vectors_of(run_bytes, layout.out_size, job.out.unit));
  }
  return bytes;
}

} // namespace

PlacedJob placed(const Layout& layout, const RowsBox& box)
{
  if (box.own[0] == 0) return {};
  PlacedJob result{job_of(layout, box), 0};
  if (result.has_runs()) result.bytes = place(result.job, layout);
  return result;
}

} // namespace Keramos::cuda::transpose
