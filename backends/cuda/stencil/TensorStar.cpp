// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorStar.hpp"

#include "Grid.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// Which edges are settled; false where that cannot be. Beyond an edge of x or y are operands of one warp alone: so tiles end where
/// the field does, of rows the last one takes what it shares with the one before by whole warps.
template <class T>
bool set_edges(TensorStarPlan<T>& plan, const TensorStarShape& shape)
{
  TensorStarArguments<T>& to = plan.arguments;
  const std::int64_t origin[] = {to.origin, to.range[1].begin}, size[] = {32 * vector_width<T>, shape.height()};
  const int step[] = {vector_width<T>, shape.rows};
  plan.settles = false;
  for (int p = 0; p < 3; ++p) {
    const EdgeAxis<T>& axis = to.axis[p];
    const std::array<bool, 2> settles = settled_ends(axis, to.range[p], plan.radius, p == 2);
    plan.settles = plan.settles || settles[0] || settles[1];
    if (p == 2) continue;
    std::copy_n(settles.begin(), 2, to.settles[p]);
    to.last[p] = settles[1] ? axis.valid_end - size[p] : INT64_MAX;
    if (settles[1] && (to.last[p] < origin[p] || (axis.valid_end - origin[p]) % step[p] != 0)) return false;
  }
  if ((to.settles[1][0] || to.settles[1][1]) && (to.axis[0].valid_end - to.origin) % vector_width<T> != 0)
    return false; // rows are copied by vectors
  const std::int64_t most = INT32_MAX / (to.axis[1].valid_end + 1);
  const bool fits = std::abs(to.axis[1].stride) <= most; // places in a plane have 32 bits
  return !plan.settles || (fits && plan.radius <= max_settled_radius);
}

/// The array that boxes come from: what the axes call valid, from the 16-byte boundary at or before it. False where zero must be
/// before it that is not there, or where the copies cannot tell.
template <class T>
bool set_box(TensorStarPlan<T>& plan, const StencilRequest<T>& request, int misalignment,
             const TensorStarLayout& layout)
{
  TensorStarArguments<T>& to = plan.arguments;
  constexpr std::int64_t width = vector_width<T>;
  const EdgeAxis<T>* const axis = to.axis;
  const std::int64_t behind = ((axis[0].valid_begin + misalignment) % width + width) % width;
  if (behind != 0 && to.range[0].begin - plan.radius < axis[0].valid_begin) return false;
  to.first_column = axis[0].valid_begin - behind;
  const std::int64_t first[] = {to.first_column, axis[1].valid_begin, axis[2].valid_begin};
  plan.box.data = to.in + first[0] + first[1] * axis[1].stride + first[2] * axis[2].stride;
  plan.box.element_bytes = sizeof(T);
  for (int p = 0; p < 3; ++p) {
    const std::int64_t extent = axis[p].valid_end - first[p];
    if (extent <= 0 || extent > INT32_MAX / 2) return false;
    plan.box.extent[p] = static_cast<std::uint64_t>(extent);
  }
  for (int p = 1; p < 3; ++p) {
    const std::int64_t bytes = axis[p].stride * static_cast<int>(sizeof(T));
    if (request.in.extent[p] < 2 || bytes <= 0 || bytes >= std::int64_t(1) << 40) return false;
    plan.box.pitch[p - 1] = static_cast<std::uint64_t>(bytes);
  }
  if (axis[2].stride % axis[1].stride != 0) return false; // as CUDA's manual has it
  plan.box.columns = static_cast<unsigned>(layout.pitch() / static_cast<int>(sizeof(T)));
  plan.box.rows = static_cast<unsigned>(layout.rows);
  return true;
}

/// x of the first tile's first point: on 32 bytes where all rows are and that costs no tile, for copies move whole sectors.
template <class T>
std::int64_t tile_origin(const core::Field<const T, 3>& in, const Range& range, std::int64_t valid_begin,
                         int misalignment)
{
  constexpr int width = vector_width<T>, sector = 2 * width;
  const std::int64_t begin = aligned_begin(range.begin, misalignment, width);
  if (in.stride[1] % sector != 0 || in.stride[2] % sector != 0) return begin;
  const auto behind = static_cast<int>(reinterpret_cast<std::uintptr_t>(in.data) / sizeof(T) % sector);
  const std::int64_t on_sector = aligned_begin(range.begin, behind, sector);
  const auto tiles = [&](std::int64_t from) { return core::ceil_div(range.end - from, 32 * width); };
  return on_sector < valid_begin || tiles(on_sector) > tiles(begin) ? begin : on_sector;
}

/// False if there are too many blocks, or no point.
template <class T>
bool set_grid(TensorStarPlan<T>& plan, const StencilRequest<T>& request, const TensorStarShape& shape)
{
  TensorStarArguments<T>& to = plan.arguments;
  const std::int64_t across = core::ceil_div(to.range[0].end - to.origin, 32 * vector_width<T>);
  const std::int64_t down = core::ceil_div(to.range[1].end - to.range[1].begin, shape.height());
  const std::int64_t planes = to.range[2].end - to.range[2].begin;
  if (across <= 0 || down <= 0 || planes <= 0) return false;
  to.tiles[0] = static_cast<unsigned>(across);
  to.tiles[1] = static_cast<unsigned>(down);
  const int together = request.device.multiprocessors;
  const MarchSchedule schedule = (plan.radius < min_rest_radius ? even_schedule : schedule_with_rest)(
      planes, across * down, together, 2 * plan.radius + 2, max_tensor_chunk);
  if (schedule.blocks > INT32_MAX) return false;
  to.chunk = schedule.chunk;
  to.rest = schedule.rest;
  plan.shape.blocks = static_cast<unsigned>(schedule.blocks);
  plan.busy = marching_part(schedule, planes, across * down, together) *
              filled(points_of(request, 0), 32 * vector_width<T>) * filled(points_of(request, 1), shape.height());
  to.groups = {0, static_cast<unsigned>(together), static_cast<int>(schedule.longest()) + 2 * plan.radius};
  return true;
}

template <class T>
core::Text variant(int radius, const TensorStarShape& shape)
{
  return [=] { return core::text("star<3,", radius, "> boxes ", 32 * vector_width<T>, "x", shape.height()); };
}

} // namespace

template <class T>
std::optional<TensorStarPlan<T>> plan_tensor_star(const StencilRequest<T>& request)
{
  if (!has_bulk_copies(request.device) || request.rank != 3) return std::nullopt;
  const auto weights = star_weights(request, {0, 1, 2});
  const std::optional<int> misalignment = shared_misalignment(request, true);
  if (!weights || !misalignment || request.radius > max_tensor_star_radius) return std::nullopt;
  std::optional<TensorStarPlan<T>> plan(std::in_place);
  TensorStarArguments<T>& to = plan->arguments;
  plan->radius = request.radius;
  to.weights = *weights;
  set_grid_arguments(to, request, {0, 1, 2}, plan->radius);
  to.origin = tile_origin(request.in, to.range[0], to.axis[0].valid_begin, *misalignment);
  const TensorStarShape shape = tensor_star_shape(plan->radius, request.operands);
  if (!set_edges(*plan, shape)) return std::nullopt;
  const TensorStarLayout layout = tensor_star_layout<T>(plan->radius, request.operands, plan->settles);
  plan->shape.threads = static_cast<unsigned>(shape.threads());
  plan->shape.shared_bytes = static_cast<unsigned>(layout.bytes());
  if (static_cast<int>(plan->shape.shared_bytes) > request.device.shared_per_block ||
      !set_box(*plan, request, *misalignment, layout) || !set_grid(*plan, request, shape))
    return std::nullopt;
  plan->variant = variant<T>(plan->radius, shape);
  return plan;
}

template <class T>
std::optional<TensorStarPlan<T>> choose_tensor_star(const StencilRequest<T>& request)
{
  const std::int64_t points = points_of(request);
  if (points < min_tensor_points) return std::nullopt;
  auto plan = plan_tensor_star(request);
  if (!plan || points < min_tensor_points_of<T>(plan->radius, request.operands, plan->settles)) return std::nullopt;
  return plan;
}

template std::optional<TensorStarPlan<float>> plan_tensor_star(const StencilRequest<float>&);
template std::optional<TensorStarPlan<double>> plan_tensor_star(const StencilRequest<double>&);
template std::optional<TensorStarPlan<float>> choose_tensor_star(const StencilRequest<float>&);
template std::optional<TensorStarPlan<double>> choose_tensor_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
