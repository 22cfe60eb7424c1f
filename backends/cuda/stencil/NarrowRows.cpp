// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NarrowRows.hpp"

#include "NarrowTiles.hpp"

#include <climits>
#include <cstdlib>

namespace Keramos::cuda::stencil {
namespace {

/// What a chunk costs beside its tiles, in tiles (chosen, not measured).
constexpr int narrow_ramp = 2;

template <class T, int Radius>
BoxWeights<T, 2, Radius> box_weights(const StencilRequest<T>& request)
{
  BoxWeights<T, 2, Radius> box{};
  for (int t = 0; t < request.taps; ++t)
    box.weight[0][request.offset[t][1] + Radius][request.offset[t][0] + Radius] = request.weight[t];
  return box;
}

/// False if there is no kernel for it.
template <class T>
bool set_operator(NarrowRowsPlan<T>& plan, const StencilRequest<T>& request)
{
  plan.radius = request.radius;
  plan.is_star = request.shape == Shape::star;
  if (request.rank != 2 || plan.radius > max_narrow_radius) return false;
  const auto star = star_weights(request, {0, 1, 2});
  const int box = dense_box_radius(request);
  if (star)
    plan.weights = *star;
  else if (box == 1)
    plan.weights = box_weights<T, 1>(request);
  else if (box == 2)
    plan.weights = box_weights<T, 2>(request);
  return star || box == 1 || box == 2;
}

/// Whether 32 bits hold where an element of a tile lies from its first point in bytes.
template <class T>
bool has_small_tiles(const NarrowRowsPlan<T>& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape)
{
  constexpr std::int64_t limit = INT32_MAX / static_cast<int>(sizeof(T)) / 2;
  const std::int64_t rows = plan.arguments.groups * shape.rows + 2 * plan.radius;
  return request.in.extent[0] + 2 * plan.radius < limit / std::max<std::int64_t>(std::abs(request.in.stride[0]), 1) &&
         std::abs(request.in.stride[1]) < limit / rows;
}

/// Of a radius from 1 to max_narrow_radius.
template <class T>
int max_row(const StencilRequest<T>& request)
{
  const bool is_star = request.shape == Shape::star;
  if (!is_star && request.operands > 0) return INT_MAX; // tiles are all that is else
  const int row = max_narrow_row(is_star, request.radius, sizeof(T));
  return points_of(request) < min_long_narrow_points ? std::min(row, max_short_narrow_row) : row;
}

} // namespace

template <class T>
std::optional<NarrowRowsPlan<T>> plan_narrow_rows(const StencilRequest<T>& request)
{
  std::optional<NarrowRowsPlan<T>> plan(std::in_place);
  if (points_of(request) == 0 || !set_operator(*plan, request)) return std::nullopt;
  set_grid_arguments(plan->arguments, request, {0, 1, 2}, plan->radius);
  if (!plan->is_star && !has_one_value(plan->arguments, plan->radius)) return std::nullopt;
  constexpr NarrowMarchShape shape = narrow_rows_shape<T>;
  if (points_of(request, 1) / shape.rows > INT32_MAX || !set_tiles(*plan, request, shape, 2)) return std::nullopt;
  if (!has_small_tiles(*plan, request, shape) ||
      !set_chunks(*plan, request, shape, plan->arguments.tiles[1], plan->arguments.tiles[0], narrow_ramp))
    return std::nullopt;
  plan->variant = [shape = request.shape, radius = plan->radius, columns = plan->arguments.columns,
                   height = plan->arguments.groups * shape.rows] {
    return core::text(core::shape_text(shape, 2, radius, 0), " narrow ", columns, "x", height);
  };
  return plan;
}

template <class T>
std::optional<NarrowRowsPlan<T>> choose_narrow_rows(const StencilRequest<T>& request)
{
  if (request.device.architecture < 90 || request.rank != 2) return std::nullopt; // where it was measured
  if (request.in.stride[0] != 1 || request.out.stride[0] != 1) return std::nullopt;
  if (points_of(request) < min_narrow_rows_points) return std::nullopt;
  if (request.radius < 1 || request.radius > max_narrow_radius || points_of(request, 0) > max_row(request))
    return std::nullopt;
  return plan_narrow_rows(request);
}

template std::optional<NarrowRowsPlan<float>> plan_narrow_rows(const StencilRequest<float>&);
template std::optional<NarrowRowsPlan<double>> plan_narrow_rows(const StencilRequest<double>&);
template std::optional<NarrowRowsPlan<float>> choose_narrow_rows(const StencilRequest<float>&);
template std::optional<NarrowRowsPlan<double>> choose_narrow_rows(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
