// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencil.hpp"

#include "../../../src/keramos/core/Integer.hpp"
#include "../HostKernels.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {
namespace {

/// From so many bytes on results are streamed (as transposes do; chosen, not measured).
constexpr double streaming_bytes = 4 << 20;
/// Shorter rows are not: their ends are lines that are not whole. But a StarBlock stores 16 rows at once, whose lines would all be
/// read first: streamed, stars of 256^3, 192^3, 160^3 and 128^3 in float took 0.55, 0.60, 0.49 and 1.0 times the time at radius 1 and
/// 0.62, 0.70, 0.67 and 0.88 times at radius 4 (two Zen 4 cores).
constexpr std::int64_t streaming_row_bytes = 1024, streaming_star_row_bytes = 480;
/// Four planes are streamed at once only if their lines begin at the same points, and if they are no pages apart: four such
/// streams took 1.05 to 1.4 times the time of one after the other (star<3,4> in float, 512^3, Zen 3), and those of a copy 4 times.
/// But those of vectors as long as a line do not suffer (derivative along axis 0, f32 512^3, one Zen 4 core: 1.96 and 2.13 Gpoint/s).
constexpr std::int64_t line_bytes = 64, page_bytes = 4096;

/// A column alone, as of a derivative along axis 2, meets no row again in another row of the plane: two rows are enough for the hardware's
/// prefetches, and what the next planes read of them stays in the first-level cache, or nearly: 32 rows and more took 1.2 times the time, 4
/// rows 1.05 to 1.15 times (f32 512^3 and 500^3, f64 320^3, one Zen 4 core).
constexpr Walk column_walk{block_planes, 1, 0, 2};
/// Plane by plane, while the row of the next one is prefetched: three planes of so many rows stay in the second-level cache, so that a
/// line comes from memory once.
constexpr Walk plane_walk{1, 0, 1, 32};
/// The same for a streamed star: four planes of a tile are half of a second-level cache (two Zen 4 cores, Gpoint/s of 32, 48, 64 and 96 rows:
/// f32 512^3 7.2, 7.5, 7.5, 6.6, 500^3 6.3, 7.0, 7.2, 6.2; of 32, 40, 48, 64: f64 400^3 3.25, 3.31, 3.37, 2.92).
constexpr std::int64_t streamed_plane_bytes = 128 << 10, least_streamed_rows = 16, most_streamed_rows = 64;
/// Rows ahead of others.
constexpr int rows_ahead = 2;

/// Stars of radius 1 in the caches, plane by plane, four rows of one at a time (one Zen 4 core, us of four rows of four planes and of this: f32
/// 32^3 10.9 and 7.7, 64^3 74 and 54, f64 17.8 and 15.9, 137 and 105; the leap-frog behind them f32 64^3 95 and 71, f64 181 and 163).
bool has_plane_star(const WalkedStencil& stencil)
{
  return stencil.star_radius == 1 && (stencil.stores || stencil.updates || stencil.has_functor) && stencil.is_clear &&
         !stencil.streaming.rows && stencil_kernels().f32.plane_star != nullptr;
}

/// Stars of radius 1 past the caches, plane by plane as well, one row at a time: docs/tuning/hosts.md. Behind a functor shorter rows stay in four
/// rows of four planes (two Zen 4 cores, us of these and of single rows: f32 128^3 479 and 611, 160^3 1131 and 1116, 176^3 1953 and 1505).
bool has_streamed_star(const WalkedStencil& stencil)
{
  constexpr std::int64_t functor_row_bytes = 672;
  const bool is_long = stencil.has_functor && stencil.row_bytes >= functor_row_bytes;
  return stencil.star_radius == 1 && (stencil.stores || is_long) && stencil.is_clear && stencil.streaming.rows &&
         stencil_kernels().f32.streamed_star != nullptr;
}

Walk streamed_star_walk(std::int64_t row_bytes)
{
  Walk walk = plane_walk;
  walk.tile_rows = std::clamp(streamed_plane_bytes / row_bytes, least_streamed_rows, most_streamed_rows);
  return walk;
}

/// Boxes, whose lines are shifted in registers only in single rows (four planes at once and plane by plane, f32, Gpoint/s of one Zen 4 core:
/// 512^3 0.77 and 1.06, 300^3 0.83 and 0.88, f64 320^3 0.40 and 0.56); and stars of radius 1 whose rows lie so far apart that 16 of them at
/// once meet in two sets of the first-level cache (512^3 1.85 and 2.74, but 480^3 2.68 and 2.64).
bool goes_plane_by_plane(const WalkedStencil& stencil)
{
  constexpr std::int64_t meeting_pitch = 2048;
  if (stencil.planes[2] != 3) return false;
  if (stencil.column_radius == 0) return stencil.line_radius > 0;
  if (stencil.star_radius != 1) return false;
  if (has_streamed_star(stencil)) return true;
  return stencil.streaming.rows ? stencil.row_pitch % meeting_pitch == 0 : has_plane_star(stencil);
}

/// Whether there is a kernel for a star within its plane, or for one axis of it. Past the caches there is for rows of a column whose lines begin
/// at the same points; others are faster one row after the other (of runs of 2048 points: a line of radius 4, f32 512^3, 6.3 and 4.3 Gpoint/s,
/// stars over two axes, 8192^2, 0.90 to 1.07 times; two Zen 4 cores).
bool has_plane_kernel(const WalkedStencil& stencil)
{
  const auto [rows, elements] = stencil.plane_reach;
  if (rows + elements == 0 || std::max(rows, elements) > max_plane_radius) return false;
  const auto& kernels = stencil_kernels().f32;
  if (elements > 0) return !stencil.streaming.rows && kernels.plane[rows][elements] != nullptr;
  return (!stencil.streaming.rows || stencil.out_row_pitch % line_bytes == 0) && kernels.column[rows] != nullptr;
}

/// Of a DirectBlock across the planes, where there is one (in the caches it makes 0.96 to 1.09 times the speed of blocks, 64^3 to 128^3, and
/// leaves threads without planes), or of rows within one.
int direct_planes(const WalkedStencil& stencil)
{
  if (has_plane_star(stencil) || has_streamed_star(stencil)) return 1;
  if (stencil.has_functor) return stencil.plane_reach.elements > 0 && has_plane_kernel(stencil) ? 1 : 0;
  if (!stencil.stores) return 0;
  if (has_streamed_star(stencil)) return 1;
  const int radius = stencil.column_radius;
  if (radius == 0) return has_plane_kernel(stencil) ? 1 : 0;
  if (!stencil.streaming.blocks || radius > max_column_radius || stencil.taps != 2 * radius + 1) return 0;
  return stencil_kernels().f32.column[radius] ? column_planes : 0;
}

core::Index3 tile_extents(const core::Index3& points, const core::Index3& planes, const Walk& walk, bool packs,
                          bool is_large, int concurrency)
{
  // Of small results a thread has one task, the same in every call, so that what it wrote stays in its own caches; of large ones there
  // are 8 per thread, so that a core that is taken away holds up none for long.
  const std::int64_t tasks = std::int64_t{is_large ? 8 : 1} * concurrency;
  // Rows as long as they may be: 512 points per run gave 1.6 times the speed of 256 and 2.2 times that of 128 (star<3,4>
  // in float, 512^3, Zen 4), because the hardware prefetcher follows long rows.
  const bool blocks = packs || planes[2] > 1;
  core::Index3 tile{blocks ? max_run / block_planes : max_run, tile_rows, 1};
  if (points[1] == 1 && points[2] == 1) tile[0] = 8 * max_run; // one axis: a task is worth its start
  // A tile is as high as leaves so many, for its halo of rows is read again: for star<3,4> 16 to 64 rows made no
  // difference on Zen 4, on Zen 3 128 gave 1.1 to 1.2 times the speed of 32.
  const std::int64_t planes_of_tile = blocks ? 4 * planes[2] : 1;
  const std::int64_t low_tiles = core::ceil_div(points[0], tile[0]) * core::ceil_div(points[1], tile[1]) *
                                 core::ceil_div(points[2], planes_of_tile);
  if (!packs) tile[1] *= std::clamp<std::int64_t>(low_tiles / tasks, 1, blocks ? 4 : 8);
  if (walk.tile_rows > 0) tile[1] = walk.tile_rows;
  // Along axis 2 a task marches: as far as leaves them, but at least 4 times the planes that it reads in
  // vain, unless that left threads without any.
  const std::int64_t columns = core::ceil_div(points[0], tile[0]) * core::ceil_div(points[1], tile[1]);
  const std::int64_t layers = std::max<std::int64_t>(1, tasks / std::max<std::int64_t>(columns, 1));
  const std::int64_t shares = std::max<std::int64_t>(1, concurrency / std::max<std::int64_t>(columns, 1));
  const std::int64_t share =
      core::round_up(core::ceil_div(points[2], shares), std::int64_t{std::max(walk.planes, walk.direct_planes)});
  tile[2] = std::max(core::ceil_div(points[2], layers), std::min(4 * planes[2], share));
  for (int p = 0; p < 3; ++p) tile[p] = std::clamp<std::int64_t>(tile[p], 1, std::max<std::int64_t>(points[p], 1));
  return tile;
}

} // namespace

StencilTiles::StencilTiles(const core::Index3& the_begin, const core::Index3& the_end, const core::Index3& planes,
                           const Walk& walk, bool packs, bool is_large, int concurrency)
    : begin(the_begin), end(the_end)
{
  core::Index3 points;
  for (int p = 0; p < 3; ++p) points[p] = std::max<std::int64_t>(end[p] - begin[p], 0);
  extent = tile_extents(points, planes, walk, packs, is_large, concurrency);
  for (int p = 0; p < 3; ++p) count[p] = core::ceil_div(points[p], extent[p]);
}

Streaming stream_results(const core::Index3& begin, const core::Index3& end, int size, std::int64_t plane_pitch,
                         bool in_star_blocks)
{
  const std::int64_t shortest = in_star_blocks ? streaming_star_row_bytes : streaming_row_bytes;
  double bytes = size;
  for (int p = 0; p < 3; ++p) bytes *= static_cast<double>(std::max<std::int64_t>(end[p] - begin[p], 0));
  const bool is_large = bytes >= streaming_bytes, rows = is_large && (end[0] - begin[0]) * size >= shortest;
  const bool whole_lines = instruction_set() == InstructionSet::avx512;
  return {is_large, rows, rows && plane_pitch % line_bytes == 0 && (whole_lines || plane_pitch % page_bytes != 0)};
}

Walk choose_walk(const WalkedStencil& stencil)
{
  const int planes = stencil.planes[2] > 1 && !goes_plane_by_plane(stencil) ? block_planes : 1;
  const bool is_column = stencil.column_radius > 0 && stencil.planes[0] == 1 && stencil.planes[1] == 1;
  Walk walk{planes};
  if (stencil.streaming.rows) {
    walk.rows_ahead = rows_ahead;
    if (is_column)
      walk = column_walk;
    else if (planes == 1 && stencil.planes[2] > 1)
      walk = has_streamed_star(stencil) ? streamed_star_walk(stencil.row_bytes) : plane_walk;
  }
  walk.direct_planes = direct_planes(stencil);
  return walk;
}

/// By lines of results times taps. One thread and two (us, two Zen 4 cores that share no cache): f64 16^3 star-7 (2744) 3.6 and 6.4, f32 24^3
/// derivatives (5184 to 6912) 3.1 and 5.1, star-25 (6400) 4.4 and 6.7, star-7 (6776) 4.0 and 5.3, f64 24^3 star-7 (10164) 7.4 and 7.0,
/// derivatives (10368) 4.1 to 4.7 and 6.2 to 6.5; f32 32^3 star-7 (12600) 7.9 and 7.6, the leap-frog behind it 10.2 and 9.2, f64 32^3 star-7
/// (25200) 16.2 and 11.7. Of two that share one a parallel region costs 0.6 instead of 3 and is worth it from 4000 on (f32 20^3 star-7, 4536,
/// 4.8 and 4.4); of more than two it costs more, and where one of them is taken away, 30 to 700.
int worthwhile_threads(const core::Index3& begin, const core::Index3& end, int size, int taps, int concurrency)
{
  constexpr double least = 11000;
  auto lines = static_cast<double>(core::ceil_div(std::max<std::int64_t>(end[0] - begin[0], 0) * size, line_bytes));
  for (int p = 1; p < 3; ++p) lines *= static_cast<double>(std::max<std::int64_t>(end[p] - begin[p], 0));
  return lines * taps < least ? 1 : concurrency;
}

core::Text stencil_variant(Shape shape, int rank, int radius, int taps, bool packs, const char* epilogue)
{
  return [=] {
    return core::shape_text(shape, rank, radius, taps) + (packs ? " packed" : "") + " rows" + epilogue + " " +
           instruction_set_name();
  };
}

} // namespace Keramos::openmp::stencil
