// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile of a block of MarchKernel.hpp, and where its rows lie in the ring. A row lies there as far behind a 16-byte boundary
// as it does in memory, which for own rows has a period of `vector_width` rows.
#pragma once

#include "MarchLayout.hpp"
#include "MarchTile.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block.
template <class T, int Radius, class Shape>
struct MarchTile : MarchBlock<MarchArguments<T>> {
  static constexpr MarchLayout<T> layout = march_layout<T>(Shape::value, Radius);
  static constexpr int pitch = layout.pitch(), column_step = Shape::value.components;
  using Block = MarchBlock<MarchArguments<T>>;
  using Block::a, Block::x, Block::first;

  __device__ explicit MarchTile(const MarchArguments<T>& arguments)
      : Block(arguments, Shape::value.height(), Shape::value.last_first)
  {
  }

  /// Where plane `step` of the march lies, from plane 0 of the field; no_index: a value is there.
  __device__ std::int64_t plane_offset(int step) const { return a.axis[2].offset(first - Radius + step); }

  /// The first operand of a row in plane 0, Radius before the tile, from the row's own offset or its index. It need not
  /// exist.
  __device__ const T* row_at(std::int64_t offset) const { return a.in + offset + (x - Radius) * column_step; }
  __device__ const T* row(std::int64_t index) const { return row_at(index * a.axis[1].stride); }
};

/// In 32 bits, which is enough modulo the width of a 16-byte access.
template <class T>
__device__ unsigned elements_behind(const T* address)
{
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) / sizeof(T));
}

/// The rows that a thread reads of a plane: its own, [0, rows), and Radius on either side.
template <class T, int Radius, class Shape>
struct MarchRows {
  using Tile = MarchTile<T, Radius, Shape>;
  static constexpr int rows = Shape::value.rows, period = vector_width<T>, pitch = Tile::pitch;
  static constexpr int column_step = Tile::column_step; ///< from a column to the next

  int at;              ///< the thread's column in its row 0, from a plane
  unsigned own_shift;  ///< of its row 0 in plane 0, in elements behind a 16-byte boundary, modulo the period
  unsigned row_step;   ///< of the shift, from a row to the next
  unsigned halo_shift; ///< of the rows beside its own in plane 0, two bits each, and moves_at()
  bool halo_follows;   ///< the same in all threads of the block: halo rows lie in memory as own rows do

  // of the current plane
  unsigned plane_shift;
  const T* own;           ///< its row 0, if that begins on a boundary
  const T* begin[period]; ///< where rows r, r + period, ... would begin as row 0

  __device__ MarchRows(const Tile& tile, int column, int first_row)
      : at((Radius + first_row) * pitch + (Radius + column) * column_step),
        own_shift(elements_behind(tile.row(tile.y + first_row))),
        row_step(static_cast<unsigned>(tile.a.axis[1].stride)), halo_shift(0),
        halo_follows(tile.a.axis[1].plain(tile.y - Radius, tile.y + Shape::value.height() + Radius))
  {
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) {
      const std::int64_t offset = tile.a.axis[1].offset(tile.y + first_row - Radius + k + (k < Radius ? 0 : rows));
      if (offset == core::no_index) continue;
      halo_shift |= elements_behind(tile.row_at(offset)) % period << 2 * k | 3u << moves_at(k);
    }
  }

  /// To a plane that lay at `offset` in memory.
  __device__ void enter(const T* plane, std::int64_t offset)
  {
    plane_shift = static_cast<unsigned>(offset);
    own = plane + at;
#pragma unroll
    for (int k = 0; k < period; ++k) begin[k] = own + (own_shift + plane_shift + k * row_step) % period;
  }

  /// The thread's column of one of its own rows.
  __device__ const T* operator[](int row) const { return begin[row % period] + row * pitch; }

  /// Columns around the thread's own of the rows below its own ones, and of those above.
  template <int Columns>
  __device__ void load_halo(T (&halo)[2 * Radius][Columns]) const
  {
    if (halo_follows)
      load_halo(halo, [&](int row) { return begin[(row + 2 * Radius * period) % period] + row * pitch; });
    else
      load_halo(halo, [&](int row) {
        const int k = row < 0 ? row + Radius : row - rows + Radius;
        return own + row * pitch + ((halo_shift >> 2 * k) + (plane_shift & halo_shift >> moves_at(k))) % period;
      });
  }

private:
  /// Where `halo_shift` says, in two bits, whether halo row k moves with the planes: rows of values do not. In the same word, for radius 4 in
  /// float has no register for another: what did not fit was one word a plane out of memory, and took a tenth of the time (H200).
  __device__ static constexpr int moves_at(int k) { return 2 * (k + 2 * Radius); }
  static_assert(8 * Radius <= 32);

  template <int Columns, class Begin>
  __device__ static void load_halo(T (&halo)[2 * Radius][Columns], Begin begin_of)
  {
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k)
#pragma unroll
      for (int i = 0; i < Columns; ++i)
        halo[k][i] = begin_of(k < Radius ? k - Radius : rows + k - Radius)[(i - Columns / 2) * column_step];
  }
};

} // namespace Keramos::cuda::stencil
