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
/// 79, an H100 93, 92, 89 (by the first shape 76, 75, 74; 84 at rows of 513). Where rows lie on 16 bytes the star kernel is faster on an H200: 512^3
/// 97, so 87.
///
/// Declared fields by pairs, radius 4, rows of 509 and 513, Gpoint/s: one, an H200 301, 308, an H100 245, 245 (by the first shape 241, 239 and 197,
/// 194); the wave update, which has two, 210, 209 and 175, 178 (by the star kernel 145, 128 and 130, 121); by fields in shared memory, 312, 314 and
/// 244, 244, the wave update 237, 239 and 184, 184.
inline constexpr int functor_pairs = 1, wide_functor_pairs = 2; ///< the numbers of these shapes
KOKKOS_FUNCTION constexpr bool has_functor_pairs(int radius, int operands, int number)
{
  if (number == wide_functor_pairs) return radius == 4 && (operands == 1 || operands == 2);
  return number == functor_pairs && (radius == 4 || (radius == 2 && operands == 0));
}
/// Planes of declared fields in shared memory, 0: they come from the L2. As many as tiles of 536 columns leave room for.
KOKKOS_FUNCTION constexpr int staged_fields_ring(int operands, int number)
{
  return number != functor_pairs || operands == 0 || operands > 2 ? 0 : operands == 2 ? 2 : 3;
}
inline constexpr int staged_fields_columns = 536;
/// Tiles that are as wide by fields from the L2 are slower, by 3% with one field and 12 with two on rows of 509.
KOKKOS_FUNCTION constexpr int functor_pairs_rate(int radius, int operands, int number)
{
  if (number == wide_functor_pairs) return operands == 1 ? 465 : 430;
  return radius == 4 ? 480 : 700;
}
/// Points of a row from which one field is faster so.
inline constexpr int min_staged_field_points = 385;
/// Behind doubles: a thread has five rows of one column, with 128 registers.
KOKKOS_FUNCTION constexpr bool has_functor_singles(int radius, int element_bytes, int number)
{
  return element_bytes == 8 && number == functor_pairs && radius == 4;
}
KOKKOS_FUNCTION constexpr bool has_march_functor_shape(int radius, int element_bytes, int operands, int number)
{
  if (element_bytes == 8) return (radius == 4 && number == 0) || has_functor_singles(radius, element_bytes, number);
  return number == 0 || (number == 1 && radius > 2) || has_functor_pairs(radius, operands, number);
}
KOKKOS_FUNCTION constexpr MarchShape march_functor_shape(int radius, int element_bytes, int operands, int number)
{
  if (element_bytes == 4 && radius == 1)
    return {.rows = 12, .max_warps = 16, .rate = 450, .ring = 4, .drift = 3, .producers = 3, .columns_beside = 2};
  if (has_functor_singles(radius, element_bytes, number)) // rate as below
    return {.rows = 5,
            .groups = 3,
            .max_warps = 4,
            .rate = 330,
            .ring = operands == 0 ? 8 : 4,
            .drift = 5,
            .producers = 2,
            .columns_beside = 2,
            .keeps_centres = true,
            .keeps_planes = operands == 0};
  if (has_functor_pairs(radius, operands, number)) // more than they make: they are faster wherever they are asked
    return {.rows = radius == 4 ? 4 : 6,
            .groups = 2,
            .columns = 2,
            .max_warps = 9,
            .rate = functor_pairs_rate(radius, operands, number),
            .ring = staged_fields_ring(operands, number) > 0 ? 3 : 4,
            .drift = 3,
            .wide = radius == 4 ? 1024 : 0, // where memory is fast, each for itself
            .min_row = operands == 1 && number == functor_pairs ? min_staged_field_points : min_pair_points,
            .producers = 2,
            .keeps_centres = true,
            .fields_ring = staged_fields_ring(operands, number),
            .fields_columns = staged_fields_columns};
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
  else if (number == 1)
    shape = {.rows = radius == 3 ? 14 : 12,
             .groups = 2,
             .max_warps = 6,
             .rate = radius == 3 ? 382 : 312,
             .ring = 8,
             .last_first = true};
  else if (radius == 4)
    shape.rows = 12, shape.groups = 1, shape.rate = 300;
  else if (radius == 2)
    shape.rate = 420;
  return shape;
}
inline constexpr int max_functor_chunk = 144;

/// The rate that single columns must be expected to make where rows lie on 16 bytes and memory is fast, on grids large enough to keep together:
/// tiles that are filled by nine tenths. An H200, a View and a coefficient by the star kernel and so, of the copy: 512^3 82, 72 and 81, 76;
/// 320x640x640 77, 66 and 80, 73; 480^3 76, 63 and 76, 72; 384x384x320 76, 65 and 75, 69; filled by less 576x576x200 79, 69 and 71, 68;
/// small 256^3 80, 72 and 68, 62.
inline constexpr int aligned_functor_rate = 300;
/// Single columns: blocks that keep together may march as far as they can count, and each march has its ramp.
inline constexpr int max_single_chunk = 1024;
static_assert(max_single_chunk + 2 * 4 <= lockstep_steps);

} // namespace Keramos::cuda::stencil
