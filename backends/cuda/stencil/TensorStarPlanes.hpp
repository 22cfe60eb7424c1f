// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planes of TensorStarKernel.hpp on their way: the tile of a block, and the copy that brings one of its planes.
#pragma once

#include "TensorRing.hpp"
#include "TensorStar.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block.
template <class T, int Radius, int Operands, bool Settles>
struct TensorStarTile {
  static constexpr int radius = Radius;
  static constexpr TensorStarShape shape = tensor_star_shape(Radius, Operands);
  static constexpr TensorStarLayout layout = tensor_star_layout<T>(Radius, Operands, Settles);
  static constexpr int points = vector_width<T>;
  static constexpr int edge_groups = Settles ? 1 : 0; ///< of copies, a step (TensorStarEdges.hpp)
  static constexpr int beside = static_cast<int>(core::ceil_div(Radius, points)); ///< vectors

  const TensorStarArguments<T>& a;
  std::int64_t x, y, first, last; ///< its first point, its first and past its last plane
  std::int64_t own_x, own_y;      ///< those before are the tile's before this one

  __device__ explicit TensorStarTile(const TensorStarArguments<T>& arguments) : a(arguments)
  {
    const unsigned tiles = a.tiles[0] * a.tiles[1];
    const auto [number, chunk, length] = part_of(blockIdx.x, tiles, a.chunk, a.rest);
    own_x = a.origin + std::int64_t(number % a.tiles[0]) * (32 * points);
    own_y = a.range[1].begin + std::int64_t(number / a.tiles[0]) * shape.height();
    x = min(own_x, a.last[0]);
    y = min(own_y, a.last[1]);
    first = a.range[2].begin + chunk * length;
    last = min(first + length, a.range[2].end);
  }
  __device__ int steps() const { return static_cast<int>(last - first) + 2 * Radius; }
};

/// Brings a plane of the tile.
template <class Tile>
struct TensorStarCopy {
  static constexpr TensorStarLayout layout = Tile::layout;

  static constexpr int bytes = layout.box();

  const CUtensorMap& map;
  int column, row; ///< of the box

  __device__ TensorStarCopy(const Tile& tile, const CUtensorMap& the_map)
      : map(the_map), column(static_cast<int>(tile.x - tile.a.first_column) - layout.halo * Tile::points),
        row(static_cast<int>(tile.y - tile.a.axis[1].valid_begin) - Tile::radius)
  {
  }
  __device__ void operator()(SharedAddress to, int depth, SharedAddress full) const
  {
    copy_box(to, map, column, row, depth, full);
  }
};

} // namespace Keramos::cuda::stencil
