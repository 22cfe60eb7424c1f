// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "March.hpp"

#include <algorithm>
#include <cmath>

namespace Keramos::cuda::stencil {
namespace {

/// Bulk copies are compiled only for architectures that have them.
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
constexpr bool is_compiled = true;
#else
constexpr bool is_compiled = false;
#endif

core::Text variant(int radius, int columns, int height)
{
  return [=] { return core::text("star<3,", radius, "> partial sums ", columns, "x", height); };
}

/// Whether the ends of all rows are brought, of tiles so many columns wide. Only the last two tiles are near the high end.
template <class T>
bool brings_ends(const StarArguments<T>& star, int radius, std::int64_t tiles, int columns)
{
  const auto has_lanes = [&](std::int64_t begin) {
    const std::int64_t left = begin - radius;
    return MarchEnds<T>(left, columns + 2 * radius, star.axis[0].valid_begin, star.axis[0].valid_end).has_lanes();
  };
  const std::int64_t begin = star.range[0].begin, last = star.range[0].end - columns;
  return has_lanes(begin) && has_lanes(last) &&
         has_lanes(std::min(begin + std::max<std::int64_t>(tiles - 2, 0) * columns, last));
}

/// Tiles of equal width along the rows.
template <class T>
bool set_tiles(MarchPlan<T>& plan, const MarchShape& shape)
{
  StarArguments<T>& star = plan.arguments.star;
  const std::int64_t extent = star.range[0].end - star.range[0].begin, down = star.range[1].end - star.range[1].begin;
  const int max_columns = 32 * shape.max_warps;
  const std::int64_t across = core::ceil_div(extent, max_columns);
  int columns = static_cast<int>(core::ceil_div(extent, across));
  const int widest = static_cast<int>(std::min<std::int64_t>(std::min(columns + vector_width<T>, max_columns), extent));
  while (columns < widest && !brings_ends(star, plan.radius, across, columns)) ++columns;
  if (!brings_ends(star, plan.radius, across, columns)) return false;
  plan.arguments.columns = columns;
  star.tiles[0] = static_cast<unsigned>(across);
  star.tiles[1] = static_cast<unsigned>(core::ceil_div(down, shape.height()));
  const int warps = static_cast<int>(core::ceil_div(columns, 32)) * shape.groups;
  plan.shape.threads = static_cast<unsigned>(32 * warps);
  const int rows = shape.height() + 2 * plan.radius;
  return down >= shape.height() && warps * 32 >= rows * march_edge_lanes;
}

template <class T>
bool set_chunks(MarchPlan<T>& plan, const Device& device, const MarchShape& shape)
{
  StarArguments<T>& star = plan.arguments.star;
  const std::int64_t columns = std::int64_t(star.tiles[0]) * star.tiles[1];
  const std::int64_t planes = star.range[2].end - star.range[2].begin;
  const int by_registers = shape.blocks * shape.threads() / static_cast<int>(plan.shape.threads.x);
  const std::int64_t resident = resident_blocks(device, static_cast<int>(plan.shape.shared_bytes), by_registers);
  star.chunk = chunk_length(planes, columns, device.multiprocessors * resident, 2 * plan.radius, max_march_chunk);
  const std::int64_t chunks = core::ceil_div(planes, star.chunk);
  if (columns > INT32_MAX / chunks) return false;
  plan.shape.blocks = static_cast<unsigned>(columns * chunks);
  return true;
}

template <class T>
bool is_covered(const StencilRequest<T>& request)
{
  return is_compiled && request.device.architecture >= 90 && request.rank == 3 &&
         request.radius >= min_march_radius(sizeof(T)) && request.radius <= max_march_radius &&
         request.in.stride[0] == 1 && request.out.stride[0] == 1 && request.in.extent[0] < INT32_MAX / 2;
}

/// What is filled by an axis of `extent` points in tiles of `size`.
double filled(std::int64_t extent, std::int64_t size)
{
  return static_cast<double>(extent) / static_cast<double>(core::round_up(extent, size));
}

/// Gpoint/s: what full tiles make, by how full these are. A narrow tile keeps a multiprocessor to itself as a wide one does; of
/// half the warps we saw 0.6 to 0.8 of the speed (radius 1 and 4, H200).
template <class T>
double expected_rate(const MarchPlan<T>& plan)
{
  const StarArguments<T>& star = plan.arguments.star;
  const MarchShape shape = march_shape(plan.radius, sizeof(T), plan.number);
  const int width = static_cast<int>(plan.shape.threads.x) / shape.groups;
  const auto extent = [&](int p) { return star.range[p].end - star.range[p].begin; };
  const double across = static_cast<double>(extent(0)) / (static_cast<double>(star.tiles[0]) * width);
  return shape.rate * across * filled(extent(1), shape.height()) * std::cbrt(width / (32. * shape.max_warps));
}

template <class T>
double expected_star_rate(const StencilRequest<T>& request)
{
  const StarShape shape = star_shape(3, request.radius, sizeof(T));
  const auto extent = [&](int p) { return request.end[p] - request.begin[p]; };
  return unaligned_star_rate(request.radius, sizeof(T)) * filled(extent(0), shape.width * vector_width<T>) *
         filled(extent(1), shape.height * shape.rows);
}

} // namespace

template <class T>
std::optional<MarchPlan<T>> plan_march(const StencilRequest<T>& request, int number)
{
  if (!is_covered(request)) return std::nullopt;
  std::optional<MarchPlan<T>> plan(std::in_place);
  plan->radius = request.radius;
  plan->number = number;
  const auto star = star_arguments(request, {0, 1, 2});
  if (!star) return std::nullopt;
  plan->arguments.star = *star;
  for (int p = 0; p < 3; ++p)
    if (star->range[p].begin >= star->range[p].end) return std::nullopt;
  const MarchShape shape = march_shape(request.radius, sizeof(T), number);
  plan->shape.shared_bytes = static_cast<unsigned>(march_layout<T>(shape, request.radius).bytes());
  if (static_cast<int>(plan->shape.shared_bytes) > request.device.shared_per_block || !set_tiles(*plan, shape) ||
      !set_chunks(*plan, request.device, shape))
    return std::nullopt;
  plan->variant = variant(request.radius, plan->arguments.columns, shape.height());
  return plan;
}

template <class T>
std::optional<MarchPlan<T>> choose_march(const StencilRequest<T>& request)
{
  const auto points = [&] {
    std::int64_t product = 1;
    for (int p = 0; p < 3; ++p) product *= request.end[p] - request.begin[p];
    return product;
  };
  if (!is_covered(request) || points() < min_march_points || shared_misalignment(request, true)) return std::nullopt;
  std::optional<MarchPlan<T>> best;
  double best_rate = expected_star_rate(request);
  for (int number = 0; number < march_shapes; ++number) {
    const auto plan = plan_march(request, number);
    const double rate = plan ? expected_rate(*plan) : 0;
    if (rate > best_rate) best = plan, best_rate = rate;
  }
  return best;
}

template std::optional<MarchPlan<float>> plan_march(const StencilRequest<float>&, int);
template std::optional<MarchPlan<double>> plan_march(const StencilRequest<double>&, int);
template std::optional<MarchPlan<float>> choose_march(const StencilRequest<float>&);
template std::optional<MarchPlan<double>> choose_march(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
