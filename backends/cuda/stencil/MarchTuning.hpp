// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the march with partial sums, each with its reason.
#pragma once

#include "March.hpp"

namespace Keramos::cuda::stencil {

/// How a block of the march with partial sums is built. A thread owns `rows` rows of one column.
struct MarchShape {
  int rows;
  int groups;              ///< threads along the middle axis
  int max_warps;           ///< along the fastest axis
  int blocks;              ///< per multiprocessor, of as many warps: this bounds the registers
  int rate;                ///< Gpoint/s where tiles fit the grid
  int ring = 4, ahead = 2; ///< planes in shared memory, and of these in flight
  bool streaming = true;   ///< stores leave the L2 to the halos; else they stay there until whole sectors have come
  int drift = 0;           ///< of blocks that keep together, see Lockstep.hpp; 0: each for itself
  bool last_first = false; ///< the last row of tiles before the others
  int stages = 0; ///< planes on their way out by bulk copies, see MarchStores.hpp; 0: each thread stores its points
  /// Warps that only begin with planes, `ring` of them in flight; 0: all warps do, each with some rows. Not beside `stages`.
  int producers = 0;
  /// That a tile may have beside those of `max_warps`: a warp of its own sums them, a point a lane.
  int columns_beside = 0;
  KOKKOS_FUNCTION constexpr int height() const { return rows * groups; }
  KOKKOS_FUNCTION constexpr int max_columns() const { return 32 * max_warps + columns_beside; }
  KOKKOS_FUNCTION constexpr int threads() const
  {
    return 32 * (max_warps * groups + producers + (columns_beside > 0 ? 1 : 0));
  }
};

/// Planes of a chunk at most: half of 513 and a little more (chosen, not measured).
inline constexpr int max_march_chunk = 288;
static_assert(max_march_chunk + 2 * 4 <= lockstep_steps);

/// In double other kernels are faster for stars of radius 1 and 2, of which this one made 198 and 201 Gpoint/s.
inline constexpr int max_march_radius = 4;
KOKKOS_FUNCTION constexpr int min_march_radius(int element_bytes) { return element_bytes == 4 ? 1 : 3; }

/// Points below which the other kernel is as fast: at 257x127x65 a star of radius 1 made 129 by 100 Gpoint/s, radius 4 81 by 94; at
/// 193x195x191 all are faster by this one. H200. Of narrow grids of 16 million points, 127 rows, those of 97 points or fewer are not: rows
/// of 65, radius 1 to 4 in float by the other kernel 103, 93, 145, 129, and radius 4, which comes here all the same, 105; rows of 97
/// 150, 134, 193, 172, here 161; rows of 129 187, 168, 132, 113, here 311, 278, 215, 171.
inline constexpr std::int64_t min_march_points = std::int64_t(1) << 22;

/// The second shape is for rows of which the first would waste more. Rates are chosen so that expected_rate() comes to what was measured
/// at 509x511x513 and 513x511x509, an H200, zero outside. Registers come by whole groups of four warps: 8 warps hold 20 rows of radius 4
/// in float, 12 warps 12 rows, 16 warps 8, and none is spilled; a ninth warp costs as much as four. Rows are long because bulk copies are
/// limited by their number. Radius 2 to 4 in float have three warps that only begin with planes, and for the columns beside 256 the one that is
/// left of the four for which a block gets registers, so that rows of 513 are two tiles. Gpoint/s on rows of 509, in sub-views of rows of 507,
/// and by the second shape on rows of 513; ring and planes in flight with stores that leave the L2 (s) or stay; (*) by the library's benchmark, others by a program of its own:
///
///     float, radius 4   16 rows 4/2 s 317, 314; 8 x 2 rows 4/2 322, 338, 5/2 334, 348 (*); 20 rows 3/1 325, 330
///                       16 rows, tiles of 172, 4/2 s 235; 12 x 2 rows 3/1 318, 4/2 311
///                       an H100, rows of 509, in sub-views, rows of 513: 8 x 2 rows 5/2 281, 255, 3/1 289, 290, 12 x 2 rows -, -, 285;
///                       12 rows and producers, ring of 3 303, 284, 300, of 2, 4 and 5 279, 278 and 274 on rows of 509, by 2 and 1 producers
///                       277 and 189; 14 rows 299, 283, 294; 16 rows, some registers spilled, 219; 6 x 2 rows 289, 284, 288; in lockstep
///                       288, 288, 285; planes of outputs put together in shared memory and sent by a warp's bulk copies 283, 287, 282
///            radius 3   20 rows 4/2 s 356, 319, 3/1 360, 353; 10 x 2 rows 3/1 370, 355; 24 rows 3/1 386, 355, 2/1 404, 374 (*)
///                       16 rows, 9 warps, 4/2 s 294; 14 x 2 rows 3/1 343, 347; two blocks of 14 rows, 6 warps, 2/1 359
///                       the same two at 641x640x400 336, 331, at 301^3 276, 266
///            radius 2   16 rows, of whose registers some are spilled, 14, 12 rows 4/2 s 304, 370, 377; 14 rows 3/1 416, 376, s 403, 365
///                       20 rows, 9 warps, 4/2 s 350, 3/1 374; 14 x 2 rows 367; 16 x 2 rows 396 (*)
///                       two blocks of 14 rows, 6 warps, 3/1 403 (*); by a program 395 where 16 x 2 rows make 388; at 641x640x400 378, 373, at
///                       301^3 316, 298, at 767x511x340 404, 406, rows of 385 333, 341
///            radius 1   16 warps across 400, 354, 17 408, 365, 389; two blocks of 8 warps 372, 343, 407, of 6 405, 373, 409, but at 477x480x100
///                       these three 324, 332, 263, at 767x511x340 428, 405, 376
///     double, radius 4  8 x 2 rows 4/2 s 188, 181, 4/2 194, 187, 3/1 182, 179, 4 x 4 rows 4/2 188, 188
///                       8 x 2 rows 4/2 s 165; 6 x 2 rows 4/2 180, 3/1 179
///             radius 3  8 x 2 rows 4/2 s 195, 188, 4/2 207, 196; 12 rows 3/1 211, 206; 6 x 2 rows 4/2 212, 201
///                       6 x 2 rows 4/2 s 196, 3/1 191, 4/2 212 (*), 12 rows 3/1 188
///
/// Outputs that leave by bulk copies (`stages`, b; MarchStores.hpp) and blocks that keep together (`drift`, d), H100, by a program of its own,
/// of the copy: rows of 509, of 513, sub-views of rows of 507, 477x480x100, 301^3, 512^3. Other rates above are an H200's; those of
/// shapes with stages are what it would make if it gained as the H100 did:
///
///     radius 1    16 rows, 17 warps 85, 82, 76, 83, 83, 88; b 91, 91, 85; 12 rows b d 94, 94, 89, 85, 72, 92; 12 x 2 rows b d 94, 93, 87, 82, 73, 92
///                 at 250x251x600 and 641x640x340 16 rows, 17 warps 86, 86; two blocks of 16 rows, 10 warps 85, 78; 12 rows b d 70, 81
///                 two blocks of 12 rows, 8 warps, b 82, 86, 78, 86, 78, 85, b d 92, 86, 87, 84, 71, 90
///     radius 2    two blocks of 14 rows, 6 warps 83, 83, 76, 75, 84, 88; b 86, -, 77, 74, 80, 88; 12 x 2 rows b d 90, 81, 85, 77, 67, 90
///                 24 rows b d 91, -, 86, 78, -, 90; 12 rows, 16 warps, b d 90, 69, 87, 76, 67, 89; 8 x 2 rows, 9 warps, b d 82, 79, 81, 66, 48, 84
///     box         16 rows d 89, 77, 79, 81, 73, 91; b d 95, 67, 89, 80, 66, 92; 17 warps b d 96, 93, 89, 81, 67, 92
///                 16 x 2 rows, 8 warps 81, 83, 72, 79, 73, 87; b 88, 85, 80, 81, 69, 88; 9 warps 80, 77, 71, 77, 73, 87
///     13 points   16 x 2 rows 81, 85, 72, 82, 75, 88; 14 rows b 92, 63, 87, 75, 68, 89; 12 x 2 rows d 90, 83, 81, 79, 68, 92, b d 89, 70, 85, 72, 57, 90
///
/// Radius 1 without stores makes 187%, with stores and no sums 86, b 92; stores to rows of 512 elements alone gain nothing. What is spilled
/// costs more than b gains: 17 warps of 16 rows whose registers were made 52%. Three stages are no better than two; boxes of radius 2 lose
/// a seventh by b, and narrow tiles lose as well, for warps wait for each other's outputs.
///
/// Three warps that only begin with planes, rings of three (p), and blocks that keep together besides (p d), as many as run at once where there are
/// more. H100, of the copy: rows of 509, of 513, sub-views, 477x480x100, 301^3, 641x640x400, 1001x999x200, 767x511x340:
///
///     radius 2    16 rows p 83, 81, 76, 73, 69, 74, 79, 82; p d 92, 92, 86, 71, 62, 85, 87, 86; 12 rows, 16 warps, p 83, 82, 73, 72, 76, 80, 79, 80
///                 two blocks of 14 rows 83, 83, 76, 67, 76, 82, 83, 83; 12 x 2 rows b d 90, 82, 85, 70, 63, 82, 86, 90; p d by 8 x 2 rows 91, 91,
///                 85, 24 rows 89, 89, 81, 12 x 2 rows 89, 88, 81, 12 rows, 16 warps, 90, 91, 81
///     radius 3    16 rows p 80, 78, 68, 70, 63, 72, 75, 79; p d 89, 90, 85, 64, 57, 80, 86, 82; 14 x 2 rows 80, 81, 75, 66, 71, 80, 81, -
///                 24 rows 87, -, 73, 73, -, -, 84, -; p d by 8 x 2 rows 89, 89, 84; rings of four 90, 90, 85 and 69 for 72 at 641x640x400
///     radius 4    8 x 2 rows, two of whose sums are spilled, p 79, 76, 68, 64, 56, 73, 71, 74; p d 83, 83, 79, 58, 49, 75, 79, 76
///                 12 rows p 82, 81, 75, 54, 51, 72, 73, 80; 12 x 2 rows 78, 78, 75, 62, 65, 73, 75, 80; p by tiles of 128 columns, 8 x 3 rows
///                 64, 62, 65, 12 x 2 rows 65, 63, 66, of 192, 10 x 2 rows, 67, 67, 67; p d with rings of four 84, 83, 77, a drift of two 82, 82, 79
///
/// Rates of the first shapes are such that each row takes what is faster.
KOKKOS_FUNCTION constexpr MarchShape march_star_shape(int radius, int element_bytes, int number)
{
  const bool first = number == 0;
  if (element_bytes == 8 && radius == 4)
    return first ? MarchShape{8, 2, 4, 1, 196, 4, 2, false} : MarchShape{6, 2, 6, 1, 205, 4, 2, false};
  if (element_bytes == 8) return {6, 2, 6, 1, 232, 4, 2, false};
  if (radius == 4)
    return first ? MarchShape{8, 2, 8, 1, 380, 3, 1, false, 3, false, 0, 3, 2}
                 : MarchShape{12, 2, 6, 1, 375, 3, 1, false};
  if (radius == 3)
    return first ? MarchShape{16, 1, 8, 1, 430, 3, 1, false, 3, false, 0, 3, 2}
                 : MarchShape{14, 2, 6, 1, 409, 3, 1, false};
  if (radius == 2)
    return first ? MarchShape{16, 1, 8, 1, 475, 3, 1, false, 3, false, 0, 3, 2}
                 : MarchShape{14, 1, 6, 2, 442, 3, 1, false};
  return first ? MarchShape{12, 1, 17, 1, 470, 3, 1, false, 3, false, 2} : MarchShape{16, 1, 17, 1, 420, 3, 1, false};
}

/// Of stars in float with a functor behind them: planes stay in the ring until the outputs of their points end. By a program of its own,
/// of the copy of what is moved, at 509x511x513 and 513x511x509, zero outside: a functor that reads a View, a coefficient along the rows, a
/// declared field; by the star kernel, by tiles of 8 x 2 rows, and by the second shape, for rows of which the first would waste more:
///
///     radius 1   56, 54; 48, 58; 56, 69     61, 73; 65, 75; 73, 83     69, 68; 67, 65; 77, 76 (neither is taken)
///     radius 2   52, 53; 41, 54; 49, 62     57, 69; 56, 68; 71, 81     61, 64; 60, 60; 67, 64 (16 x 2 rows, not taken)
///     radius 3   51, 44; 39, 46; 49, 56     53, 64; 47, 57; 64, 76     67, 65; 57, 56; 70, 69
///     radius 4   45, 41; 35, 41; 41, 49     48, 62; 43, 53; 58, 70     55, 54; 50, 50; 63, 62
///
/// Radius 4 by 12 rows with producers (see march_star_shape()), ring of 7 planes, an H100, rows of 509, of 513, in sub-views of rows of 507: 72,
/// 72, 72; 73, 72, 71; 82, 80, 80, where 8 x 2 rows and the second shape make 77, 66, 78; 71, 53, 68; 86, 63, 83. 6 x 2 rows, whose
/// registers some functors spill: 76, 75, 77; 50, 49, 48; 85, 84, 83.
///
/// Radius 4, rows of 513, a coefficient: with rings of 11 planes 44, 10 x 2 rows 48; 18 to 30 warps of 4 to 8 rows, 25 to 42.
/// Radius 1 by 12 rows, 16 warps and producers, an H100, rows of 509, of 513, sub-views, 477x480x100, 301^3, 641x640x400, each for itself (chunks of 144)
/// and keeping together: a View 90, 88, 85, 83, 79, 86 and 91, 91, 88, 85, 80, 78, a coefficient 83, 82, 75, 73, 76, 82 and 90, 91, 81, 77, 75,
/// 83, a declared field 88, 84, 81, 82, 84, 87 and 96, 95, 89, 86, 86, 92; by 12 x 2 rows whose outputs left by bulk copies, the second shape on rows of 513 and
/// 301, 73, 78, 80, 68, 64, 75, 83, 71, 77, 66, 65, 77 and 86, 79, 84, 75, 77, 82. Rings of three 90, 89, 88; 90, 90, 84; 97, 97, 93, smaller grids less.
/// Radius 3 by 8 x 2 rows with producers, the same grids and 1001x999x200: 86, 85, 84, 70, 49, 77, 85; 81, 81, 75, 62, 54, 76, 78; 87, 85, 82, 77, 66, 86,
/// 87, where without them 80, 65, 80, 50, 55, 61, 65; 74, 59, 68, 44, 51, 57, 60; 84, 75, 80, 60, 65, 73, 75; keeping together 67, 68, 68; 83, 85, 83; 91,
/// 92, 89, by 16 rows, spilled, 52, 53, 53; 79, 82, 79; 77, 79, 77. Radius 2 by 8 x 2 rows so 88, 87, 85, 76, 52, 83, 88; 84, 82, 76, 67, 61, 77, 79; 87, 86,
/// 83, 79, 71, 86, 87, without producers 82, 70, 80, 66, 44, 75, 80; 79, 77, 73, 66, 50, 78, 77; 86, 82, 82, 79, 68, 85, 86; keeping together 69, 70, 69; 88, 89,
/// 84; 97, 97, 93, by 16 rows 57, 57, 55; 92, 90, 86; 93, 89, 91, by 12 rows of 16 warps, spilled, 65, 65, 66; 68, 67, 63; 55, 54, 53.
/// Radius 4, keeping together, 61, 61, 62; 71, 71, 75; 84, 84, 85; by 8 x 2 rows with producers, spilled, 52, 53, 52; 41, 41, 40; 55, 54, 54.
///
/// In double radius 4 has one shape, for rows that fill the tiles of the star kernel badly. An H100, rows of 509, of 513, 641x640x400, 477x480x100, the star
/// kernel: a View 64, 78, 83, 62, a coefficient 72, 67, 72, 65, a declared field 83, 78, 80, 78; this 77, 77, 73, 63; 74, 73, 70, 56; 82, 82, 79, 67;
/// a coefficient on rows of 513 by rings of six, eight and nine planes 66, 72 and 68, by 6 x 2 rows of 6 warps, spilled, 60, by 8 x 2 rows, tiles of 103, 67.
/// Its rate is such that rows of 513 come here, and those of 509 and 641 do not.
/// Rates are such that expected_rate() is to the star kernel's as a coefficient's is. The last tile along y is asked point by point what it
/// stores; so it comes first, in chunks of which a block marches through one of several.
KOKKOS_FUNCTION constexpr bool has_march_functor_shape(int radius, int element_bytes, int number)
{
  if (element_bytes == 8) return radius == 4 && number == 0;
  return number == 0 || (number == 1 && radius > 2);
}
KOKKOS_FUNCTION constexpr MarchShape march_functor_shape(int radius, int element_bytes, int number)
{
  if (element_bytes == 8) return {6, 2, 4, 1, 129, 7, 1, false, 0, true, 0, 3, 2};
  if (radius == 1) return {12, 1, 16, 1, 450, 4, 1, false, 3, false, 0, 3, 2};
  if (number == 0) {
    if (radius == 4) return {12, 1, 8, 1, 300, 7, 1, false, 0, true, 0, 3, 2};
    return {8, 2, 8, 1, radius == 2 ? 420 : 400, radius + 3, 1, false, 0, true, 0, 3, 2};
  }
  return radius == 3 ? MarchShape{14, 2, 6, 1, 382, 8, 1, false, 0, true}
                     : MarchShape{12, 2, 6, 1, 312, 8, 1, false, 0, true};
}
inline constexpr int max_functor_chunk = 144;

/// Points from which blocks keep together; with a functor behind radius 1 all do, which costs time at 641x640x400 alone, see above. Fewer in float
/// lose by it. Each for itself and together, an H100, of the copy, radius 1, 2, 3, 4 in float, box of radius 1: 477x480x100 79, 78; 73, 71; 70, 64; 64, 58; 76, 74, 301^3 72, 67; 69, 62; 63, 57; 56, 49;
/// 64, 61, 250x251x600 72, 66; 80, 78; 78, 72; -; 72, 67, 385x511x500 (98 million) 88, 87; 85, 84; 83, 80; 74, 73; 87, 80, but 767x511x340 (133 million)
/// -; 82, 86; 79, 82; 74, 76; 90, 90. Boxes in double gain: 83, 85; -; 86, 88; 86, 93.
KOKKOS_FUNCTION constexpr std::int64_t min_lockstep_points(int element_bytes)
{
  return element_bytes == 4 ? 100'000'000 : 0;
}

/// Of boxes, of which march_star_shape() tells more. Those of radius 1 march in lockstep where all blocks of the first shape run at once.
/// By a program of its own, at 512^3, on rows of 509 and in sub-views of rows of 507, without and with it: float 425, 409, 367 and
/// 432, 409, 387 (by the library's benchmark 446, 414, 397), the second shape 429, 403, 353 and 434, 418, 381, but on rows of 513 389 and 384;
/// double 219, 217, 208 and 229, 230, 221 (233, 235, 225), with two planes in flight 217, 206, 198 and 233, 237, 223. Stars of radius 1
/// to 4 in float were slower with it while each thread stored its points: 414, 411, 395, 325 and 309, 380, 391, 253 (rows of 509), and no warp did nothing but begin. Drifts of 2 and 4 make 98% of what 3 does.
///
/// Rates are those of 512^3 points, an H200, zero outside. Radius 1 in float, tile 256x32, planes in the ring and in flight: 4
/// and 2 388, 3 and 1 397, 2 and 1 408 before edges were filled row by row, 440 since; 422 with streaming stores (rows of 509: 413 and
/// 392); of 20 rows 415, of 8 rows 340; 512x16 440 as well (rows of 509 426 and 412, sub-views 375 and 365). The second shape holds rows of 513:
/// 410, and 391 by one tile of 544 columns. Radius 2 in float, 4 warps across and 4 groups, 2 and 8, 1 and 16, 16 rows: 163, 161, 156, 159;
/// rows of 513: 122, by 12 rows of 8 warps 129, by 12 x 2 rows 142. In double, radius 1, ring of 2 and 3: 218, 219; radius 2, two planes in flight and one: 98, 105, rows of 513 79, 83 and by the second shape 95.
KOKKOS_FUNCTION constexpr MarchShape march_box_shape(int radius, int element_bytes, int number)
{
  const bool first = number == 0, is_double = element_bytes == 8;
  if (is_double && radius == 2)
    return first ? MarchShape{8, 2, 4, 1, 105, 3, 1, false} : MarchShape{6, 2, 6, 1, 108, 3, 1, false};
  if (is_double) return first ? MarchShape{8, 2, 8, 1, 230, 3, 1, false, 3} : MarchShape{12, 2, 4, 1, 200, 3, 1, false};
  if (radius == 2) return first ? MarchShape{8, 4, 4, 1, 158, 3, 1, false} : MarchShape{12, 2, 6, 1, 165, 3, 1, false};
  return first ? MarchShape{16, 1, 17, 1, 460, 2, 1, false, 3, false, 2} : MarchShape{16, 2, 8, 1, 430, 2, 1, false};
}

/// The same of 13 points of radius 1 and 21 of radius 2. Float, radius 1, tiles 256x32, 512x16: 417, 388; of 8 rows before edges were
/// filled row by row: 293. Second shapes are for rows that the first ones fill less; their rates were estimated from those of others.
KOKKOS_FUNCTION constexpr MarchShape march_sparse_shape(int radius, int element_bytes, int number)
{
  const bool first = number == 0, is_double = element_bytes == 8;
  if (is_double && radius == 2)
    return first ? MarchShape{8, 1, 8, 1, 120, 4, 2, false} : MarchShape{8, 2, 4, 1, 115, 4, 2, false};
  if (is_double) return first ? MarchShape{16, 1, 8, 1, 212, 2, 1, false} : MarchShape{12, 2, 4, 1, 195, 3, 1, false};
  if (radius == 2) return first ? MarchShape{8, 2, 8, 1, 203, 2, 1, false} : MarchShape{8, 4, 4, 1, 202, 3, 1, false};
  return first ? MarchShape{14, 1, 16, 1, 480, 3, 1, false, 0, false, 2} : MarchShape{16, 2, 8, 1, 430, 2, 1, false};
}

/// Stars of radius 3 in double have one: it makes what the best of 12 rows makes, and those that store beside zero or memory go by
/// StridedStar.hpp where rows fit its tiles.
KOKKOS_FUNCTION constexpr bool has_march_shape(MarchKind kind, int radius, int element_bytes, int number)
{
  if (kind != MarchKind::star) return true;
  return radius >= min_march_radius(element_bytes) && (element_bytes == 4 || radius != 3 || number == 0);
}

KOKKOS_FUNCTION constexpr MarchShape march_shape(MarchKind kind, int radius, int element_bytes, int number)
{
  if (kind == MarchKind::star) return march_star_shape(radius, element_bytes, number);
  return kind == MarchKind::box ? march_box_shape(radius, element_bytes, number)
                                : march_sparse_shape(radius, element_bytes, number);
}

/// Stars whose rows lie on 16 bytes keep the star kernel: more than any march makes (chosen).
inline constexpr int aligned_star_rate = 1000;

/// The rate of the kernels of Tile.hpp at 512^3 and at 509x511x513, an H200; of odd sparse operators estimated from the boxes.
KOKKOS_FUNCTION constexpr int tile_rate(MarchKind kind, int radius, int element_bytes, bool is_aligned)
{
  const bool is_float = element_bytes == 4;
  if (kind == MarchKind::box && radius == 2) return is_float ? 100 : 69;
  if (kind == MarchKind::box) return is_float ? (is_aligned ? 236 : 148) : (is_aligned ? 155 : 118);
  return is_float ? (is_aligned ? 240 : 150) : (is_aligned ? 165 : 120);
}

} // namespace Keramos::cuda::stencil
