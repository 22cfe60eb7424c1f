// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles by 16 bytes per lane on both sides, where these are aligned to 16 bytes: registers transpose V x V elements.
//
//                 input                           shared memory                  output
//             b ->                                  a ->                         a ->
//          a  [x x x x]  V rows of a thread,     b  [y y y y]  a row of        b [y y y y]
//          |  [x x x x]  16 bytes each, trans-   |  [y y y y]  vectors for     | [y y y y]
//          v  [x x x x]  posed in registers      v  [y y y y]  each b          v [y y y y]
#pragma once

#include "../Launch.hpp"
#include "SwapAccess.hpp"
#include "Tile.hpp"

namespace Keramos::cuda::transpose {

/// The tile in shared memory: for each b a row of A / V vectors. Vector c of row b lies at c ^ (b / V % 8), so that the 8
/// lanes that meet in one pass of the banks differ, both where they write (neighbouring b / V, one c) and where they
/// read (neighbouring c, one b).
template <int Size, int A>
__device__ __forceinline__ int vector_index(int c, int b)
{
  constexpr int v = 16 / Size;
  return b * (A / v) + (c ^ (b / v & 7));
}

/// Element (a, b) of such a tile.
template <int Size, int A>
__device__ __forceinline__ Word<Size>* element_at(Vector* tile, int a, int b)
{
  constexpr int v = 16 / Size;
  return reinterpret_cast<Word<Size>*>(&tile[vector_index<Size, A>(a / v, b)]) + a % v;
}

/// Where the k-th V x V block of a thread begins in its tile.
template <int Size, class Shape>
struct ThreadBlock {
  static constexpr int v = 16 / Size, a_vectors = Shape::a / v, b_vectors = Shape::b / v;
  static constexpr int count = a_vectors * b_vectors / Shape::threads; ///< of a thread
  static_assert(a_vectors >= 8 && count * Shape::threads == a_vectors * b_vectors);
  int a, b;

  __device__ __forceinline__ explicit ThreadBlock(int k)
  {
    const int block = threadIdx.x + k * Shape::threads;
    b = block % b_vectors * v;
    a = block / b_vectors * v;
  }
};

/// The columns of a block into the tile.
template <int Size, class Shape>
__device__ __forceinline__ void put_block(const Vector (&column)[16 / Size], const ThreadBlock<Size, Shape>& block,
                                          Vector* tile)
{
  constexpr int v = 16 / Size;
#pragma unroll
  for (int r = 0; r < v; ++r) tile[vector_index<Size, Shape::a>(block.a / v, block.b + r)] = column[r];
}

/// Elements that fill no vector, at the far edges of a tile: one by one. f(a, b) for a < na, first <= b < nb.
template <int Threads, class F>
__device__ __forceinline__ void for_each_left_over(int first, int nb, int na, const F& f)
{
  const int rest = nb - first;
  for (int k = threadIdx.x; k < rest * na; k += Threads) f(k / rest, first + k % rest);
}

/// Where a tile goes: elsewhere; in place; or there with what the L2 cache is told, see until_written().
enum class Place { other, same, kept };

/// na rows of nb neighbours, `pitch` apart, into the tile. Strides come by reference: they are parameters of the kernel,
/// which cost no register.
template <int Size, class Shape, Place place = Place::other>
__device__ __forceinline__ void read_vectors(const Word<Size>* in, const std::int64_t& pitch, int na, int nb,
                                             Vector* tile)
{
  using Block = ThreadBlock<Size, Shape>;
  constexpr int v = 16 / Size;
  const int whole_b = nb / v * v;
  const std::uint64_t policy = place == Place::kept ? until_written() : 0;
  Vector row[Block::count][v];
#pragma unroll
  for (int k = 0; k < Block::count; ++k) {
    const Block block(k);
    const Word<Size>* from = in + block.a * pitch + block.b;
#pragma unroll
    for (int r = 0; r < v; ++r)
      if (block.b < whole_b && block.a + r < na)
        row[k][r] = place == Place::kept   ? load_vector(from + r * pitch, policy)
                    : place == Place::same ? load_vector_in_place(from + r * pitch)
                    : Size == 16           ? load_vector_of_unit(from + r * pitch)
                                           : load_vector(from + r * pitch);
  }
#pragma unroll
  for (int k = 0; k < Block::count; ++k) {
    const Block block(k);
    Vector column[v];
    transpose_block<Size>(row[k], column);
    if (block.b < whole_b && block.a < na) put_block<Size, Shape>(column, block, tile);
  }
  if (whole_b < nb)
    for_each_left_over<Shape::threads>(
        whole_b, nb, na, [&](int a, int b) { *element_at<Size, Shape::a>(tile, a, b) = in[a * pitch + b]; });
}

/// The tile into nb rows of na neighbours, `pitch` apart.
template <int Size, class Shape, Place place = Place::other>
__device__ __forceinline__ void write_vectors(Word<Size>* out, const std::int64_t& pitch, int na, int nb, Vector* tile)
{
  constexpr int v = 16 / Size, a_vectors = Shape::a / v, stores = Shape::b * a_vectors / Shape::threads;
  const int whole_a = na / v * v;
  const std::uint64_t policy = place == Place::kept ? once_written() : 0;
#pragma unroll
  for (int k = 0; k < stores; ++k) {
    const int index = threadIdx.x + k * Shape::threads, a = index % a_vectors * v, b = index / a_vectors;
    if (a >= whole_a || b >= nb) continue;
    const Vector& vector = tile[vector_index<Size, Shape::a>(a / v, b)];
    if constexpr (place == Place::kept)
      store_vector(out + b * pitch + a, vector, policy);
    else if constexpr (place == Place::same)
      store_vector_in_place(out + b * pitch + a, vector);
    else
      store_vector(out + b * pitch + a, vector);
  }
  if (whole_a < na)
    for_each_left_over<Shape::threads>(
        whole_a, na, nb, [&](int b, int a) { out[b * pitch + a] = *element_at<Size, Shape::a>(tile, a, b); });
}

/// Both sides aligned to 16 bytes: in_b == out_a == 1, all other strides multiples of V = 16 / Size. The extents are any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    tile_vector_kernel(const Word<Size>* in, Word<Size>* out, const __grid_constant__ TileJob job)
{
  extern __shared__ uint4 tile_vectors[]; // tile_vector_bytes
  Vector* const tile = reinterpret_cast<Vector*>(tile_vectors);
  const TilePosition position = position_of<Shape::a, Shape::b, true>(job);
  wait_for_kernel_before();
  read_vectors<Size, Shape>(in + position.at.in, job.in_a, position.na, position.nb, tile);
  __syncthreads();
  write_vectors<Size, Shape>(out + position.at.out, job.out_b, position.na, position.nb, tile);
}

} // namespace Keramos::cuda::transpose
