// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over two and three axes: what the host decides. The kernel (StarKernel.hpp) marches along the slowest axis, so it
// sees the axes as x (fastest), y (middle: the rows of a tile) and z (march); with two axes there is no y.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Grid.hpp"
#include "Tuning.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// The shared memory of a block, in elements: planes with their halo, then the rings, which hold the own points of each
/// thread: `depth` slots for the input, depth + 1 for each operand of the epilogue up to the last that is a field. In front
/// lie star_front_bytes for the block's first point and a barrier.
struct StarLayout {
  int points;          ///< of a thread in a row: 16 bytes
  int rows, depth;     ///< of a thread; planes in flight
  int halo, halo_rows; ///< columns and rows on either side of the tile
  int width, threads;  ///< threads of the block along x, and all of them
  int tile_rows;

  KOKKOS_FUNCTION constexpr int pitch() const { return width * points + 2 * halo; }
  KOKKOS_FUNCTION constexpr int plane() const { return (tile_rows + 2 * halo_rows) * pitch(); }
  KOKKOS_FUNCTION constexpr int rings() const { return (depth + 1) * plane(); }
  /// Row r of a slot, from the first ring.
  KOKKOS_FUNCTION constexpr int ring(int slot, int r) const { return (slot * rows + r) * points * threads; }
  KOKKOS_FUNCTION constexpr int operand_slot(int operand) const { return depth + operand * (depth + 1); }
  /// All of it, with so many operands.
  KOKKOS_FUNCTION constexpr int elements(int operands) const { return rings() + ring(operand_slot(operands), 0); }
};

inline constexpr int star_front_bytes = 32;

KOKKOS_FUNCTION constexpr int star_halo_rows(int rank, int radius) { return rank == 2 ? 0 : radius; }

template <class T, int MaxRadius = max_radius>
struct StarWeights {
  T centre, weight[3][2 * MaxRadius]; ///< offsets -radius ... -1, 1 ... radius

  /// Of a star of this radius: x is axis 0.
  KOKKOS_FUNCTION T at(int radius, int axis, int offset) const
  {
    return offset == 0 ? centre : weight[axis][offset < 0 ? offset + radius : offset + radius - 1];
  }
};

/// What the kernel is told beside the epilogue.
template <class T>
struct StarArguments {
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  std::int64_t origin; ///< x of the first tile's first point
  std::int64_t chunk;  ///< planes of a block
  unsigned tiles[2];   ///< along x and y
  T centre, weight[3][2 * max_radius];
  EdgeAxis<T> axis[3];
};

/// How a star runs.
template <class T>
struct StarPlan {
  int rank, radius;
  bool vectorised;
  KernelOrder order;
  LaunchShape shape;
  StarArguments<T> arguments;
  core::Text variant; ///< "star<3,4> tile 128x16 v4"
};

/// By axis and offset; empty if the call is no whole star of a radius from 1 to max_radius.
template <class T>
std::optional<StarWeights<T>> star_weights(const StencilRequest<T>& request, const KernelOrder& order);

/// How far the points fill the tiles of a star over three axes.
template <class T>
double filled_star_tiles(const StencilRequest<T>& request);

/// Gpoint/s that are expected of a star over three axes whose rows do not lie on 16 bytes, up to radius 4.
template <class T>
double odd_star_rate(const StencilRequest<T>& request);

/// Empty if the call is no star, shared memory does not suffice or the grid has too many blocks.
template <class T>
std::optional<StarPlan<T>> choose_star(const StencilRequest<T>& request);

extern template std::optional<StarWeights<float>> star_weights(const StencilRequest<float>&, const KernelOrder&);
extern template std::optional<StarWeights<double>> star_weights(const StencilRequest<double>&, const KernelOrder&);
extern template double filled_star_tiles(const StencilRequest<float>&);
extern template double filled_star_tiles(const StencilRequest<double>&);
extern template double odd_star_rate(const StencilRequest<float>&);
extern template double odd_star_rate(const StencilRequest<double>&);
extern template std::optional<StarPlan<float>> choose_star(const StencilRequest<float>&);
extern template std::optional<StarPlan<double>> choose_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
