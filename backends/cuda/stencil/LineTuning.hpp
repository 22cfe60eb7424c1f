// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of lines (Line.hpp, LineMarch.hpp, LineSlab.hpp), each with its measurement; docs/tuning/stencils.md, Lines, has more.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::cuda::stencil {

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

/// Small grids of whole vectors (LineVectors.hpp): bytes of the points for each multiprocessor (docs/tuning/stencils.md, Lines). 64^3 in f32 2.3 and 1.8 us,
/// 128^3 across the rows 4.5 and 4.8, along them 5.4 and 4.4; 128^3 in f64 8.8 and 8.5, 9.9 and 8.8. H100, radius 4, in graphs.
constexpr std::int64_t max_small_line_bytes(bool along) { return (along ? 128 : 32) << 10; }

/// Threads of their blocks along the rows and lanes of a row at most, and, as an exponent, threads on a side of a block across the rows. By a
/// program of its own: 64^3 in f32 along the rows 1.5 to 1.6 us with 64 to 256 threads, across them 1.8 with 64 and 128; 96^3 along the rows 2.2,
/// with half the threads 2.5.
inline constexpr int small_line_threads = 192, max_small_line_lanes = 64, small_line_across = 3;

/// Blocks of them on a multiprocessor, which bounds the registers, for a thread that holds so many vectors.
KOKKOS_FUNCTION constexpr int line_blocks(int vectors) { return vectors <= 12 ? 6 : 4; }

/// Rows of a thread whose operands of an epilogue are on their way together, of so many, as registers hold them (chosen).
KOKKOS_FUNCTION constexpr int line_rows_together(int operands, int items)
{
  const int rows = operands > 4 ? 1 : operands > 2 ? 2 : operands == 1 ? items : 4;
  return rows < items ? rows : items;
}

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
/// What a plane fills of its slabs at least: of radius 1 and 4 8923x13x206, 0.22, makes 66 and 48% of the copy, 13775x47x123, 0.47, 85 and 70.
inline constexpr double min_filled_slab = 0.3;

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

/// Lanes of such a row, as an exponent, at least: three vectors each of short ones, else about five. Rows in float of 16, 17, 20, 31, 32, 64, 65 points on
/// an H200, of the copy, with about five, radius 1 52, 37, 40, 43, 69, 85, 57, radius 4 53, 39, 44, 45, 69, 86, 60, and so 84, 49, 60, 64, 87, 94, 78 and
/// 71, 50, 64, 61, 86, 94, 67; with three of 97 and 257 70, 81 and 64, 72, where about five make 78, 86 and 81, 87.
constexpr int pencil_lanes(int width)
{
  return width <= 24 ? core::exponent_of(core::ceil_div(width, 3)) : core::exponent_of(core::ceil_div(3 * width, 16));
}

/// Blocks per multiprocessor from which on a line kernel takes blocks of 256 threads. Measured on an H200 alone.
inline constexpr int line_occupancy = 2;

} // namespace Keramos::cuda::stencil
