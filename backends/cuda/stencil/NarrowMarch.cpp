// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NarrowMarch.hpp"
#include "MarchSchedule.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::cuda::stencil {
namespace {

/// Planes of a chunk at most (chosen, not measured).
constexpr int max_narrow_chunk = 4096;

/// Elements from a row of shared memory to the next, such that lanes of a warp that go on in the next group of rows find other banks.
template <class T>
int narrow_pitch(int columns, int radius, int rows)
{
  const int period = 128 / static_cast<int>(sizeof(T)) / rows, wanted = core::ceil_div(columns, rows) % period;
  int pitch = columns + 2 * radius;
  while (pitch % period != wanted) ++pitch;
  return pitch;
}

/// So many tiles along x: as many groups of rows as there are threads for, or as their cells allow, and about as many in each tile; false if there is
/// none.
template <class T>
bool set_tile(NarrowMarchPlan<T>& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape,
              std::int64_t across)
{
  NarrowMarchArguments<T>& to = plan.arguments;
  const int kept = request.only_stores ? 0 : plan.radius;
  to.columns = static_cast<int>(core::ceil_div(points_of(request, 0), across));
  to.pitch = narrow_pitch<T>(to.columns, plan.radius, shape.rows);
  const auto plane = [&](int groups) { return to.pitch * (groups * shape.rows + 2 * plan.radius); };
  const auto bytes = [&](int groups) { return (2 + kept) * plane(groups) * static_cast<int>(sizeof(T)); };
  const std::int64_t down = core::ceil_div(points_of(request, 1), shape.rows);
  int groups = static_cast<int>(std::min<std::int64_t>(shape.threads / to.columns, down));
  while (groups > 0 && (plane(groups) > shape.cells * shape.threads || bytes(groups) > request.device.shared_per_block))
    --groups;
  if (groups == 0) return false;
  to.tiles[0] = static_cast<unsigned>(across);
  to.tiles[1] = static_cast<unsigned>(core::ceil_div(down, groups));
  to.groups = static_cast<int>(core::ceil_div(down, to.tiles[1]));
  to.plane = plane(to.groups);
  plan.shape.shared_bytes = static_cast<unsigned>(bytes(to.groups));
  return true;
}

/// Whole rows, or as few tiles along them as there can be; of rows of which two or three would leave many threads without work, halves.
template <class T>
bool set_tiles(NarrowMarchPlan<T>& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape)
{
  const std::int64_t extent = points_of(request, 0), least = core::ceil_div(extent, shape.threads);
  const std::int64_t columns = core::ceil_div(extent, least), idle = shape.threads % columns;
  const bool halves = shape.threads / columns < 4 && idle * 5 > shape.threads;
  return set_tile(plan, request, shape, halves ? 2 * least : least) || set_tile(plan, request, shape, 2 * least);
}

template <class T>
bool set_blocks(NarrowMarchPlan<T>& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape)
{
  NarrowMarchArguments<T>& to = plan.arguments;
  const std::int64_t tiles = std::int64_t(to.tiles[0]) * to.tiles[1];
  const int resident = resident_blocks(request.device, static_cast<int>(plan.shape.shared_bytes), shape.blocks);
  const MarchSchedule schedule = even_schedule(points_of(request, 2), tiles, request.device.multiprocessors * resident,
                                               2 * plan.radius, max_narrow_chunk);
  if (schedule.blocks > INT32_MAX) return false;
  to.chunk = schedule.chunk;
  plan.shape.blocks = static_cast<unsigned>(schedule.blocks);
  plan.shape.threads = static_cast<unsigned>(shape.threads);
  return true;
}

/// Points along x of a tile of the kernel that takes rows on 16 bytes otherwise.
template <class T>
int other_tile(int radius, NarrowWork work)
{
  return work == NarrowWork::functor ? star_shape(3, radius, sizeof(T)).width * vector_width<T> : 32 * vector_width<T>;
}

/// Whether 32 bits hold where an element of a plane lies, or of what is beside it, in bytes.
template <class T>
bool has_small_planes(const StencilRequest<T>& request)
{
  constexpr std::int64_t limit = INT32_MAX / static_cast<int>(sizeof(T));
  std::int64_t reach = 0;
  for (int p = 0; p < 2; ++p) {
    const std::int64_t stride = std::abs(request.in.stride[p]), extent = request.in.extent[p] + 2 * request.radius;
    if (extent > limit || stride > limit / extent) return false;
    reach += stride * extent;
  }
  return reach <= limit;
}

} // namespace

template <class T>
std::optional<NarrowMarchPlan<T>> plan_narrow_march(const StencilRequest<T>& request)
{
  if (request.rank != 3 || request.radius > max_narrow_radius || points_of(request) == 0 || !has_small_planes(request))
    return std::nullopt;
  const auto weights = star_weights(request, {0, 1, 2});
  if (!weights) return std::nullopt;
  std::optional<NarrowMarchPlan<T>> plan(std::in_place);
  plan->radius = request.radius;
  plan->weights = *weights;
  set_grid_arguments(plan->arguments, request, {0, 1, 2}, plan->radius);
  const NarrowMarchShape shape = narrow_march_shape(plan->radius, sizeof(T));
  if (!set_tiles(*plan, request, shape) || !set_blocks(*plan, request, shape)) return std::nullopt;
  plan->variant = [radius = plan->radius, columns = plan->arguments.columns,
                   height = plan->arguments.groups * shape.rows] {
    return core::text("star<3,", radius, "> narrow ", columns, "x", height);
  };
  return plan;
}

template <class T>
std::optional<NarrowMarchPlan<T>> choose_narrow_march(const StencilRequest<T>& request, NarrowWork work)
{
  if (request.device.architecture < 90) return std::nullopt; // where it was measured
  if (request.rank != 3 || request.radius < 1 || request.radius > max_narrow_radius) return std::nullopt;
  if (request.in.stride[0] != 1 || request.out.stride[0] != 1) return std::nullopt;
  const std::int64_t row = points_of(request, 0);
  const NarrowLimit limit = narrow_limit(work, request.radius, sizeof(T));
  if (row > limit.row || points_of(request) < min_narrow_points) return std::nullopt;
  const bool fills_others =
      shared_misalignment(request, true).has_value() && filled(row, other_tile<T>(request.radius, work)) > limit.fill;
  return fills_others ? std::nullopt : plan_narrow_march(request);
}

template std::optional<NarrowMarchPlan<float>> plan_narrow_march(const StencilRequest<float>&);
template std::optional<NarrowMarchPlan<double>> plan_narrow_march(const StencilRequest<double>&);
template std::optional<NarrowMarchPlan<float>> choose_narrow_march(const StencilRequest<float>&, NarrowWork);
template std::optional<NarrowMarchPlan<double>> choose_narrow_march(const StencilRequest<double>&, NarrowWork);

} // namespace Keramos::cuda::stencil
