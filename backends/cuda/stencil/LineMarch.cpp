// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineMarch.hpp"

#include "../../../src/keramos/core/Integer.hpp"
#include "Grid.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

template <class T>
std::int64_t points_of(const StencilRequest<T>& request, int p)
{
  return request.end[p] - request.begin[p];
}

/// Do the points of a plane follow each other, and planes as well?
template <class Value, class T>
bool has_contiguous_planes(const core::Field<Value, 3>& field, const StencilRequest<T>& request)
{
  const std::int64_t row = points_of(request, 0), rows = points_of(request, 1);
  return field.stride[0] == 1 && (rows == 1 || field.stride[1] == row) && field.stride[2] >= row * rows;
}

/// Is it a line along the slowest axis, of a large grid?
template <class T>
bool is_large_line(const StencilRequest<T>& request)
{
  if (request.rank != 3 || request.shape != Shape::line || request.radius > max_line_march_radius) return false;
  const auto& axes = request.axes;
  if (axes[2].reach_low == 0 && axes[2].reach_high == 0) return false;
  double bytes = sizeof(T);
  for (int p = 0; p < 3; ++p) bytes *= static_cast<double>(std::max<std::int64_t>(points_of(request, p), 0));
  return bytes > 0 && bytes >= static_cast<double>(min_line_march_bytes * request.device.multiprocessors);
}

/// How planes are divided: points of a block in each, and planes of it.
struct LineMarchDivision {
  std::int64_t width, chunk;
};

/// That which takes the shortest time where so many blocks run at once, all of them equally long: a chunk reads 2 * radius planes more than
/// it computes, and a step of few points takes about as long as one of many.
template <class T>
LineMarchDivision best_division(std::int64_t points, std::int64_t planes, std::int64_t at_once, int radius)
{
  constexpr std::int64_t most = LineMarchTile<T>::points, sector = 32 / static_cast<int>(sizeof(T));
  LineMarchDivision best{most, planes};
  std::int64_t least = INT64_MAX;
  for (std::int64_t chunks = 1; chunks <= max_line_march_chunks; ++chunks) {
    const std::int64_t blocks = std::max(at_once / chunks, std::int64_t(1)),
                       waves = core::ceil_div(points, most * blocks), chunk = core::ceil_div(planes, chunks);
    if (waves * (chunk + 2 * radius) >= least) continue;
    least = waves * (chunk + 2 * radius);
    best = {std::min(core::round_up(core::ceil_div(points, waves * blocks), sector), most), chunk};
  }
  return best;
}

/// How planes are divided into blocks; false if there are too many, or too few to keep all multiprocessors busy.
template <class T>
bool set_grid(LineMarchPlan<T>& plan, const Device& device, std::int64_t planes)
{
  using Tile = LineMarchTile<T>;
  LineMarchArguments<T>& to = plan.arguments;
  const std::int64_t at_once = std::int64_t(Tile::shape.blocks) * device.multiprocessors;
  if (planes < min_line_march_planes || 2 * max_line_march_chunks * to.points < at_once * Tile::points) return false;
  const LineMarchDivision division = best_division<T>(to.points, planes, at_once, plan.radius);
  const std::int64_t blocks = core::ceil_div(to.points, division.width);
  if (planes > INT32_MAX - 2 * max_line_march_radius || blocks > INT32_MAX) return false; // CUDA's limits
  to.planes = static_cast<int>(planes);
  to.width = static_cast<int>(division.width);
  to.chunk = static_cast<int>(division.chunk);
  plan.shape.blocks =
      dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(core::ceil_div(planes, division.chunk)));
  plan.shape.threads = Tile::threads;
  plan.shape.shared_bytes = Tile::bytes;
  return true;
}

template <class T>
void set_fields(LineMarchArguments<T>& to, const StencilRequest<T>& request)
{
  to.in = &request.in[request.begin];
  to.out = &request.out[request.begin];
  to.in_step = request.in.stride[2];
  to.out_step = request.out.stride[2];
  to.points = points_of(request, 0) * points_of(request, 1);
}

/// What lies beyond the ends of the line's axis; false if it is not zero.
template <class T>
bool set_ends(LineMarchArguments<T>& to, const StencilRequest<T>& request)
{
  const std::int64_t begin = request.begin[2], end = request.end[2], radius = request.radius;
  const EdgeAxis<T> axis = edge_axis(request.axes[2], request.in.stride[2], request.radius);
  to.valid_begin = static_cast<int>(std::max(axis.valid_begin, begin - radius) - begin);
  to.valid_end = static_cast<int>(std::min(axis.valid_end, end + radius) - begin);
  const auto settled = settled_ends(axis, {begin, end}, request.radius, false);
  return !settled[0] && !settled[1];
}

} // namespace

template <class T>
std::optional<LineMarchPlan<T>> choose_line_march(const StencilRequest<T>& request)
{
  if (request.device.architecture < 90 || !is_large_line(request)) return std::nullopt; // where it was measured
  if (!has_contiguous_planes(request.in, request) || !has_contiguous_planes(request.out, request)) return std::nullopt;
  constexpr int alike = line_march_boundary / static_cast<int>(sizeof(T));
  if (shared_misalignment(request, false, alike)) return std::nullopt; // vectors do as well there
  std::optional<LineMarchPlan<T>> plan(std::in_place);
  LineMarchArguments<T>& to = plan->arguments;
  plan->radius = request.radius;
  set_fields(to, request);
  if (!set_ends(to, request) || !set_line_weights(to.weights, request, 2)) return std::nullopt;
  if (!set_grid(*plan, request.device, points_of(request, 2))) return std::nullopt;
  plan->variant = [radius = plan->radius, width = to.width, chunk = to.chunk] {
    return core::text("line<3,", radius, "> march ", width, "x", chunk);
  };
  return plan;
}

template std::optional<LineMarchPlan<float>> choose_line_march(const StencilRequest<float>&);
template std::optional<LineMarchPlan<double>> choose_line_march(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
