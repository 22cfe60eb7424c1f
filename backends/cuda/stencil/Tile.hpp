// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any taps through a tile in shared memory: boxes, sparse operators, stars and lines of radius 0 or beyond 8. What the
// host decides; the kernels are in TileKernel.hpp.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Points.hpp"
#include "Request.hpp"
#include "Tuning.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// The points of a block and its shared memory, which begins with a table (where the edge rules send the indices along each
/// axis) and goes on with the tile. A block computes 64 x columns x warps points (three axes), 64 x (warps * columns) (two)
/// or (64 * warps) * columns. A thread has `tile_lanes` columns of points, 32 apart along x: along y, or every
/// (64 * warps)-th point along x.
struct TileLayout {
  int vector = 1; ///< elements of a copy
  int warps = 0, columns = 0;
  int points[3] = {1, 1, 1}; ///< of the tile, along each axis
  int length[3] = {1, 1, 1}; ///< the same with what the operator reaches
  int halo_low = 0;          ///< elements along x before the first point, in whole copies
  int column_axis = 0;
  int column_step = 1; ///< from one point of a column to the next, in points
  int table_bytes = 0;

  KOKKOS_FUNCTION int row_pitch() const { return length[0]; }
  KOKKOS_FUNCTION int plane_pitch() const { return length[0] * length[1]; }
  KOKKOS_FUNCTION int column_pitch() const { return column_axis == 0 ? column_step : row_pitch(); }
};

/// What the kernels are told beside the taps and the epilogue.
template <class T>
struct TileArguments {
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  Range range[3];
  std::int64_t origin; ///< x of the first tile's first point
  unsigned blocks[3];
  TileLayout layout;
};

/// How a tile runs, but for the taps.
template <class T>
struct TileGrid {
  LaunchShape shape;
  TileArguments<T> arguments;
  int box_rank = 0, box_radius = 0; ///< of a dense box whose kernel is unrolled; radius 0: one tap after the other
  core::Text variant;               ///< "box<3,1> tile 64x8x8 v4"
};

/// Taps as kernel parameters.
template <class T, int Capacity>
struct TileTaps {
  int count;
  T weight[Capacity];
  std::uint16_t offset[Capacity]; ///< of what a tap reads in the tile, from TileThread::first_offset()
};

/// A dense box along z, y, x.
template <class T, int Rank, int Radius>
struct BoxWeights {
  static constexpr int side = 2 * Radius + 1;
  T weight[Rank == 3 ? side : 1][side][side];
};

/// Taps that fit into a kernel's parameters: each is a weight and 16 bits.
template <class T>
inline constexpr int max_tap_capacity = sizeof(T) == 4 ? 5120 : 3072;

template <class T, int Capacity>
struct TilePlan : TileGrid<T> {
  TileTaps<T, Capacity> taps; ///< of a box, weights at the offsets of BoxWeights
};

/// Whether they fit there, 32,764 bytes, beside an epilogue: an application's may have any number of bytes.
template <class T, int Capacity, class Epilogue>
inline constexpr bool has_tiles = Capacity <= max_tap_capacity<T> &&
                                  sizeof(TileArguments<T>) + sizeof(TileTaps<T, Capacity>) + sizeof(Epilogue) + 32 <=
                                      32764;

/// The radius of a dense box with an unrolled kernel, or 0.
template <class T>
int dense_box_radius(const StencilRequest<T>& request);

extern template int dense_box_radius(const StencilRequest<float>&);
extern template int dense_box_radius(const StencilRequest<double>&);

/// Empty if no tile fits into shared memory.
template <class T>
std::optional<TileGrid<T>> choose_tile(const StencilRequest<T>& request);

extern template std::optional<TileGrid<float>> choose_tile(const StencilRequest<float>&);
extern template std::optional<TileGrid<double>> choose_tile(const StencilRequest<double>&);

/// The taps of a request for a grid, written to arrays of at least so many elements.
template <class T>
void set_tile_taps(const StencilRequest<T>& request, const TileGrid<T>& grid, T* weight, std::uint16_t* offset);

extern template void set_tile_taps(const StencilRequest<float>&, const TileGrid<float>&, float*, std::uint16_t*);
extern template void set_tile_taps(const StencilRequest<double>&, const TileGrid<double>&, double*, std::uint16_t*);

} // namespace Keramos::cuda::stencil
