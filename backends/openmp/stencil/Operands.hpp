// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all tasks of a stencil call share: the fields, the edges, and how the vector kernels go through the taps. The plan
// owns the arrays (TapRows, the problem's taps); StencilOperands shows them to what is compiled once.
#pragma once

#include "../../../src/keramos/stencil/Problem.hpp"
#include "../simd/Stencil.hpp"

#include <cstdint>

namespace Keramos::openmp::stencil {

/// Points per run at most, in all its planes together: their sums are 8 or 16 KiB.
inline constexpr std::int64_t max_run = 2048;
/// Rows of the lowest tile, and of every packed one; others are up to 8 times as high (Stencil.cpp).
inline constexpr std::int64_t tile_rows = 32;

/// What the taps share: a column, and rows that are read at an offset along the run.
template <class T, int Capacity>
struct TapRows {
  /// The column is (0, 0, -radius ... radius) if no other taps lie across the planes; radius 0: there is none.
  int column_radius = 0;
  T column_weight[2 * max_block_radius + 1]; ///< the centre's is not asked for
  int star_radius = 0;                       ///< of a star, whose centre's plane has its other two arms; or 0
  int line_radius = 0;      ///< of the lines along the run that the taps are, but for single ones at offset 0; or 0
  PlaneReach plane_reach{}; ///< of a star within its plane that the taps are, or one axis of it; or 0
  int padded_rows = 0;      ///< rows that taps read at an offset along the run
  core::TapArray<int, Capacity> tap_of_row; ///< of every such row: one of these taps
  core::TapArray<int, Capacity> row_of_tap; ///< of every tap: its row among them, or -1
};

/// Whether there are many results, whether they go past the caches, and whether the planes of a block do so at the same time, each to its
/// own place.
struct Streaming {
  bool is_large = false, rows = false, blocks = false;
};

/// How a task walks through its tile.
struct Walk {
  int planes = 1; ///< at once, where so many are left: 1 or block_planes
  int rows_ahead = 0,
      planes_ahead = 0; ///< how far on are the rows that a run prefetches; both 0: none, the input is in the caches
  std::int64_t tile_rows = 0; ///< of a tile, if it is for the walk to say
  int direct_planes =
      0; ///< of a DirectBlock, or 1 of a PlaneStar or a column along the rows, where there is one that may be taken
};

/// Rows of the column of a block at most.
inline constexpr int max_column_rows = 2 * max_block_radius + block_planes;

/// What taps read where it is the input at their own indices, from the input's first element on (TapPointers.hpp).
template <class T>
struct DirectTaps {
  const T* const* tap = nullptr;
  const TapSegment* segment = nullptr; ///< of all taps of a row
  int segments = 0;
  TapSegment block_segment{}; ///< of those of a block
  const T* const* column = nullptr;
};

template <class T>
struct StencilOperands {
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  /// Kernels, or the loop over a run, take the fields where they are: runs are contiguous in all that the epilogue reads
  /// and in `out`.
  bool unit_strides = false;
  Streaming streaming{};
  Walk walk{};

  int taps = 0;
  const T* weight = nullptr;
  const Kokkos::Array<int, 3>* offset = nullptr;
  int column_radius = 0;
  const T* column_weight = nullptr;
  int star_radius = 0, line_radius = 0;
  PlaneReach plane_reach{};
  int padded_rows = 0;
  const int *tap_of_row = nullptr, *row_of_tap = nullptr;
  DirectTaps<T> direct{};

  /// The rows are strided: all of them are copied.
  bool gathers() const { return in.stride[0] != 1; }
  /// Points of a run in one plane at most.
  std::int64_t run_points() const { return max_run / walk.planes; }
};

/// TapRows::column_radius of these taps. `gathers`: see StencilOperands.
int column_radius(const Kokkos::Array<int, 3>* offset, int taps, bool gathers);

/// TapRows::star_radius of these taps, whose column has that radius.
int star_radius(const Kokkos::Array<int, 3>* offset, int taps, int column_radius);

/// TapRows::line_radius of these taps.
int line_radius(const Kokkos::Array<int, 3>* offset, int taps);

/// TapRows::plane_reach of these taps.
PlaneReach plane_reach(const Kokkos::Array<int, 3>* offset, int taps);

/// Fills tap_of_row and row_of_tap; answers padded_rows. Taps of one row are neighbours wherever taps follow the axes; where
/// they do not, a row may be copied twice.
int find_padded_rows(const Kokkos::Array<int, 3>* offset, int taps, bool gathers, int* tap_of_row, int* row_of_tap);

/// As many as those are at most.
int count_rows(const Kokkos::Array<int, 3>* offset, int taps);

/// `pads`: rows that are read at an offset along the run will be asked for.
template <class T, int Capacity>
TapRows<T, Capacity> tap_rows(const core::StencilProblem<T, Capacity>& problem, bool gathers, bool pads)
{
  const auto& taps = problem.taps;
  TapRows<T, Capacity> rows;
  rows.column_radius = column_radius(taps.offset, taps.count, gathers);
  rows.star_radius = star_radius(taps.offset, taps.count, rows.column_radius);
  rows.line_radius = line_radius(taps.offset, taps.count);
  if (!gathers) rows.plane_reach = plane_reach(taps.offset, taps.count);
  for (int distance = 1; distance <= rows.column_radius; ++distance) { // the first and the last taps
    rows.column_weight[rows.column_radius - distance] = taps.weight[rows.column_radius - distance];
    rows.column_weight[rows.column_radius + distance] = taps.weight[taps.count - 1 - rows.column_radius + distance];
  }
  if (pads) rows.padded_rows = find_padded_rows(taps.offset, taps.count, gathers, rows.tap_of_row, rows.row_of_tap);
  return rows;
}

} // namespace Keramos::openmp::stencil
