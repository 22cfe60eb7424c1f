// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the host divides planes whose rows are short into tiles of blocks, for NarrowMarch.cpp and NarrowRows.cpp. Shared memory has `ring` tiles with
// their halos.
#pragma once

#include "MarchSchedule.hpp"
#include "NarrowMarch.hpp"

#include <algorithm>
#include <cstring>

namespace Keramos::cuda::stencil {

/// Steps of a chunk at most (chosen, not measured).
inline constexpr int max_narrow_chunk = 4096;

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
template <class Plan, class T>
bool set_tile(Plan& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape, int ring,
              std::int64_t across)
{
  NarrowMarchArguments<T>& to = plan.arguments;
  to.columns = static_cast<int>(core::ceil_div(points_of(request, 0), across));
  to.pitch = narrow_pitch<T>(to.columns, plan.radius, shape.rows);
  const auto plane = [&](int groups) { return to.pitch * (groups * shape.rows + 2 * plan.radius); };
  const auto bytes = [&](int groups) { return ring * plane(groups) * static_cast<int>(sizeof(T)); };
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

/// How much of a block sums, by how much of what it brings are its own points.
inline double worth(const auto& plan, const NarrowMarchShape& shape)
{
  const auto& to = plan.arguments;
  const double columns = to.columns, rows = to.groups * shape.rows, halo = 2 * plan.radius;
  return columns * to.groups / shape.threads * (columns / (columns + halo)) * (rows / (rows + halo));
}

/// Whole rows, or as few tiles along them as there can be; of rows of which one to three would leave many threads without work, halves, or the best of
/// smaller parts.
template <class Plan, class T>
bool set_tiles(Plan& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape, int ring)
{
  const std::int64_t extent = points_of(request, 0), least = core::ceil_div(extent, shape.threads);
  const std::int64_t columns = core::ceil_div(extent, least), idle = shape.threads % columns;
  const bool parts = shape.threads / columns < 4 && idle * 5 > shape.threads;
  if (!parts && set_tile(plan, request, shape, ring, least)) return true;
  std::int64_t best = 2 * least;
  double best_worth = set_tile(plan, request, shape, ring, best) ? worth(plan, shape) : 0;
  for (int groups = 2; shape.threads / groups >= min_narrow_columns; ++groups) {
    const std::int64_t across = core::ceil_div(extent, shape.threads / groups);
    if (across <= best || extent / across < min_narrow_columns || !set_tile(plan, request, shape, ring, across))
      continue;
    if (worth(plan, shape) > best_worth) best = across, best_worth = worth(plan, shape);
  }
  return set_tile(plan, request, shape, ring, best);
}

/// Chunks of `steps` steps of a block, a plane or a tile each, such that blocks fill the GPU: `tiles` beside each other, a chunk costs `ramp` steps more.
/// False if there are too many.
template <class Plan, class T>
bool set_chunks(Plan& plan, const StencilRequest<T>& request, const NarrowMarchShape& shape, std::int64_t steps,
                std::int64_t tiles, int ramp)
{
  const int resident = resident_blocks(request.device, static_cast<int>(plan.shape.shared_bytes), shape.blocks);
  const MarchSchedule schedule =
      even_schedule(steps, tiles, request.device.multiprocessors * resident, ramp, max_narrow_chunk);
  if (schedule.blocks > INT32_MAX) return false;
  plan.arguments.chunk = schedule.chunk;
  plan.shape.blocks = static_cast<unsigned>(schedule.blocks);
  plan.shape.threads = static_cast<unsigned>(shape.threads);
  return true;
}

/// Whether all that an operator of this radius reads beyond the field is memory or one value: planes of values have it in all their cells.
template <class T>
bool has_one_value(const NarrowMarchArguments<T>& grid, int radius)
{
  std::optional<T> one;
  for (const EdgeAxis<T>& axis : grid.axis)
    for (int k = axis.reach - radius; k < axis.reach + radius; ++k) {
      if (axis.beyond[k] != core::no_index) continue;
      const T value = k < axis.reach ? axis.low_value : axis.high_value;
      if (!one) one = value;
      if (std::memcmp(&*one, &value, sizeof(T)) != 0) return false;
    }
  return true;
}

} // namespace Keramos::cuda::stencil
