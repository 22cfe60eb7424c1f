// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square matrices in place whose rows do not lie on sectors of 32 bytes, by 16 bytes per lane all the same. Rows of a tile are read
// asynchronously as the sectors that hold them and lie in shared memory as far behind a sector as in memory; what is written
// are whole sectors, gathered there element by element, and the parts of sectors at both ends of a row, each by one store of
// its neighbouring lanes. Rows that are a sector's elements apart begin equally far behind a sector, so a thread finds its
// place in the first of them and goes on in steps that are known when the kernel is compiled.
//
//     row d of the output    ..xx|xxxxxxxx|xxxxxxxx|xxx.....
//     elements per lane        --                   ---
//     vectors per lane            ----,----,----,----
#pragma once

#include "../Memory.hpp"
#include "Swap.hpp"

namespace Keramos::cuda::transpose {

/// Elements between the beginning of a sector and `address`, which lies in it.
template <int Size>
__device__ __forceinline__ int sector_misalignment_of(const void* address)
{
  return static_cast<int>((reinterpret_cast<std::uintptr_t>(address) & (sector_bytes - 1)) / Size);
}

/// A tile as it came: `from`, the place of its first element in memory, says how far behind a sector each row begins.
template <int Size, class Shape>
struct SectorTile {
  static constexpr int v = 16 / Size, sector = sector_bytes / Size;

  Word<Size>* slots;
  int first, step; ///< misalignment of the first row, and from row to row

  __device__ __forceinline__ SectorTile(unsigned char* memory, const Word<Size>* from, std::int64_t pitch)
      : slots(reinterpret_cast<Word<Size>*>(memory)), first(sector_misalignment_of<Size>(from)),
        step(static_cast<int>(pitch & (sector - 1)))
  {
  }
  /// Where the sectors of row r begin.
  __device__ __forceinline__ Word<Size>* row(int r) const { return slots + SectorMemory<Size, Shape>::row(r); }
  __device__ __forceinline__ int misalignment(int r) const { return (first + r * step) & (sector - 1); }
  __device__ __forceinline__ const Word<Size>* element(int r, int c) const { return row(r) + misalignment(r) + c; }
};

/// `rows` rows of so many columns into the tile. At the first and the last element of a matrix vectors may lie partly
/// outside of it: `careful` leaves that part.
template <int Size, class Shape>
__device__ __forceinline__ void read_sectors(const Word<Size>* in, const std::int64_t& pitch, int rows, int columns,
                                             const SectorTile<Size, Shape>& tile, bool careful)
{
  using Tile = SectorTile<Size, Shape>;
  constexpr int v = Tile::v, vectors = 2 * (Shape::a / Tile::sector + 1);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll 4
  for (int r = warp; r < rows; r += Shape::warps) {
    const int misalignment = tile.misalignment(r);
#pragma unroll
    for (int k = lane; k < vectors; k += 32) {
      const int c = k * v - misalignment;
      const Word<Size>* const from = in + r * pitch + c;
      Word<Size>* const to = tile.row(r) + k * v;
      if (careful && (c < 0 || c + v > columns)) {
        for (int e = 0; e < v; ++e)
          if (c + e >= 0 && c + e < columns) to[e] = from[e];
      } else if (c > -v && c < columns) {
        copy_async<16>(to, from);
      }
    }
  }
}

/// Lanes that differ in `by` read the elements of a vector in different orders, so that they meet different banks: theirs
/// began with element `by`.
template <int Size>
__device__ __forceinline__ Vector turned_back(const Word<Size> (&element)[16 / Size], int by)
{
  constexpr int v = 16 / Size;
  struct Elements {
    Word<Size> element[v];
  } result, once;
#pragma unroll
  for (int e = 0; e < v; ++e) once.element[e] = by & 1 ? element[(e + v - 1) % v] : element[e];
#pragma unroll
  for (int e = 0; e < v; ++e) result.element[e] = v > 2 && by & 2 ? once.element[(e + v - 2) % v] : once.element[e];
  return __builtin_bit_cast(Vector, result);
}

/// The whole sectors of nb rows of na elements. 8 lanes lie along a row, 4 across.
template <int Size, class Shape>
__device__ __forceinline__ void write_whole_sectors(Word<Size>* out, const std::int64_t& pitch, int na, int nb,
                                                    const SectorTile<Size, Shape>& tile)
{
  using Tile = SectorTile<Size, Shape>;
  constexpr int v = Tile::v, sector = Tile::sector, parts = sector / 4;
  constexpr int groups = (2 * Shape::a / sector + 7) / 8, tasks = groups * parts, warps = Shape::warps / tasks;
  constexpr int step = warps * sector;
  static_assert(warps > 0);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, task = warp % tasks, across = lane / 8;
  const int first_b = task % parts * 4 + across, vector = task / parts * 8 + lane % 8;
  const int head = -sector_misalignment_of<Size>(out + first_b * pitch) & (sector - 1);
  const int a = head + vector * v;
  if (warp >= tasks * warps || a - vector % 2 * v + sector > na) return;
  const int begin = first_b + warp / tasks * sector;
  const Word<Size>* from[v];
#pragma unroll
  for (int e = 0; e < v; ++e) from[e] = tile.element(a + ((e + across) & (v - 1)), begin);
  Word<Size>* to = out + begin * pitch + a;
#pragma unroll
  for (int k = 0; k < (Shape::a + step - 1) / step; ++k, to += step * pitch)
    if (begin + k * step < nb) {
      Word<Size> element[v];
#pragma unroll
      for (int e = 0; e < v; ++e) element[e] = from[e][k * step];
      store_vector(to, turned_back<Size>(element, across));
    }
}

/// What is in front of these and behind them: the lanes of a sector lie along a row, the others across.
template <int Size, class Shape>
__device__ __forceinline__ void write_parts_of_sectors(Word<Size>* out, const std::int64_t& pitch, int na, int nb,
                                                       const SectorTile<Size, Shape>& tile)
{
  constexpr int sector = SectorTile<Size, Shape>::sector, across = 32 / sector, rows = 8;
  constexpr int tasks = 2 * rows / across, warps = Shape::warps / tasks, step = warps * rows;
  static_assert(warps > 0 && rows % sector == 0);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, task = warp % tasks;
  const int first_b = task / 2 * across + lane / sector;
  const int head = -sector_misalignment_of<Size>(out + first_b * pitch) & (sector - 1);
  const int tail = head + max(0, na - head) / sector * sector;
  const int a = (task % 2 == 0 ? head - sector : tail) + lane % sector;
  if (warp >= tasks * warps || a < 0 || a >= na) return;
  const int begin = first_b + warp / tasks * rows;
  const Word<Size>* const from = tile.element(a, begin);
  Word<Size>* to = out + begin * pitch + a;
#pragma unroll
  for (int k = 0; k < (Shape::a + step - 1) / step; ++k, to += step * pitch)
    if (begin + k * step < nb) __stcs(to, from[k * step]);
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
  Word<Size>*const upper = data + tiles.upper, *const lower = data + tiles.lower;
  const int na = tiles.na, nb = tiles.nb;
  const SectorTile<Size, Shape> from_upper(memory, upper, job.slow);
  const SectorTile<Size, Shape> from_lower(memory + SectorMemory<Size, Shape>::bytes, lower, job.slow);
  read_sectors<Size, Shape>(upper, job.slow, nb, na, from_upper, tiles.diagonal);
  if (!tiles.diagonal) read_sectors<Size, Shape>(lower, job.slow, na, nb, from_lower, false);
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
  write_whole_sectors<Size, Shape>(lower, job.slow, nb, na, from_upper);
  write_parts_of_sectors<Size, Shape>(lower, job.slow, nb, na, from_upper);
  if (tiles.diagonal) return;
  write_whole_sectors<Size, Shape>(upper, job.slow, na, nb, from_lower);
  write_parts_of_sectors<Size, Shape>(upper, job.slow, na, nb, from_lower);
}

} // namespace Keramos::cuda::transpose
