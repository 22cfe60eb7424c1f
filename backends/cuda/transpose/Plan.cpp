// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan.hpp"
#include "PlanBox.hpp"
#include "PlanRows.hpp"
#include "PlanTile.hpp"

#include <algorithm>

namespace Keramos::cuda::transpose {
namespace {

/// Do the axes stand in one order on both sides, so that a copy reads as it writes?
bool same_order(const MoveAxes& axes)
{
  const auto order = core::input_order(axes);
  return std::is_sorted(order.begin(), order.begin() + axes.count);
}

/// The fast axis is one on both sides.
std::optional<MovePlan> plan_shared_runs(const Device& device, const Layout& layout)
{
  const auto& axes = layout.axes;
  const bool contiguous = axes[0].in == 1 && axes[0].out == 1;
  const std::int64_t run_bytes = axes[0].extent * layout.size;
  if (contiguous && !same_order(axes) && run_bytes < max_box_group_bytes(layout.size))
    if (auto plan = plan_box_rows(device, layout)) return plan;
  if (contiguous && (run_bytes >= min_run_bytes || axes.count == 1)) return plan_rows(axes, layout.size);
  return plan_boxes(layout, layout.size);
}

} // namespace

std::optional<MovePlan> plan_move(const Device& device, const core::MoveAxes& axes, int size, const void* in,
                                  const void* out)
{
  Layout layout{axes, size, in, out};
  count_empty_as_one(layout.axes);
  if (!fit_to_alignment(layout)) return std::nullopt;
  const auto& moved = layout.axes;
  const int x = 0, y = core::input_order(moved)[0];
  if (x == y) return plan_shared_runs(device, layout);
  if (auto plan = plan_narrow(layout, x, y)) return plan;
  const MoveKind kind = tile_kind(device, layout, x, y);
  const bool fills = fills_tiles(layout, x, y, kind);
  if (layout.size >= min_box_rows_size && (!fills || !fills_unaligned_tiles(layout, x, y, kind)))
    if (auto plan = plan_box_rows(device, layout)) return plan;
  return fills ? plan_tile(layout, x, y, kind) : plan_boxes(layout, layout.size);
}

std::optional<MovePlan> plan_functor_move(const core::MoveAxes& the_axes, int in_size, int out_size)
{
  Layout layout{the_axes, std::max(in_size, out_size)};
  count_empty_as_one(layout.axes);
  core::ensure_axis(layout.axes);
  const auto& axes = layout.axes;
  const int x = 0, y = core::input_order(axes)[0];
  if (x == y) {
    const bool short_runs = axes[0].extent * layout.size < min_run_bytes || axes[0].in != 1;
    return short_runs && !same_order(axes) ? plan_boxes(layout, out_size) : plan_copy(axes, layout.size);
  }
  return fills_tiles(layout, x, y, MoveKind::tile) ? plan_tile(layout, x, y, MoveKind::tile)
                                                   : plan_boxes(layout, out_size);
}

} // namespace Keramos::cuda::transpose
