// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square matrices in place: a block holds two tiles that mirror each other in shared memory and writes each, transposed,
// where the other was; a tile on the diagonal is alone. As for tiles, one kernel moves an element a lane and takes any
// strides and a functor, the other 16 bytes a lane.
#pragma once

#include "TransposeTile.hpp"

namespace Keramos::cuda {

/// The tiles of a block: rows along the fast axis, `row` tiles down, `column` tiles along, and its mirror image.
struct SwapPlace {
  std::int64_t at; ///< the matrix
  unsigned row, column;
  bool none;
};

/// Pairs row <= column of a triangle, two rows of it after one another to a line of the same length:
///
///     tiles = 4:  line 0:  (0,0) (0,1) (0,2) (0,3) (3,3)
///                 line 1:  (1,1) (1,2) (1,3) (2,2) (2,3)
///
/// An odd number of tiles has a middle row without a partner; its second half is none.
__device__ __forceinline__ SwapPlace swap_place(const SwapJob& job)
{
  const unsigned matrix = quotient(blockIdx.x, job.pairs), pair = blockIdx.x - matrix * job.pairs.d;
  const unsigned line = quotient(pair, job.line), at = pair - line * job.line.d;
  const unsigned upper = job.tiles - line; // tiles of row `line`
  SwapPlace place{offsets_of(job.stack, matrix).out, line, line + at, false};
  if (at >= upper) {
    place.row = job.tiles - 1 - line;
    place.column = place.row + (at - upper);
    place.none = place.row == line;
  }
  return place;
}

/// Element (a, b) of the matrix lies at a * fast + b * slow. A tile is `Side` on either axis; `warps` rows at a time.
template <class Shape, class T, class F>
__global__ void __launch_bounds__(Shape::threads)
    swap_kernel(T* data, const __grid_constant__ SwapJob job, const __grid_constant__ F f)
{
  static_assert(Shape::a == Shape::b);
  constexpr int side = Shape::a, pitch = tile_pitch<sizeof(T), Shape>;
  __shared__ __align__(16) unsigned char memory[2][tile_bytes<sizeof(T), Shape>];
  const SwapPlace place = swap_place(job);
  if (place.none) return;
  const auto [a0, na] = piece_of(place.column, side, job.lead, job.order);
  const auto [b0, nb] = piece_of(place.row, side, job.lead, job.order);
  const bool diagonal = place.row == place.column;
  auto* const base = reinterpret_cast<Stored<T>*>(data) + place.at;
  auto* const upper = base + a0 * job.fast + b0 * job.slow; // na along, nb down
  auto* const lower = base + b0 * job.fast + a0 * job.slow; // nb along, na down
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto slot = [&](int which, int a, int b) {
    return reinterpret_cast<Stored<T>*>(memory[which] + b * pitch) + a;
  };
  constexpr int row_steps = side / 32 + 1, rows = side / Shape::warps; // one step more: see tile_kernel
  constexpr int rows_in_flight = Shape::in_flight / row_steps < rows ? Shape::in_flight / row_steps : rows;
  static_assert(rows % rows_in_flight == 0);
  const auto gather = [&](int which, const Stored<T>* from, unsigned along, unsigned down) {
#pragma unroll 1
    for (int first = 0; first < rows; first += rows_in_flight) {
      Stored<T> value[rows_in_flight][row_steps];
#pragma unroll
      for (int r = 0; r < rows_in_flight; ++r) {
        const unsigned b = (first + r) * Shape::warps + warp;
        const Stored<T>* const row = from + b * job.slow;
        const int lag = lag_of(row, job.fast);
#pragma unroll
        for (int k = 0; k < row_steps; ++k) {
          const int a = 32 * k - lag + lane;
          if (b < down && static_cast<unsigned>(a) < along) value[r][k] = load(row + a * job.fast);
        }
      }
#pragma unroll
      for (int r = 0; r < rows_in_flight; ++r) {
        const unsigned b = (first + r) * Shape::warps + warp;
        const int lag = lag_of(from + b * job.slow, job.fast);
#pragma unroll
        for (int k = 0; k < row_steps; ++k) {
          const int a = 32 * k - lag + lane;
          if (b < down && static_cast<unsigned>(a) < along) *slot(which, a, b) = passed_through<T, T>(f, value[r][k]);
        }
      }
    }
  };
  const auto scatter = [&](int which, Stored<T>* to, unsigned along, unsigned down) { // (a, b) from slot (b, a)
#pragma unroll 2
    for (unsigned b = warp; b < down; b += Shape::warps) {
      Stored<T>* const row = to + b * job.slow;
      const int lag = lag_of(row, job.fast);
#pragma unroll
      for (int k = 0; k < row_steps; ++k) {
        const int a = 32 * k - lag + lane;
        if (static_cast<unsigned>(a) < along) store(row + a * job.fast, *slot(which, b, a));
      }
    }
  };

  gather(0, upper, na, nb);
  if (!diagonal) gather(1, lower, nb, na);
  __syncthreads();
  scatter(0, lower, nb, na);
  if (!diagonal) scatter(1, upper, na, nb);
}

/// fast == 1, slow and all strides of the stack multiples of V = 16 / Size, the matrices on 16 bytes.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    swap_vector_kernel(Word<Size>* data, const __grid_constant__ SwapJob job)
{
  static_assert(Shape::a == Shape::b);
  constexpr int side = Shape::a, v = 16 / Size, chunks = side / v, blocks = chunks * chunks / Shape::threads;
  static_assert(chunks >= 8 && blocks * Shape::threads == chunks * chunks);
  __shared__ Chunk memory[2][side * chunks];
  const SwapPlace place = swap_place(job);
  if (place.none) return;
  const auto [a0, na] = piece_of(place.column, side, job.lead, job.order);
  const auto [b0, nb] = piece_of(place.row, side, job.lead, job.order);
  const bool diagonal = place.row == place.column;
  Word<Size>* const upper = data + place.at + a0 + b0 * job.slow;
  Word<Size>* const lower = data + place.at + b0 + a0 * job.slow;
  const auto element = [&](Chunk* tile, int along, int down) { // transposed: row `along`
    return reinterpret_cast<Word<Size>*>(&tile[chunk_index<Size, side>(down / v, along)]) + down % v;
  };

  const auto gather = [&](Chunk* tile, const Word<Size>* from, int along, int down) {
    const int whole = along / v * v;
    Chunk row[blocks][v];
#pragma unroll
    for (int k = 0; k < blocks; ++k) {
      const int block = threadIdx.x + k * Shape::threads, a = block % chunks * v, b = block / chunks * v;
#pragma unroll
      for (int r = 0; r < v; ++r)
        if (a < whole && b + r < down) row[k][r] = load_chunk(from + a + (b + r) * job.slow);
    }
#pragma unroll
    for (int k = 0; k < blocks; ++k) {
      const int block = threadIdx.x + k * Shape::threads, a = block % chunks * v, b = block / chunks * v;
      Chunk column[v];
      transpose_block<Size>(row[k], column);
      if (a < whole && b < down)
#pragma unroll
        for (int r = 0; r < v; ++r) tile[chunk_index<Size, side>(b / v, a + r)] = column[r];
    }
    if (whole < along)
      for_each_left_over<Shape::threads>(whole, along, down,
                                         [&](int b, int a) { *element(tile, a, b) = from[a + b * job.slow]; });
  };
  const auto scatter = [&](Chunk* tile, Word<Size>* to, int along, int down) { // row b of `to` is row b of the tile
    const int whole = along / v * v;
#pragma unroll
    for (int k = 0; k < side * chunks / Shape::threads; ++k) {
      const int index = threadIdx.x + k * Shape::threads, a = index % chunks * v, b = index / chunks;
      if (a < whole && b < down) store_chunk(to + a + b * job.slow, tile[chunk_index<Size, side>(a / v, b)]);
    }
    if (whole < along)
      for_each_left_over<Shape::threads>(whole, along, down,
                                         [&](int b, int a) { to[a + b * job.slow] = *element(tile, b, a); });
  };

  gather(memory[0], upper, na, nb);
  if (!diagonal) gather(memory[1], lower, nb, na);
  __syncthreads();
  scatter(memory[0], lower, nb, na);
  if (!diagonal) scatter(memory[1], upper, na, nb);
}

} // namespace Keramos::cuda
