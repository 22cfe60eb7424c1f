// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of small elements where the sides are not aligned to 16 bytes: rows are read asynchronously, as the aligned vectors that hold
// them, and lie in shared memory as far behind a vector as in memory. V = 16 / Size rows are 16 bytes times the pitch, so that rows V
// apart are equally far behind: these follow each other there, and lanes, which have V rows each, shift what they read by the same
// bits. A lane gathers V elements of a few columns; with those of the next lane they make a vector of the output, wherever that
// begins. What a tile writes of a row are whole sectors, for which it reads those rows of its neighbour that fill one.
//
//     lane      0            1                        rows     0, V, 2V, ...    phase 0, a pitch apart
//     rows      0 .. V-1     V .. 2V-1                         1, V + 1, ...    phase 1
//     output        |xxxx|xxxx|xxxx|
#pragma once

#include "../Memory.hpp"
#include "TileUnaligned.hpp"

namespace Keramos::cuda::transpose {

/// Bytes between the beginning of a sector and `address`, which lies in it.
__device__ __forceinline__ unsigned behind_sector(const void* address)
{
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) & (sector_bytes - 1));
}

/// The rows of a tile in shared memory; `from` is the place of its first element in memory.
template <int Size, class Shape>
struct GatheredRows {
  using Memory = GatheredMemory<Size, Shape>;

  unsigned char* memory;
  unsigned first, step; ///< bytes behind a sector: of the first row, and more from row to row

  __device__ __forceinline__ GatheredRows(unsigned char* shared, const Word<Size>* from, std::int64_t pitch)
      : memory(shared), first(behind_sector(from)), step(static_cast<unsigned>(pitch * Size & (sector_bytes - 1)))
  {
  }
  __device__ __forceinline__ unsigned behind(int r) const { return (first + r * step) & (sector_bytes - 1); }
  /// Where the rows of a phase begin: where the pitch is odd, both halves of a sector lie as in memory, or each would be fetched by
  /// itself.
  __device__ __forceinline__ unsigned char* phase(int number) const
  {
    return memory + number * Memory::phase + (behind(number) & 16);
  }
  /// The vector that holds the first element of row r.
  __device__ __forceinline__ unsigned char* row(int r) const
  {
    return phase(r % Memory::v) + r / Memory::v * Memory::pitch;
  }
};

/// The rows of a tile, each of nb elements.
template <int Size, class Shape>
__device__ __forceinline__ void read_rows(const Word<Size>* in, const std::int64_t& pitch, const RowRange& rows, int nb,
                                          const ReadableVectors<1>& readable, const GatheredRows<Size, Shape>& tile)
{
  constexpr int vectors = Shape::b * Size / 16 + 1; // of a row, wherever it begins
#pragma unroll 4
  for (int index = threadIdx.x; index < Shape::a * vectors; index += Shape::threads) {
    const int r = index / vectors, k = index % vectors;
    const int at = 16 * k - static_cast<int>(tile.behind(r) & 15); // from the first element on
    if (!rows.contains(r) || at >= nb * Size) continue;
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(in + r * pitch) + at;
    unsigned char* const to = tile.row(r) + 16 * k;
    if (readable.contain(from)) {
      copy_vector_of_unit(to, reinterpret_cast<const void*>(from));
    } else { // at the very ends of the input
      for (int byte = 0; byte < 16; byte += Size)
        if (at + byte >= 0 && at + byte < nb * Size)
          *reinterpret_cast<Word<Size>*>(to + byte) = *reinterpret_cast<const Word<Size>*>(from + byte);
    }
  }
  commit_copies();
}

/// Columns b and those that follow it within a word, of V rows of a lane.
template <int Size, class Shape>
__device__ __forceinline__ void gather_columns(const GatheredRows<Size, Shape>& tile, int lane, int b,
                                               Vector (&column)[4 / Size])
{
  using Memory = GatheredMemory<Size, Shape>;
  unsigned row[Memory::v];
#pragma unroll
  for (int r = 0; r < Memory::v; ++r) {
    const unsigned behind = tile.behind(r) & 15;
    const auto* const word =
        reinterpret_cast<const unsigned*>(tile.phase(r) + lane * Memory::pitch + b * Size + (behind & ~3u));
    row[r] = __funnelshift_r(word[0], word[1], 8 * (behind & 3));
  }
  transpose_words<Size>(row, column);
}

/// nb rows of the output in whole sectors. `out`: where the rows of the tile begin.
template <int Size, class Shape>
__device__ __forceinline__ void write_gathered(Word<Size>* out, const std::int64_t& pitch, const RowRange& rows, int nb,
                                               const GatheredRows<Size, Shape>& tile)
{
  using Memory = GatheredMemory<Size, Shape>;
  constexpr int v = Memory::v, columns = 4 / Size, own_vectors = (Shape::a - Shape::lead) / v;
  constexpr int of_warp = 32 / Memory::lanes * columns;
  const int lane = threadIdx.x % Memory::lanes, in_warp = threadIdx.x % 32 / Memory::lanes * columns;
#pragma unroll 1
  for (int warp_b = threadIdx.x / 32 * of_warp; warp_b < nb; warp_b += Shape::threads / 32 * of_warp) {
    const int b = warp_b + in_warp; // all lanes come here, for they shuffle; columns behind the tile are not stored
    Vector column[columns];
    gather_columns<Size, Shape>(tile, lane, b, column);
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      Word<Size>* const to = out + (b + k) * pitch;
      const int first = static_cast<int>(-behind_sector(to) & (sector_bytes - 1)); // bytes to the first sector
      const Vector vector = shifted<Size>(column[k], of_next_lane(column[k], Memory::lanes), first & 15);
      const int number = lane - first / 16, r = lane * v + first % 16 / Size;
      if (number < 0 || number >= own_vectors || b + k >= nb) continue;
      if (r >= rows.begin && r + v <= rows.end) {
        store_vector_through(to + r, vector);
      } else { // the ends of a row of the array
#pragma unroll
        for (int e = 0; e < v; ++e)
          if (rows.contains(r + e)) to[r + e] = element_of<Size>(vector, e);
      }
    }
  }
}

/// in_b == out_a == 1, all other strides any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    tile_gathered_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ TileJob job)
{
  constexpr int lead = Shape::lead;
  extern __shared__ __align__(32) unsigned char gathered_memory[];
  const TilePosition position = position_of<Shape::a - lead, Shape::b, false>(job);
  const Word<Size>* const in = in_data + position.at.in - lead * job.in_a;
  const RowRange rows{position.a == 0 ? lead : 0, position.na + lead};
  const GatheredRows<Size, Shape> tile(gathered_memory, in, job.in_a);
  read_rows<Size, Shape>(in, job.in_a, rows, position.nb, {in_data + job.in_begin, in_data + job.in_end}, tile);
  wait_for_copies<0>();
  __syncthreads();
  write_gathered<Size, Shape>(out_data + position.at.out - lead, job.out_b, rows, position.nb, tile);
}

} // namespace Keramos::cuda::transpose
