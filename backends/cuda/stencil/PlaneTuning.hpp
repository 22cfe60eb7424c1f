// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of small stars and boxes over two axes (Plane.hpp), each with its measurement; docs/tuning/stencils.md, Two axes, has more.
#pragma once

#include <Kokkos_Macros.hpp>

namespace Keramos::cuda::stencil {

/// Largest radius of a star or box over two axes that goes by registers, rows of a thread, and threads of a block along x at most, as
/// an exponent. 16384^2 points on an H200, of the copy, 4 and 8 rows, 32 and 64 threads: star of radius 1, f32: 93, 94, 96,
/// 98%; box of radius 1: 95, 95, 95, 97%; of radius 2: 81, 82, 83, 83%, f64: 84, 85, 84, 87%.
inline constexpr int max_plane_radius = 2, plane_items = 8;

/// What blocks of them depend on. `has_steps`: rows lie more than whole vectors apart; `has_epilogue`: the sums are not stored as they are.
struct PlaneKind {
  bool is_star;
  int radius, element_bytes;
  bool has_steps, has_epilogue;
};
KOKKOS_FUNCTION constexpr bool is_far_plane(const PlaneKind& of)
{
  return of.is_star && of.radius > 2 && of.element_bytes == 4;
}

/// Threads of a block along x at most, as an exponent. What reaches far reads fewer rows again where blocks are higher: 16383x16385 points in f32 on an H200, of
/// the copy, 32 and 64 of 128 threads: stars of radius 3 and 4 91 and 89, 89 and 86% (16 threads 88, 87%); behind radius 4, reading a View 94 and 90% (92%), a
/// coefficient 85 and 81% (84%); behind radius 1 a coefficient 90 and 91%. On 16384^2 a View 90 and 92%.
KOKKOS_FUNCTION constexpr int plane_lanes(const PlaneKind& of) { return is_far_plane(of) && of.has_steps ? 5 : 6; }

/// Whether rows that lie more than whole vectors apart have a kernel of their own: one for all has the registers of what is worst of
/// them. In one and apart, an H200, 16384^2, of the copy: star of radius 4, f32 84 and 86%, f64 89 and 91%; box of radius 2, f32 82 and 84%,
/// f64 90 and 91%; stars and boxes of radius 1 the same in both.
KOKKOS_FUNCTION constexpr bool steps_apart(bool is_star, int radius) { return radius > (is_star ? 2 : 1); }

/// Whether rows are loaded in the order in which they are written, so many before the one that is added: a compiler puts most of them between the
/// sums, and fewer bytes are on their way (docs/tuning/stencils.md, Two axes). Star of radius 4, 16384^2, of the copy, by the compiler and so: an H200 89.6 and 90.5%, an H100 95.7 and 97.2%.
/// Behind them a functor wants registers: 16384^2 on the H200, reading a View 81 and, by the compiler with half as many threads of a block, 92%, a coefficient 90%
/// by both, a declared field 98 and 97%.
KOKKOS_FUNCTION constexpr bool plane_in_order(const PlaneKind& of)
{
  return is_far_plane(of) && !of.has_steps && !of.has_epilogue;
}
inline constexpr int plane_rows_ahead = 7;

/// Threads of their blocks at most, as an exponent. 16384^2 points on an H200, of the copy, 256, 128 and 64 threads: box of radius 2, f32 83,
/// 85, 85%, f64 90, 95, 93%; of radius 1, f32 96, 97, 97%; star of radius 2, f64 97, 98, 97%; 16381^2: boxes, f32 74, 78, 76 and 58, 59, 60%, f64 93, 96, 97 and 82, 81, 79%, star of radius 2, f64 77, 80, 82%. Stars of
/// radius 3 and 4 in f32, whose blocks ask for later rows, by 256 and 128: 92.0 and 90.5, 89.6 and 87.9%.
KOKKOS_FUNCTION constexpr int plane_threads(const PlaneKind& of) { return plane_in_order(of) ? 8 : 7; }

/// Blocks on a multiprocessor, which bound the registers. Box of radius 2, 4 and 5 of them, an H200, of the copy: 16384^2, f32 84 and 84%,
/// f64 91 and 92%; 16381^2, f32 77 and 84%, f64 89 and 87%. Star of radius 4, 16384^2: f32 86 and 86%, f64 91 and 86%. Rows that are not alike were not
/// measured with 5. With 4 rows of a thread and 6 blocks the box makes 86, 90, 82 and 86%, the star 82 and 85%.
inline constexpr int min_plane_blocks = 4;
KOKKOS_FUNCTION constexpr int plane_blocks(const PlaneKind& of)
{
  if (plane_in_order(of)) return min_plane_blocks / 2;
  return !of.is_star && of.radius == 2 && (of.element_bytes == 4 || !of.has_steps) ? 5 : min_plane_blocks;
}

/// Rows of a thread whose operands of an epilogue are on their way together, as many as registers hold. 16383x16385 points in f32 on an H200, radius 1,
/// of the copy, one field 101% and, loaded as the compiler orders it, 92%; two fields, four rows each, 97%.
KOKKOS_FUNCTION constexpr int plane_rows_together(int operands)
{
  return operands > 4 ? 1 : operands > 2 ? 2 : operands > 1 ? 4 : plane_items;
}

/// Whether blocks ask the L2 for rows that later ones read, and how far ahead: one in so many of the blocks that run at once (docs/tuning/stencils.md, Two axes).
/// An H200, of the copy, without and so: stars of radius 1 and 2, 16384^2, f32 98, 98 and 96, 94%, of radius 3 and 4, f64 91, 90 and 88, 88%.
constexpr bool plane_prefetches(const PlaneKind& of) { return of.is_star ? is_far_plane(of) : of.radius > 1; }
inline constexpr int plane_prefetch_share = 4;

/// The largest radius of stars whose rows begin alike in the input and the output (docs/tuning/stencils.md, Two axes). Radius 4,
/// of the copy, by a march and so: H200, 16384^2, double 89 and 93%, float 88 and 87%; H100, float 92 and 99%, odd rows 73 and 95%.
inline constexpr int max_plane_star = 4;

/// A tile that comes to shared memory with its halo (PlaneTileKernel.hpp).
struct PlaneTileShape {
  int lanes, across; ///< a block is 2^lanes x 2^across threads
  int blocks;        ///< on a multiprocessor

  static constexpr int line_bytes = 128;

  KOKKOS_FUNCTION constexpr int threads() const { return 1 << (lanes + across); }
  KOKKOS_FUNCTION constexpr int width(int element_bytes) const { return (16 / element_bytes) << lanes; }
  KOKKOS_FUNCTION constexpr int height() const { return plane_items << across; }
  /// Elements on either side of a row's points: whole vectors.
  KOKKOS_FUNCTION constexpr int halo(int radius, int element_bytes) const
  {
    const int points = 16 / element_bytes;
    return (radius + points - 1) / points * points;
  }
  /// Elements of a line that a copy may bring before those.
  KOKKOS_FUNCTION static constexpr int slack(int element_bytes) { return (line_bytes - 16) / element_bytes; }
  /// From row to row in shared memory: whole lines.
  KOKKOS_FUNCTION constexpr int row_bytes(int radius, int element_bytes) const
  {
    const int elements = slack(element_bytes) + width(element_bytes) + 2 * halo(radius, element_bytes);
    return (elements * element_bytes + line_bytes - 1) / line_bytes * line_bytes;
  }
  constexpr int bytes(int radius, int element_bytes) const
  {
    return (height() + 2 * radius) * row_bytes(radius, element_bytes);
  }
};

/// What goes by such tiles on large grids (docs/tuning/stencils.md, Two axes), where a row has so many of them, and the grid as many as run at once. By registers and so, an H200,
/// of the copy: f32, 16383x16385 90, 94%, 5999x6001 66, 90%, 65536x2047 (8 tiles) 84, 88%, 65536x1023 77, 73%, 2049x2051 20.4, 17.4 us; f64, 11581^2 87, 94%, 6001x6003
/// 79, 91%, 65536x1023 (8 tiles) 79, 92%. Twice as wide with half as many blocks 94, 89, 79, 61%, 17.5 us; 94, 91, 86%.
constexpr bool has_plane_tile(const PlaneKind& of)
{
  return of.is_star && of.radius == max_plane_star && of.has_steps && !of.has_epilogue;
}
inline constexpr PlaneTileShape plane_tile{6, 2, 4};
inline constexpr int min_plane_tiles_along = 8;

} // namespace Keramos::cuda::stencil
