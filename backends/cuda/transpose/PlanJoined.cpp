// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles over joined axes of the output.

#include "../../../src/keramos/core/Integer.hpp"
#include "BoxTuning.hpp"
#include "PlanTile.hpp"

#include <algorithm>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;

/// The axis that continues the rows of the input, where tiles do not cut these; none: -1.
int next_of_rows(const MoveAxes& axes, int y, const JoinedTileJob& job)
{
  if (job.b < job.extent_b) return -1;
  for (int k = 0; k < axes.count; ++k)
    if (k != y && axes[k].in == job.extent_b) return k;
  return -1;
}

/// Rows of the input: one that is not cut if it is short enough, else even pieces in sectors.
void take_rows(const MoveAxes& axes, int y, int size, std::int64_t most, JoinedTileJob& job)
{
  const std::int64_t sector = sector_bytes / size;
  job.extent_b = axes[y].extent;
  job.out_b = axes[y].out;
  const std::int64_t pieces = ceil_div(job.extent_b, most), even = ceil_div(job.extent_b, pieces);
  job.b = static_cast<int>(pieces == 1 ? even : core::round_up(even, sector));
  job.vectors = static_cast<int>(vectors_of(static_cast<unsigned>(job.b * size), size, sector_bytes));
  job.pitch = static_cast<int>((job.vectors / 2 | 1) * sector); // rows that begin alike meet all groups of banks
}

/// Joins the axes in which the output is contiguous, up to that of the input's rows, as long as blocks come soon enough to what continues
/// these. Returns how many.
int join_axes(const MoveAxes& axes, int y, int next, int size, std::int64_t most, JoinedTileJob& job)
{
  bool comes_soon = next < 0;
  std::int64_t rows = 1;
  for (int k = 0; k < y && axes[k].out == rows; ++k) {
    const std::int64_t longer = blocks_times(rows, axes[k].extent);
    comes_soon = comes_soon || k == next;
    if (longer > max_blocks || (!comes_soon && longer > most / (job.b * size))) break;
    rows = longer;
    job.axes.add(axes[k]);
  }
  job.extent_a = rows;
  return job.axes.count;
}

/// All other axes, that which continues the input's rows first.
bool take_batch(const MoveAxes& axes, int y, int next, JoinedTileJob& job)
{
  MoveAxes others;
  others.count = 0;
  if (next >= job.axes.count) others.axis[others.count++] = axes[next];
  for (int k = job.axes.count; k < axes.count; ++k)
    if (k != y && k != next) others.axis[others.count++] = axes[k];
  return make_batch(others, -1, -1, job.batch);
}

/// Not where rows of the input are short, or in pieces that share no sectors; nor where the output's rows end soon, and go on with what
/// those of the input hold, so that boxes have longer ones.
bool is_worth_it(const Layout& layout, int y, const JoinedTileJob& job)
{
  const bool shares = job.b == job.extent_b || !is_aligned(layout.in, sector_bytes) ||
                      !pitches_are_multiples_of(sector_bytes, layout, y, &MoveAxis::in);
  const bool ends_soon = job.extent_a < min_joined_rows && job.out_b == job.extent_a;
  return shares && !ends_soon && job.b * layout.size() >= min_joined_row_bytes;
}

/// Tiles of so many rows, and `lead` in front of these, and where all is in shared memory. Returns how many; partly empty ones: more than a grid has.
std::int64_t place_tiles(int size, int rows, int lead, JoinedTileJob& job)
{
  const int all = rows + lead;
  job.a = rows;
  const std::int64_t tiles_a = ceil_div(job.extent_a + lead - 1, job.a), tiles_b = ceil_div(job.extent_b, job.b);
  if (double(job.extent_a) < min_output_fill * double(tiles_a * job.a)) return max_blocks + 1;
  job.b_first = tiles_b > 1 && tiles_a * job.a > max_bytes_to_neighbour / (job.b * size);
  job.first = block_divisor(job.b_first ? tiles_b : tiles_a);
  const std::int64_t tiles = blocks_times(tiles_a, tiles_b);
  if (tiles <= max_blocks) job.tiles = block_divisor(tiles);
  job.first_row = static_cast<unsigned>((all * job.pitch + all) * size);
  return blocks_times(tiles, job.batch.size);
}

/// Joined tiles of `columns` elements of a row of the input at most, and of so many rows, which may depend on how long these pieces are.
template <class Rows>
std::optional<MovePlan> plan_of_tiles(const Device& device, const Layout& layout, int y, std::int64_t most_bytes,
                                      int columns, int lead, const Rows& rows_of)
{
  const MoveAxes& axes = layout.axes;
  const int size = layout.size();
  if (axes[0].out != 1 || axes[y].in != 1) return std::nullopt;
  JoinedTileJob job{};
  take_rows(axes, y, size, columns, job);
  const int next = next_of_rows(axes, y, job);
  const bool joined = join_axes(axes, y, next, size, most_bytes, job) > 1;
  if (!joined || !is_worth_it(layout, y, job) || !take_batch(axes, y, next, job)) return std::nullopt;
  cover_input(axes, job);
  const std::int64_t blocks = place_tiles(size, rows_of(job), lead, job);
  if (blocks > max_blocks || blocks < std::int64_t{min_joined_tiles} * device.multiprocessors) return std::nullopt;

  MovePlan plan;
  plan.kind = MoveKind::tile_joined;
  plan.size = size;
  plan.blocks = static_cast<unsigned>(blocks);
  plan.shared_bytes = static_cast<int>(job.first_row + (job.a + lead) * sizeof(void*));
  plan.job = job;
  plan.variant = tile_text("tile ", {job.a, job.b}, 0, " joined");
  if (plan.shared_bytes > device.shared_per_block) return std::nullopt;
  return plan;
}

} // namespace

std::optional<MovePlan> plan_joined(const Device& device, const Layout& layout, int y, std::int64_t most_bytes)
{
  const int size = layout.size();
  if (size != joined_tile_size) return std::nullopt;
  const auto is_long = [size](const JoinedTileJob& job) { return job.b * size >= joined_tile_long_row_bytes; };
  auto plan = plan_of_tiles(
      device, layout, y, most_bytes, joined_tile_row_bytes / size, sector_bytes / size,
      [&](const JoinedTileJob& job) { return is_long(job) ? joined_tile_rows : joined_tile_rows * 2 / 3; });
  if (plan)
    plan->threads = is_long(std::get<JoinedTileJob>(plan->job)) ? joined_tile_max_threads : joined_tile_max_threads / 2;
  return plan;
}

std::optional<MovePlan> plan_joined_sum(const Device& device, const Layout& layout, int y)
{
  if (layout.in_size != joined_sum_size || layout.out_size != joined_sum_size) return std::nullopt;
  auto plan = plan_of_tiles(device, layout, y, max_bytes_to_neighbour, joined_sum_columns, line_bytes / joined_sum_size,
                            [](const JoinedTileJob&) { return joined_sum_rows; });
  if (!plan) return std::nullopt;
  const auto& job = std::get<JoinedTileJob>(plan->job);
  const auto columns = static_cast<double>(ceil_div(job.extent_b, job.b) * joined_sum_columns);
  if (static_cast<double>(job.extent_b) < min_joined_sum_fill * columns) return std::nullopt;
  plan->threads = joined_sum_threads;
  return plan;
}

} // namespace Keramos::cuda::transpose
