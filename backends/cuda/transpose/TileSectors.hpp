// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles where the sides are not aligned to 16 bytes, as with odd pitches and offsets: rows are read asynchronously, as the sectors of
// 32 bytes that hold them, and lie in shared memory as far behind a sector as in memory. Rows of an odd pitch that follow each other
// begin at different places in a sector, so that the lanes that read a column of the tile meet different banks. What a tile writes of a
// row of the output are whole sectors, for which it reads the rows in front of its own that fill one. A lane writes a word, of several
// elements where these are smaller.
//
//     tile            |........|........|........|        the first rows are those in front, as many as a sector has elements
//     output      row 0    |xxxxxxxx|xxxxxxxx|
//                 row 1  |xxxxxxxx|xxxxxxxx|
#pragma once

#include "../Launch.hpp"
#include "../Memory.hpp"
#include "Sectors.hpp"
#include "Tile.hpp"

namespace Keramos::cuda::transpose {

/// Rows of a tile that are rows of the array.
struct RowRange {
  int begin, end;

  __device__ __forceinline__ bool contains(int a) const { return a >= begin && a < end; }
};

/// A vector of a row of nb elements, of which it holds those from b on.
template <int Size>
__device__ __forceinline__ void copy_row_vector(Word<Size>* to, const Word<Size>* from, int b, int nb,
                                                const ReadableVectors<1>& readable)
{
  if (readable.contain(reinterpret_cast<std::uintptr_t>(from))) {
    copy_vector_of_unit(to, from);
  } else { // at the very ends of the input
    for (int e = 0; e < 16 / Size; ++e)
      if (b + e >= 0 && b + e < nb) to[e] = from[e];
  }
}

/// The rows of a tile, each of nb elements: a thread has the same vector of each of its rows.
template <int Size, class Shape>
__device__ __forceinline__ void read_rows_of_sectors(const Word<Size>* in, const std::int64_t& pitch,
                                                     const RowRange& rows, int nb, const ReadableVectors<1>& readable,
                                                     const SectorTile<Size, Shape>& tile)
{
  using Tile = SectorTile<Size, Shape>;
  constexpr int v = Tile::v, vectors = 2 * (Shape::b / Tile::sector + 1); // of a row, wherever it begins
  constexpr int together = Shape::threads / vectors;                      // rows
  const int k = threadIdx.x % vectors, first = threadIdx.x / vectors;
  const int begin = first < together ? rows.begin + first : rows.end;
  const Word<Size>* row = in + begin * pitch + k * v;
#pragma unroll 4
  for (int r = begin; r < rows.end; r += together, row += together * pitch) {
    const int misalignment = tile.misalignment(r);
    if (k / 2 * Tile::sector - misalignment >= nb) continue;
    copy_row_vector<Size>(tile.row(r) + k * v, row - misalignment, k * v - misalignment, nb, readable);
  }
  commit_copies();
}

/// Neighbours in one access.
template <bool Stays, class Elements>
__device__ __forceinline__ void store_elements(void* to, const Elements& elements)
{
  using Access = Word<sizeof(Elements)>;
  const auto access = __builtin_bit_cast(Access, elements);
  Stays ? __stwt(static_cast<Access*>(to), access) : __stcs(static_cast<Access*>(to), access);
}

/// nb rows of the output, through f, in whole sectors. `out`: where the rows of the tile begin. Rows so many apart as a sector has
/// elements are equally far behind one: a warp looks for its elements once for all of these. `Whole`: all rows of a tile are there, and all
/// of their elements. `Spread`: where the elements of a row of the output lie in few banks, half of a warp has another row, whose elements
/// lie in the next ones, and neighbours begin with another element of their word.
template <class Shape, bool Whole, bool Spread, class In, class Out, class F>
__device__ __forceinline__ void write_sectors(Word<sizeof(Out)>* out, const std::int64_t& pitch, const RowRange& rows,
                                              int nb, const SectorTile<sizeof(In), Shape>& tile, const F& f)
{
  using Bits = Word<sizeof(Out)>;
  constexpr int size = sizeof(Out), width = size < 4 ? 4 / size : 1; // elements of a lane
  constexpr int warps = Shape::threads / 32, lead = Shape::lead;
  constexpr int lanes = Spread ? 16 : 32, together = warps * 32 / lanes, like = lead > together ? lead : together;
  static_assert(lead * size == sector_bytes && like % lead == 0 && like % together == 0);
  static_assert((Shape::a - lead) % (lanes * width) == 0 && (!Spread || warps % width == 0));
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / 32;
  const int turn = Spread ? lane * width / 4 % width : 0;
  const int begin_b = Spread ? (warp / width * 2 + threadIdx.x % 32 / lanes) * width + warp % width : warp;
#pragma unroll 1
  for (int first = begin_b; first < like && first < nb; first += together) {
    const int count = Whole && Shape::b % like == 0 ? Shape::b / like : (nb - first + like - 1) / like;
    Bits* const row = out + first * pitch;
    const int begin = lead - sector_misalignment_of<size>(row + lead);
#pragma unroll
    for (int k = 0; k < (Shape::a - lead) / (lanes * width); ++k) {
      const int a = begin + (lanes * k + lane) * width;
      const Word<sizeof(In)>* from[width];
      bool is_moved[width]; // a functor sees elements of the array alone
#pragma unroll
      for (int e = 0; e < width; ++e) {
        from[e] = tile.element(a + (e + turn) % width, first);
        is_moved[e] = Whole || std::is_same_v<F, core::Move> || rows.contains(a + (e + turn) % width);
      }
      const bool whole = Whole || (rows.contains(a) && rows.contains(a + width - 1));
      Bits* to = row + a;
#pragma unroll 4
      for (int n = 0; n < count; ++n, to += like * pitch) {
        Packed<Bits, width> result;
#pragma unroll
        for (int e = 0; e < width; ++e)
          if (is_moved[e]) result.element[e] = result_of<In, Out>(f, from[e][n * like], Bits());
        if constexpr (Spread) {
          auto word = __builtin_bit_cast(unsigned, result);
          word = __funnelshift_l(word, word, 8 * size * turn);
          result = __builtin_bit_cast(Packed<Bits, width>, word);
        }
        if (whole) {
          store_elements<Shape::stays>(to, result);
        } else { // the ends of a row of the array
#pragma unroll
          for (int e = 0; e < width; ++e)
            if (rows.contains(a + e)) to[e] = result.element[e];
        }
      }
    }
  }
}

/// in_b == out_a == 1, all other strides any.
template <class Shape, class In, class Out, class F>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    tile_sectors_kernel(const In* in_data, Out* out_data, const __grid_constant__ TileJob job,
                        const __grid_constant__ F f)
{
  constexpr int lead = Shape::lead, in_size = sizeof(In);
  extern __shared__ __align__(32) unsigned char sectors_memory[];
  const unsigned band = quotient(blockIdx.x, job.band);
  const TilePosition position =
      position_of<Shape::a - lead, Shape::b, false>(job, blockIdx.x - band * job.band.d, band * job.tiles_a.d);
  const auto* const data = reinterpret_cast<const Word<in_size>*>(in_data);
  const auto* const in = data + position.at.in - lead * job.in_a;
  auto* const out = reinterpret_cast<Word<sizeof(Out)>*>(out_data) + position.at.out - lead;
  const RowRange rows{position.a == 0 ? lead : 0, position.na + lead};
  const SectorTile<in_size, Shape> tile(sectors_memory, in, job.in_a);
  read_rows_of_sectors<in_size, Shape>(in, job.in_a, rows, position.nb, {data + job.in_begin, data + job.in_end}, tile);
  wait_for_copies<0>();
  wait_for_kernel_before(); // it may read what is written here, but writes nothing that has been read (MovePlan::reads_early)
  let_next_kernel_begin();
  __syncthreads();
  const auto write = [&]<bool Whole>(std::bool_constant<Whole>) {
    if constexpr (in_size < 4)
      if (tile.step % 4 == 0)
        return write_sectors<Shape, Whole, true, In, Out>(out, job.out_b, rows, position.nb, tile, f);
    write_sectors<Shape, Whole, false, In, Out>(out, job.out_b, rows, position.nb, tile, f);
  };
  const bool whole = rows.begin == 0 && rows.end == Shape::a && position.nb == Shape::b;
  whole ? write(std::true_type()) : write(std::false_type());
}

} // namespace Keramos::cuda::transpose
