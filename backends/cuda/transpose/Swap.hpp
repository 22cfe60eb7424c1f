// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square matrices in place: a block holds two tiles that mirror each other in shared memory and writes each, transposed,
// where the other was; a tile on the diagonal is alone. As for tiles, one kernel moves an element per lane and takes any
// strides and a functor, the other 16 bytes per lane.
#pragma once

#include "SwapTuning.hpp"
#include "TileVector.hpp"

namespace Keramos::cuda::transpose {

/// The tiles of a block: rows along the fast axis, `row` tiles down, `column` tiles along, and its mirror image.
struct SwapPosition {
  std::int64_t at; ///< the matrix
  unsigned row, column;
  bool none;
};

/// Pairs row <= column of a triangle, here of groups of tiles, two rows of it after one another to lines of one length:
///
///     groups = 4:  line 0:  (0,0) (0,1) (0,2) (0,3) (3,3)
///                  line 1:  (1,1) (1,2) (1,3) (2,2) (2,3)
///
/// An odd number of groups has a middle row without a partner; its second half is none. Nor are tiles of a group below the
/// diagonal or beyond the matrix.
__device__ __forceinline__ SwapPosition swap_position(const SwapJob& job)
{
  const unsigned matrix = quotient(blockIdx.x, job.pairs), pair = blockIdx.x - matrix * job.pairs.d;
  const unsigned groups = pair >> 2 * job.group, inner = pair & ((1u << 2 * job.group) - 1);
  const unsigned line = quotient(groups, job.line), at = groups - line * job.line.d;
  const unsigned rows = job.line.d - 1, upper = rows - line; // groups of row `line`
  unsigned row = line, column = line + at;
  bool none = false;
  if (at >= upper) {
    row = rows - 1 - line;
    column = row + (at - upper);
    none = row == line;
  }
  row = (row << job.group) + (inner >> job.group);
  column = (column << job.group) + (inner & ((1u << job.group) - 1));
  return {offsets_of(job.stack, matrix).out, row, column, none || row > column || column >= job.tiles};
}

/// Both tiles of a block: where they begin, and how many elements of the matrix they have along a, the fast axis of the
/// upper one, and along b. The lower one has them the other way round.
struct SwapTiles {
  bool none, diagonal; ///< nothing to do; one tile
  std::int64_t upper, lower;
  int na, nb;
};

template <int Side>
__device__ __forceinline__ SwapTiles tiles_of(const SwapJob& job, std::int64_t fast)
{
  const SwapPosition position = swap_position(job);
  const auto [a, na] = tile_interval(position.column, Side, job.peel, job.order);
  const auto [b, nb] = tile_interval(position.row, Side, job.peel, job.order);
  return {position.none,
          position.row == position.column,
          position.at + a * fast + b * job.slow,
          position.at + b * fast + a * job.slow,
          na,
          nb};
}

/// Element (a, b) of the matrix lies at a * fast + b * slow.
template <class Shape, class T, class F>
__global__ void __launch_bounds__(Shape::threads)
    swap_kernel(T* data, const __grid_constant__ SwapJob job, const __grid_constant__ F f)
{
  static_assert(Shape::a == Shape::b);
  __shared__ __align__(16) unsigned char memory[2][TileMemory<sizeof(T), Shape>::bytes];
  const SwapTiles tiles = tiles_of<Shape::a>(job, job.fast);
  if (tiles.none) return;
  auto* const upper = reinterpret_cast<Stored<T>*>(data) + tiles.upper;
  auto* const lower = reinterpret_cast<Stored<T>*>(data) + tiles.lower;
  const int na = tiles.na, nb = tiles.nb;
  read_tile<Shape, T>(upper, job.slow, job.fast, nb, na, memory[0]);
  if (!tiles.diagonal) read_tile<Shape, T>(lower, job.slow, job.fast, na, nb, memory[1]);
  __syncthreads();
  write_tile<Shape, T, T>(lower, job.fast, job.slow, nb, na, memory[0], f);
  if (!tiles.diagonal) write_tile<Shape, T, T>(upper, job.fast, job.slow, na, nb, memory[1], f);
}

/// fast == 1, slow and all strides of the stack multiples of V = 16 / Size, the matrices aligned to 16 bytes.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    swap_vector_kernel(Word<Size>* data, const __grid_constant__ SwapJob job)
{
  static_assert(Shape::a == Shape::b);
  extern __shared__ uint4 swap_memory[];
  Vector* const memory[] = {reinterpret_cast<Vector*>(swap_memory),
                            reinterpret_cast<Vector*>(swap_memory) + Shape::a * Shape::b / (16 / Size)};
  const SwapTiles tiles = tiles_of<Shape::a>(job, 1);
  if (tiles.none) return;
  wait_for_kernel_before();
  const int na = tiles.na, nb = tiles.nb;
  const auto swap = [&](auto place) {
    read_vectors<Size, Shape, place>(data + tiles.upper, job.slow, nb, na, memory[0]);
    if (!tiles.diagonal) read_vectors<Size, Shape, place>(data + tiles.lower, job.slow, na, nb, memory[1]);
    __syncthreads();
    write_vectors<Size, Shape, place>(data + tiles.lower, job.slow, nb, na, memory[0]);
    if (!tiles.diagonal) write_vectors<Size, Shape, place>(data + tiles.upper, job.slow, na, nb, memory[1]);
  };
  if constexpr (is_kept_until_written<Size>)
    if (job.keeps) return swap(std::integral_constant<Place, Place::kept>());
  swap(std::integral_constant<Place, Place::same>());
}

} // namespace Keramos::cuda::transpose
