// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the march through grids whose rows are short. docs/tuning/narrow-stencils.md has the tables behind them.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::cuda::stencil {

/// How a block is built. A thread has `rows` rows of a column.
struct NarrowMarchShape {
  int rows;
  int threads;
  int blocks;                      ///< per multiprocessor, which bounds the registers
  static constexpr int cells = 10; ///< of a plane in shared memory that a thread brings, at most
};

inline constexpr int max_narrow_radius = 4;

/// Eight rows read less of shared memory than four, where registers hold them: of the copy, an H200, rows of 33, 75, 163 points, four and eight rows:
/// double, radius 1 72, 71, 74 and 79, 79, 84; float, radius 1 67, 65, 68 and 66, 67, 68; 2 64, 62, 67 and 52, 55, 62; 4 39, 47, 41 and 37, 41, 37.
KOKKOS_FUNCTION constexpr NarrowMarchShape narrow_march_shape(int radius, int element_bytes)
{
  if (element_bytes == 8) return {.rows = radius == 1 ? 8 : 4, .threads = 512, .blocks = 1};
  return {.rows = 4, .threads = radius > 2 ? 384 : 512, .blocks = 2};
}

/// What stands behind the sums.
enum class NarrowWork { plain, wave, functor };

/// Points of a grid from which it is asked: of fewer Stencil.hpp asks others before.
inline constexpr std::int64_t min_narrow_points = std::int64_t(1) << 20;

/// Up to where it is faster than the other kernels.
struct NarrowLimit {
  int row;     ///< points of a row
  double fill; ///< and, where rows lie on 16 bytes, what a row fills of the other kernel's tiles
};
/// As measured, see the tables; of a functor behind radius 2 and 3 between those behind 1 and 4.
KOKKOS_FUNCTION constexpr NarrowLimit narrow_limit(NarrowWork work, int radius, int element_bytes)
{
  constexpr NarrowLimit in_float[3][max_narrow_radius] = {{{176, 0.5}, {120, 0.57}, {120, 0.5}, {96, 0.5}},
                                                          {{240, 0.63}, {240, 0.57}, {180, 0.5}, {177, 0.5}},
                                                          {{176, 0.63}, {150, 0.5}, {150, 0.55}, {163, 0.6}}};
  constexpr NarrowLimit in_double[3][max_narrow_radius] = {{{120, 0.7}, {80, 0.57}, {97, 0.57}, {66, 0.5}},
                                                           {{40, 0.5}, {97, 0.5}, {40, 0.4}, {24, 0.4}},
                                                           {{80, 0.7}, {60, 0.6}, {48, 0.6}, {36, 0.5}}};
  return (element_bytes == 4 ? in_float : in_double)[static_cast<int>(work)][radius - 1];
}

} // namespace Keramos::cuda::stencil
