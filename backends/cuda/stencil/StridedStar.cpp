// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedStar.hpp"

#include "Grid.hpp"
#include "MarchChoice.hpp"
#include "TensorStar.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// False where copies cannot bring what the edges say, or where they cannot describe the field.
template <class T>
bool is_covered(const StridedStarArguments<T>& to, const StencilRequest<T>& request, int radius)
{
  for (int p = 0; p < 3; ++p) {
    const std::int64_t extent = to.axis[p].valid_end - to.axis[p].valid_begin;
    const std::int64_t bytes = to.axis[p].stride * static_cast<int>(sizeof(T));
    const std::array<bool, 2> settles = settled_ends(to.axis[p], to.range[p], radius, p == 2);
    if (extent < to.classes || extent > INT32_MAX / 2 || to.range[p].begin >= to.range[p].end || settles[0] ||
        settles[1])
      return false;
    if (p > 0 && (request.in.extent[p] < 2 || bytes <= 0 || bytes >= (std::int64_t(1) << 40) / to.classes))
      return false;
  }
  return request.in.stride[0] == 1 && request.out.stride[0] == 1 && to.axis[2].stride % to.axis[1].stride == 0;
}

/// The first element of the field that a map has, but for what is before it up to the boundary.
template <class T>
const T* first_of(const StridedStarArguments<T>& to, int of_planes, int of_rows)
{
  return to.in + to.axis[0].valid_begin + (to.axis[1].valid_begin + of_rows) * to.axis[1].stride +
         (to.axis[2].valid_begin + of_planes) * to.axis[2].stride;
}

/// Tiles of equal width, as far as these are whole warps' or less; false if there are too many blocks, or the grid is no tile.
template <class T>
bool set_grid(StridedStarPlan<T>& plan, const Device& device, const StridedStarShape& shape)
{
  StridedStarArguments<T>& to = plan.arguments;
  const auto extent = [&](int p) { return to.range[p].end - to.range[p].begin; };
  const std::int64_t across = core::ceil_div(extent(0), shape.columns);
  const std::int64_t down = core::ceil_div(extent(1), shape.height());
  if (extent(1) < shape.height()) return false;
  to.columns = static_cast<int>(core::ceil_div(extent(0), across));
  const int own_columns = std::min(to.columns, shape.own_columns());
  plan.shape.threads = static_cast<unsigned>(core::round_up(own_columns, 32)) * shape.groups;
  to.tiles[0] = static_cast<unsigned>(across);
  to.tiles[1] = static_cast<unsigned>(down);
  const int together = device.multiprocessors;
  const MarchSchedule schedule =
      schedule_with_rest(extent(2), across * down, together, 2 * plan.radius + 2, max_strided_chunk);
  if (schedule.blocks > INT32_MAX) return false;
  to.chunk = schedule.chunk;
  to.rest = schedule.rest;
  plan.shape.blocks = static_cast<unsigned>(schedule.blocks);
  plan.busy = marching_part(schedule, extent(2), across * down, together) * filled(extent(0), shape.columns) *
              filled(extent(1), shape.height());
  to.groups = {0, static_cast<unsigned>(together), static_cast<int>(schedule.longest()) + 2 * plan.radius};
  return true;
}

/// Gpoint/s: what full tiles make, by how full these are.
template <class T>
double expected_rate(const StridedStarPlan<T>& plan)
{
  const StridedStarShape shape = strided_star_shape(plan.radius);
  const auto extent = [&](int p) { return plan.arguments.range[p].end - plan.arguments.range[p].begin; };
  return shape.rate * filled(extent(0), shape.columns) * filled(extent(1), shape.height());
}

/// Than the kernel for rows on 16 bytes, whose tiles fit other grids.
template <class T>
bool is_busier(const StridedStarPlan<T>& plan, const std::optional<TensorStarPlan<T>>& other)
{
  return other && plan.busy * busy_share(plan.radius) > other->busy;
}

/// Of the kernels that take the call otherwise.
template <class T>
double other_rate(const StencilRequest<T>& request)
{
  return std::max({odd_star_rate(request), 1. * least_march_rate(request.radius), single_columns_rate(request)});
}

} // namespace

template <class T>
TensorBox strided_box(const StridedStarArguments<T>& arguments, const StridedStarLayout& layout, int of_planes,
                      int of_rows)
{
  constexpr int classes = vector_width<T>;
  const auto extent = [&](int p) { return arguments.axis[p].valid_end - arguments.axis[p].valid_begin; };
  const T* const first = first_of(arguments, of_planes, of_rows);
  const auto behind = static_cast<int>(reinterpret_cast<std::uintptr_t>(first) / sizeof(T) % classes);
  TensorBox box{};
  box.data = first - behind;
  box.element_bytes = sizeof(T);
  box.extent[0] = static_cast<std::uint64_t>(extent(0) + behind);
  box.extent[1] = static_cast<std::uint64_t>(core::ceil_div(extent(1) - of_rows, classes));
  box.extent[2] = static_cast<std::uint64_t>(core::ceil_div(extent(2) - of_planes, classes));
  for (int p = 1; p < 3; ++p)
    box.pitch[p - 1] = static_cast<std::uint64_t>(arguments.axis[p].stride) * classes * sizeof(T);
  box.columns = static_cast<unsigned>(layout.pitch());
  box.rows = static_cast<unsigned>(layout.rows_of_box());
  return box;
}

template <class T>
std::optional<StridedStarPlan<T>> plan_strided_star(const StencilRequest<T>& request)
{
  if (!has_bulk_copies(request.device) || request.rank != 3 || request.operands > 0) return std::nullopt;
  const auto weights = star_weights(request, {0, 1, 2});
  if (!weights || request.radius > max_strided_star_radius) return std::nullopt;
  std::optional<StridedStarPlan<T>> plan(std::in_place);
  StridedStarArguments<T>& to = plan->arguments;
  plan->radius = request.radius;
  const StridedStarShape shape = strided_star_shape(plan->radius);
  to.weights = *weights;
  set_grid_arguments(to, request, {0, 1, 2}, plan->radius);
  if (!is_covered(to, request, plan->radius)) return std::nullopt;
  plan->shape.shared_bytes = static_cast<unsigned>(strided_star_layout<T>(shape, plan->radius).bytes());
  if (static_cast<int>(plan->shape.shared_bytes) > request.device.shared_per_block ||
      !set_grid(*plan, request.device, shape))
    return std::nullopt;
  plan->variant = [radius = plan->radius, columns = to.columns, height = shape.height()] {
    return core::text("star<3,", radius, "> strided boxes ", columns, "x", height);
  };
  return plan;
}

template <class T>
std::optional<StridedStarPlan<T>> choose_strided_star(const StencilRequest<T>& request)
{
  if (points_of(request) < min_strided_points) return std::nullopt;
  if (request.radius < 3 && single_columns_rate(request) > 0) return std::nullopt; // which choose_march() asks
  const bool is_aligned = shared_misalignment(request, true).has_value();
  if (is_aligned && points_of(request) < min_aligned_strided_points) return std::nullopt;
  auto plan = plan_strided_star(request);
  if (!plan) return plan;
  const bool is_faster =
      is_aligned ? is_busier(*plan, choose_tensor_star(request)) : expected_rate(*plan) > other_rate(request);
  return is_faster ? plan : std::nullopt;
}

template TensorBox strided_box(const StridedStarArguments<double>&, const StridedStarLayout&, int, int);
template std::optional<StridedStarPlan<double>> plan_strided_star(const StencilRequest<double>&);
template std::optional<StridedStarPlan<double>> choose_strided_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
