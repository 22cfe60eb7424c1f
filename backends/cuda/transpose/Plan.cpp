// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan.hpp"
#include "BoxTuning.hpp"
#include "PlanBox.hpp"
#include "PlanRows.hpp"
#include "PlanTile.hpp"
#include "RowsBox.hpp"

namespace Keramos::cuda::transpose {
namespace {

/// Do short runs of narrow elements follow each other in the output?
bool packs_runs(const MoveAxes& axes, int size)
{
  std::int64_t run = 1;
  for (int k = 0; k < axes.count && axes[k].out == run; ++k) run *= axes[k].extent;
  return axes[0].extent * size < max_packed_run_bytes(size) && run * size >= min_packed_bytes;
}

/// The fast axis is one on both sides.
std::optional<MovePlan> plan_shared_runs(const Device& device, const Layout& layout)
{
  const auto& axes = layout.axes;
  const bool contiguous = axes[0].in == 1 && axes[0].out == 1;
  const std::int64_t run_bytes = axes[0].extent * layout.size();
  if (contiguous && !core::same_order(axes) && run_bytes < max_box_group_bytes(layout.size()))
    if (auto plan = plan_box_rows(device, layout)) {
      const bool is_dear = layout.size() >= min_box_rows_size && plan->cost > max_box_cost;
      auto runs = is_dear ? plan_matrices(device, layout) : std::nullopt;
      return runs ? runs : plan;
    }
  if (contiguous && packs_runs(axes, layout.size()))
    if (auto plan = plan_box_rows(device, layout, min_short_run_bytes))
      if (std::get<BoxRowsJob>(plan->job).columns == 0) return plan; // a table is slower than copies
  if (contiguous && (run_bytes >= min_run_bytes(layout.size()) || axes.count == 1))
    return plan_rows(axes, layout.size());
  return plan_boxes(layout);
}

/// Where tiles are not worth it. Boxes of elements may be taken instead.
std::optional<MovePlan> plan_short_axes(const Device& device, const Layout& layout, int y, bool by_runs)
{
  const auto boxes = by_runs ? plan_box_rows(device, layout, min_short_run_bytes) : std::nullopt;
  const bool is_narrow = layout.size() < min_box_rows_size;
  if (!boxes || is_narrow || boxes->cost > max_box_cost_of_matrices)
    if (auto plan = plan_matrices(device, layout)) return plan;
  if (!boxes || boxes->cost <= max_box_cost) return boxes;
  if (auto plan = plan_joined(device, layout, y, max_bytes_to_neighbour)) return plan;
  const bool split_sectors = std::get<BoxRowsJob>(boxes->job).cut < 0 && boxes->cost > max_split_box_cost;
  auto late = split_sectors ? plan_joined(device, layout, y, max_bytes_to_late_neighbour) : std::nullopt;
  return late ? late : boxes;
}

/// Are these tiles full, and do their neighbours find lines that they share in the cache without bands?
bool suits(const Device& device, const Layout& layout, int x, int y, const MovePlan& plan)
{
  const bool unaligned = plan.kind == MoveKind::tile_unaligned || plan.kind == MoveKind::tile;
  if (!unaligned && is_small(device, layout)) return true;
  if (!fills_tiles_well(layout, x, y, plan.kind)) return false;
  return plan.kind != MoveKind::tile_unaligned || plan.blocks == std::get<TileJob>(plan.job).band.d;
}

/// Boxes of narrow elements by runs take the place of boxes by elements that do not have vectors on both sides, and of tiles that are largely empty.
bool takes_narrow_boxes(const Layout& layout, int x, int y, MoveKind kind)
{
  if (layout.size() == 2 && fills_tiles(layout, x, y, kind, min_narrow_fill)) return false;
  if (layout.size() == 1 && fills_tiles(layout, x, y, kind)) return false;
  const auto boxes = plan_boxes(layout);
  if (!boxes) return true;
  const auto& job = std::get<BoxJob>(boxes->job);
  return !job.read.vector || !job.write.vector;
}

/// Tiles than which boxes are worth more that cost little: of aligned vectors, see min_bytes_of_rows_in_tiles, or unaligned ones that have
/// whole rows of a narrow matrix.
bool leaves_to_boxes(const Device& device, const Layout& layout, int x, int y, MoveKind kind)
{
  if (have_rows_of_matrix(layout, y, kind)) return true;
  if (!are_large_vector_tiles(device, layout, kind)) return false;
  const bool is_small_tile = kind == MoveKind::tile_vector_small;
  if (layout.axes.count > 2) return is_small_tile && !pitches_are_multiples_of(line_bytes, layout, y, &MoveAxis::in);
  const std::int64_t a_bytes = layout.axes[x].extent * layout.size(), b_bytes = layout.axes[y].extent * layout.size();
  const bool is_far = layout.axes[y].out * layout.size() >= min_far_bytes;
  const bool suits_tiles =
      has_lines_of_output(layout, x, y, kind) && pitches_are_multiples_of(memory_unit_bytes, layout, y, &MoveAxis::in);
  if ((a_bytes < min_bytes_of_rows_in_tiles && !suits_tiles) || (is_small_tile && is_far)) return true;
  return b_bytes < min_bytes_of_rows_in_units && (is_small_tile || layout.size() == 8) &&
         !pitches_are_multiples_of(memory_unit_bytes, layout, x, &MoveAxis::out);
}

} // namespace

std::optional<MovePlan> plan_move(const Device& device, const core::MoveAxes& axes, int size, const void* in,
                                  const void* out)
{
  Layout layout{axes, size, size, in, out};
  count_empty_as_one(layout.axes);
  if (!fit_to_alignment(layout)) return std::nullopt;
  const auto& moved = layout.axes;
  const int x = 0, y = core::input_order(moved)[0];
  if (x == y) return plan_shared_runs(device, layout);
  if (auto plan = plan_narrow(layout, x, y)) return plan;
  const MoveKind kind = tile_kind(device, layout, x, y);
  if (share_units(device, layout, x, y, kind))
    if (auto plan = plan_tile(layout, x, y, MoveKind::tile_unaligned); plan && suits(device, layout, x, y, *plan))
      return plan;
  const auto tiles = fills_tiles(layout, x, y, kind) ? plan_tile(layout, x, y, kind) : std::nullopt;
  if (!tiles || !suits(device, layout, x, y, *tiles)) {
    const bool by_runs = layout.size() >= min_box_rows_size || takes_narrow_boxes(layout, x, y, kind);
    if (auto plan = plan_short_axes(device, layout, y, by_runs)) return plan;
  } else if (layout.size() >= min_box_rows_size && leaves_to_boxes(device, layout, x, y, kind)) {
    if (auto plan = plan_box_rows(device, layout); plan && plan->cost <= max_box_cost) return plan;
  }
  return tiles ? tiles : plan_boxes(layout);
}

std::optional<MovePlan> plan_functor_move(const Device& device, const core::MoveAxes& axes, int in_size, int out_size,
                                          const void* in, const void* out, bool accumulates)
{
  Layout layout{axes, in_size, out_size, in, out, accumulates};
  count_empty_as_one(layout.axes);
  core::ensure_axis(layout.axes);
  const int x = 0, y = core::input_order(layout.axes)[0];
  const bool tiles = x != y && functor_takes_tiles(in_size, out_size) && fills_tiles(layout, x, y, MoveKind::tile);
  const bool aligned = is_aligned(in, in_size) && is_aligned(out, out_size);
  if (aligned && takes_narrowing_tiles(layout, x, y))
    if (auto plan = plan_tile(layout, x, y, MoveKind::tile_unaligned)) return plan;
  if (aligned && (!tiles || layout.size() >= min_functor_box_size))
    if (auto plan = plan_box_rows(device, layout, min_short_run_bytes)) {
      const bool is_dear = accumulates && plan->cost > max_box_cost_of_sums && !box_of_lines(layout);
      auto sums = is_dear ? plan_joined_sum(device, layout, y) : std::nullopt;
      return sums ? sums : plan;
    }
  if (tiles) return plan_tile(layout, x, y, MoveKind::tile);
  layout.in = layout.out = nullptr; // boxes of functors have no vectors
  return plan_boxes(layout);
}

} // namespace Keramos::cuda::transpose
