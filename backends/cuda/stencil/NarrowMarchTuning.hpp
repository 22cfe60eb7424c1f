// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the march through grids whose rows are short. docs/tuning/narrow-stencils.md has the tables behind them.
#pragma once

#include "MarchOperator.hpp"

#include <Kokkos_Macros.hpp>

#include <climits>
#include <cstdint>

namespace Keramos::cuda::stencil {

/// How a block is built. A thread has `rows` rows of a column.
struct NarrowMarchShape {
  int rows;
  int threads;
  int blocks;                      ///< per multiprocessor, which bounds the registers
  static constexpr int cells = 10; ///< of a plane in shared memory that a thread brings, at most
};

inline constexpr int max_narrow_radius = 4, max_narrow_box_radius = max_box_radius;

/// Eight rows read less of shared memory than four, where registers hold them: of the copy, an H200, rows of 33, 75, 163 points, four and eight rows:
/// double, radius 1 72, 71, 74 and 79, 79, 84; float, radius 1 67, 65, 68 and 66, 67, 68; 2 64, 62, 67 and 52, 55, 62; 4 39, 47, 41 and 37, 41, 37.
KOKKOS_FUNCTION constexpr NarrowMarchShape narrow_march_shape(MarchKind kind, int radius, int element_bytes)
{
  if (kind != MarchKind::star)
    return {.rows = 4, .threads = element_bytes == 4 && radius > 1 ? 384 : 512, .blocks = element_bytes == 4 ? 2 : 1};
  if (element_bytes == 8) return {.rows = radius == 1 ? 8 : 4, .threads = 512, .blocks = 1};
  return {.rows = 4, .threads = radius > 2 ? 384 : 512, .blocks = 2};
}

/// Columns of a tile at least where parts of rows smaller than halves are looked for (chosen).
inline constexpr int min_narrow_columns = 64;

/// What stands behind the sums.
enum class NarrowWork { plain, wave, functor };

/// Points of a grid from which it is asked. Stars of fewer go to others in front of it; boxes, an H200, of the copy, by tiles and so: 64^3 in float 4
/// and 6%, in double 7 and 10, 100x100x33 4 and 5, 6 and 12; sparse ones of radius 2, 7 taps before a field, 100^3 15 and 12, 24 and 25.
constexpr std::int64_t min_narrow_points(MarchKind kind, int radius)
{
  if (kind == MarchKind::star) return std::int64_t(1) << 20;
  return std::int64_t(1) << (kind == MarchKind::sparse && radius > 1 ? 23 : 18);
}

/// Up to where it is faster than the other kernels.
struct NarrowLimit {
  int row;     ///< points of a row
  double fill; ///< and, where rows lie on 16 bytes, what a row fills of the other kernel's tiles
};
/// Of boxes, as measured, wherever rows begin: behind functors tiles are all that is else. Plain sparse ones of radius 2 were not measured.
KOKKOS_FUNCTION constexpr NarrowLimit narrow_box_limit(MarchKind kind, NarrowWork work, int radius, int element_bytes)
{
  const bool is_double = element_bytes == 8, is_functor = work == NarrowWork::functor;
  if (is_functor && kind == MarchKind::box) return {.row = INT_MAX, .fill = 1};
  constexpr int box[2][max_narrow_box_radius] = {{130, 72}, {70, 257}},
                sparse[2][max_narrow_box_radius] = {{91, 64}, {96, 64}},
                before_functor[2][max_narrow_box_radius] = {{400, 130}, {300, 112}};
  const auto& rows = kind == MarchKind::box ? box : is_functor ? before_functor : sparse;
  return {.row = rows[is_double ? 1 : 0][radius - 1], .fill = 1};
}
/// As measured, see the tables; of a functor behind radius 2 and 3 between those behind 1 and 4; of waves of radius 3 in double lower than measured
/// with one field read twice, as in place it was not.
KOKKOS_FUNCTION constexpr NarrowLimit narrow_limit(MarchKind kind, NarrowWork work, int radius, int element_bytes)
{
  if (kind != MarchKind::star) return narrow_box_limit(kind, work, radius, element_bytes);
  constexpr NarrowLimit in_float[3][max_narrow_radius] = {{{200, 0.5}, {120, 0.57}, {120, 0.5}, {96, 0.5}},
                                                          {{240, 0.63}, {240, 0.57}, {180, 0.5}, {177, 0.5}},
                                                          {{176, 0.63}, {150, 0.5}, {150, 0.55}, {163, 0.6}}};
  constexpr NarrowLimit in_double[3][max_narrow_radius] = {{{180, 0.7}, {100, 0.57}, {97, 0.57}, {66, 0.5}},
                                                           {{40, 0.5}, {97, 0.5}, {110, 0.4}, {24, 0.4}},
                                                           {{80, 0.7}, {60, 0.6}, {48, 0.6}, {36, 0.5}}};
  return (element_bytes == 4 ? in_float : in_double)[static_cast<int>(work)][radius - 1];
}

// ---- Two axes (NarrowRows.hpp) ----------------------------------------------------------------------------------------

/// Threads that leave the registers for sums and cells (chosen, no other shape was measured).
template <class T>
inline constexpr NarrowMarchShape narrow_rows_shape{.rows = 4, .threads = sizeof(T) == 4 ? 512 : 384, .blocks = 2};

/// Points of a grid from which it is asked (chosen).
inline constexpr std::int64_t min_narrow_rows_points = std::int64_t(1) << 20;

/// Points of a row up to which it is faster than the other kernels, and on smaller grids. H200, of the copy, by registers and so, 16384x256 in float, radius 1
/// and 4 65 and 44%, 43 and 32; 8000x125 17 and 16, 7 and 14; 8192x128 19 and 17, 14 and 14. Of boxes with declared fields, which tiles took, any: 4096^2
/// in float and double, radius 1 42 and 67, 66 and 88, 2 40 and 51, 62 and 67; 1000^2 18 and 22, 34 and 50, 18 and 18, 32 and 38.
constexpr int max_narrow_row(bool is_star, int radius, int element_bytes)
{
  constexpr int star[max_narrow_radius] = {256, 256, 180, 120}, box[max_narrow_radius] = {256, 128, 0, 0};
  return element_bytes == 4 ? 256 : is_star ? star[radius - 1] : box[radius - 1];
}
/// Up to which on grids of fewer points than that, between the grids above.
inline constexpr int max_short_narrow_row = 130;
inline constexpr std::int64_t min_long_narrow_points = std::int64_t(1) << 24;

} // namespace Keramos::cuda::stencil
