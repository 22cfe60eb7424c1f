// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tile.hpp"

#include "../../../src/keramos/core/Error.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// A layout with the bytes of its tile, which may be far too many.
struct Candidate {
  TileLayout layout;
  std::int64_t tile_bytes = 0;

  std::int64_t bytes() const { return layout.table_bytes + tile_bytes; }
};

template <class T>
Candidate candidate(const StencilRequest<T>& request, bool vectorised, int warps, int columns)
{
  Candidate result;
  TileLayout& layout = result.layout;
  layout.warps = warps;
  layout.columns = columns;
  layout.column_axis = request.rank == 1 ? 0 : 1;
  layout.points[0] = 32 * tile_lanes;
  if (request.rank == 1) {
    layout.column_step = layout.points[0] * warps;
    layout.points[0] *= warps * columns;
  } else if (request.rank == 2) {
    layout.points[1] = warps * columns;
  } else {
    layout.points[1] = columns;
    layout.points[2] = warps;
  }
  layout.vector = vectorised ? vector_width<T> : 1;
  const auto& axes = request.axes;
  layout.halo_low = static_cast<int>(core::round_up(axes[0].reach_low, layout.vector));
  layout.length[0] =
      layout.halo_low + layout.points[0] + static_cast<int>(core::round_up(axes[0].reach_high, layout.vector));
  result.tile_bytes = std::int64_t(sizeof(T)) * layout.length[0];
  for (int p = 1; p < 3; ++p) {
    layout.length[p] = layout.points[p] + axes[p].reach_low + axes[p].reach_high;
    result.tile_bytes = std::min<std::int64_t>(result.tile_bytes * layout.length[p], 1 << 30); // fits in no case
  }
  const int indices = layout.length[0] + layout.length[1] + layout.length[2];
  layout.table_bytes = static_cast<int>(core::round_up(8 * indices, 16));
  return result;
}

/// The tile that loads least for each point it computes, among those of which a multiprocessor holds two, else one.
template <class T>
std::optional<Candidate> best_candidate(const StencilRequest<T>& request, bool vectorised, bool is_box)
{
  std::optional<Candidate> best;
  double best_share = 0;
  const Device& device = request.device;
  const int half = device.shared_per_multiprocessor / 2 - 1024;
  for (const int available : {std::min(half, device.shared_per_block), device.shared_per_block}) {
    for (int warps = 8; warps >= 1; warps /= 2)
      for (int columns = tile_columns; columns >= 1; columns /= 2) {
        const Candidate next = candidate(request, vectorised, warps, columns);
        const bool offsets_fit = next.tile_bytes / std::int64_t(sizeof(T)) <= 1 << 16;
        if (next.bytes() > available || !offsets_fit || (is_box && columns < tile_columns)) continue;
        const double share = double(warps) * columns / static_cast<double>(next.bytes());
        if (share > best_share) best = next, best_share = share;
      }
    if (best) break;
  }
  return best;
}

/// How the grid is divided into blocks; false if there are too many.
template <class T>
bool set_grid(TileGrid<T>& grid)
{
  TileArguments<T>& to = grid.arguments;
  std::int64_t blocks = 1;
  for (int p = 0; p < 3; ++p) {
    const std::int64_t points = to.range[p].end - (p == 0 ? to.origin : to.range[p].begin);
    const std::int64_t count = core::ceil_div(std::max<std::int64_t>(points, 0), to.layout.points[p]);
    if (count > 0 && blocks > INT32_MAX / count) return false; // blocks are numbered in 31 bits
    blocks *= count;
    to.blocks[p] = static_cast<unsigned>(count);
  }
  grid.shape.blocks = static_cast<unsigned>(blocks);
  grid.shape.threads = static_cast<unsigned>(32 * to.layout.warps);
  return true;
}

core::Text variant(Shape shape, int rank, int radius, int taps, const TileLayout& layout)
{
  return [shape, rank, radius, taps, x = layout.points[0], y = layout.points[1], z = layout.points[2],
          vector = layout.vector] {
    return core::text(core::shape_text(shape, rank, radius, taps), " tile ", x, "x", y, "x", z, " v", vector);
  };
}

} // namespace

template <class T>
int dense_box_radius(const StencilRequest<T>& request)
{
  if (request.shape != Shape::box || request.rank < 2 || request.radius > max_box_radius || !request.taps_follow_axes)
    return 0;
  for (int p = 0; p < 3; ++p) {
    const int reach = p < request.rank ? request.radius : 0;
    if (request.axes[p].reach_low != reach || request.axes[p].reach_high != reach) return 0;
  }
  const int side = 2 * request.radius + 1;
  return request.taps == side * side * (request.rank == 3 ? side : 1) ? request.radius : 0;
}

template <class T>
std::optional<TileGrid<T>> choose_tile(const StencilRequest<T>& request)
{
  constexpr int far = 1 << 16; // no shared memory holds such a halo, and its sums would leave the range of int
  for (int p = 0; p < 3; ++p)
    if (request.axes[p].reach_low > far || request.axes[p].reach_high > far) return std::nullopt;
  const std::optional<int> misalignment = row_misalignment(request.in);
  const int radius = dense_box_radius(request);
  const auto best = best_candidate(request, misalignment.has_value(), radius > 0);
  if (!best) return std::nullopt;

  std::optional<TileGrid<T>> grid(std::in_place);
  grid->box_rank = request.rank;
  grid->box_radius = radius;
  grid->arguments.in = request.in;
  grid->arguments.out = request.out;
  grid->arguments.axes = request.axes;
  grid->arguments.layout = best->layout;
  for (int p = 0; p < 3; ++p) grid->arguments.range[p] = {request.begin[p], request.end[p]};
  const std::int64_t begin = request.begin[0];
  grid->arguments.origin = misalignment ? aligned_begin(begin, *misalignment, vector_width<T>) : begin;
  grid->shape.shared_bytes = static_cast<unsigned>(best->bytes());
  if (!set_grid(*grid)) return std::nullopt;
  grid->variant = variant(request.shape, request.rank, request.radius, request.taps, best->layout);
  return grid;
}

template <class T>
void set_tile_taps(const StencilRequest<T>& request, const TileGrid<T>& grid, T* weight, std::uint16_t* offset)
{
  const int radius = grid.box_radius, side = 2 * radius + 1;
  if (radius > 0) {
    for (int t = 0; t < request.taps; ++t) {
      const auto& at = request.offset[t];
      const int plane = grid.box_rank == 3 ? at[2] + radius : 0;
      weight[(plane * side + at[1] + radius) * side + at[0] + radius] = request.weight[t];
    }
    return;
  }
  const TileLayout& layout = grid.arguments.layout;
  const int pitch[3] = {1, layout.row_pitch(), layout.plane_pitch()};
  for (int t = 0; t < request.taps; ++t) {
    int from_first = 0;
    for (int p = 0; p < 3; ++p) from_first += (request.offset[t][p] + request.axes[p].reach_low) * pitch[p];
    weight[t] = request.weight[t];
    offset[t] = static_cast<std::uint16_t>(from_first);
  }
}

template int dense_box_radius(const StencilRequest<float>&);
template int dense_box_radius(const StencilRequest<double>&);
template std::optional<TileGrid<float>> choose_tile(const StencilRequest<float>&);
template std::optional<TileGrid<double>> choose_tile(const StencilRequest<double>&);
template void set_tile_taps(const StencilRequest<float>&, const TileGrid<float>&, float*, std::uint16_t*);
template void set_tile_taps(const StencilRequest<double>&, const TileGrid<double>&, double*, std::uint16_t*);

} // namespace Keramos::cuda::stencil
