// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile of a block that marches along z, a column of points a thread, and what the thread stores. The last tile along an axis
// begins so early that it is whole; what the one before has stored it does not store again.
#pragma once

#include "MarchSchedule.hpp"
#include "Points.hpp"

#include <cstdint>

namespace Keramos::cuda::stencil {

template <class Arguments>
struct MarchBlock {
  const Arguments& a;
  std::int64_t x, y, first, last;  ///< of its first point, its first and past its last plane
  std::int64_t stored_x, stored_y; ///< what lies before is stored by another block

  /// `has_rest`: so that nobody else asks for tiles that come last in shorter chunks.
  __device__ MarchBlock(const Arguments& arguments, int height, bool last_first = false, bool has_rest = false)
      : a(arguments)
  {
    const unsigned tiles = a.tiles[0] * a.tiles[1];
    auto [tile, chunk, length] = part_of(blockIdx.x, tiles, a.chunk, has_rest ? a.rest : MarchRest());
    if (last_first) set_last_first(tile, chunk);
    stored_x = a.range[0].begin + std::int64_t(tile % a.tiles[0]) * a.columns;
    stored_y = a.range[1].begin + std::int64_t(tile / a.tiles[0]) * height;
    x = min(stored_x, a.range[0].end - a.columns);
    y = min(stored_y, a.range[1].end - height);
    first = a.range[2].begin + chunk * length;
    last = min(first + length, a.range[2].end);
  }

private:
  /// The last row of tiles in all chunks, then the others chunk by chunk.
  __device__ void set_last_first(unsigned& tile, unsigned& chunk) const
  {
    const unsigned others = a.tiles[0] * (a.tiles[1] - 1), lasts = gridDim.x / (a.tiles[0] * a.tiles[1]) * a.tiles[0];
    if (blockIdx.x < lasts) {
      tile = others + blockIdx.x % a.tiles[0];
      chunk = blockIdx.x / a.tiles[0];
    } else {
      tile = (blockIdx.x - lasts) % others;
      chunk = (blockIdx.x - lasts) / others;
    }
  }
};

/// The shape of a block of which some threads have a point each, of the columns beside.
template <class Shape>
struct ShapeBeside {
  static constexpr auto value = [] {
    auto shape = Shape::value;
    shape.groups = shape.height();
    shape.rows = 1;
    return shape;
  }();
};

/// The thread's warp, of which the compiler knows so that it is the same for all lanes: what follows from it stands in uniform registers.
__device__ inline int warp_of_block() { return __shfl_sync(~0u, static_cast<int>(threadIdx.x / 32), 0); }

/// Which of a thread's rows are to be stored, a bit each.
template <int Rows, class Tile>
__device__ unsigned stored_rows(const Tile& tile, int column, int first_row)
{
  unsigned result = 0;
  if (column < tile.a.columns && tile.x + column >= tile.stored_x) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) result |= static_cast<unsigned>(tile.y + first_row + r >= tile.stored_y) << r;
  }
  return result;
}

/// The points of a thread, of which it stores a plane after the other.
template <class T, int Rows, bool Streaming>
struct MarchOutput {
  T* to;
  std::int64_t row_step, plane_step;
  unsigned stored;               ///< see stored_rows()
  static constexpr int kept = 0; ///< planes that stay for the outputs, see MarchFunctor.hpp

  template <class Tile>
  __device__ MarchOutput(const Tile& tile, unsigned /*shared*/, int column, int first_row)
      : row_step(tile.a.out_stride[1]), plane_step(tile.a.out_stride[2])
  {
    const std::int64_t x = tile.x + column, y = tile.y + first_row;
    to = tile.a.out + x * tile.a.out_stride[0] + y * row_step + tile.first * plane_step;
    stored = stored_rows<Rows>(tile, column, first_row);
  }

  __device__ void store(const T (&value)[Rows])
  {
    if (stored == all_points<Rows>) { // with nothing to ask, a third of the instructions
#pragma unroll
      for (int r = 0; r < Rows; ++r) put(to + r * row_step, value[r]);
    } else if (stored != 0) {
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        if (stored >> r & 1) put(to + r * row_step, value[r]);
    }
    to += plane_step;
  }
  __device__ void begin() const {}
  __device__ void end() const {}

  __device__ static void put(T* at, T value)
  {
    if constexpr (Streaming)
      __stcs(at, value);
    else
      *at = value;
  }
};

} // namespace Keramos::cuda::stencil
