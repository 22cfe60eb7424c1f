// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square matrices in place whose rows do not lie on sectors of 32 bytes. Rows of a tile are read asynchronously by 16 bytes per lane,
// as the sectors that hold them, and lie in shared memory as far behind a sector as in memory. They are written word by word
// from the line on in which each begins. Rows of an odd pitch that follow each other begin at different places in a sector, so that
// the lanes that read a column of the tile meet different banks. What bounds these kernels besides memory is instructions: so a warp
// has rows that begin alike, among a sector to read and among a line to write, and looks for its elements once for all of them.
#pragma once

#include "../Memory.hpp"
#include "Sectors.hpp"
#include "Swap.hpp"

namespace Keramos::cuda::transpose {

/// `rows` rows of so many columns into the tile. At the first and the last element of a matrix vectors may lie partly
/// outside of it, and in front of a last tile of few columns: `careful` leaves that part. Keeps: see until_written().
template <int Size, class Shape, bool Keeps>
__device__ __forceinline__ void read_sectors(const Word<Size>* in, const std::int64_t& pitch, int rows, int columns,
                                             const SectorTile<Size, Shape>& tile, bool careful)
{
  using Tile = SectorTile<Size, Shape>;
  constexpr int v = Tile::v, vectors = 2 * (Shape::a / Tile::sector + 1);
  constexpr int step = Shape::warps, slots = SectorMemory<Size, Shape>::row(step); // from row to row of a warp
  static_assert(step % Tile::sector == 0);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint64_t policy = Keeps ? until_written() : 0;
  const int misalignment = tile.misalignment(warp);
#pragma unroll
  for (int k = lane; k < vectors; k += 32) {
    const int c = k * v - misalignment;
    if (c <= -v || c >= columns) continue;
    const Word<Size>* from = in + warp * pitch + c;
    Word<Size>* to = tile.row(warp) + k * v;
    if (careful && (c < 0 || c + v > columns)) {
      for (int r = warp; r < rows; r += step, from += step * pitch, to += slots)
        for (int e = 0; e < v; ++e)
          if (c + e >= 0 && c + e < columns) to[e] = from[e];
      continue;
    }
#pragma unroll 8
    for (int r = warp; r < rows; r += step, from += step * pitch, to += slots)
      if constexpr (Keeps)
        copy_vector_of_unit(to, from, policy);
      else
        copy_vector_of_unit(to, from);
  }
}

/// nb rows of na elements, neighbours by neighbouring lanes, from the line on in which a row begins: what a row has of a line is written
/// at once. Lanes in front of the row have what a last access would have, so that rows as long as whole lines take no access more. Vectors
/// for whole sectors and then the rest were slower, though a quarter of the stores: f32 15013^2 77.5 for 80.7, and by vectors from lines
/// on 72.6. By stores that are the first to leave the cache, that go through it, and plain ones: f32 15013^2 80.3, 81.0, 81.0; 8191^2 77.5,
/// 78.0, 77.6; f64 10001^2 80.4, 80.8, 80.9.
/// A lane has a word, of two elements where these are narrow; the word in which a row begins may hold the last element in front of the first.
template <int Size, class Shape, bool Keeps>
__device__ __forceinline__ void write_lines(Word<Size>* out, const std::int64_t& pitch, int na, int nb,
                                            const SectorTile<Size, Shape>& tile)
{
  constexpr int width = Size < 4 ? 4 / Size : 1, line = line_bytes / Size, alike = Shape::b / line;
  constexpr int steps = Shape::a / (32 * width);
  static_assert(Shape::b % line == 0 && Shape::a % (32 * width) == 0);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint64_t policy = Keeps ? once_written() : 0;
  const auto store = [&](auto* to, const auto& word) {
    if constexpr (Keeps)
      store_word(to, word, policy);
    else
      __stwt(to, word);
  };
#pragma unroll 1
  for (int first = warp; first < line && first < nb; first += Shape::warps) {
    Word<Size>* row = out + first * pitch;
    const int begin =
        width * lane - static_cast<int>((reinterpret_cast<std::uintptr_t>(row) & (line_bytes - 1)) / Size);
    int a[steps][width];
    const Word<Size>* from[steps][width];
#pragma unroll
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int e = 0; e < width; ++e) {
        const int at = begin + e;
        a[k][e] = 32 * width * k + at + (k == 0 && at < 0 ? Shape::a : 0);
        from[k][e] = tile.element(a[k][e], first);
      }
    Packed<Word<Size>, width> value[alike][steps];
#pragma unroll
    for (int n = 0; n < alike; ++n)
#pragma unroll
      for (int k = 0; k < steps; ++k)
#pragma unroll
        for (int e = 0; e < width; ++e)
          if (a[k][e] < na) value[n][k].element[e] = from[k][e][n * line];
#pragma unroll
    for (int n = 0; n < alike; ++n, row += line * pitch)
#pragma unroll
      for (int k = 0; k < steps; ++k) {
        if (first + n * line >= nb) continue;
        const int last = a[k][width - 1];
        if (last < na && last - a[k][0] == width - 1) {
          using Access = Word<Size * width>;
          store(reinterpret_cast<Access*>(row + a[k][0]), __builtin_bit_cast(Access, value[n][k]));
        } else if constexpr (width > 1) {
#pragma unroll
          for (int e = 0; e < width; ++e)
            if (a[k][e] < na) store(row + a[k][e], value[n][k].element[e]);
        }
      }
  }
}

/// fast == 1, all other strides any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    swap_unaligned_kernel(Word<Size>* data, const __grid_constant__ SwapJob job)
{
  static_assert(Shape::a == Shape::b);
  extern __shared__ __align__(32) unsigned char memory[];
  const SwapTiles tiles = tiles_of<Shape::a>(job, 1);
  if (tiles.none) return;
  wait_for_kernel_before();
  Word<Size>*const upper = data + tiles.upper, *const lower = data + tiles.lower;
  const int na = tiles.na, nb = tiles.nb;
  const SectorTile<Size, Shape> from_upper(memory, upper, job.slow);
  const SectorTile<Size, Shape> from_lower(memory + SectorMemory<Size, Shape>::bytes, lower, job.slow);
  const auto swap = [&](auto keeps) {
    read_sectors<Size, Shape, keeps>(upper, job.slow, nb, na, from_upper, tiles.diagonal);
    if (!tiles.diagonal) read_sectors<Size, Shape, keeps>(lower, job.slow, na, nb, from_lower, na < from_lower.v);
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
    write_lines<Size, Shape, keeps>(lower, job.slow, nb, na, from_upper);
    if (!tiles.diagonal) write_lines<Size, Shape, keeps>(upper, job.slow, na, nb, from_lower);
  };
  if (job.keeps)
    swap(std::true_type());
  else
    swap(std::false_type());
}

} // namespace Keramos::cuda::transpose
