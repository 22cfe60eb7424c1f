// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the points of MarchPairs.hpp leave: two neighbours by 8 bytes where they lie so.
#pragma once

#include "MarchRows.hpp"

#include <cstdint>

namespace Keramos::cuda::stencil {

/// The points of a thread, of which it stores a plane after the other. `ShiftsPairs`: where pairs do not lie on 8 bytes, a lane stores its second
/// point with the first one of the next lane.
template <class T, int Rows, int Columns = 2, bool ShiftsPairs = false>
struct PairOutput {
  T* to;
  unsigned behind;           ///< how far behind 8 bytes row 0 of the warp begins
  int first_stored[Columns]; ///< row of each column; Rows: none
  bool stores_everything;    ///< the whole warp does
  const std::int64_t (&stride)[3];

  template <class Tile>
  __device__ PairOutput(const Tile& tile, int column, int first_row) : stride(tile.a.out_stride)
  {
    T* const first = tile.a.out + tile.x + (tile.y + first_row) * stride[1] + tile.first * stride[2];
    to = first + column;
    behind = __shfl_sync(~0u, elements_behind(first), 0);
    const auto skipped = static_cast<int>(max(tile.stored_y - (tile.y + first_row), std::int64_t(0)));
#pragma unroll
    for (int i = 0; i < Columns; ++i) {
      const bool is_stored = column + i < tile.columns && tile.x + column + i >= tile.stored_x;
      first_stored[i] = is_stored ? skipped : Rows;
    }
    stores_everything = __all_sync(~0u, first_stored[0] + first_stored[Columns - 1] == 0);
  }

  /// Row r of a plane, which begins there. `Everything`: it is known that stores_everything.
  template <bool Everything>
  __device__ void store_row(T* row, int r, const T (&value)[Columns]) const
  {
    if constexpr (Everything) {
      store_whole(row, value, (behind + r * static_cast<unsigned>(stride[1])) % 2 != 0);
    } else {
#pragma unroll
      for (int i = 0; i < Columns; ++i)
        if (r >= first_stored[i]) row[i] = value[i];
    }
  }
  /// After the rows of a plane.
  __device__ void next_plane()
  {
    to += stride[2];
    behind += static_cast<unsigned>(stride[2]);
  }

  __device__ void store(const T (&value)[Rows][Columns])
  {
    T* row = to; // from row to row: the compiler would keep the offsets of all of them
    if (stores_everything) {
#pragma unroll
      for (int r = 0; r < Rows; ++r, row += stride[1]) store_row<true>(row, r, value[r]);
    } else {
#pragma unroll
      for (int r = 0; r < Rows; ++r, row += stride[1]) store_row<false>(row, r, value[r]);
    }
    next_plane();
  }

private:
  __device__ static void store_whole(T* at, const T (&value)[1], bool) { *at = value[0]; }
  __device__ static void store_whole(float* at, const float (&value)[2], bool is_odd)
  {
    if (!is_odd) {
      *reinterpret_cast<float2*>(at) = make_float2(value[0], value[1]);
    } else if constexpr (ShiftsPairs) {
      const unsigned lane = threadIdx.x % 32;
      const float next = __shfl_down_sync(~0u, value[0], 1);
      if (lane < 31) *reinterpret_cast<float2*>(at + 1) = make_float2(value[1], next);
      if (lane == 0) at[0] = value[0];
      if (lane == 31) at[1] = value[1];
    } else {
      at[0] = value[0];
      at[1] = value[1];
    }
  }
};

} // namespace Keramos::cuda::stencil
