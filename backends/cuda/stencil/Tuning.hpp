// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the stencil kernels, each with its reason: stars over large grids, tiles, thin Regions, and what all share; those of others
// stand in LineTuning.hpp, MarchTuning.hpp, PlaneTuning.hpp and SmallStarTuning.hpp. Shapes of tiles are compile-time, because registers are;
// how a grid is cut into blocks is decided at run time from the numbers of the GPU. docs/tuning.md has longer tables of what was measured.
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

/// Points of a column of the tile kernels: a box of radius 1 reads 9 * (8 + 2) values for them instead of 27 * 8. And
/// columns of a thread, 32 points apart: rows of 64 points and their halo are worth the instructions of bringing them.
inline constexpr int tile_columns = 8, tile_lanes = 2;
/// Blocks of boxes on a multiprocessor, which bound the registers (three where four spill, not measured).
KOKKOS_FUNCTION constexpr int box_tile_blocks(int radius, int element_bytes, int operands)
{
  return radius > 1 && element_bytes == 8 && operands > 0 ? 3 : 4;
}

/// Columns whose operands of an epilogue are on their way together, as registers hold them (chosen).
KOKKOS_FUNCTION constexpr int tile_columns_together(int operands, int element_bytes)
{
  const int bytes = (operands > 1 ? operands : 1) * element_bytes;
  return bytes > 16 ? 1 : bytes > 8 ? 2 : bytes > 4 ? 4 : tile_columns;
}

/// Largest radius of a star over three axes that goes by registers, rows of a thread, the threads and blocks that its registers leave room for, and
/// rows that a thread sums together (docs/tuning/small-stencils.md, Thin Regions). 4 planes of 512^2 on an H200, radius 4, across View axes 0, 1 and 2: 7.0,
/// 7.5 and 34.4 us, in double 13.6, 13.5 and 30.7.
inline constexpr int max_direct_radius = 4, direct_items = 4, direct_threads = 256, direct_blocks = 2;
template <class T>
inline constexpr int direct_together = sizeof(T) == 4 ? 4 : 2;

/// Whether Regions that have nothing to ask have a kernel of their own, and whether that asks for columns before the kernel before has ended. 4 planes of
/// 512^2 on an H200, across View axis 0 and 1, by the kernel for any Region and so, radius 1 to 4: float 4.5 and 4.7, 5.0 and 4.9; 5.1 and 4.5, 5.6 and
/// 5.0; 6.3 and 5.7, 6.7 and 5.8; 7.0 and 6.4, 7.5 and 6.5 us; double 8.1 and 6.8, 8.5 and 7.3; 10.3 and 8.1, 10.9 and 8.8; 14.5 and 10.1, 14.6 and
/// 10.6; 13.2 and 11.7, 13.0 and 12.0. By earlier forms, axis 0, without asking early and so: float, radius 2 to 4, 4.79 and 4.76, 6.40 and 6.13, 6.46 and
/// 6.38; double, radius 1 to 4, 7.40 and 6.84, 9.22 and 8.92, 11.19 and 10.66, 11.6 and 12.1.
template <class T>
constexpr bool has_direct_plain(int radius)
{
  return sizeof(T) == 8 || radius > 1;
}
template <class T, int Radius>
inline constexpr bool direct_plain_prefetches = sizeof(T) == 4 || Radius < 4;

/// Rows on a side of a block's square on Regions that are thin along x, its threads, and the vectors that hold a row's points up to which stars of the
/// largest radius go so (docs/tuning/small-stencils.md, Thin Regions). 4 points of 512^2 rows, radius 4, an H200: 25.9 us in float and 23.5 in double where registers
/// take 33.0 and 29.9; 8 in double, four vectors, 37.6 and 29.1 by a first form. Where rows begin anywhere 32.1 and 30.9 by it.
inline constexpr int direct_rows_side = 16, direct_rows_threads = 256;
template <class T>
inline constexpr int max_direct_row_vectors = sizeof(T) == 4 ? 3 : 2;

/// Points of a Region along an axis up to which it goes by registers, and of a Region from which on (chosen). By a march the same planes take
/// 10.2, 25.1 and 88.7 us, in double 15.4, 43.6 and 97.0; 8 planes across View axis 0 11.5 us by registers and 13.6 by a march, in double 22.0 and
/// 21.1.
inline constexpr int max_direct_extent = 8;
inline constexpr std::int64_t min_direct_points = std::int64_t(1) << 16, min_thin_march_points = std::int64_t(1) << 23;

/// Largest radius of a box with an unrolled kernel.
inline constexpr int max_box_radius = 2;

/// Planes of a chunk of the star kernel at most, see chunk_length(). Measured on an H200 alone, it holds for every architecture until another
/// one is measured.
inline constexpr int max_chunk = 256;

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
