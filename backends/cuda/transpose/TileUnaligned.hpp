// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles by 16 bytes per lane where the sides are not aligned to 16 bytes, as with odd pitches and offsets: rows are read as
// aligned vectors and shifted in registers on their way to the tile. What a tile writes of a row begins `misalignment`
// elements before the tile, on 16 bytes of the output, so that each vector is written whole by one block; for that a tile
// reads V rows in front of its own.
//
//     tile            |....|....|....|....|        the first V of A rows are those in front
//     output      row 0    |xxxx|xxxx|xxxx|
//                 row 1  |xxxx|xxxx|xxxx|
#pragma once

#include "TileVector.hpp"

namespace Keramos::cuda::transpose {

/// Rows of a tile that are rows of the array.
struct RowRange {
  int begin, end;

  __device__ __forceinline__ bool contains(int a) const { return a >= begin && a < end; }
};

/// V rows of a block, neighbours along b from `from` on; `whole_b` ends what can be read as vectors.
template <int Size, class Shape>
__device__ __forceinline__ void read_unaligned_rows(const Word<Size>* from, const std::int64_t& pitch,
                                                    const ThreadBlock<Size, Shape>& block, const RowRange& rows,
                                                    int whole_b, Vector (&row)[16 / Size])
{
  constexpr int v = 16 / Size, b_vectors = Shape::b / v, in_flight = Shape::in_flight;
  const bool reads_both = !Shape::shared || block.b == (b_vectors - 1) * v || block.b + v >= whole_b;
#pragma unroll
  for (int first = 0; first < v; first += in_flight) {
    UnalignedVector<Size> pair[in_flight];
#pragma unroll
    for (int r = 0; r < in_flight; ++r)
      if (block.b < whole_b && rows.contains(block.a + first + r)) {
        pair[r].read_low(from + (first + r) * pitch);
        if (reads_both) pair[r].read_high(from + (first + r) * pitch);
      }
#pragma unroll
    for (int r = 0; r < in_flight; ++r) // all before the first shift, or registers spill
      if constexpr (Shape::shared) pair[r].high_of_next_lane(!reads_both);
#pragma unroll
    for (int r = 0; r < in_flight; ++r) row[first + r] = pair[r].vector(from + (first + r) * pitch);
  }
}

/// The rows of a tile into shared memory. `left_b`: elements to the end of the array.
template <int Size, class Shape>
__device__ __forceinline__ void read_unaligned(const Word<Size>* in, const std::int64_t& pitch, const RowRange& rows,
                                               int nb, std::int64_t left_b, Vector* tile)
{
  using Block = ThreadBlock<Size, Shape>;
  constexpr int v = 16 / Size;
  // The second vector of a pair may end behind the row: the last V elements, and up to V - 1 more, go one by one.
  const bool ends_here = left_b < Shape::b + v;
  const int whole_b = !ends_here ? Shape::b : left_b < v ? 0 : static_cast<int>(left_b) / v * v - v;
  Vector row[Block::count][v];
#pragma unroll
  for (int k = 0; k < Block::count; ++k) {
    const Block block(k);
    read_unaligned_rows<Size, Shape>(in + block.a * pitch + block.b, pitch, block, rows, whole_b, row[k]);
  }
#pragma unroll
  for (int k = 0; k < Block::count; ++k) {
    const Block block(k);
    Vector column[v];
    transpose_block<Size>(row[k], column);
    if (block.b < whole_b) put_block<Size, Shape>(column, block, tile);
  }
  if (whole_b < nb)
    for_each_left_over<Shape::threads>(whole_b, nb, rows.end, [&](int a, int b) {
      if (rows.contains(a)) *element_at<Size, Shape::a>(tile, a, b) = in[a * pitch + b];
    });
}

/// nb rows of the output as whole vectors. `first_a`: where the tile's own rows begin; `end_a`: how far the array goes from there.
template <int Size, class Shape>
__device__ __forceinline__ void write_unaligned(Word<Size>* out, const std::int64_t& pitch, int nb,
                                                std::int64_t first_a, std::int64_t end_a, const Vector* tile)
{
  constexpr int v = 16 / Size, a_vectors = Shape::a / v;
#pragma unroll 4
  for (int index = threadIdx.x; index < nb * a_vectors; index += Shape::threads) {
    const int b = index / a_vectors, c = index % a_vectors;
    Word<Size>* const to = out + b * pitch;
    const int misalignment = misalignment_of<Size>(to), a = c * v - misalignment;
    if (c == a_vectors - 1 || a >= end_a) continue;
    const int at = v - misalignment; // in vectors c and c + 1
    const Vector& low = tile[vector_index<Size, Shape::a>(c + at / v, b)];
    const Vector& high = at == v ? low : tile[vector_index<Size, Shape::a>(c + 1, b)];
    const Vector vector = shifted<Size>(low, high, static_cast<unsigned>(at % v * Size));
    const bool in_front = first_a == 0 && a < 0;
    if (!in_front && a + v <= end_a) {
      store_vector_through(to + a, vector);
    } else { // the ends of a row of the array
#pragma unroll
      for (int e = 0; e < v; ++e)
        if ((first_a > 0 || a + e >= 0) && a + e < end_a) to[a + e] = element_of<Size>(vector, e);
    }
  }
}

/// in_b == out_a == 1, all other strides any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    tile_unaligned_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ TileJob job)
{
  constexpr int v = 16 / Size;
  static_assert(Shape::a / v % 8 == 0 && v % Shape::in_flight == 0);
  static_assert(!Shape::shared || 32 % (Shape::b / v) == 0); // the lanes of a row are in one warp
  __shared__ Vector tile[Shape::b * Shape::a / v];
  const TilePosition position = position_of<Shape::a - v, Shape::b, false>(job);
  const Word<Size>* const in = in_data + position.at.in - v * job.in_a;
  Word<Size>* const out = out_data + position.at.out;
  read_unaligned<Size, Shape>(in, job.in_a, {position.a == 0 ? v : 0, position.na + v}, position.nb, position.left_b,
                              tile);
  __syncthreads();
  write_unaligned<Size, Shape>(out, job.out_b, position.nb, position.a, job.extent_a - position.a, tile);
}

} // namespace Keramos::cuda::transpose
