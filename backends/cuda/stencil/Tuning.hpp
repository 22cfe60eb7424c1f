// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the stencil kernels, each with its reason. Shapes of tiles are compile-time, because registers are; how
// a grid is cut into blocks is decided at run time from the numbers of the GPU. docs/tuning.md has longer tables of what was measured.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "../Device.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::cuda::stencil {

/// Largest radius with an unrolled star or line kernel; beyond it the tile kernel takes over.
inline constexpr int max_radius = 8;

/// How a block of the star kernel is built. A thread owns `rows` rows of 16 bytes.
struct StarShape {
  int width;      ///< threads along the fastest axis (two axes: at most)
  int height;     ///< threads along the middle axis,
  int min_height; ///< or half as often as shared memory asks, down to this: enough for the halo's rows
  int rows;       ///< rows of a thread
  int depth;      ///< planes in flight
  int unroll;     ///< planes that the march is unrolled by
  int blocks;     ///< blocks per multiprocessor, which bounds the registers
  int halo;       ///< columns beside the tile in shared memory, so that rows start at 16 bytes
  KOKKOS_FUNCTION constexpr int threads() const { return width * height; }
};

KOKKOS_FUNCTION constexpr StarShape star_shape(int rank, int radius, int element_bytes)
{
  const int halo = static_cast<int>(core::round_up(radius, 16 / element_bytes));
  // Two axes: planes are single rows, 4 KiB for 256 threads, so more of them must be on their way. 16384^2 points in f32
  // on an H200, radius 4, Gpt/s: 6 in flight and 2 blocks 447, 4 and 2 427, 4 and 3 423, 8 and 3 410; 2048 points 417.
  if (rank == 2) return {256, 1, 1, 1, 6, 4, 2, halo};
  // Three axes, radius 1 to 4: two rows per thread share most of their operands along the middle axis; the queue takes
  // (2 * radius + 1) * 8 of 128 registers. 512^3 points in f32 on an H200, Gpt/s, tiles of 128 x 16, 128 x 32, 256 x 16:
  // radius 1: 396, 418, 427; radius 2: 410, 440, 445; radius 4: 386, 419, 419. With one or three planes in flight
  // radius 4 made 348 and 353.
  if (radius <= 2 && element_bytes == 4) return {64, 8, 4, 2, 2, 2, 1, halo};
  if (radius <= 4) return {32, 16, 8, 2, 2, 2, 1, halo};
  // Radius 5 and 6: the same with 170 registers; a row per thread and 16 of them took a third more time.
  if (radius <= 6) return {32, 12, 12, 2, 2, 2, 1, halo};
  // Radius 7 and 8: the queue leaves room for one row per thread.
  return {32, 16, 16, 1, 2, 2, 1, halo};
}

/// The rate of the kernel of Star.hpp over three axes where rows do not lie on 16 bytes, up to radius 4: 509x511x513, an H200, Gpoint/s.
KOKKOS_FUNCTION constexpr int unaligned_star_rate(int radius, int element_bytes)
{
  if (element_bytes == 8) return radius == 1 ? 220 : radius == 2 ? 204 : radius == 3 ? 168 : 140;
  return radius == 1 ? 352 : radius == 2 ? 315 : radius == 3 ? 266 : 232;
}

/// Whether the warps of the star kernel go on with the next plane while others are at their epilogue. A functor of indices waits for
/// what it reads: a lambda that reads a View, H200, 512^3, of the copy of its bytes, apart and not: f32 radius 1 84 and 74%, radius
/// 4 76 and 61%. With a declared field, radius 4: f32 85 and 92%, f64 94 and 75%.
KOKKOS_FUNCTION constexpr bool warps_run_apart(bool takes_indices, int operands, int element_bytes)
{
  return takes_indices || (operands == 1 && element_bytes == 8);
}

/// Threads of a block of a line across the rows at most, as an exponent.
inline constexpr int line_threads = 7;

/// Points of a thread along a line that lies across the rows: it reads 2 * radius operands more, most of which other threads of the
/// block have brought to the L1. 4 on small grids, of which each thread would wait for more than its share. 512^3 points on an H200,
/// radius 4, of the copy, 2, 4 and 8: along y 86, 99, 99%, along z 81, 92, 93%; 509x511x513: 61, 76, 82% and 59, 72, 78%.
inline constexpr int large_line_items = 8;
KOKKOS_FUNCTION constexpr int small_line_items(int radius) { return radius <= 4 ? 4 : large_line_items; }

/// Columns of a thread where rows begin anywhere on small grids: one, where they have kernels of their own.
template <class T>
constexpr int small_line_columns(int radius)
{
  return radius <= 4 ? 1 : 16 / static_cast<int>(sizeof(T));
}

/// Small grids of whole vectors (LineVectors.hpp): bytes of the points for each multiprocessor (docs/tuning.md, Lines). 64^3 in f32 2.3 and 1.8 us,
/// 128^3 across the rows 4.5 and 4.8, along them 5.4 and 4.4; 128^3 in f64 8.8 and 8.5, 9.9 and 8.8. H100, radius 4, in graphs.
constexpr std::int64_t max_small_line_bytes(bool along) { return (along ? 128 : 32) << 10; }

/// Threads of their blocks along the rows and lanes of a row at most, and, as an exponent, threads on a side of a block across the rows. By a
/// program of its own: 64^3 in f32 along the rows 1.5 to 1.6 us with 64 to 256 threads, across them 1.8 with 64 and 128; 96^3 along the rows 2.2,
/// with half the threads 2.5.
inline constexpr int small_line_threads = 192, max_small_line_lanes = 64, small_line_across = 3;

/// Blocks of them on a multiprocessor, which bounds the registers, for a thread that holds so many vectors.
KOKKOS_FUNCTION constexpr int line_blocks(int vectors) { return vectors <= 12 ? 6 : 4; }

/// Their threads along a row at most, as an exponent. Blocks of 8, 16, 32 and 64 threads made 97, 99, 96 and 97% along y in f32 (512^3, H200);
/// where rows begin anywhere a part of a sector is read and stored at either end, and 16, 32 and 64 made 78, 82 and 78% (509x511x513).
constexpr int line_lanes(bool is_vector) { return is_vector ? 4 : 5; }

/// How a block marches along lines of the slowest axis (LineMarch.hpp): warps that sum, points of each of their threads, planes and rows of
/// outputs in shared memory, and blocks of a multiprocessor, which bound the registers. 509x511x513 on an H200, radius 4, of the copy, with
/// 4, 6, 8, 12 planes: f32 84.5, 92.5, 89.5, 88.7%, f64 89.6, 87.7, 87.6, 87.1%; f32 with 4 points of a thread and 4 blocks 85.4, 89.9,
/// 87.7, 86.4%, with 8 warps of them 83.2, 91.9, 91.7, 90.9%; f64 with 8 points and 2 blocks 89.2, 89.0, 88.5, 87.2%. Other numbers of rows
/// of outputs were not measured.
struct LineMarchShape {
  int warps, points, planes, outputs, blocks;
};
template <class T>
inline constexpr LineMarchShape line_march_shape = sizeof(T) == 4 ? LineMarchShape{4, 8, 6, 3, 2}
                                                                  : LineMarchShape{4, 4, 4, 3, 4};

/// Its largest radius (chosen), and the bytes of the points for each multiprocessor from which on it is taken. Radius 4 on an H200, by
/// registers and so, in us: f32 127x129x131 11.9 and 14.4, 191x193x195 24.3 and 22.7, 255x257x259 53.0 and 42.2, 300x411x307 99.1 and 82.8;
/// f64 12.1 and 14.7, 39.6 and 37.2, 83.5 and 77.9.
inline constexpr int max_line_march_radius = 4;
inline constexpr std::int64_t min_line_march_bytes = std::int64_t(1) << 18;

/// Bytes that all rows lie alike on where registers are kept. 510x511 rows of 508, 504, 496, 480 and 512x512 points on an H200, of the
/// copy, by registers and so: f32 80 and 95, 85 and 94, 85 and 93, 88 and 94, 92 and 93%; f64, without 480, 83 and 93, 84 and 92, 87 and
/// 92, 93 and 92%.
inline constexpr int line_march_boundary = 256;

/// From how many planes on it is taken (chosen), and into how many chunks they are divided at most: a step takes about as long with few
/// points as with many. 255x257x259 in f32 takes 48.1 us in 3 chunks (760 points of a block), 42.2 in 4 (1016), 42.1 in 6 and 43.0 in 8
/// (two turns).
inline constexpr int min_line_march_planes = 32, max_line_march_chunks = 8;

/// How a block takes a slab of a plane for lines along the middle axis (LineSlab.hpp): threads, elements, and blocks of a multiprocessor, which
/// rows of more than 700 elements leave two of. Radius 4 on an H200, f32, of the copy, 509x511x513, 513x513x509, 511x510x515, 200x999x1001, by
/// registers 83, 84, 83, 83%, so 96, 96, 95, 97%; by 256 threads with 12288 and 16384 elements 95, 95, 95, 97 and 95, 95, 96, 96%.
struct LineSlabShape {
  int threads, elements, blocks;
};
inline constexpr LineSlabShape line_slab_shape{512, 12288, 3};

/// Elements from which to which a block's rows reach on large grids, if all rows lie alike: a View begins 128 bytes behind such a boundary.
/// 512^3 on an H200, along the slowest axis, with blocks that begin there and 128 bytes behind: f32 93.4 and 86.2%, f64 93.6 and 86.3% of
/// the copy; 512, 1024 and 4096 bytes behind as there.
template <class T>
inline constexpr int line_boundary = 256 / static_cast<int>(sizeof(T));

/// Blocks along the middle axis, as an exponent, that run together where the line lies along the slowest: they read neighbouring rows of
/// the same planes; half as many in f64. 512^3 on an H200, of the copy, 16, 32, 64 and 256: f32 92.8, 93.4, 94.3, 87.5%, f64 93.6, 94.5, 91.6,
/// 86.7%.
constexpr int lines_together(int element_bytes, bool is_vector) { return is_vector && element_bytes == 8 ? 5 : 6; }

/// Threads across the rows at most where the line lies along the slowest axis, as an exponent (above).
inline constexpr int max_slowest_across = 2;

/// Threads and vectors of a block along the rows of a large grid, and those of a whole row at most. Threads take about four vectors of a row
/// each. Radius 4 on an H200, f32 and f64, of the copy: 512^3 97, 99%, 509x511x513 92, 93%, one axis 93, 98%; with two of
/// them and 128 threads 97, 88%, 93, 83% and 92, 96%, with one and 256 vectors 60, 91% and 56, 54% (one axis 94, 92%).
inline constexpr int large_pencil_threads = 64, large_pencil_vectors = 256, max_pencil_width = 384;

/// Points of a column of the tile kernels: a box of radius 1 reads 9 * (8 + 2) values for them instead of 27 * 8. And
/// columns of a thread, 32 points apart: rows of 64 points and their halo are worth the instructions of bringing them.
inline constexpr int tile_columns = 8, tile_lanes = 2;

/// Largest radius of a star over three axes that goes by registers, rows of a thread, the threads and blocks that its registers leave room for, and
/// rows that a thread sums together (docs/tuning.md, Thin Regions). 4 planes of 512^2 on an H200, radius 4, across View axes 0, 1 and 2: 7.0,
/// 7.5 and 34.4 us, in double 13.6, 13.5 and 30.7.
inline constexpr int max_direct_radius = 4, direct_items = 4, direct_threads = 256, direct_blocks = 2;
template <class T>
inline constexpr int direct_together = sizeof(T) == 4 ? 4 : 2;

/// Rows on a side of a block's square on Regions that are thin along x, its threads, and the vectors that hold a row's points up to which stars of the
/// largest radius go so (docs/tuning.md, Thin Regions). 4 points of 512^2 rows, radius 4, an H200: 25.9 us in float and 23.5 in double where registers
/// take 33.0 and 29.9; 8 in double, four vectors, 37.6 and 29.1 by a first form. Where rows begin anywhere 32.1 and 30.9 by it.
inline constexpr int direct_rows_side = 16, direct_rows_threads = 256;
template <class T>
inline constexpr int max_direct_row_vectors = sizeof(T) == 4 ? 3 : 2;

/// Points of a Region along an axis up to which it goes by registers, and of a Region from which on (chosen). By a march the same planes take
/// 10.2, 25.1 and 88.7 us, in double 15.4, 43.6 and 97.0; 8 planes across View axis 0 11.5 us by registers and 13.6 by a march, in double 22.0 and
/// 21.1.
inline constexpr int max_direct_extent = 8;
inline constexpr std::int64_t min_direct_points = std::int64_t(1) << 16;

/// Largest radius of a star on a small grid, rows of a thread, and threads of a block (docs/tuning.md, Small grids). 96^3 in f32 with one plane
/// a thread, radius 4, in graphs on an H200: 4.59 us, by 256 threads 6.4, with one row 4.67.
inline constexpr int max_small_star_radius = 4, small_star_items = 2, small_star_threads = 128;

/// Planes of a thread by rules other than zero where one each would be more blocks than run at once. With one plane and so, 96^3, radius 4, in graphs on an H200: f32 4.6 and
/// 4.1 us, f64 7.7 and 7.6. Operands of an epilogue would wait for the stores of the plane before: waves in f32 5.1 and 6.3.
KOKKOS_FUNCTION constexpr int small_star_planes(int element_bytes, int operands)
{
  return operands > 0 ? 1 : element_bytes == 8 ? 2 : 4;
}

/// Blocks on a multiprocessor, which bound the registers. With one plane and four blocks 96^3 took 4.89 us, a wave 7.25.
KOKKOS_FUNCTION constexpr int small_star_blocks(int planes) { return planes > 1 ? 2 : 3; }

/// Threads of a block along x at most, as an exponent: 8 and 16 took 2.54 and 2.50 us of 64^3 in f32, 16 and 32 4.11 and 3.97 in f64, 7.85 and
/// 8.09 of 128^3 in f32.
KOKKOS_FUNCTION constexpr int small_star_lanes(int element_bytes) { return element_bytes == 8 ? 5 : 4; }

/// How a thread goes through small grids by planes (SmallPlanes.hpp).
struct SmallPlanesShape {
  int rows, planes; ///< of its outputs
  int ahead;        ///< planes whose own rows are on their way,
  int beside_ahead; ///< and of what lies beside these
};

/// As many on their way as 128 registers hold. Radius 4 in graphs on an H200, two and four planes: 80^3 in f32 3.6 and 3.8 us, 112^3 6.7 and 5.7, in f64
/// 4.9 and 5.4, 10.4 and 11.0. Four rows and eight planes gain up to 10% where single elements are loaded, and lose 30% of 63^3.
KOKKOS_FUNCTION constexpr SmallPlanesShape small_planes_shape(int element_bytes, int width, int operands, int planes)
{
  const bool is_narrow = planes == 2 && operands == 0; // more registers are left
  const int ahead = (element_bytes == 8 ? 3 : 4) + (is_narrow ? 1 : 0);
  return {2, planes, ahead, element_bytes == 4 && width > 1 && planes == 4 ? 1 : 0};
}

/// Planes of a thread: fewer for fewer points to a multiprocessor. With operands four want more registers: waves of 96^3 in f32 4.6 us by both, in f64
/// 8.3 and 9.3. In f32 radius 3 takes longer with four than radius 4 does, 4.8 us of 96^3 where rows took 3.9.
constexpr int small_planes_planes(int element_bytes, int radius, int width, int operands, std::int64_t points)
{
  if (width == 1) return 4;
  return operands > 0 || points < 5000 || (element_bytes == 4 && radius == 3) ? 2 : 4;
}

/// Threads of their blocks at most: 128 registers for each.
inline constexpr int small_planes_threads = 512;

/// What a warp of them costs that loads so many times what it stores, by blocks so wide (fitted to 60 grids on an H200, the shapes it chooses take
/// 2% more than the best of ten).
constexpr float small_planes_cost(float loads, int lanes) { return 14 + loads + 60.f / static_cast<float>(lanes); }

/// How a block marches through small grids (SmallMarch.hpp).
struct SmallMarchShape {
  int lanes, across; ///< threads along x and y
  int rows;          ///< a thread's, of 16 bytes
  int ahead;         ///< planes in flight
  int blocks;        ///< that a multiprocessor runs at once, by registers
  KOKKOS_FUNCTION constexpr int threads() const { return lanes * across; }
};

/// In double, 96^3 and 128^3, radius 4, in graphs on an H100: 6.6 and 10.9 us, 16 lanes 7.0 and 11.4; by registers 7.2 and 15.8. In float 4.7 and 7.5,
/// where registers take 3.7 and 6.8.
inline constexpr SmallMarchShape small_march_shape{8, 8, 2, 6, 4};

/// Radius 2 and 3 in double take 11.7 and 14.6 us of 128^3 by the kernel for large grids, 11.9 and 11.7 so.
inline constexpr int min_small_march_radius = 3;
template <class T>
KOKKOS_FUNCTION constexpr bool has_small_march(int radius, int operands)
{
  return sizeof(T) == 8 && operands == 0 && radius >= min_small_march_radius;
}

/// Bytes of the points for each multiprocessor from which on a block marches: radius 4, 80^3 takes 5.0 us by registers and 5.2 so, 96^3 8.1 and 7.7,
/// but 94x94x95 8.5 and 9.2; 98x96x96 9.8 and 9.5, 104^3 10.5 and 9.7.
inline constexpr std::int64_t min_small_march_bytes = 64 << 10;

/// Points of a small grid, in bytes (docs/tuning.md, Small grids). Radius 4 by other kernels and so, zero beyond all ends, in us: f32 176^3 26.8 and
/// 21.6, 192^3 28.8 and 25.9; f64 160^3 37.4 and 27.1, 192^3 48.4 and 51.2 (H100); radius 1 and 2 of 128^3 in f64 10.0 and 8.1, 11.6 and 9.5,
/// waves there 22.8 and 21.6; by other rules f32 96^3 8.8 and 6.1 (H200). Single elements: 127^3 13.0 and 11.0, in f64 18.9 and 16.3.
constexpr std::int64_t max_small_star_bytes(int element_bytes, int radius, bool has_zeros, bool has_vectors,
                                            int operands)
{
  if (!has_zeros) return 4 << 20;
  if (operands > 0) return element_bytes == 8 ? 16 << 20 : 8 << 20;
  if (!has_vectors) return element_bytes == 8 ? 18 << 20 : 16 << 20;
  if (element_bytes == 8) return radius < min_small_march_radius ? 16 << 20 : 42 << 20;
  return radius < 3 ? 16 << 20 : 28 << 20;
}

/// Largest radius of a box with an unrolled kernel.
inline constexpr int max_box_radius = 2;

/// Planes of a chunk of the star kernel at most, see chunk_length(). This and the next number have been measured on an H200
/// alone and hold for every architecture until another one is measured.
inline constexpr int max_chunk = 256;

/// Blocks per multiprocessor from which on a line kernel takes blocks of 256 threads.
inline constexpr int line_occupancy = 2;

/// Blocks that a multiprocessor runs at once. A block also takes 1 KiB for the system.
inline int resident_blocks(const Device& device, int shared_bytes, int by_registers)
{
  return std::clamp(device.shared_per_multiprocessor / (shared_bytes + 1024), 1, by_registers);
}

/// What is filled by an axis of `extent` points in tiles of `size`.
inline double filled(std::int64_t extent, std::int64_t size)
{
  return static_cast<double>(extent) / static_cast<double>(core::round_up(extent, size));
}

/// Planes of a chunk, so that whole waves of blocks take the least time: a chunk costs its planes and `ramp` planes more,
/// for filling the queue. Not too long, because blocks that run ahead of their neighbours read the halo from memory again.
/// (512^3 points in f32, H200, Gpt/s: radius 4, tile 128 x 16, chunks of 64, 128, 256: 396, 399, 386; tile 128 x 32, which
/// then fills fewer waves: 389, 408, 419.)
///
/// Of the numbers of chunks that take as many waves, the largest has the shortest chunks: so only these are tried.
inline std::int64_t chunk_length(std::int64_t planes, std::int64_t columns, std::int64_t slots, std::int64_t ramp,
                                 int max_length = max_chunk)
{
  const std::int64_t min_chunks = core::ceil_div(planes, max_length);
  const std::int64_t max_chunks = std::min(planes, min_chunks + 2 * core::ceil_div(slots, columns) + 8);
  std::int64_t best = planes, best_cost = INT64_MAX;
  for (std::int64_t chunks = min_chunks; chunks <= max_chunks; ++chunks) {
    const std::int64_t waves = core::ceil_div(columns * chunks, slots);
    chunks = std::min(max_chunks, waves * slots / columns);
    const std::int64_t length = core::ceil_div(planes, chunks), cost = waves * (length + ramp);
    if (cost < best_cost) best = length, best_cost = cost;
  }
  return best;
}

} // namespace Keramos::cuda::stencil
