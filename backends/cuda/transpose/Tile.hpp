// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles through shared memory: a block reads rows along b, the axis along which the input is contiguous, and writes rows
// along a, the axis along which the output is. The kernel here moves an element per lane and takes any strides and, on the way
// out, a functor. Those of TileVector.hpp move 16 bytes per lane, those of TileSectors.hpp read so many.
#pragma once

#include "Access.hpp"
#include "Jobs.hpp"
#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// Where tile n of an axis begins, and its length: `side`, less at the ends.
struct TileInterval {
  std::int64_t begin;
  int length;
};
__device__ __forceinline__ TileInterval tile_interval(unsigned n, int side, int peel, std::int64_t extent)
{
  const std::int64_t begin = std::int64_t{n} * side - peel, end = min(begin + side, extent);
  const std::int64_t first = max(begin, std::int64_t{0});
  return {first, static_cast<int>(end - first)};
}

/// Where a block works: offsets of the tile, and its extents, smaller at the edges.
struct TilePosition {
  Offsets at;
  int na, nb;
  std::int64_t a, left_b; ///< from the beginning of the array, to its end
};

/// `Aligned`: of a job that may have peels, and go through the batch first. `block`: of those that walk through tiles along a from
/// first_a on.
template <int A, int B, bool Aligned>
__device__ __forceinline__ TilePosition position_of(const TileJob& job, unsigned block = blockIdx.x,
                                                    unsigned first_a = 0)
{
  const unsigned last = quotient(block, job.inner), inner = block - last * job.inner.d;
  const unsigned middle = quotient(inner, job.tiles_a), ta = first_a + inner - middle * job.tiles_a.d;
  const bool batch_first = Aligned && job.batch_first;
  const unsigned tb = batch_first ? last : middle, batch = batch_first ? middle : last;

  const auto [a, na] = tile_interval(ta, A, Aligned ? job.peel_a : 0, job.extent_a);
  const auto [b, nb] = tile_interval(tb, B, Aligned ? job.peel_b : 0, job.extent_b);
  TilePosition position;
  position.at = offsets_of(job.batch, batch);
  position.at.in += a * job.in_a + b * job.in_b;
  position.at.out += a * job.out_a + b * job.out_b;
  position.na = na;
  position.nb = nb;
  position.a = a;
  position.left_b = job.extent_b - b;
  return position;
}

/// Elements between the line of 128 bytes (or 32 elements, if these are less) in which a row begins, and the row: warps
/// start there, because what a wavefront costs is the number of lines that it touches.
template <class T>
__device__ __forceinline__ int line_misalignment_of(const T* row, std::int64_t stride)
{
  constexpr unsigned line = sizeof(T) < 4 ? 32 * sizeof(T) : 128;
  return stride == 1 ? static_cast<int>((reinterpret_cast<std::uintptr_t>(row) & (line - 1)) / sizeof(T)) : 0;
}

/// The slot of element (a, b) in the shared memory of a tile.
template <class T, class Shape>
__device__ __forceinline__ Stored<T>* slot_of(unsigned char* tile, int a, int b)
{
  return reinterpret_cast<Stored<T>*>(tile + b * TileMemory<sizeof(T), Shape>::pitch) + a;
}

/// Rows of na x nb elements into the tile: those of a row along b, `stride_b` apart, one per lane. A row takes one step more
/// than its length, of lanes that lie in front of it in the first step.
template <class Shape, class In>
__device__ __forceinline__ void read_tile(const Stored<In>* in, const std::int64_t& stride_a,
                                          const std::int64_t& stride_b, unsigned na, unsigned nb, unsigned char* tile)
{
  constexpr int row_steps = Shape::b / 32 + 1, rows = Shape::a / Shape::warps;
  constexpr int rows_in_flight = Shape::in_flight / row_steps < rows ? Shape::in_flight / row_steps : rows;
  static_assert(Shape::b % 32 == 0 && Shape::a % 32 == 0 && rows % rows_in_flight == 0);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll 1
  for (int first = 0; first < rows; first += rows_in_flight) {
    Stored<In> value[rows_in_flight][row_steps];
#pragma unroll
    for (int r = 0; r < rows_in_flight; ++r) {
      const unsigned a = (first + r) * Shape::warps + warp;
      const Stored<In>* const row = in + a * stride_a;
      const int misalignment = line_misalignment_of(row, stride_b);
#pragma unroll
      for (int k = 0; k < row_steps; ++k) {
        const int b = 32 * k - misalignment + lane;
        if (a < na && static_cast<unsigned>(b) < nb) value[r][k] = load(row + b * stride_b);
      }
    }
#pragma unroll
    for (int r = 0; r < rows_in_flight; ++r) {
      const unsigned a = (first + r) * Shape::warps + warp;
      const int misalignment = line_misalignment_of(in + a * stride_a, stride_b);
#pragma unroll
      for (int k = 0; k < row_steps; ++k) {
        const int b = 32 * k - misalignment + lane;
        if (a < na && static_cast<unsigned>(b) < nb) *slot_of<In, Shape>(tile, a, b) = value[r][k];
      }
    }
  }
}

/// The tile, through f, into rows of na elements along a, `stride_a` apart, one per lane; nb rows.
template <class Shape, class In, class Out, class F>
__device__ __forceinline__ void write_tile(Stored<Out>* out, const std::int64_t& stride_a, const std::int64_t& stride_b,
                                           unsigned na, unsigned nb, unsigned char* tile, const F& f)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll 2
  for (unsigned b = warp; b < nb; b += Shape::warps) {
    Stored<Out>* const row = out + b * stride_b;
    const int misalignment = line_misalignment_of(row, stride_a);
#pragma unroll
    for (int k = 0; k < Shape::a / 32 + 1; ++k) {
      const int a = 32 * k - misalignment + lane;
      if (static_cast<unsigned>(a) < na) store_result<In, Out>(f, *slot_of<In, Shape>(tile, a, b), row + a * stride_a);
    }
  }
}

template <class Shape, class In, class Out, class F>
__global__ void __launch_bounds__(Shape::threads)
    tile_kernel(const In* in_data, Out* out_data, const __grid_constant__ TileJob job, const __grid_constant__ F f)
{
  __shared__ __align__(16) unsigned char tile[TileMemory<sizeof(In), Shape>::bytes];
  const TilePosition position = position_of<Shape::a, Shape::b, false>(job);
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + position.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + position.at.out;
  read_tile<Shape, In>(in, job.in_a, job.in_b, position.na, position.nb, tile);
  __syncthreads();
  write_tile<Shape, In, Out>(out, job.out_a, job.out_b, position.na, position.nb, tile, f);
}

} // namespace Keramos::cuda::transpose
