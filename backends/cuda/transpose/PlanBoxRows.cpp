// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../src/keramos/core/Error.hpp"
#include "BoxTuning.hpp"
#include "PlacedBox.hpp"
#include "PlanBox.hpp"
#include "PlanRows.hpp"
#include "Tuning.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace Keramos::cuda::transpose {
namespace {

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

/// Are its elements few enough, and does a multiprocessor hold as many of these boxes as it shall?
bool fits(const Device& device, const Layout& layout, const PlacedJob& box)
{
  const Runs in = box.in();
  if (in.length * in.rows > max_box_elements) return false;
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

/// Elements of one side that lie beside each other.
std::int64_t longest_run(const MoveAxes& axes, const Order& order, std::int64_t MoveAxis::*stride)
{
  std::int64_t run = 1;
  for (int p = 0; p < axes.count && axes[order[p]].*stride == run; ++p) run *= axes[order[p]].extent;
  return run;
}

/// Runs have so many bytes, or are whole.
std::int64_t least_run_bytes(const Layout& layout, int shortest)
{
  const std::int64_t run = std::min(longest_run(layout.axes, core::input_order(layout.axes), &MoveAxis::in),
                                    longest_run(layout.axes, output_order, &MoveAxis::out));
  return std::clamp<std::int64_t>(run * layout.size(), shortest, min_box_run_bytes);
}

/// Is it one that blocks can take, with runs worth while?
bool is_possible(const Device& device, const Layout& layout, const PlacedJob& box, std::int64_t least_bytes)
{
  if (box.bytes == 0) return false; // no runs
  const Runs in = box.in();
  return std::min(in.length, box.out().length) * layout.size() >= least_bytes &&
         in.length * in.rows <= max_box_elements &&
         box.bytes <= std::min(box_bytes_of(layout).shared, device.shared_per_block);
}

/// Runs of one side that all boxes have together, as sectors to the bytes that are moved.
double sectors_of_runs(const Layout& layout, const BoxGrid& grid, const BoxRowsJob::Side& side)
{
  double runs = sector_bytes;
  for (int k = 0; k < grid.count; ++k)
    runs *= side.along >> k & 1 ? grid.axis[k].blocks.d : static_cast<double>(grid.axis[k].extent);
  return runs / static_cast<double>(layout.axes.size() * layout.size());
}

/// Beside the time that the bytes take that are moved, as a part of it; see BoxCosts.
double cost(const Device& device, const Layout& layout, const PlacedJob& box)
{
  const BoxRowsJob& job = box.job;
  const BoxCosts& costs = layout.accumulates ? held_box_costs : box_costs;
  const bool on_sectors = runs_begin_on_sectors(job, job.out, &BoxGrid::Axis::out, layout.out, layout.out_size);
  const double run_cost = job.cut >= 0 ? costs.shared_run : on_sectors ? costs.whole_run : costs.split_run;
  const double shared = job.cut < 0 ? 0 : double(job.shared) / job.grid.axis[job.cut].box;
  const double blocks = static_cast<double>(device.shared_per_multiprocessor / (box.bytes + reserved_shared_bytes));
  const Runs in = box.in();
  const double columns = job.columns > 0 ? costs.table + costs.column * job.columns / double(in.length * in.rows) : 0;
  return run_cost * sectors_of_runs(layout, job.grid, job.out) +
         costs.input_run * sectors_of_runs(layout, job.grid, job.in) + costs.shared * shared +
         costs.single_block / blocks + columns + (in.rows == 1 && box.out().rows > 1 ? costs.rows_of_run : 0);
}

/// What all boxes have behind the ends of the array, as a part of it.
double empty_part(const BoxGrid& grid)
{
  double part = 1;
  for (int k = 0; k < grid.count; ++k)
    part *= double(grid.axis[k].blocks.d) * grid.axis[k].box / static_cast<double>(grid.axis[k].extent);
  return part - 1;
}

/// How large boxes of other sides than this one's are, if the layout may have them.
std::span<const int> costed_bytes(const Layout& layout, const PlacedJob& box)
{
  if (core::same_order(layout.axes)) return {};
  if (!layout.accumulates)
    return box_bytes_of(layout).blocks == 0 ? std::span(costed_box_bytes) : std::span<const int>();
  const bool fits_badly = empty_part(box.job.grid) > max_empty_held_part;
  return layout.axes.count > 2 || fits_badly ? std::span(costed_held_bytes) : std::span<const int>();
}

/// Columns of the output that lie whole lines apart in one run of shared memory meet few banks: 64x128x96x128 f32 (1, 3, 0, 2), (3, 1, 0, 2) 83.3,
/// 78.3, without such boxes 99.2, 93.4.
bool suits_accumulation(const PlacedJob& box)
{
  return box.bytes >= min_costed_held_bytes && (box.in().rows > 1 || box.job.out.axis[0].slot % line_bytes != 0);
}

/// One of other sides and so many bytes instead, if it costs less.
PlacedJob cheapest_job(const Device& device, const Layout& layout, std::span<const int> costed,
                       std::int64_t least_bytes, PlacedJob best)
{
  double least = is_possible(device, layout, best, least_bytes) ? cost(device, layout, best) : INFINITY;
  RowsBox last;
  for (const int bytes : costed)
    for (const int run : costed_run_bytes)
      for (const bool may_share : {true, false}) {
        const RowsBox box = rows_box_by_input(layout, bytes / layout.size(), run, may_share);
        if (std::exchange(last, box) == box) continue;
        const PlacedJob other = placed(layout, box);
        if (!is_possible(device, layout, other, least_bytes) || (layout.accumulates && !suits_accumulation(other)))
          continue;
        if (const double costs = cost(device, layout, other); costs < least) {
          least = costs;
          best = other;
        }
      }
  return best;
}

/// A copy by a functor, in one run, of elements that do not become narrow.
bool is_computed_run(const Layout& layout)
{
  return layout.axes.count == 1 && !layout.accumulates && !narrows(layout.in_size, layout.out_size);
}

/// A larger box where that makes much longer runs, or whole rows of the input and fewer cuts; smaller ones where there are few.
PlacedJob longest_job(const Device& device, const Layout& layout, std::int64_t most_bytes)
{
  const BoxRowsBytes bytes = box_bytes_of(layout);
  if (is_computed_run(layout))
    return job_of_bytes(device, layout, std::min<std::int64_t>(most_bytes, computed_run_bytes));
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

/// What is on its way are the bytes of the larger side.
unsigned threads_of(const Layout& layout, const PlacedJob& box)
{
  const Runs in = box.in(), out = box.out();
  const bool is_large = layout.accumulates && !core::same_order(layout.axes) && box.bytes >= large_held_bytes;
  return box_rows_threads(std::max(box.bytes, out.length * out.rows * layout.out_size), box_bytes_of(layout),
                          box.job.cut >= 0 || is_large, in.rows == 1);
}

PlacedJob best_job(const Device& device, const Layout& layout, std::int64_t least_bytes)
{
  const std::int64_t boxes = std::int64_t{min_boxes} * std::max(1, device.multiprocessors);
  const std::int64_t most_bytes = layout.axes.size() / boxes * layout.size();
  if (const auto lines = box_of_lines(layout); lines && lines->volume() * layout.size() <= most_bytes)
    if (const PlacedJob job = placed(layout, *lines); fits(device, layout, job)) return job;
  const PlacedJob job = longest_job(device, layout, most_bytes);
  const auto costed = costed_bytes(layout, job);
  return !costed.empty() && most_bytes >= costed.back() ? cheapest_job(device, layout, costed, least_bytes, job) : job;
}

} // namespace

std::optional<MovePlan> plan_box_rows(const Device& device, const Layout& layout, int shortest_run_bytes)
{
  const MoveAxes& axes = layout.axes;
  const std::int64_t least_bytes = least_run_bytes(layout, shortest_run_bytes);
  PlacedJob best = best_job(device, layout, least_bytes);
  if (!is_possible(device, layout, best, least_bytes)) return std::nullopt;
  auto& [job, bytes] = best;
  cover_input(axes, job);

  MovePlan plan;
  plan.kind = MoveKind::box_rows;
  plan.size = layout.size();
  plan.blocks = job.grid.boxes;
  plan.threads = threads_of(layout, best);
  plan.shared_bytes = static_cast<int>(bytes);
  plan.cost = cost(device, layout, best);
  plan.job = job;
  plan.variant = [in = layout.in_size, out = layout.out_size] { return "box rows " + bytes_text(in, out); };
  return plan;
}

} // namespace Keramos::cuda::transpose
