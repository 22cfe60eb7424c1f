// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the marches with an application's functor behind a star, see MarchTuning.hpp.
#pragma once

#include "MarchTuning.hpp"

namespace Keramos::cuda::stencil {

/// Of stars with a functor behind them: planes stay in the ring until the outputs of their points end. Rates are such that expected_rate() is
/// to the star kernel's as a coefficient's is. The last tile along y is asked point by point what it stores; so it comes first, in chunks of
/// which a block marches through one of several.
///
/// Of the copy of what is moved, an H100, rows of 509 and 513, a functor that reads a View, a coefficient along the rows, a declared field: float,
/// radius 1 91, 90, 96 and 91, 91, 95; 2 88, 84, 87 and 87, 82, 86; 3 86, 81, 87 and 85, 81, 85; 4 72, 73, 82 and 72, 72, 80. Double, radius 4, for
/// rows that fill the tiles of the star kernel badly: rows of 513 77, 73, 82 (by that 78, 67, 78). By pairs of columns,
/// an H200, rows of 509 and 513, a View, a coefficient: radius 2 93, 86 and 95, 88 (by the first shape 82, 75 and 83, 75); 4 79, 72 and 82, 72
/// (62, 60 and 62, 59). Double, radius 4, by single columns whose planes stay whole, without declared fields, rows of 509 and 513, 507 in sub-views:
/// 80, 73 and 78, 72, 77, 72 (by the first shape 66, 64 and 66, 64, 66, 65; by the star kernel 55, 50 and 64, 46, 48, 50), an H100, rows of 509 and
/// 513, 90, 88 and 90, 87 (78, 75 and 78, 74; 65, 74 and 81, 67).
///
/// Declared fields by single columns whose own rows stay alone, double, radius 4, rows of 509, 513, 507 in sub-views, of the copy: the wave update,
/// an H200 87, 83, 83 (since nothing is spilled 91, 90), an H100 93, 91, 90 (by the star kernel 62, 56, 61; 76, 69, 73), one field, an H200 87, 84,
/// 79, an H100 93, 92, 89 (by the first shape 76, 75, 74; 84 at rows of 513).
///
/// Radius 1, 2 and 3, rows of 513, Gpoint/s, a View, a coefficient, a declared field, by the first shape, in double by the star kernel, and so, an
/// H200: float 284, 440, 327 and 343, 466, 347; a declared field of radius 2 287 and 340; 269, 371, 281 and 295, 394, 336. Double 139, 197, 164 and 162,
/// 235, 173; 132, 178, 150 and 161, 236, 171; 125, 147, 127 and 149, 222, 166. An H100 float 229, 338, 236 and 244, 352, 247; 211 and 249; 210, 297, 209
/// and 237, 350, 248; double 112, 158, 111 and 123, 179, 126; 110, 153, 105 and 122, 177, 126; 106, 146, 103 and 117, 173, 123.
///
/// Declared fields by pairs, radius 4, rows of 509 and 513, Gpoint/s: one, an H200 301, 308, an H100 245, 245 (by the first shape 241, 239 and 197,
/// 194); the wave update, which has two, 210, 209 and 175, 178 (by the star kernel 145, 128 and 130, 121); by fields in shared memory, 312, 314 and
/// 244, 244, the wave update 237, 239 and 184, 184.
inline constexpr int functor_pairs = 1, wide_functor_pairs = 2, high_functor_pairs = 3; ///< the numbers of these shapes
KOKKOS_FUNCTION constexpr bool has_functor_pairs(int radius, int operands, int number)
{
  if (number == wide_functor_pairs) return (radius > 1 && operands == 1) || (radius == 4 && operands == 2);
  if (number == high_functor_pairs) return radius > 1 && operands <= 1;
  return number == functor_pairs && (radius == 4 || operands <= 1);
}
/// Planes of declared fields in shared memory, 0: they come from the L2. As many as tiles of 536 columns leave room for.
KOKKOS_FUNCTION constexpr int staged_fields_ring(int operands, int number)
{
  return number == wide_functor_pairs || operands == 0 || operands > 2 ? 0 : operands == 2 ? 2 : 3;
}
inline constexpr int staged_fields_columns = 536, high_fields_columns = 384;
/// Tiles of six warps by three groups, `high_functor_pairs`, of rows of which no tile is wide: by these rates they take what they are faster at, of the
/// copy, an H200, rows of 384, 577, 641 and 767, others and they: radius 4 a coefficient 65, 48, 54, 63 and 72, 56, 59, 67, a declared field 82, 63, 71,
/// 82 and 90, 72, 77, 85; radius 3 70, 49, 58, 62 and 75, 57, 60, 71; 88, 66, 70, 75 and 93, 76, 81, 88; radius 2 85, 66, 71, 77 and 82, 68, 75, 82; 89, 70,
/// 74, 80 and 94, 82, 86, 90.
/// Tiles that are as wide by fields from the L2 are slower, by 3% with one field and 12 with two on rows of 509. With 4x2 rows of radius 2 and 3 rows
/// that are two tiles of some 320 columns keep the first shape: radius 3, 641x640x400, a View 62 and 71%.
KOKKOS_FUNCTION constexpr int functor_pairs_rate(int radius, int operands, int number)
{
  if (number == wide_functor_pairs && radius == 4) return operands == 1 ? 465 : 430;
  if (number == wide_functor_pairs) return radius == 3 ? 445 : 465;
  if (number == high_functor_pairs && operands == 0) return radius == 4 ? 500 : radius == 3 ? 470 : 690;
  if (number == high_functor_pairs) return radius == 4 ? 480 : radius == 3 ? 450 : 490;
  if (radius == 2) return operands == 0 ? 700 : 475;
  return radius == 4 ? 480 : radius == 3 ? 455 : 700;
}
/// Two operands of which one is a number leave half of the places for fields in shared memory empty. Rows of 513 and 509, 387, 259, 205, the wave update,
/// an H200: 277 and 272, 214, 166, 127 by fields from the L2, 269 and 268, 197, 162, 131 by those in shared memory; an H100, where the rate stays:
/// 226 and 224, 189, 152, 122, 233 and 232, 174, 155, 128.
inline constexpr int one_field_pairs_rate = 500;
/// Points of a row from which they are asked. Of radius 4 one field is faster so than by the wide shape from 385 on; without fields tiles of 18 rows
/// of radius 2 are no faster than those of 12 where one is as wide as a row.
KOKKOS_FUNCTION constexpr int min_functor_pair_points(int radius, int operands, int number)
{
  if (number == high_functor_pairs && radius == 2 && operands == 0) return 577;
  return number == functor_pairs && radius == 4 && operands == 1 ? 385 : min_pair_points;
}
/// Behind doubles.
KOKKOS_FUNCTION constexpr bool has_functor_singles(int element_bytes, int number)
{
  return element_bytes == 8 && number == functor_pairs;
}
KOKKOS_FUNCTION constexpr bool has_march_functor_shape(int radius, int element_bytes, int operands, int number)
{
  if (element_bytes == 8) return (radius == 4 && number == 0) || has_functor_singles(element_bytes, number);
  return number == 0 || has_functor_pairs(radius, operands, number);
}
KOKKOS_FUNCTION constexpr bool has_any_march_functor_shape(int radius, int element_bytes, int operands)
{
  return has_march_functor_shape(radius, element_bytes, operands, 0) ||
         has_march_functor_shape(radius, element_bytes, operands, functor_pairs);
}
KOKKOS_FUNCTION constexpr MarchShape march_functor_shape(int radius, int element_bytes, int operands, int number)
{
  if (element_bytes == 4 && radius == 1 && number == 0)
    return {.rows = 12, .max_warps = 16, .rate = 450, .ring = 4, .drift = 3, .producers = 3, .columns_beside = 2};
  if (has_functor_singles(element_bytes, number)) return single_columns_shape(radius, operands, 330); // rate as below
  if (has_functor_pairs(radius, operands, number)) { // more than they make: they are faster wherever they are asked
    const bool is_high = number == high_functor_pairs;
    return {.rows = radius == 1 || (radius == 2 && operands == 0) ? 6 : 4,
            .groups = is_high ? 3 : 2,
            .columns = 2,
            .max_warps = is_high ? 6 : 9,
            .rate = functor_pairs_rate(radius, operands, number),
            .ring = staged_fields_ring(operands, number) > 0 ? 3 : 4,
            .drift = 3,
            .wide = radius == 4 ? 1024 : 0, // where memory is fast, each for itself
            .min_row = min_functor_pair_points(radius, operands, number),
            .producers = 2,
            .keeps_centres = true,
            .fields_ring = staged_fields_ring(operands, number),
            .fields_columns = is_high ? high_fields_columns : staged_fields_columns};
  }
  MarchShape shape{.rows = 8,
                   .groups = 2,
                   .max_warps = 8,
                   .rate = 400,
                   .ring = radius + 3,
                   .last_first = true,
                   .producers = 3,
                   .columns_beside = 2};
  if (element_bytes == 8)
    shape.rows = 6, shape.max_warps = 4, shape.rate = 129;
  else if (radius == 4)
    shape.rows = 12, shape.groups = 1, shape.rate = 300;
  else if (radius == 2)
    shape.rate = 420;
  return shape;
}
inline constexpr int max_functor_chunk = 144;

/// Where rows lie on 16 bytes: the star kernel's rate if the points filled its tiles, in the measure in which shapes of pairs and of single columns are
/// that march all the time. An H200, Gpoint/s, the star kernel and so, a View, a coefficient, a declared field in float, radius 4: 512^3 281, 300; 400,
/// 384; 334, 330; 514x515x520 228, 288; 303, 386; 238, 330; 300^3 192, 176; 245, 251; 201, 222; 256^3 235, 184; 302, 230; 270, 223; radius 2 512^3 299,
/// 350; 438, 486; 514x515x520 229, 341; 328, 471; 256^3 257, 236; 353, 332. In double, radius 4, 512^3 144, 143; 192, 201; 164, 165, 258^3 a
/// coefficient and a declared field 111, 148; 103, 130, 256^3 168, 155; 154, 135 (docs/tuning/stencil-march-functors.md).
KOKKOS_FUNCTION constexpr int busy_functor_rate(int radius, int element_bytes, int operands)
{
  if (element_bytes == 8) return radius == 4 ? 295 : 270;
  if (radius == 4) return operands == 0 ? 400 : 390;
  if (radius == 3) return 390;
  return radius == 2 && operands > 0 ? 373 : 550;
}
/// The same of waves, by tensor copies. An H200, these and pairs, a number as scale and a velocity, in float: 512^3 317, 321 and 268, 258; 512x528x512
/// 279, 326 and 239, 260; 514x515x520 264, 283 and 225, 250; 258x514x388 203, 243 and 175, 220; 400^3 254, 242 and 219, 217; in double 258^3 104, 118
/// and 91, 100, 264^3 111, 105 and 99, 93; 514x515x514 with a velocity 113, 117, 514x515x520 123, 119.
KOKKOS_FUNCTION constexpr int busy_wave_rate(int element_bytes) { return element_bytes == 8 ? 383 : 540; }

} // namespace Keramos::cuda::stencil
