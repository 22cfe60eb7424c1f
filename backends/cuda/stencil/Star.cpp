// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Star.hpp"

#include "../../../src/keramos/core/Error.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::cuda::stencil {
namespace {

/// The weights by axis and offset; false for an application's own operator that only calls itself a star, or lacks a tap of one: what is not
/// added may be infinite, which a weight of zero would not take away.
template <class T>
bool set_weights(StarWeights<T>& weights, const StencilRequest<T>& request, const KernelOrder& order)
{
  const int radius = request.radius;
  if (request.taps != 1 + 2 * radius * request.rank) return false;
  for (int t = 0; t < request.taps; ++t) {
    int moved = -1;
    for (int p = 0; p < 3; ++p) {
      if (request.offset[t][order[p]] == 0) continue;
      if (moved >= 0) return false;
      moved = p;
    }
    const int offset = moved < 0 ? 0 : request.offset[t][order[moved]];
    if (std::abs(offset) > radius) return false;
    if (moved < 0)
      weights.centre += request.weight[t];
    else
      weights.weight[moved][offset < 0 ? offset + radius : offset + radius - 1] += request.weight[t];
  }
  return true;
}

/// Operands up to the last one that is a field: these have slots in shared memory.
template <class T>
int staged_operands(const StencilRequest<T>& request)
{
  int count = request.operands;
  while (count > 0 && !request.operand[count - 1].is_field()) --count;
  return count;
}

/// The largest block whose shared memory the GPU has; empty if there is none. `points`: along x.
template <class T>
std::optional<StarLayout> block_layout(const StencilRequest<T>& request, const StarShape& shape, std::int64_t points)
{
  StarLayout layout{vector_width<T>,
                    shape.rows,
                    shape.depth,
                    shape.halo,
                    star_halo_rows(request.rank, request.radius),
                    shape.width,
                    0,
                    0};
  if (request.rank == 2) { // no wider than the row needs, in whole warps
    const std::int64_t warps = core::ceil_div(std::max<std::int64_t>(points, 1), 32 * layout.points);
    layout.width = static_cast<int>(std::min<std::int64_t>(32 * warps, shape.width));
  }
  const int staged = staged_operands(request);
  for (int height = shape.height; height >= shape.min_height; height /= 2) {
    layout.threads = layout.width * height;
    layout.tile_rows = height * shape.rows;
    const std::int64_t bytes = star_front_bytes + std::int64_t(sizeof(T)) * layout.elements(staged);
    if (bytes <= request.device.shared_per_block) return layout;
  }
  return std::nullopt;
}

/// How the grid is divided into blocks; false if there are too many.
template <class T>
bool set_grid(StarPlan<T>& plan, const StencilRequest<T>& request, const StarShape& shape, const StarLayout& layout)
{
  StarArguments<T>& to = plan.arguments;
  const std::int64_t across = core::ceil_div(to.range[0].end - to.origin, layout.width * layout.points);
  const std::int64_t down = core::ceil_div(to.range[1].end - to.range[1].begin, layout.tile_rows);
  const std::int64_t planes = to.range[2].end - to.range[2].begin;
  if (across <= 0 || down <= 0 || planes <= 0) return true; // no point: nothing will be launched
  const int smaller = shape.threads() / layout.threads, shared_bytes = static_cast<int>(plan.shape.shared_bytes);
  const std::int64_t resident = resident_blocks(request.device, shared_bytes, shape.blocks * smaller);
  to.tiles[0] = static_cast<unsigned>(across);
  to.tiles[1] = static_cast<unsigned>(down);
  to.chunk =
      chunk_length(planes, across * down, request.device.multiprocessors * resident, request.radius + shape.depth + 4);
  const std::int64_t chunks = core::ceil_div(planes, to.chunk);
  if (across * down > INT32_MAX / chunks) return false; // blocks are numbered in 31 bits
  plan.shape.blocks = static_cast<unsigned>(across * down * chunks);
  return true;
}

core::Text variant(int rank, int radius, int points, int rows, int vector)
{
  return [=] {
    const std::string tile = rank == 2 ? core::text("row ", points) : core::text("tile ", points, "x", rows);
    return core::text("star<", rank, ",", radius, "> ", tile, " v", vector);
  };
}

} // namespace

template <class T>
std::optional<StarWeights<T>> star_weights(const StencilRequest<T>& request, const KernelOrder& order)
{
  if (request.shape != Shape::star || request.rank < 2 || request.radius < 1 || request.radius > max_radius ||
      !request.taps_follow_axes)
    return std::nullopt;
  std::optional<StarWeights<T>> result(std::in_place);
  if (!set_weights(*result, request, order)) return std::nullopt;
  return result;
}

template <class T>
double filled_star_tiles(const StencilRequest<T>& request)
{
  const StarShape shape = star_shape(3, request.radius, sizeof(T));
  return filled(points_of(request, 0), shape.width * vector_width<T>) *
         filled(points_of(request, 1), shape.height * shape.rows);
}

template <class T>
double odd_star_rate(const StencilRequest<T>& request)
{
  return unaligned_star_rate(request.radius, sizeof(T)) * filled_star_tiles(request);
}

template <class T>
std::optional<StarPlan<T>> choose_star(const StencilRequest<T>& request)
{
  const int rank = request.rank, radius = request.radius;
  const KernelOrder order = rank == 2 ? KernelOrder{0, 2, 1} : KernelOrder{0, 1, 2};
  const auto weights = star_weights(request, order);
  if (!weights) return std::nullopt;
  std::optional<StarPlan<T>> plan(std::in_place);
  plan->rank = rank;
  plan->radius = radius;
  plan->order = order;
  plan->arguments.centre = weights->centre;
  std::copy_n(weights->weight[0], sizeof(weights->weight) / sizeof(T), plan->arguments.weight[0]);
  set_grid_arguments(plan->arguments, request, order, radius);
  const std::optional<int> misalignment = shared_misalignment(request, true);
  const std::int64_t begin = request.begin[0];
  plan->vectorised = misalignment.has_value();
  plan->arguments.origin = misalignment ? aligned_begin(begin, *misalignment, vector_width<T>) : begin;

  const StarShape shape = star_shape(rank, radius, sizeof(T));
  const auto layout = block_layout(request, shape, request.end[0] - plan->arguments.origin);
  if (!layout) return std::nullopt;
  plan->shape.threads = static_cast<unsigned>(layout->threads);
  plan->shape.shared_bytes =
      static_cast<unsigned>(star_front_bytes + sizeof(T) * layout->elements(staged_operands(request)));
  if (!set_grid(*plan, request, shape, *layout)) return std::nullopt;
  plan->variant =
      variant(rank, radius, layout->width * layout->points, layout->tile_rows, plan->vectorised ? vector_width<T> : 1);
  return plan;
}

template std::optional<StarWeights<float>> star_weights(const StencilRequest<float>&, const KernelOrder&);
template std::optional<StarWeights<double>> star_weights(const StencilRequest<double>&, const KernelOrder&);
template double filled_star_tiles(const StencilRequest<float>&);
template double filled_star_tiles(const StencilRequest<double>&);
template double odd_star_rate(const StencilRequest<float>&);
template double odd_star_rate(const StencilRequest<double>&);
template std::optional<StarPlan<float>> choose_star(const StencilRequest<float>&);
template std::optional<StarPlan<double>> choose_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
