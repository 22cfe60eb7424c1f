// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classic transposes of a float matrix, tile by tile, written afresh after G. Ruetsch and P. Micikevicius, "Optimizing
// matrix transpose in CUDA" (NVIDIA, 2009) and M. Harris, "An efficient matrix transpose in CUDA C/C++" (NVIDIA developer
// blog, 2013); and one that turns a tile in the registers of a warp, after M. Harris, "CUDA pro tip: do the Kepler shuffle"
// (same place, 2014) and B. Catanzaro, A. Keller and M. Garland, "A decomposition for in-place matrix transposition"
// (PPoPP 2014).
#pragma once

#include "Buffers.hpp"

#include <cstdint>

namespace perf::classic {

constexpr int tile = 32;     // elements a side: a warp reads or writes 128 bytes
constexpr int tile_rows = 8; // threads along the other side: each moves four elements
constexpr int warps_of_a_block = 4;

/// in: rows x columns, row by row. out: its transpose, elsewhere.
struct Matrices {
  const float* __restrict__ in;
  float* __restrict__ out;
  std::int64_t rows, columns;
};

/// Where a thread of a tile's block begins. The tiles of one row lie along blockIdx.x, rows of tiles along y and z.
struct Place {
  std::int64_t row, column; ///< of the tile's first element
  int x, y;                 ///< in the tile
};
__device__ inline Place place_of_thread()
{
  const std::int64_t tile_row = blockIdx.y + std::int64_t{gridDim.y} * blockIdx.z;
  return {tile_row * tile, std::int64_t{blockIdx.x} * tile, static_cast<int>(threadIdx.x),
          static_cast<int>(threadIdx.y)};
}

/// out = in: what a transpose is compared with.
template <bool Guarded>
__global__ void copy_kernel(const Matrices m)
{
  const Place at = place_of_thread();
  const std::int64_t row = at.row + at.y, column = at.column + at.x;
  for (int k = 0; k < tile; k += tile_rows)
    if (!Guarded || (row + k < m.rows && column < m.columns))
      m.out[(row + k) * m.columns + column] = m.in[(row + k) * m.columns + column];
}

/// The same through shared memory, which shows what the barrier costs.
template <bool Guarded>
__global__ void copy_by_tile_kernel(const Matrices m)
{
  __shared__ float kept[tile][tile];
  const Place at = place_of_thread();
  const std::int64_t row = at.row + at.y, column = at.column + at.x;
  for (int k = 0; k < tile; k += tile_rows)
    if (!Guarded || (row + k < m.rows && column < m.columns))
      kept[at.y + k][at.x] = m.in[(row + k) * m.columns + column];
  __syncthreads();
  for (int k = 0; k < tile; k += tile_rows)
    if (!Guarded || (row + k < m.rows && column < m.columns))
      m.out[(row + k) * m.columns + column] = kept[at.y + k][at.x];
}

/// Reads along rows, writes along columns.
template <bool Guarded>
__global__ void naive_kernel(const Matrices m)
{
  const Place at = place_of_thread();
  const std::int64_t row = at.row + at.y, column = at.column + at.x;
  for (int k = 0; k < tile; k += tile_rows)
    if (!Guarded || (row + k < m.rows && column < m.columns))
      m.out[column * m.rows + row + k] = m.in[(row + k) * m.columns + column];
}

/// Both sides along rows, turned in shared memory. Without padding the column of a tile lies in one bank; with one element
/// more a row it lies in all of them.
template <int Padding, bool Guarded>
__global__ void tile_kernel(const Matrices m)
{
  __shared__ float kept[tile][tile + Padding];
  const Place at = place_of_thread();
  const std::int64_t row = at.row + at.y, column = at.column + at.x;
  for (int k = 0; k < tile; k += tile_rows)
    if (!Guarded || (row + k < m.rows && column < m.columns))
      kept[at.y + k][at.x] = m.in[(row + k) * m.columns + column];
  __syncthreads();
  const std::int64_t out_row = at.column + at.y, out_column = at.row + at.x;
  for (int k = 0; k < tile; k += tile_rows)
    if (!Guarded || (out_row + k < m.columns && out_column < m.rows))
      m.out[(out_row + k) * m.rows + out_column] = kept[at.x][at.y + k];
}

/// A warp a tile: lane l has column l, register r row r. Five exchanges turn it: in the one of `bit`, lanes and registers
/// that differ in that bit swap the element in which lane and register disagree about it.
template <bool Guarded>
__global__ void shuffle_kernel(const Matrices m)
{
  const Place at = place_of_thread();
  const std::int64_t first_column = at.column * warps_of_a_block + at.y * tile;
  const int lane = at.x;
  if (Guarded && first_column >= m.columns) return; // a whole warp
  float value[tile];
#pragma unroll
  for (int r = 0; r < tile; ++r)
    value[r] = !Guarded || (at.row + r < m.rows && first_column + lane < m.columns)
                   ? m.in[(at.row + r) * m.columns + first_column + lane]
                   : 0;
#pragma unroll
  for (int bit = 1; bit < tile; bit *= 2) {
    const bool upper = lane & bit;
#pragma unroll
    for (int r = 0; r < tile; ++r) {
      if (r & bit) continue;
      const float leaves = upper ? value[r] : value[r | bit];
      const float comes = __shfl_xor_sync(0xffffffffu, leaves, bit);
      value[r] = upper ? comes : value[r];
      value[r | bit] = upper ? value[r | bit] : comes;
    }
  }
#pragma unroll
  for (int r = 0; r < tile; ++r)
    if (!Guarded || (first_column + r < m.columns && at.row + lane < m.rows))
      m.out[(first_column + r) * m.rows + at.row + lane] = value[r];
}

using Kernel = void (*)(Matrices);

/// A kernel for whole tiles alone, as the originals are, and the same with a test an element.
struct Transpose {
  const char* name;
  Kernel whole, guarded;
  bool transposes = true;
  int tiles_of_a_block = 1; ///< along a row
  int threads = tile_rows;  ///< along y
};

inline void launch(const Transpose& transpose, const Matrices& m)
{
  constexpr std::int64_t longest = 32768; // blocks along y and z
  const auto over = [](std::int64_t a, std::int64_t b) { return static_cast<unsigned>((a + b - 1) / b); };
  const std::int64_t tile_rows_in_all = (m.rows + tile - 1) / tile;
  const dim3 blocks(over(m.columns, tile * transpose.tiles_of_a_block),
                    static_cast<unsigned>(std::min(tile_rows_in_all, longest)), over(tile_rows_in_all, longest));
  const bool whole = m.rows % tile == 0 && m.columns % (tile * transpose.tiles_of_a_block) == 0;
  (whole ? transpose.whole : transpose.guarded)<<<blocks, dim3(tile, transpose.threads), 0, stream()>>>(m);
  require_launched(transpose.name);
}

inline const Transpose transposes[] = {
    {"copy", copy_kernel<false>, copy_kernel<true>, false},
    {"shared-memory copy", copy_by_tile_kernel<false>, copy_by_tile_kernel<true>, false},
    {"naive", naive_kernel<false>, naive_kernel<true>},
    {"coalesced, tile 32x32", tile_kernel<0, false>, tile_kernel<0, true>},
    {"conflict-free, tile 32x33", tile_kernel<1, false>, tile_kernel<1, true>},
    {"warp shuffle", shuffle_kernel<false>, shuffle_kernel<true>, true, warps_of_a_block, warps_of_a_block}};

} // namespace perf::classic
