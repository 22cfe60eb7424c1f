// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanTile.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "BoxTuning.hpp"
#include "RowsBox.hpp"

#include <algorithm>
#include <numeric>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;

/// Share of the tiles' elements that are elements of the array; along one axis.
double fill_along(std::int64_t extent, int side)
{
  return static_cast<double>(extent) / static_cast<double>(core::round_up(extent, side));
}
double fill(const MoveAxis& a, const MoveAxis& b, const Sides& sides)
{
  return fill_along(a.extent, sides.a) * fill_along(b.extent, sides.b);
}

/// Few rows of the output, or rows far from each other.
bool wants_wide_tiles(const MoveAxis& b, int size)
{
  const int side = sides_of<WideVectorTile>(size).b;
  return b.extent <= side ? 2 * b.extent > side : b.extent >= min_far_rows && b.out * size >= min_far_bytes;
}

/// Large tiles where they fill the GPU for long and are nearly as full as small ones.
MoveKind vector_tile_kind(const Device& device, const MoveAxes& axes, int size, int x, int y)
{
  const Sides small = sides_of<SmallVectorTile>(size);
  if (small.a == 0) return MoveKind::tile_vector;
  const bool wide = sides_of<WideVectorTile>(size).a > 0 && wants_wide_tiles(axes[y], size);
  const Sides large = wide ? sides_of<WideVectorTile>(size) : sides_of<VectorTile>(size);
  double tiles = ceil_div(axes[x].extent, large.a) * ceil_div(axes[y].extent, large.b);
  for (int k = 0; k < axes.count; ++k)
    if (k != x && k != y) tiles *= static_cast<double>(axes[k].extent);
  const int least = size == 1 ? min_large_byte_tiles : min_large_tiles;
  const bool last_long = tiles >= double(least) * device.multiprocessors;
  const bool full = fill(axes[x], axes[y], large) >= min_large_fill * fill(axes[x], axes[y], small);
  if (!last_long || !full) return MoveKind::tile_vector_small;
  return wide ? MoveKind::tile_vector_wide : MoveKind::tile_vector;
}

/// Tiles in sectors; those of functors that narrow elements follow from their sizes.
Sides unaligned_sides(const Layout& layout)
{
  if (layout.in_size == layout.out_size) return sides_of<UnalignedTile>(layout.in_size);
  return {narrowing_tile_a(layout.out_size), narrowing_tile_b(layout.in_size)};
}

Sides tile_sides(MoveKind kind, const Layout& layout)
{
  const int size = layout.size();
  if (kind == MoveKind::tile_vector) return sides_of<VectorTile>(size);
  if (kind == MoveKind::tile_vector_small) return sides_of<SmallVectorTile>(size);
  if (kind == MoveKind::tile_vector_wide) return sides_of<WideVectorTile>(size);
  if (kind == MoveKind::tile_small) return sides_of<SmallTile>(size);
  if (kind == MoveKind::tile_unaligned) return unaligned_sides(layout);
  return sides_of<ElementTile>(size);
}

/// Rows of either side that follow each other in memory and that tiles do not cut.
bool has_whole_rows_of_output(const MoveAxis& a, const MoveAxis& b, const Sides& sides)
{
  return a.extent <= sides.a && b.out == a.extent;
}
bool has_whole_rows_of_input(const MoveAxis& a, const MoveAxis& b, const Sides& sides)
{
  return b.extent <= sides.b && a.in == b.extent;
}

/// Do all pieces of rows that aligned tiles have begin on so many bytes, up to where the arrays do?
bool begin_on(int bytes, const Layout& layout, int x, int y, const Sides& sides)
{
  const MoveAxis &a = layout.axes[x], &b = layout.axes[y];
  return (has_whole_rows_of_input(a, b, sides) || pitches_are_multiples_of(bytes, layout, y, &MoveAxis::in)) &&
         (has_whole_rows_of_output(a, b, sides) || pitches_are_multiples_of(bytes, layout, x, &MoveAxis::out));
}

/// Where the fast axes are contiguous.
bool fits_small_tiles(const Layout& layout, int x, int y)
{
  const Sides sides = sides_of<SmallTile>(layout.size());
  return sides.a > 0 && fill(layout.axes[x], layout.axes[y], sides) >= min_unaligned_fill;
}

/// Rows of the array for which a tile is there: unaligned ones share those of a sector of the output.
int own_rows(const Sides& sides, int out_size) { return sides.a - sector_bytes / out_size; }

/// Unaligned tiles begin up to an element less than a sector in front of themselves.
std::int64_t unaligned_tiles(std::int64_t extent, const Sides& sides, int out_size)
{
  return ceil_div(extent + sector_bytes / out_size - 1, own_rows(sides, out_size));
}

/// Peels are for tiles of aligned vectors: others do not begin on lines anyway.
void peel(const Layout& layout, int x, int y, const Sides& sides, TileJob& job)
{
  const auto& axes = layout.axes;
  std::int64_t in_pitch = 0, out_pitch = 0;
  for (int k = 0; k < axes.count; ++k) {
    if (k != y) in_pitch = std::gcd(in_pitch, axes[k].in);
    if (k != x) out_pitch = std::gcd(out_pitch, axes[k].out);
  }
  job.peel_a = peel_of(layout.out, layout.size(), sides.a, axes[x].extent, out_pitch);
  job.peel_b = peel_of(layout.in, layout.size(), sides.b, axes[y].extent, in_pitch);
}

/// The whole batch lies between neighbours along b in the output: a tile's rows are then as many pages of memory, which blocks that
/// go through the batch first have in common. 256x512x1024 f32 reversed, along b first and so: 86.1, 88.4 (128x64: 87.7, 92.3).
bool batch_lies_within(const MoveAxes& axes, int y) { return axes.count > 2 && y == axes.count - 1; }

/// Tiles that begin anywhere share lines of the input with the next ones along b, or, where there is one, along the axis of the batch
/// that continues it. Where too much is moved in between, blocks walk along that axis before the others of the batch, and tiles
/// along a come in bands, the number of which is returned: `tiles` becomes those of a band.
std::int64_t make_bands(const Layout& layout, const Sides& sides, std::int64_t tiles_b, std::int64_t extent_b,
                        std::int64_t& tiles, Batch& batch)
{
  std::int64_t to_neighbour = tiles;
  int next = 0;
  if (tiles_b == 1) {
    for (; next < batch.count && batch.axis[next].in != extent_b; ++next) to_neighbour *= batch.axis[next].extent.d;
    if (next == batch.count) return 1;
  }
  const std::int64_t most = layout.in_size < min_box_rows_size ? max_bytes_without_bands : max_bytes_to_neighbour;
  if (to_neighbour * own_rows(sides, layout.out_size) * sides.b * layout.in_size <= most) return 1;
  std::rotate(batch.axis, batch.axis + next, batch.axis + next + (tiles_b == 1));
  const std::int64_t bands = ceil_div(tiles, max_band_tiles);
  tiles = ceil_div(tiles, bands);
  return bands;
}

/// Elements of 16 bytes: rows of the input, of which blocks come late to the next tile, that are short or share units of memory.
bool has_late_rows(const Layout& layout, int x, int y, const Sides& sides)
{
  const auto& axes = layout.axes;
  std::int64_t between = ceil_div(axes[x].extent, sides.a) * sides.a * sides.b * layout.size();
  if (batch_lies_within(axes, y)) between *= axes.size() / (axes[x].extent * axes[y].extent);
  const bool suits = axes[y].extent >= min_tiles_of_late_rows * sides.b &&
                     pitches_are_multiples_of(memory_unit_bytes, layout, y, &MoveAxis::in);
  return !suits && between > max_bytes_to_late_rows;
}

} // namespace

bool pitches_are_multiples_of(int bytes, const Layout& layout, int fast, std::int64_t MoveAxis::*stride)
{
  bool all = true;
  for (int k = 0; k < layout.axes.count; ++k)
    all = all && (k == fast || layout.axes[k].*stride * layout.size() % bytes == 0);
  return all;
}

core::Text tile_text(const char* what, const Sides& sides, int elements, const char* behind)
{
  return [=] {
    const std::string tile = core::text(what, sides.a, "x", sides.b);
    return elements > 0 ? core::text(tile, " v", elements, behind) : core::text(tile, behind);
  };
}

MoveKind tile_kind(const Device& device, const Layout& layout, int x, int y)
{
  const auto& axes = layout.axes;
  if (axes[x].out != 1 || axes[y].in != 1) return MoveKind::tile;
  const bool small = is_small(device, layout);
  if (layout.is_aligned(16) && pitches_are_multiples_of(16, layout, y, &MoveAxis::in) &&
      pitches_are_multiples_of(16, layout, x, &MoveAxis::out)) {
    const MoveKind kind = vector_tile_kind(device, axes, layout.size(), x, y);
    if (small || layout.size() == 16 || begin_on(sector_bytes, layout, x, y, tile_sides(kind, layout))) return kind;
  }
  if (small && fits_small_tiles(layout, x, y)) return MoveKind::tile_small;
  return layout.size() < 16 ? MoveKind::tile_unaligned : MoveKind::tile;
}

bool are_large_vector_tiles(const Device& device, const Layout& layout, MoveKind kind)
{
  const bool by_vectors = kind != MoveKind::tile && kind != MoveKind::tile_unaligned && kind != MoveKind::tile_small;
  return by_vectors && (layout.size() == 4 || layout.size() == 8) && !is_small(device, layout);
}

bool share_units(const Device& device, const Layout& layout, int x, int y, MoveKind kind)
{
  const std::int64_t least = std::min(layout.axes[x].extent, layout.axes[y].extent) * layout.size();
  return are_large_vector_tiles(device, layout, kind) && least >= min_bytes_of_rows_in_units &&
         !begin_on(memory_unit_bytes, layout, x, y, tile_sides(kind, layout));
}

bool is_small(const Device& device, const Layout& layout)
{
  return layout.axes.size() <= max_small_elements * device.multiprocessors;
}

bool has_lines_of_output(const Layout& layout, int x, int y, MoveKind kind)
{
  return has_whole_rows_of_output(layout.axes[x], layout.axes[y], tile_sides(kind, layout)) ||
         pitches_are_multiples_of(line_bytes, layout, x, &MoveAxis::out);
}

bool have_rows_of_matrix(const Layout& layout, int y, MoveKind kind)
{
  return kind == MoveKind::tile_unaligned && layout.axes.count == 2 &&
         layout.axes.size() * layout.size() >= min_narrow_matrix_bytes &&
         layout.axes[y].extent <= tile_sides(kind, layout).b;
}

bool fills_tiles(const Layout& layout, int x, int y, MoveKind kind, double least)
{
  return fill(layout.axes[x], layout.axes[y], tile_sides(kind, layout)) >= least;
}

bool fills_tiles_well(const Layout& layout, int x, int y, MoveKind kind)
{
  const MoveAxis &a = layout.axes[x], &b = layout.axes[y];
  const Sides sides = tile_sides(kind, layout);
  if (layout.size() == 16 && kind == MoveKind::tile_vector)
    return std::min(fill_along(a.extent, sides.a), fill_along(b.extent, sides.b)) >= min_output_fill &&
           !has_late_rows(layout, x, y, sides);
  if (kind == MoveKind::tile) return fill(a, b, sides) >= min_unaligned_fill;
  if (kind != MoveKind::tile_unaligned)
    return has_whole_rows_of_output(a, b, sides) || fill_along(a.extent, sides.a) >= min_output_fill;
  const std::int64_t rows = unaligned_tiles(a.extent, sides, layout.out_size) * own_rows(sides, layout.out_size);
  const double of_output = static_cast<double>(a.extent) / static_cast<double>(rows);
  return of_output >= min_output_fill && of_output * fill_along(b.extent, sides.b) >= min_unaligned_fill;
}

bool takes_narrowing_tiles(const Layout& layout, int x, int y)
{
  const auto& axes = layout.axes;
  return x != y && narrows_in_tiles(layout.in_size, layout.out_size) && !layout.accumulates && axes[x].out == 1 &&
         axes[y].in == 1 && !box_of_lines(layout) && fills_tiles_well(layout, x, y, MoveKind::tile_unaligned);
}

std::optional<MovePlan> plan_tile(const Layout& layout, int x, int y, MoveKind kind)
{
  const auto& axes = layout.axes;
  const int size = layout.size(), v = 16 / size;
  const Sides sides = tile_sides(kind, layout);
  const MoveAxis &a = axes[x], &b = axes[y];
  TileJob job{a.extent, b.extent, a.in, b.in, a.out, b.out, {}, {}, 0, 0, false, {}, {}, 0, 0};
  cover_input(axes, job);
  const bool unaligned = kind == MoveKind::tile_unaligned;
  const bool aligned = !unaligned && kind != MoveKind::tile && kind != MoveKind::tile_small;
  if (aligned) peel(layout, x, y, sides, job);
  if (!make_batch(axes, x, y, job.batch)) return std::nullopt;
  const std::int64_t tiles_b = ceil_div(b.extent + job.peel_b, sides.b);
  std::int64_t tiles_a =
      unaligned ? unaligned_tiles(a.extent, sides, layout.out_size) : ceil_div(a.extent + job.peel_a, sides.a);
  const std::int64_t bands = unaligned ? make_bands(layout, sides, tiles_b, b.extent, tiles_a, job.batch) : 1;
  const std::int64_t tiles = blocks_times(tiles_a, tiles_b), band = blocks_times(tiles, job.batch.size);
  const std::int64_t blocks = blocks_times(band, bands);
  if (blocks > max_blocks) return std::nullopt;
  job.batch_first = aligned && batch_lies_within(axes, y);
  job.tiles_a = block_divisor(tiles_a);
  job.inner = block_divisor(job.batch_first ? blocks_times(tiles_a, job.batch.size) : tiles);
  job.band = block_divisor(band);

  MovePlan plan;
  plan.kind = kind;
  plan.size = size;
  plan.blocks = static_cast<unsigned>(blocks);
  plan.job = job;
  plan.variant = tile_text("tile ", sides, aligned ? v : 0, unaligned ? " sectors" : "");
  return plan;
}

} // namespace Keramos::cuda::transpose
