// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the march with partial sums. docs/tuning/stencil-marches.md has the tables behind them: what each shape made, and those that were not
// taken. Here stands what the chosen one makes.
#pragma once

#include "March.hpp"
#include "MarchComponentsTuning.hpp"
#include "MarchShape.hpp"

#include <algorithm>
#include <climits>

namespace Keramos::cuda::stencil {

/// Planes of a chunk at most: half of 513 and a little more (chosen, not measured).
inline constexpr int max_march_chunk = 288;
static_assert(max_march_chunk + 2 * 4 <= lockstep_steps);

/// In double other kernels are faster for stars of radius 1 and 2, of which this one made 198 and 201 Gpoint/s.
inline constexpr int max_march_radius = 4;
KOKKOS_FUNCTION constexpr int min_march_radius(int element_bytes) { return element_bytes == 4 ? 1 : 3; }

/// Points below which the other kernel is as fast, an H200, Gpoint/s: 257x127x65 129 by 100 (radius 1); at 193x195x191 it is slower.
inline constexpr std::int64_t min_march_points = std::int64_t(1) << 22;

/// Points of a row from which pairs of columns are asked (MarchShape::min_row). Below their warps lack lanes: radius 2, rows of 65, 97, 129, 163, 190,
/// of the copy, an H100, 41, 57, 73, 56, 78, by others 51, 43, 77, 50, 75. Of boxes and radius 3 three warps sum too little: rows of 190 and 193, an
/// H200, 62 and 50, by others 71 and 43; 47 and 45, by others 66 and 38.
inline constexpr int min_pair_points = 161, min_heavy_pair_points = 193;

/// Single columns whose planes come whole, as those of pairs (MarchPairs.hpp), in double: with functors behind stars and, by this number, plain stars.
/// Planes of a chunk at most: blocks that keep together may march as far as they can count, and each march has its ramp. Columns beside: rows of 521
/// and 524 with two of them and with four, radius 4 behind a coefficient, of the copy, an H200 64 and 68, 60 and 70%.
inline constexpr int single_columns = 2, max_single_chunk = 1024;
static_assert(max_single_chunk + 2 * 4 <= lockstep_steps);
KOKKOS_FUNCTION constexpr MarchShape single_columns_shape(int radius, int operands, int rate)
{
  const bool is_deep = radius > 2;
  return {.rows = is_deep ? 5 : 4,
          .groups = is_deep ? 3 : 4,
          .max_warps = 4,
          .rate = rate,
          .ring = operands == 0 ? 8 : 4,
          .drift = 5,
          .producers = 2,
          .columns_beside = is_deep && operands < 2 ? 4 : 2, // with a second warp of them two operands would spill
          .keeps_centres = true,
          .keeps_planes = operands == 0};
}
/// More than it makes of radius 1; such that radius 3 and 4 take it where it is a tile less than StridedStar.hpp. Of the copy, an H200, that and this,
/// rows of 505, 513, 519, 545: radius 1 87, 87, 77, 78 and 91, 90, 90, 85; 2 87, 87, 78, 79 and 90, 89, 89, 80; 3 85, 85, 73, 76 and 84, 83, 83, 76; 4 81,
/// 82, 63, 66 and 79, 79, 79, 68.
KOKKOS_FUNCTION constexpr int single_star_rate(int radius)
{
  constexpr int rate[] = {260, 236, 220, 190};
  return rate[radius - 1];
}

/// The second shape is for rows of which the first would waste more. Rates are chosen so that expected_rate() comes to what was measured on
/// rows of 509 and 513, zero outside, and that each row takes what is faster. Those of the fourth, pairs of columns, are more than it makes, but of
/// radius 4: it is faster wherever it is asked.
///
/// In float three warps only begin with planes. The one that is left of the four for which a block gets registers sends outputs (radius 1)
/// or sums the columns beside 256 or 512, so that rows of 513 are as many tiles as those of 509.
///
/// Of a copy of 4.1 TB/s, an H200, float, rows of 509, 513, sub-views: radius 1 88, 88, 84, by pairs 92, 91, 84; 2 by the first shape 77, 78, 79, by
/// the third 80, 80, 75, by pairs 89, 89, 81; 3 77, 76, 75, by pairs 86, 86, 82; 4 74, 74, 75, by pairs 80, 81, 78 (of 4.25 TB/s). An H100, rows of 509 and 513 by the
/// first shape, 513 by the second, while producers did not begin with planes in turn and no warp sent rows: radius 1 94, 94, 82; 2 92, 92, 83; 3 89, 90,
/// 81; 4 83, 83, 78; by pairs radius 1 95, 94, 87; 2 95, 94, 86; 3 95, 94, 88; 4 92, 92, 85. Gpoint/s, an H200, double, rows of 509, 513 by the second
/// shape: radius 3 212, 212; 4 194, 180.
KOKKOS_FUNCTION constexpr MarchShape march_star_shape(int radius, int element_bytes, int number)
{
  const bool first = number == 0;
  if (number == single_columns && element_bytes == 8) return single_columns_shape(radius, 0, single_star_rate(radius));
  if (element_bytes == 8 && radius == 4)
    return first ? MarchShape{.rows = 8, .groups = 2, .max_warps = 4, .rate = 196, .ring = 4, .ahead = 2}
                 : MarchShape{.rows = 6, .groups = 2, .max_warps = 6, .rate = 205, .ring = 4, .ahead = 2};
  if (element_bytes == 8) return {.rows = 6, .groups = 2, .max_warps = 6, .rate = 232, .ring = 4, .ahead = 2};
  switch (radius) {
  case 4:
    if (number == 3)
      return {.rows = 4,
              .groups = 2,
              .columns = 2,
              .max_warps = 9,
              .rate = 440,
              .ring = 4,
              .drift = 3,
              .wide = INT_MAX, // never
              .slow_wide = 448,
              .min_row = min_pair_points,
              .producers = 2};
    if (!first) return {.rows = 12, .groups = 2, .max_warps = 6, .rate = 375};
    return {.rows = 8,
            .groups = 2,
            .max_warps = 8,
            .rate = 380,
            .ring = 5,
            .drift = 5,
            .producers = 3,
            .in_turn = true,
            .columns_beside = 2};
  case 3:
    if (number == 3)
      return {.rows = 8,
              .columns = 2,
              .max_warps = 9,
              .rate = 600,
              .slow_rate = 760,
              .ring = 4,
              .drift = 3,
              .wide = 448,
              .slow_wide = 336,
              .min_row = min_heavy_pair_points,
              .producers = 2};
    if (!first) return {.rows = 14, .groups = 2, .max_warps = 6, .rate = 409};
    return {.rows = 8,
            .groups = 2,
            .max_warps = 8,
            .rate = 430,
            .ring = 5,
            .drift = 5,
            .producers = 3,
            .in_turn = true,
            .columns_beside = 2};
  case 2:
    if (number == 3)
      return {.rows = 6,
              .groups = 2,
              .columns = 2,
              .max_warps = 9,
              .rate = 600,
              .slow_rate = 760,
              .ring = 4,
              .drift = 3,
              .wide = 336,
              .min_row = min_pair_points,
              .producers = 2};
    if (number == 2)
      return {.rows = 12,
              .max_warps = 16,
              .rate = 430,
              .slow_rate = 460,
              .ring = 4,
              .drift = 3,
              .producers = 3,
              .in_turn = true,
              .columns_beside = 2};
    if (!first) return {.rows = 14, .max_warps = 6, .blocks = 2, .rate = 380, .slow_rate = 442};
    return {.rows = 16, .max_warps = 8, .rate = 372, .slow_rate = 475, .drift = 3, .producers = 3, .columns_beside = 2};
  default:
    if (number == 3)
      return {.rows = 12,
              .columns = 2,
              .max_warps = 9,
              .rate = 600,
              .slow_rate = 760,
              .ring = 4,
              .drift = 3,
              .min_row = min_pair_points,
              .producers = 2};
    if (!first) return {.rows = 16, .max_warps = 17, .rate = 370, .slow_rate = 420};
    return {.rows = 12, .max_warps = 17, .rate = 470, .drift = 3, .stages = 2, .producers = 3};
  }
}

/// Points from which blocks keep together; with a functor behind radius 1 all do. Each for itself and together, an H100, of the copy, radius 3
/// in float: 98 million points 83 and 80, 133 million 79 and 82; boxes in double gain from 5 million on. Pairs of columns, an H100, 43, 55, 59
/// million points 86 and 93, 89 and 88, 87 and 90; an H200, 27 and 98 million 86 and 83, 82 and 90. Boxes by pairs, an H200, tiles of 295, 321, 384,
/// 385, 501 and 513 columns 78 and 75, 83 and 79, 86 and 88, 81 and 76, 81 and 83, 81 and 88 (MarchShape::wide); an H100 gains in all.
KOKKOS_FUNCTION constexpr std::int64_t min_lockstep_points(const MarchShape& shape, int element_bytes)
{
  if (shape.components > 1) return 0;
  if (shape.has_row_copies()) return 40'000'000;
  return element_bytes == 4 ? 100'000'000 : 0;
}
/// Stars of radius 4 in float lose by it where memory is fast, but where rows of outputs lie `apart`, in a sub-view: of the copy, an H200, each
/// for itself and together, rows of 509, 513, 512^3: 74, 74, 68 and 70, 70, 70%, sub-views of rows of 507 67 and 75%.
KOKKOS_FUNCTION constexpr bool has_lockstep(MarchKind kind, int radius, int element_bytes, bool fast_memory, bool apart)
{
  return apart || !(fast_memory && kind == MarchKind::star && radius == 4 && element_bytes == 4);
}

/// Of boxes, of which march_star_shape() tells more. Those of radius 1 march in lockstep where all blocks run at once. Rates are those of
/// 512^3 points, an H200, zero outside: by the library's benchmark radius 1 in double 233 Gpoint/s; radius 2 163 and 105. Radius 1 in float, of
/// the copy, rows of 509, 513, sub-views, 512^3: by the first shape 75, 65, 77, 75, by the second 83, 72, 76, 87, by the third, whose rates are
/// such that rows of 513 to 544 take it and those that the second one fills do not, 84, 82, 76, 85; an H100, without the third (its slow rate is
/// chosen), 96, 93, 89, 92 and 81, 83, 72, 87. By pairs, an H200 89, 88, 82, 94, an H100 94, 93, 86, 97.
KOKKOS_FUNCTION constexpr MarchShape march_box_shape(int radius, int element_bytes, int number)
{
  const bool first = number == 0;
  if (element_bytes == 8 && radius == 2)
    return first ? MarchShape{.rows = 8, .groups = 2, .max_warps = 4, .rate = 105}
                 : MarchShape{.rows = 6, .groups = 2, .max_warps = 6, .rate = 108};
  if (element_bytes == 8)
    return first ? MarchShape{.rows = 8, .groups = 2, .max_warps = 8, .rate = 230, .drift = 3}
                 : MarchShape{.rows = 12, .groups = 2, .max_warps = 4, .rate = 200};
  if (radius == 2)
    return first ? MarchShape{.rows = 8, .groups = 4, .max_warps = 4, .rate = 158}
                 : MarchShape{.rows = 12, .groups = 2, .max_warps = 6, .rate = 165};
  if (number == 3)
    return {.rows = 12,
            .columns = 2,
            .max_warps = 9,
            .rate = 600,
            .slow_rate = 760,
            .ring = 4,
            .drift = 3,
            .wide = 448,
            .min_row = min_heavy_pair_points,
            .producers = 2};
  if (number == 2)
    return {.rows = 12,
            .max_warps = 17,
            .rate = 422,
            .slow_rate = 300,
            .ring = 5,
            .drift = 4,
            .producers = 3,
            .in_turn = true};
  return first ? MarchShape{.rows = 16,
                            .max_warps = 17,
                            .rate = 360,
                            .slow_rate = 460,
                            .ring = 2,
                            .drift = 3,
                            .stages = 2}
               : MarchShape{.rows = 16, .groups = 2, .max_warps = 8, .rate = 430, .drift = 3};
}

/// The same of 13 points of radius 1 and 21 of radius 2: 13 points in float, of the copy, an H200, rows of 509, sub-views, 512^3: by the first shape
/// 82, 86, 86, by the second 85, 78, 88. Rates of second shapes were estimated from those of others.
KOKKOS_FUNCTION constexpr MarchShape march_sparse_shape(int radius, int element_bytes, int number)
{
  const bool first = number == 0;
  if (element_bytes == 8 && radius == 2)
    return first ? MarchShape{.rows = 8, .max_warps = 8, .rate = 120, .ring = 4, .ahead = 2}
                 : MarchShape{.rows = 8, .groups = 2, .max_warps = 4, .rate = 115, .ring = 4, .ahead = 2};
  if (element_bytes == 8)
    return first ? MarchShape{.rows = 16, .max_warps = 8, .rate = 212, .ring = 2}
                 : MarchShape{.rows = 12, .groups = 2, .max_warps = 4, .rate = 195};
  if (radius == 2)
    return first ? MarchShape{.rows = 8, .groups = 2, .max_warps = 8, .rate = 203, .ring = 2}
                 : MarchShape{.rows = 8, .groups = 4, .max_warps = 4, .rate = 202};
  return first ? MarchShape{.rows = 12,
                            .max_warps = 16,
                            .rate = 440,
                            .slow_rate = 480,
                            .drift = 3,
                            .stages = 2,
                            .producers = 3}
               : MarchShape{.rows = 12, .max_warps = 16, .rate = 430, .drift = 3, .producers = 3, .columns_beside = 2};
}

/// Stars of radius 3 in double have one: it makes what the best of 12 rows makes, and those that store beside zero or memory go by
/// StridedStar.hpp where rows fit its tiles.
KOKKOS_FUNCTION constexpr bool has_march_shape(MarchKind kind, int radius, int element_bytes, int number)
{
  if (number == march_of_components) return kind == MarchKind::star && radius >= min_march_radius(element_bytes);
  if (number == 3) return element_bytes == 4 && (kind == MarchKind::star || (kind == MarchKind::box && radius == 1));
  if (number == single_columns && element_bytes == 8) return kind == MarchKind::star;
  if (number == 2)
    return element_bytes == 4 && radius == (kind == MarchKind::star ? 2 : 1) && kind != MarchKind::sparse;
  if (kind != MarchKind::star) return true;
  return radius >= min_march_radius(element_bytes) && (element_bytes == 4 || radius != 3 || number == 0);
}

KOKKOS_FUNCTION constexpr MarchShape march_shape(MarchKind kind, int radius, int element_bytes, int number)
{
  if (number == march_of_components) return march_components_shape(radius, element_bytes);
  if (kind == MarchKind::star) return march_star_shape(radius, element_bytes, number);
  return kind == MarchKind::box ? march_box_shape(radius, element_bytes, number)
                                : march_sparse_shape(radius, element_bytes, number);
}

/// Stars whose rows lie on 16 bytes keep the star kernel: more than any march makes (chosen).
inline constexpr int aligned_star_rate = 1000;

/// But in float, from so many points on, pairs of columns take what leaves the multiprocessors of the kernel by tensor copies idle, whose tiles
/// are 128x32: its rates if it kept them busy, in the measure in which the pairs' are (docs/tuning/stencils.md). H200 and H100, Gpoint/s,
/// that and pairs: 514x515x520 radius 1 459, 482 and 347, 360, radius 2 432, 478 and 341, 357, radius 3 400, 467 and 339, 357, radius 4 358, 421
/// and 333, 342; 264^3 368, 402 and 296, 294; 295, 380 and 284, 295; 260, 310 and 254, 286; 230, 257 and 228, 252; but 200^3 radius 2 280, 237.
/// In double single columns, of radius 1 and 2: of the copy, an H200, 514x515x520 85, 92 and 86, 91; rows of 1000 (200x511) keep 91, where single columns
/// make 86.
KOKKOS_FUNCTION constexpr int busy_tensor_rate(int radius, int element_bytes)
{
  constexpr int rate[] = {642, 645, 668, 504}, rate_in_double[] = {285, 262};
  return element_bytes == 4 ? rate[radius - 1] : rate_in_double[radius - 1];
}
inline constexpr std::int64_t min_aligned_pair_points = std::int64_t(1) << 24;

/// What is left of tile_rate() for rows so long: tiles at their ends ask the edge rules, and take about 2.2 times as long. Boxes and 19 points, an H200,
/// of the copy: rows of 64 and 112 in float 21 and 18%, of 80 and 144 in double 23 and 30 where rows of 512 have 45 and 58.
inline double tile_part(std::int64_t row)
{
  constexpr double longer = 1.2;
  const auto tiles = static_cast<double>(core::ceil_div(row, 64));
  const auto per_tile = [](double of) { return 1 + longer * std::min(of, 2.) / of; };
  return filled(row, 64) * per_tile(8) / per_tile(tiles);
}

/// The rate of the kernels of Tile.hpp at 512^3 and at 509x511x513, an H200; of odd sparse operators estimated from the boxes.
KOKKOS_FUNCTION constexpr int tile_rate(MarchKind kind, int radius, int element_bytes, bool is_aligned)
{
  const bool is_float = element_bytes == 4;
  if (kind == MarchKind::box && radius == 2) return is_float ? 100 : 69;
  if (kind == MarchKind::box) return is_float ? (is_aligned ? 236 : 148) : (is_aligned ? 155 : 118);
  return is_float ? (is_aligned ? 240 : 150) : (is_aligned ? 165 : 120);
}

} // namespace Keramos::cuda::stencil
