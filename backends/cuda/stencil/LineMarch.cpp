// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineMarch.hpp"

#include "../../../src/keramos/core/Integer.hpp"

namespace Keramos::cuda::stencil {
namespace {

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

} // namespace

template <class T>
std::optional<LineMarchPlan<T>> choose_line_march(const StencilRequest<T>& request)
{
  if (!is_large_line(request, 2)) return std::nullopt;
  const auto valid = valid_indices(request, 2);
  std::optional<LineMarchPlan<T>> plan(std::in_place);
  LineMarchArguments<T>& to = plan->arguments;
  plan->radius = request.radius;
  set_fields(to, request);
  if (!valid || !set_line_weights(to.weights, request, 2)) return std::nullopt;
  to.valid_begin = static_cast<int>((*valid)[0]);
  to.valid_end = static_cast<int>((*valid)[1]);
  if (!set_grid(*plan, request.device, points_of(request, 2))) return std::nullopt;
  plan->variant = [radius = plan->radius, width = to.width, chunk = to.chunk] {
    return core::text("line<3,", radius, "> march ", width, "x", chunk);
  };
  return plan;
}

template std::optional<LineMarchPlan<float>> choose_line_march(const StencilRequest<float>&);
template std::optional<LineMarchPlan<double>> choose_line_march(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
