// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles whose side along the output runs over several axes, those in which the output is contiguous: however short they are, tiles are
// full, and they write whole sectors as those of TileSectors.hpp do. Rows of the input lie in no steps then: a block tabulates once where
// each begins.
//
//     a row of the output over i and j, in two tiles     i  0 1 2 0 1 2 | 0 1 2 0 1 2
//                                                        j  0 0 0 1 1 1 | 2 2 2 3 3 3
#pragma once

#include "../Memory.hpp"
#include "TileSectors.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// The rows of a tile, in shared memory as far behind a sector as in memory.
template <int Size>
struct JoinedTile {
  static constexpr int v = 16 / Size, sector = sector_bytes / Size;

  Word<Size>* slots;
  const Word<Size>** from; ///< where each row begins
  int pitch;

  /// Where the sectors of row r begin, see SectorMemory.
  __device__ __forceinline__ Word<Size>* row(int r) const { return slots + r * pitch + r / sector * sector; }
  __device__ __forceinline__ int misalignment(int r) const { return sector_misalignment_of<Size>(from[r]); }
  __device__ __forceinline__ const Word<Size>* element(int r, int c) const { return row(r) + misalignment(r) + c; }
};

/// Where a block works: its tile begins with row a, and element b of a row.
struct JoinedPosition {
  Offsets batch;
  std::int64_t a, b;
  int na, nb;
};
__device__ __forceinline__ JoinedPosition position_of(const JoinedTileJob& job)
{
  const unsigned batch = quotient(blockIdx.x, job.tiles), inner = blockIdx.x - batch * job.tiles.d;
  const unsigned second = quotient(inner, job.first), first = inner - second * job.first.d;
  JoinedPosition position;
  position.batch = offsets_of(job.batch, batch);
  position.a = std::int64_t{job.b_first ? second : first} * job.a;
  position.b = std::int64_t{job.b_first ? first : second} * job.b;
  position.na = static_cast<int>(min(job.extent_a - position.a, std::int64_t{job.a}));
  position.nb = static_cast<int>(min(job.extent_b - position.b, std::int64_t{job.b}));
  return position;
}

/// `first`: the number of row 0.
template <int Size>
__device__ __forceinline__ void find_rows(const JoinedTileJob& job, const Word<Size>* in, std::int64_t first,
                                          const RowRange& rows, const JoinedTile<Size>& tile)
{
  for (int r = rows.begin + static_cast<int>(threadIdx.x); r < rows.end; r += static_cast<int>(blockDim.x))
    tile.from[r] = in + input_offset_of(job.axes, static_cast<unsigned>(first + r));
}

template <int Size>
__device__ __forceinline__ void read_joined(const RowRange& rows, int nb, int vectors,
                                            const ReadableVectors<1>& readable, const JoinedTile<Size>& tile)
{
  using Tile = JoinedTile<Size>;
  const int together = static_cast<int>(blockDim.x) / vectors; // rows
  const int first = static_cast<int>(threadIdx.x) / vectors, k = static_cast<int>(threadIdx.x) - first * vectors;
  const int begin = first < together ? rows.begin + first : rows.end;
#pragma unroll 4
  for (int r = begin; r < rows.end; r += together) {
    const int b = k * Tile::v - tile.misalignment(r);
    if (b - k % 2 * Tile::v >= nb) continue; // the sector
    copy_row_vector<Size>(tile.row(r) + k * Tile::v, tile.from[r] + b, b, nb, readable);
  }
  commit_copies();
}

/// nb rows of the output in whole sectors, see write_sectors; `Warps` rows apart they are equally far behind one. `out`: where the rows of the
/// tile begin.
template <bool Whole, int Warps, int Size>
__device__ __forceinline__ void write_joined(Word<Size>* out, const JoinedTileJob& job, const RowRange& rows, int nb,
                                             const JoinedTile<Size>& tile)
{
  constexpr int lead = sector_bytes / Size;
  static_assert(Warps % lead == 0);
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32, count = (nb - first + Warps - 1) / Warps;
  Word<Size>* const row = out + first * job.out_b;
  const int begin = lead - sector_misalignment_of<Size>(row + lead);
#pragma unroll 2
  for (int k = 0; k < job.a / 32; ++k) {
    const int a = begin + 32 * k + lane;
    if (!Whole && !rows.contains(a)) continue;
    const Word<Size>* const from = tile.element(a, first);
    Word<Size>* to = row + a;
#pragma unroll 4
    for (int n = 0; n < count; ++n, to += Warps * job.out_b) __stwt(to, from[n * Warps]);
  }
}

/// The input is contiguous along b, the output along the joined axes.
template <int Size>
__global__ void __launch_bounds__(joined_tile_max_threads, joined_tile_blocks)
    tile_joined_kernel(const Word<Size>* data, Word<Size>* out_data, const __grid_constant__ JoinedTileJob job)
{
  constexpr int lead = sector_bytes / Size;
  extern __shared__ __align__(32) unsigned char joined_memory[];
  const JoinedTile<Size> tile{reinterpret_cast<Word<Size>*>(joined_memory),
                              reinterpret_cast<const Word<Size>**>(joined_memory + job.first_row), job.pitch};
  const JoinedPosition position = position_of(job);
  const int nb = position.nb;
  const RowRange rows{position.a == 0 ? lead : 0, position.na + lead};
  find_rows<Size>(job, data + position.batch.in + position.b, position.a - lead, rows, tile);
  __syncthreads();
  read_joined<Size>(rows, nb, job.vectors, {data + job.in_begin, data + job.in_end}, tile);
  wait_for_copies<0>();
  __syncthreads();
  Word<Size>* const out = out_data + position.batch.out + position.b * job.out_b + position.a - lead;
  const auto write = [&]<bool Whole>(std::bool_constant<Whole>) {
    constexpr int warps = joined_tile_max_threads / 32;
    blockDim.x == joined_tile_max_threads ? write_joined<Whole, warps, Size>(out, job, rows, nb, tile)
                                          : write_joined<Whole, warps / 2, Size>(out, job, rows, nb, tile);
  };
  rows.begin == 0 && position.na == job.a ? write(std::true_type()) : write(std::false_type());
}

} // namespace Keramos::cuda::transpose
