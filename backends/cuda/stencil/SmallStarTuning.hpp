// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of stars over three axes on small grids (SmallStar.hpp, SmallPlanes.hpp, SmallMarch.hpp), each with its measurement;
// docs/tuning/small-stencils.md, Small grids, has more.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::cuda::stencil {

/// Largest radius of a star on a small grid, rows of a thread, and threads of a block (docs/tuning/small-stencils.md, Small grids). 96^3 in f32 with one plane
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

/// Points of a small grid, in bytes (docs/tuning/small-stencils.md, Small grids). Radius 4 by other kernels and so, zero beyond all ends, in us: f32 176^3 26.8 and
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

} // namespace Keramos::cuda::stencil
