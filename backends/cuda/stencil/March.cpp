// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Grid.hpp"
#include "MarchFunctorTuning.hpp"
#include "MarchLayout.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

template <class T>
core::Text variant(const StencilRequest<T>& request, int columns, const MarchShape& tile)
{
  return [shape = request.shape, radius = request.radius, taps = request.taps, columns, height = tile.height(),
          by_pairs = tile.has_pairs()] {
    return core::text(core::shape_text(shape, 3, radius, taps), " partial sums ", columns, "x", height,
                      by_pairs ? " v2" : "");
  };
}

/// Whether the ends of all rows are brought, of tiles so many columns wide. Only the last two tiles are near the high end.
template <class T>
bool brings_ends(const MarchArguments<T>& grid, int radius, int components, std::int64_t tiles, int columns)
{
  const auto has_lanes = [&](std::int64_t begin) {
    const std::int64_t left = begin - radius;
    const MarchShift shift = grid.shift(grid.in + left * components);
    return MarchEnds<T>(left, columns + 2 * radius, components, shift, grid.axis[0].valid_begin, grid.axis[0].valid_end)
        .has_lanes(shift);
  };
  const std::int64_t begin = grid.range[0].begin, last = grid.range[0].end - columns;
  return has_lanes(begin) && has_lanes(last) &&
         has_lanes(std::min(begin + std::max<std::int64_t>(tiles - 2, 0) * columns, last));
}

/// A column of an odd number has a warp of its own before a functor, for which others would wait, if there is one.
bool has_single_column(const MarchShape& shape, int columns, std::int64_t extent)
{
  return shape.has_pairs() && shape.keeps_centres && (columns % 2 != 0 || extent % 2 != 0);
}

/// Whether tiles so wide may begin a column earlier, so that pairs of outputs lie on 8 bytes: their rows lie whole pairs apart, and some tile's do not.
template <class T>
bool has_leads(const MarchArguments<T>& grid, const MarchShape& shape, int columns, std::int64_t tiles)
{
  const bool are_alike = grid.out_stride[1] % 2 == 0 && grid.out_stride[2] % 2 == 0;
  const auto is_odd = [&](std::int64_t x) {
    return reinterpret_cast<std::uintptr_t>(grid.out + x) / sizeof(T) % 2 != 0;
  };
  const bool some_are_odd =
      is_odd(grid.range[0].begin) || is_odd(grid.range[0].end - columns) || (tiles > 2 && columns % 2 != 0);
  return shape.has_pairs() && !shape.keeps_centres && are_alike && some_are_odd && columns < shape.max_columns();
}

/// Tiles of equal width along the rows.
template <class T>
bool set_tiles(MarchPlan<T>& plan, const MarchShape& shape)
{
  MarchArguments<T>& grid = plan.arguments;
  const std::int64_t extent = grid.range[0].end - grid.range[0].begin, down = grid.range[1].end - grid.range[1].begin;
  const int max_columns = shape.max_columns();
  const std::int64_t across = core::ceil_div(extent, max_columns);
  int columns = static_cast<int>(core::ceil_div(extent, across));
  const int widest = static_cast<int>(std::min<std::int64_t>(std::min(columns + vector_width<T>, max_columns), extent));
  const auto has_ends = [&] {
    return shape.has_row_copies() || brings_ends(grid, plan.radius, shape.components, across, columns);
  };
  while (columns < widest && !has_ends()) ++columns;
  if (!has_ends()) return false;
  grid.columns = columns;
  grid.leads = has_leads(grid, shape, columns, across);
  grid.tiles[0] = static_cast<unsigned>(across);
  grid.tiles[1] = static_cast<unsigned>(core::ceil_div(down, shape.height()));
  const int pairs_across = has_single_column(shape, columns, extent)
                               ? std::min(shape.warps_across(columns / 2 * 2) + 1, shape.max_warps)
                               : shape.warps_across(columns + (grid.leads ? 1 : 0));
  const int warps = pairs_across * shape.groups;
  plan.shape.threads = static_cast<unsigned>(32 * (warps + shape.helpers() + shape.warps_beside(columns)));
  const int rows = shape.height() + 2 * plan.radius;
  const bool only_begin = shape.producers > 0 && shape.stages == 0; // a sender's tiles gain nothing from being narrow
  return down >= shape.height() && (only_begin || warps * 32 >= rows * march_edge_lanes);
}

template <class T>
bool set_chunks(MarchPlan<T>& plan, const StencilRequest<T>& request, const MarchShape& shape, int max_length,
                std::int64_t min_together)
{
  const Device& device = request.device;
  MarchArguments<T>& grid = plan.arguments;
  const std::int64_t columns = std::int64_t(grid.tiles[0]) * grid.tiles[1];
  const std::int64_t planes = grid.range[2].end - grid.range[2].begin;
  const int by_registers = shape.blocks * shape.threads() / static_cast<int>(plan.shape.threads.x);
  const int resident = resident_blocks(device, static_cast<int>(plan.shape.shared_bytes), by_registers);
  const int together = device.multiprocessors * resident;
  const MarchSchedule schedule = (shape.has_singles() ? schedule_with_rest : even_schedule)(
      planes, columns, together, 2 * plan.radius, max_length);
  if (schedule.blocks > INT32_MAX) return false;
  grid.chunk = schedule.chunk;
  grid.rest = schedule.rest;
  plan.marching = marching_part(schedule, planes, columns, together);
  plan.shape.blocks = static_cast<unsigned>(schedule.blocks);
  const int steps = static_cast<int>(grid.chunk) + 2 * plan.radius;
  const bool run_at_once = schedule.blocks <= together;
  const bool apart = request.out.stride[1] != request.out.extent[0];
  const bool is_wide = grid.columns >= (has_fast_memory(device) ? shape.wide : shape.slow_wide);
  const bool has_groups =
      shape.components > 1 || has_lockstep(plan.kind, plan.radius, sizeof(T), has_fast_memory(device), apart);
  const bool keeps_together = shape.drift > 0 && is_wide && has_groups && points_of(request) >= min_together &&
                              (run_at_once || shape.producers > 0);
  grid.groups = {0, static_cast<unsigned>(together), keeps_together ? steps : 0};
  return true;
}

template <class T>
bool is_covered(const StencilRequest<T>& request)
{
  return has_bulk_copies(request.device) && request.rank == 3 &&
         request.in.extent[0] < INT32_MAX / 2 / march_components;
}

/// Whether a shape's columns lie as far apart as the fields' do. From components outputs may go to components.
template <class T>
bool has_columns_of(const StencilRequest<T>& request, const MarchShape& shape)
{
  return request.in.stride[0] == shape.components && (request.out.stride[0] == 1 || shape.components > 1);
}

/// Whether pairs of columns serve: zero or memory is beyond the ends, and what lies beside a row, as far as a 16-byte boundary, lies between
/// elements of the field but at its first and its last. Before a functor the View indices count the axes forwards or backwards.
template <class T>
bool suits_pairs(const MarchPlan<T>& plan, const MarchShape& shape)
{
  const MarchArguments<T>& grid = plan.arguments;
  if (shape.keeps_centres && grid.view_axis[1] != 1) return false;
  for (int p = 0; p < 3; ++p) {
    const auto settled = settled_ends(grid.axis[p], grid.range[p], plan.radius, false);
    if (settled[0] || settled[1] || (p > 0 && grid.axis[p].stride < vector_width<T>)) return false;
  }
  return true;
}

/// Whether a thread's operands of two neighbouring columns are neighbours, and what lies beside a row of theirs between elements, see suits_pairs().
template <class T>
bool suits_pairs(const StencilRequest<T>& request)
{
  const auto suits = [](const core::EpilogueOperand<T>& operand) {
    const auto& stride = operand.field.stride;
    return !operand.is_field() || (stride[0] == 1 && stride[1] >= vector_width<T> && stride[2] >= vector_width<T>);
  };
  return std::all_of(request.operand, request.operand + request.operands, suits);
}

/// Planes of a block at most.
int max_chunk(const MarchShape& shape)
{
  return shape.has_singles() ? max_single_chunk : shape.last_first ? max_functor_chunk : max_march_chunk;
}

/// False if they do not fit. `min_together`: points from which blocks keep together, if the shape has a drift.
template <class T>
bool set_shape(MarchPlan<T>& plan, const StencilRequest<T>& request, const MarchShape& shape, std::int64_t min_together)
{
  const int bytes = shape.has_row_copies() ? pair_layout<T>(shape, plan.radius, request.operands).bytes()
                                           : march_layout<T>(shape, plan.radius).bytes();
  plan.shape.shared_bytes = static_cast<unsigned>(bytes);
  if (!has_columns_of(request, shape) || (shape.has_row_copies() && !suits_pairs(plan, shape))) return false;
  if (static_cast<int>(plan.shape.shared_bytes) > request.device.shared_per_block || !set_tiles(plan, shape) ||
      !set_chunks(plan, request, shape, max_chunk(shape), min_together))
    return false;
  plan.variant = variant(request, plan.arguments.columns, shape);
  return true;
}

} // namespace

template <class T>
std::optional<MarchPlan<T>> march_without_shape(const StencilRequest<T>& request)
{
  const auto sums = is_covered(request) ? march_operator(request) : std::nullopt;
  if (!sums || sums->radius > max_march_radius) return std::nullopt;
  std::optional<MarchPlan<T>> plan(std::in_place);
  static_cast<MarchOperator<T>&>(*plan) = *sums;
  MarchArguments<T>& grid = plan->arguments;
  set_grid_arguments(grid, request, {0, 1, 2}, plan->radius);
  grid.rows_alike = row_misalignment(request.in).has_value();
  for (int k = 0; k < 3; ++k) grid.view_axis[request.axes.position[k]] = k;
  for (int p = 0; p < 3; ++p)
    if (grid.range[p].begin >= grid.range[p].end) return std::nullopt;
  return plan;
}

template <class T>
bool set_march_shape(MarchPlan<T>& plan, const StencilRequest<T>& request, int number)
{
  plan.number = number;
  if (!has_march_shape(plan.kind, plan.radius, sizeof(T), number)) return false;
  const MarchShape shape = march_shape(plan.kind, plan.radius, sizeof(T), number);
  return set_shape(plan, request, shape, min_lockstep_points(shape, sizeof(T)));
}

template <class T>
std::optional<MarchPlan<T>> plan_march(const StencilRequest<T>& request, int number)
{
  auto plan = march_without_shape(request);
  return plan && set_march_shape(*plan, request, number) ? plan : std::nullopt;
}

template <class T>
std::optional<MarchPlan<T>> plan_march_functor(const StencilRequest<T>& request, int number)
{
  auto plan = march_without_shape(request);
  if (!plan || plan->kind != MarchKind::star ||
      !has_march_functor_shape(plan->radius, sizeof(T), request.operands, number))
    return std::nullopt;
  plan->number = number;
  const MarchShape shape = march_functor_shape(plan->radius, sizeof(T), request.operands, number);
  if (shape.has_row_copies() && !suits_pairs(request)) return std::nullopt;
  const std::int64_t min_together = shape.has_row_copies() ? min_lockstep_points(shape, sizeof(T)) : 0;
  return set_shape(*plan, request, shape, min_together) ? plan : std::nullopt;
}

template std::optional<MarchPlan<float>> march_without_shape(const StencilRequest<float>&);
template std::optional<MarchPlan<double>> march_without_shape(const StencilRequest<double>&);

template bool set_march_shape(MarchPlan<float>&, const StencilRequest<float>&, int);
template bool set_march_shape(MarchPlan<double>&, const StencilRequest<double>&, int);

template std::optional<MarchPlan<float>> plan_march(const StencilRequest<float>&, int);
template std::optional<MarchPlan<double>> plan_march(const StencilRequest<double>&, int);

template std::optional<MarchPlan<float>> plan_march_functor(const StencilRequest<float>&, int);
template std::optional<MarchPlan<double>> plan_march_functor(const StencilRequest<double>&, int);

} // namespace Keramos::cuda::stencil
