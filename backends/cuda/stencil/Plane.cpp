// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plane.hpp"

#include "../../../src/keramos/core/Error.hpp"
#include "LineTuning.hpp"
#include "Tile.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::cuda::stencil {
namespace {

/// The weights; false for an application's own operator that only calls itself a star or a box, or lacks a tap of one, as of stars (Star.cpp).
template <class T>
bool set_weights(PlanePlan<T>& plan, const StencilRequest<T>& request)
{
  const int radius = plan.radius, side = 2 * radius + 1;
  if (request.taps != (plan.is_star ? 2 * side - 1 : side * side)) return false;
  for (int t = 0; t < request.taps; ++t) {
    const auto& [x, y, rest] = request.offset[t];
    if (rest != 0 || std::abs(x) > radius || std::abs(y) > radius || (plan.is_star && x != 0 && y != 0)) return false;
    plan.arguments.weight[y + radius][x + radius] += request.weight[t];
  }
  return true;
}

/// A thread's vectors along a row.
template <class T>
std::int64_t vectors_of(const PlaneArguments<T>& a)
{
  const int lean = a.step == 0 ? 0 : vector_width<T> - 1;
  return core::ceil_div(a.range[0].end + lean - a.origin, vector_width<T>);
}

/// Tiles of the grid along a row (PlaneTileKernel.hpp).
template <class T>
std::int64_t tiles_along(const PlaneArguments<T>& a)
{
  return core::ceil_div(vectors_of(a), std::int64_t(1) << plane_tile.lanes);
}

/// Where points begin along an axis of which a thread or a block has so many, that they reach nothing beyond the ends; `before`: of its points before that place.
template <class T>
Range begins_within(const PlaneArguments<T>& a, int p, std::int64_t before, std::int64_t reached, std::int64_t own)
{
  const Range& range = a.range[p];
  const EdgeAxis<T>& axis = a.axis[p];
  return {std::max(range.begin + before, axis.valid_begin + reached),
          std::min(range.end, axis.valid_end - reached) - own + 1};
}

/// Gives the ends of rows blocks of their own, where enough is left between them for warps; rows that are not alike keep them.
template <class T>
void set_ends(PlanePlan<T>& plan)
{
  constexpr std::int64_t width = vector_width<T>;
  PlaneArguments<T>& to = plan.arguments;
  const auto number = [&](std::int64_t x) { return core::ceil_div(std::max<std::int64_t>(x - to.origin, 0), width); };
  const std::int64_t vectors = vectors_of(to), low = number(to.plain[0].begin),
                     high = std::max(number(to.plain[0].end), low);
  const std::int64_t ends = low + vectors - high;
  if (plan.rows != PlaneRows::alike || high - low < 32 || ends <= 0) return;
  const std::int64_t rows = core::ceil_div(to.range[1].end - to.range[1].begin, plane_items);
  if (rows * ends > INT32_MAX) return;
  to.ends = {1, static_cast<unsigned>(low), static_cast<unsigned>(vectors - high), high};
}

/// How the grid is divided into blocks; false if there are too many.
template <class T>
bool set_grid(PlanePlan<T>& plan, int multiprocessors)
{
  PlaneArguments<T>& to = plan.arguments;
  std::int64_t vectors = vectors_of(to);
  const std::int64_t rows = core::ceil_div(to.range[1].end - to.range[1].begin, plane_items);
  if (vectors <= 0 || rows <= 0) return true; // no point: nothing will be launched
  if (to.warps_overlap) vectors = 32 * core::ceil_div(vectors - 1, 31);
  std::int64_t across_x = 0, across_y = 0;
  const int most_threads = plane_threads(plan.kind()), most_lanes = plane_lanes(plan.kind());
  for (int threads = most_threads; threads >= 6; --threads) { // fewer where that leaves multiprocessors without work
    to.lanes = std::min(core::exponent_of(vectors), most_lanes);
    to.across = threads - to.lanes;
    across_x = core::ceil_div(vectors, std::int64_t(1) << to.lanes);
    across_y = core::ceil_div(rows, std::int64_t(1) << to.across);
    if (across_x * across_y >= line_occupancy * multiprocessors) break;
  }
  const std::int64_t threads = std::int64_t(1) << (to.lanes + to.across);
  if (to.ends.blocks > 0)
    to.ends.blocks = static_cast<unsigned>(core::ceil_div(rows * (to.ends.low + to.ends.high), threads));
  if (across_x > (INT32_MAX - to.ends.blocks) / across_y) return false; // blocks are numbered in 31 bits
  to.blocks_along_x = block_divisor(across_x);
  plan.shape.blocks = static_cast<unsigned>(to.ends.blocks + across_x * across_y);
  plan.shape.threads = static_cast<unsigned>(threads);
  return true;
}

/// How many bands of blocks later those are whose rows are asked for. None where the blocks that run at once have too few, or where what
/// lies between rows would be read as well. Fast memory is asked for a whole band, too: of an H100 that costs 7 points.
template <class T>
std::int64_t bands_ahead(const PlanePlan<T>& plan, const StencilRequest<T>& request)
{
  const PlaneArguments<T>& a = plan.arguments;
  const std::int64_t points = a.range[0].end - a.range[0].begin, pitch = request.in.stride[1];
  const bool is_dense = pitch >= points && pitch - points <= points / 16;
  if (!is_dense || !plane_prefetches(plan.kind())) return 0;
  const int blocks = plane_blocks(plan.kind()) * request.device.multiprocessors;
  const std::int64_t bands = blocks / std::int64_t(a.blocks_along_x.d), ahead = bands / plane_prefetch_share;
  return ahead == 0 && has_fast_memory(request.device) ? std::min<std::int64_t>(bands, 1) : ahead;
}

template <class T>
void set_prefetch(PlanePlan<T>& plan, const StencilRequest<T>& request)
{
  PlaneArguments<T>& to = plan.arguments;
  const std::int64_t bands = bands_ahead(plan, request), rows = std::int64_t(plane_items) << to.across;
  const std::int64_t first = to.range[1].begin + bands * rows + plan.radius;
  const std::int64_t end = std::min(to.range[1].end + plan.radius, to.axis[1].valid_end);
  if (bands == 0 || first >= end) return;
  const std::int64_t pitch = request.in.stride[1];
  const auto address = [&](std::int64_t row, std::int64_t x) {
    return reinterpret_cast<std::uintptr_t>(request.in.data + row * pitch + x);
  };
  const std::uintptr_t from = address(first, to.range[0].begin) / 16 * 16;
  const std::int64_t band = rows * pitch * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t piece = core::round_up(core::ceil_div(band, std::int64_t(to.blocks_along_x.d)), 16);
  const std::int64_t last = static_cast<std::int64_t>(address(end - 1, to.range[0].end) - from) - piece;
  if (last < 0) return;
  to.prefetch = {reinterpret_cast<const char*>(from), static_cast<std::uint64_t>(last) + 1, static_cast<unsigned>(band),
                 static_cast<unsigned>(piece)};
}

/// Whose threads take the way without edges. Of warps that overlap neither the first vector of a row nor the last: no other warp has the
/// points that those would leave to it.
template <class T>
void set_plain(PlanePlan<T>& plan)
{
  PlaneArguments<T>& to = plan.arguments;
  constexpr int width = vector_width<T>;
  const int radius = plan.radius, lean = to.step == 0 ? 0 : width - 1;
  const bool by_vectors = lean == 0 && plan.rows == PlaneRows::alike;
  const int lone = to.warps_overlap ? width : 0;
  const std::int64_t reach = by_vectors ? core::round_up(radius, width) : radius + lean + width;
  to.plain[0] = begins_within(to, 0, lean + lone, reach, width + lone);
  to.plain[1] = begins_within(to, 1, 0, radius, plane_items);
}

/// Tiles of the grid that come to shared memory; 0 where it is not divided into such.
template <class T>
std::int64_t plane_tiles(const PlanePlan<T>& plan, const Device& device)
{
  const PlaneArguments<T>& a = plan.arguments;
  if (plan.rows != PlaneRows::alike || !has_plane_tile(plan.kind()) || !has_bulk_copies(device)) return 0;
  const std::int64_t rows = a.range[1].end - a.range[1].begin, along = tiles_along(a);
  if (along < min_plane_tiles_along || rows <= 0) return 0;
  const std::int64_t tiles = along * core::ceil_div(rows, std::int64_t(plane_tile.height()));
  return tiles >= std::int64_t(plane_tile.blocks) * device.multiprocessors && tiles <= INT32_MAX ? tiles : 0;
}

/// A block has a tile (PlaneTileKernel.hpp).
template <class T>
void set_tiles(PlanePlan<T>& plan, std::int64_t tiles)
{
  constexpr const PlaneTileShape& tile = plane_tile;
  constexpr int bytes = sizeof(T), lean = vector_width<T> - 1;
  PlaneArguments<T>& to = plan.arguments;
  const int radius = plan.radius;
  plan.by_tiles = true;
  to.lanes = tile.lanes, to.across = tile.across;
  to.plain[0] = begins_within(to, 0, lean, lean + tile.halo(radius, bytes) + tile.slack(bytes), tile.width(bytes));
  to.plain[1] = begins_within(to, 1, 0, radius, tile.height());
  to.blocks_along_x = block_divisor(tiles_along(to));
  plan.shape.blocks = static_cast<unsigned>(tiles);
  plan.shape.threads = static_cast<unsigned>(tile.threads());
  plan.shape.shared_bytes = static_cast<unsigned>(tile.bytes(radius, bytes));
}

/// Threads load what they read by themselves; false if there are too many blocks.
template <class T>
bool set_threads(PlanePlan<T>& plan, const StencilRequest<T>& request)
{
  set_plain(plan);
  set_ends(plan);
  if (!set_grid(plan, request.device.multiprocessors)) return false;
  set_prefetch(plan, request);
  return true;
}

/// Elements from the last boundary of 16 bytes to row y's element 0; of a single row, to that.
template <class T>
int row_begin(const core::Field<T, 3>& field, std::int64_t y)
{
  const std::int64_t row = field.extent[1] > 1 ? y * field.stride[1] : 0;
  return static_cast<int>(
      (reinterpret_cast<std::uintptr_t>(field.data) / sizeof(T) + static_cast<std::uintptr_t>(row)) %
      vector_width<std::remove_const_t<T>>);
}

/// Which of the epilogue's operands are fields whose rows begin so far behind a boundary, one and the next.
template <class T>
unsigned operands_alike(const StencilRequest<T>& request, int first, int second)
{
  unsigned result = 0;
  const std::int64_t y = request.begin[1];
  for (int n = 0; n < std::min(request.operands, 32); ++n) {
    const auto& field = request.operand[n].field;
    const bool is_alike = request.operand[n].is_field() && field.stride[0] == 1 && row_begin(field, y) == first &&
                          row_begin(field, y + 1) == second;
    result |= static_cast<unsigned>(is_alike) << n;
  }
  return result;
}

core::Text variant(bool is_star, int radius, int points, int rows, int vector, bool by_tiles)
{
  return [=] {
    return core::text(is_star ? "star" : "box", "<2,", radius, "> rows ", points, "x", rows, " v", vector,
                      by_tiles ? " tiles" : "");
  };
}

} // namespace

template <class T>
std::optional<PlanePlan<T>> choose_plane(const StencilRequest<T>& request)
{
  const bool is_star = request.shape == Shape::star, is_box = request.shape == Shape::box;
  if (!(is_star || is_box) || request.rank != 2 || !request.taps_follow_axes) return std::nullopt;
  if (request.radius < 1 || request.radius > max_plane_star) return std::nullopt;
  if (is_box && dense_box_radius(request) == 0) return std::nullopt;
  const std::int64_t y = request.begin[1];
  const int first = row_begin(request.in, y), second = row_begin(request.in, y + 1);
  const bool is_alike = row_begin(request.out, y) == first && row_begin(request.out, y + 1) == second;
  std::optional<PlanePlan<T>> plan(std::in_place);
  plan->is_star = is_star;
  plan->has_epilogue = !request.only_stores;
  plan->radius = request.radius;
  plan->rows = is_alike ? PlaneRows::alike : PlaneRows::shifted;
  if (request.in.stride[0] != 1 || request.out.stride[0] != 1 || !has_plane<T>(is_star, plan->radius, plan->rows))
    return std::nullopt;
  if (!set_weights(*plan, request)) return std::nullopt;
  constexpr int width = vector_width<T>;
  PlaneArguments<T>& to = plan->arguments;
  set_grid_arguments(to, request, {0, 1, 2}, request.radius);
  to.origin = is_alike ? aligned_begin(to.range[0].begin, first, width) : to.range[0].begin;
  to.step = is_alike ? (second - first + width) % width : 0;
  to.operands_alike = operands_alike(request, first, second);
  to.y_decides = request.axes.position[1] == 1;
  to.warps_overlap = !is_alike && vectors_of(to) >= 32;
  if (const std::int64_t tiles = plane_tiles(*plan, request.device); tiles > 0)
    set_tiles(*plan, tiles);
  else if (!set_threads(*plan, request))
    return std::nullopt;
  plan->variant = variant(is_star, plan->radius, width << to.lanes, plane_items << to.across, width, plan->by_tiles);
  return plan;
}

template std::optional<PlanePlan<float>> choose_plane(const StencilRequest<float>&);
template std::optional<PlanePlan<double>> choose_plane(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
