// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tile.hpp"

#include "../../src/core/Error.hpp"

namespace Keramos::cuda {
namespace {

TilePlan tile_of(const TileRequest& request, int warps, int columns)
{
  TilePlan plan;
  plan.warps = warps;
  plan.columns = columns;
  plan.box_radius = request.box_radius;
  plan.column_axis = request.rank == 1 ? 0 : 1;
  plan.points[0] = 32 * tile_lanes;
  if (request.rank == 1) {
    plan.column_step = plan.points[0] * warps;
    plan.points[0] *= warps * columns;
  } else if (request.rank == 2) {
    plan.points[1] = warps * columns;
  } else {
    plan.points[1] = columns;
    plan.points[2] = warps;
  }
  plan.vector = request.phase ? 16 / request.element_bytes : 1;
  plan.origin = request.begin[0] - (request.phase ? (request.begin[0] + *request.phase) % plan.vector : 0);
  plan.lead = rounded_up(request.reach_low[0], plan.vector);
  plan.length[0] = plan.lead + plan.points[0] + rounded_up(request.reach_high[0], plan.vector);
  std::int64_t bytes = std::int64_t(request.element_bytes) * plan.length[0];
  for (int p = 1; p < 3; ++p) {
    plan.length[p] = plan.points[p] + request.reach_low[p] + request.reach_high[p];
    bytes = std::min<std::int64_t>(bytes * plan.length[p], 1 << 30); // more than a GiB does not fit in any case
  }
  plan.places_bytes = 8 * rounded_up(plan.length[0] + plan.length[1] + plan.length[2], 2);
  plan.tile_bytes = static_cast<int>(bytes);
  plan.shared_bytes = plan.tile_bytes + plan.places_bytes;
  return plan;
}

} // namespace

std::optional<TilePlan> plan_tile(const Device& device, const TileRequest& request)
{
  constexpr int far = 1 << 16; // no shared memory holds such a halo, and its sums would leave the range of int
  for (int p = 0; p < 3; ++p)
    if (request.reach_low[p] > far || request.reach_high[p] > far) return std::nullopt;
  // The tile that loads least for each point it computes, among those of which a multiprocessor holds two, else one.
  std::optional<TilePlan> best;
  double best_share = 0;
  const int room_for_two = device.shared_per_multiprocessor / 2 - 1024;
  for (const int room : {std::min(room_for_two, device.shared_per_block), device.shared_per_block}) {
    for (int warps = 8; warps >= 1; warps /= 2)
      for (int columns = tile_columns; columns >= 1; columns /= 2) {
        const TilePlan plan = tile_of(request, warps, columns);
        const bool places_fit = plan.tile_bytes / request.element_bytes <= 1 << 16;
        if (plan.shared_bytes > room || !places_fit || (plan.box_radius > 0 && columns < tile_columns)) continue;
        const double share = double(warps) * columns / plan.shared_bytes;
        if (share > best_share) best = plan, best_share = share;
      }
    if (best) break;
  }
  if (!best) return std::nullopt;
  std::int64_t blocks = 1;
  for (int p = 0; p < 3; ++p) {
    const std::int64_t begin = p == 0 ? best->origin : request.begin[p];
    const std::int64_t count = pieces(std::max<std::int64_t>(request.end[p] - begin, 0), best->points[p]);
    if (count > 0 && blocks > INT32_MAX / count) return std::nullopt; // blocks are numbered in 31 bits
    blocks *= count;
    best->blocks[p] = static_cast<unsigned>(count);
  }
  return best;
}

std::string tile_variant(const std::string& shape, const TilePlan& plan)
{
  return core::text(shape, " tile ", plan.points[0], "x", plan.points[1], "x", plan.points[2], " v", plan.vector);
}

} // namespace Keramos::cuda
