// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles through shared memory: a block reads rows along b, the axis along which the input is contiguous, and writes rows
// along a, the axis along which the output is. One kernel moves an element a lane and takes any strides and a functor.
// The others move 16 bytes a lane: where both sides lie on 16 bytes, and, with shifts in registers, where they do not.
//
//                 input                           shared memory                  output
//             b ->                                  a ->                         a ->
//          a  [x x x x]  V rows of a thread,     b  [y y y y]  a row of        b [y y y y]
//          |  [x x x x]  16 bytes each, trans-   |  [y y y y]  chunks for      | [y y y y]
//          v  [x x x x]  posed in registers      v  [y y y y]  each b          v [y y y y]
#pragma once

#include "TransposeAccess.hpp"
#include "TransposeJobs.hpp"

namespace Keramos::cuda {

/// Where tile n of an axis begins, and its length: `side`, less at the ends.
struct Piece {
  std::int64_t begin;
  int length;
};
__device__ __forceinline__ Piece piece_of(unsigned n, int side, int lead, std::int64_t extent)
{
  const std::int64_t begin = std::int64_t{n} * side - lead, end = min(begin + side, extent);
  const std::int64_t first = max(begin, std::int64_t{0});
  return {first, static_cast<int>(end - first)};
}

/// Where a block works: offsets of the tile, and its extents, smaller at the edges.
struct TilePlace {
  Offsets at;
  int na, nb;
  std::int64_t a, left_b; ///< from the beginning of the array, to its end
};

/// `Leads`: of a job that may have some. The shifted kernel has no register to spare for them: it reached 62% instead of 89%
/// of a copy with what spilled.
template <int A, int B, bool Leads>
__device__ __forceinline__ TilePlace place_of(const TileJob& job)
{
  const unsigned batch = quotient(blockIdx.x, job.tiles), tile = blockIdx.x - batch * job.tiles.d;
  const unsigned tb = quotient(tile, job.tiles_a), ta = tile - tb * job.tiles_a.d;

  const auto [a, na] = piece_of(ta, A, Leads ? job.lead_a : 0, job.extent_a);
  const auto [b, nb] = piece_of(tb, B, Leads ? job.lead_b : 0, job.extent_b);
  TilePlace place;
  place.at = offsets_of(job.batch, batch);
  place.at.in += a * job.in_a + b * job.in_b;
  place.at.out += a * job.out_a + b * job.out_b;
  place.na = na;
  place.nb = nb;
  place.a = a;
  place.left_b = job.extent_b - b;
  return place;
}

// ---- An element a lane ----------------------------------------------------------------------------------------------

/// A tile of A x B elements for `Threads` threads, whose 32 lanes lie along a row; a warp takes every Threads/32-th row.
template <int A, int B, int Threads, int InFlight>
struct TileShape {
  static constexpr int a = A, b = B, threads = Threads;
  static constexpr int warps = Threads / 32;
  static constexpr int in_flight = InFlight; ///< loads of a thread before its first store
};

/// Bytes between rows of a tile in shared memory: an odd number of 4-byte words, or of elements if these are larger, so
/// that a column meets every bank.
template <int Size, class Shape>
inline constexpr int tile_pitch = Shape::a* Size + (Size > 4 ? Size : 4);

template <int Size, class Shape>
inline constexpr int tile_bytes = tile_pitch<Size, Shape>* Shape::b;

/// Elements between the line of 128 bytes (or 32 elements, if these are less) in which a row begins, and the row: warps
/// start there, because what a wavefront costs is the number of lines that it touches.
template <class T>
__device__ __forceinline__ int lag_of(const T* row, std::int64_t stride)
{
  constexpr unsigned line = sizeof(T) < 4 ? 32 * sizeof(T) : 128;
  return stride == 1 ? static_cast<int>((reinterpret_cast<std::uintptr_t>(row) & (line - 1)) / sizeof(T)) : 0;
}

template <class Shape, class In, class Out, class F>
__global__ void __launch_bounds__(Shape::threads)
    tile_kernel(const In* in_data, Out* out_data, const __grid_constant__ TileJob job, const __grid_constant__ F f)
{
  constexpr int pitch = tile_pitch<sizeof(Out), Shape>;
  __shared__ __align__(16) unsigned char tile[tile_bytes<sizeof(Out), Shape>];
  const TilePlace place = place_of<Shape::a, Shape::b, false>(job);
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + place.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + place.at.out;
  const unsigned na = place.na, nb = place.nb;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto at = [&](int a, int b) { return reinterpret_cast<Stored<Out>*>(tile + b * pitch) + a; };

  // A row takes one step more than its length, of lanes that lie in front of it in the first step.
  constexpr int row_steps = Shape::b / 32 + 1, rows = Shape::a / Shape::warps;
  constexpr int rows_in_flight = Shape::in_flight / row_steps < rows ? Shape::in_flight / row_steps : rows;
  static_assert(Shape::b % 32 == 0 && Shape::a % 32 == 0 && rows % rows_in_flight == 0);
#pragma unroll 1
  for (int first = 0; first < rows; first += rows_in_flight) {
    Stored<In> value[rows_in_flight][row_steps];
#pragma unroll
    for (int r = 0; r < rows_in_flight; ++r) {
      const unsigned a = (first + r) * Shape::warps + warp;
      const Stored<In>* const row = in + a * job.in_a;
      const int lag = lag_of(row, job.in_b);
#pragma unroll
      for (int k = 0; k < row_steps; ++k) {
        const int b = 32 * k - lag + lane;
        if (a < na && static_cast<unsigned>(b) < nb) value[r][k] = load(row + b * job.in_b);
      }
    }
#pragma unroll
    for (int r = 0; r < rows_in_flight; ++r) {
      const unsigned a = (first + r) * Shape::warps + warp;
      const int lag = lag_of(in + a * job.in_a, job.in_b);
#pragma unroll
      for (int k = 0; k < row_steps; ++k) {
        const int b = 32 * k - lag + lane;
        if (a < na && static_cast<unsigned>(b) < nb) *at(a, b) = passed_through<Out, In>(f, value[r][k]);
      }
    }
  }
  __syncthreads();
#pragma unroll 2
  for (unsigned b = warp; b < nb; b += Shape::warps) {
    Stored<Out>* const row = out + b * job.out_b;
    const int lag = lag_of(row, job.out_a);
#pragma unroll
    for (int k = 0; k < Shape::a / 32 + 1; ++k) {
      const int a = 32 * k - lag + lane;
      if (static_cast<unsigned>(a) < na) store(row + a * job.out_a, *at(a, b));
    }
  }
}

// ---- 16 bytes a lane ------------------------------------------------------------------------------------------------

/// The tile in shared memory: for each b a row of A / V chunks. Chunk c of row b lies at c ^ (b / V % 8), so that the 8
/// lanes that meet in one pass of the banks differ, both where they write (neighbouring b / V, one c) and where they
/// read (neighbouring c, one b).
template <int Size, int A>
__device__ __forceinline__ int chunk_index(int c, int b)
{
  constexpr int v = 16 / Size;
  return b * (A / v) + (c ^ (b / v & 7));
}

/// Elements that fill no chunk, at the far edges of a tile: one by one. f(a, b) for a < na, first <= b < nb.
template <int Threads, class F>
__device__ __forceinline__ void for_each_left_over(int first, int nb, int na, const F& f)
{
  const int rest = nb - first;
  for (int k = threadIdx.x; k < rest * na; k += Threads) f(k / rest, first + k % rest);
}

/// Both sides on 16 bytes: in_b == out_a == 1, all other strides multiples of V = 16 / Size. The extents are any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    tile_vector_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ TileJob job)
{
  constexpr int v = 16 / Size, a_chunks = Shape::a / v, b_chunks = Shape::b / v;
  constexpr int blocks = a_chunks * b_chunks / Shape::threads; // V x V blocks of a thread
  static_assert(a_chunks >= 8 && blocks * Shape::threads == a_chunks * b_chunks);
  __shared__ Chunk tile[Shape::b * a_chunks];
  const TilePlace place = place_of<Shape::a, Shape::b, true>(job);
  const Word<Size>* in = in_data + place.at.in;
  Word<Size>* out = out_data + place.at.out;
  const int na = place.na, nb = place.nb, whole_a = na / v * v, whole_b = nb / v * v;
  const auto element = [&](int a, int b) {
    return reinterpret_cast<Word<Size>*>(&tile[chunk_index<Size, Shape::a>(a / v, b)]) + a % v;
  };

  Chunk row[blocks][v];
#pragma unroll
  for (int k = 0; k < blocks; ++k) {
    const int block = threadIdx.x + k * Shape::threads, b = block % b_chunks * v, a = block / b_chunks * v;
    const Word<Size>* from = in + a * job.in_a + b;
#pragma unroll
    for (int r = 0; r < v; ++r)
      if (b < whole_b && a + r < na) row[k][r] = load_chunk(from + r * job.in_a);
  }
#pragma unroll
  for (int k = 0; k < blocks; ++k) {
    const int block = threadIdx.x + k * Shape::threads, b = block % b_chunks * v, a = block / b_chunks * v;
    Chunk column[v];
    transpose_block<Size>(row[k], column);
    if (b < whole_b && a < na)
#pragma unroll
      for (int r = 0; r < v; ++r) tile[chunk_index<Size, Shape::a>(a / v, b + r)] = column[r];
  }
  if (whole_b < nb)
    for_each_left_over<Shape::threads>(whole_b, nb, na, [&](int a, int b) { *element(a, b) = in[a * job.in_a + b]; });
  __syncthreads();

  constexpr int stores = Shape::b * a_chunks / Shape::threads;
#pragma unroll
  for (int k = 0; k < stores; ++k) {
    const int index = threadIdx.x + k * Shape::threads, a = index % a_chunks * v, b = index / a_chunks;
    if (a < whole_a && b < nb) store_chunk(out + b * job.out_b + a, tile[chunk_index<Size, Shape::a>(a / v, b)]);
  }
  if (whole_a < na)
    for_each_left_over<Shape::threads>(whole_a, na, nb, [&](int b, int a) { out[b * job.out_b + a] = *element(a, b); });
}

// ---- 16 bytes a lane, shifted ------------------------------------------------------------------------------------------

/// A tile of A x B elements for `Threads` threads, of which a multiprocessor shall hold `Blocks` blocks (the compiler then
/// spends no more registers). A thread reads `InFlight` rows at a time. `Shared`: the second chunk of a pair comes from the
/// next lane, which reads it as its first.
template <int A, int B, int Threads, int Blocks, int InFlight, bool Shared>
struct ShiftedShape {
  static constexpr int a = A, b = B, threads = Threads;
  static constexpr int blocks = Blocks, in_flight = InFlight;
  static constexpr bool shared = Shared;
};

/// Odd pitches and offsets: in_b == out_a == 1, all other strides any. Rows are read as chunks on 16 bytes and shifted to
/// the tile. What a tile writes of a row begins `lag` elements before the tile, on 16 bytes of the output, so that each
/// chunk is written whole by one block; for that a tile reads V rows in front of its own.
///
///     tile            |....|....|....|....|        the first V of A rows are those in front
///     output      row 0    |xxxx|xxxx|xxxx|
///                 row 1  |xxxx|xxxx|xxxx|
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    tile_shifted_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ TileJob job)
{
  constexpr int v = 16 / Size, a_chunks = Shape::a / v, b_chunks = Shape::b / v;
  constexpr int blocks = a_chunks * b_chunks / Shape::threads; // V x V blocks of a thread
  static_assert(a_chunks % 8 == 0 && blocks * Shape::threads == a_chunks * b_chunks && v % Shape::in_flight == 0);
  static_assert(!Shape::shared || 32 % b_chunks == 0); // the lanes of a row are in one warp
  __shared__ Chunk tile[Shape::b * a_chunks];
  const TilePlace place = place_of<Shape::a - v, Shape::b, false>(job);
  const Word<Size>* const in = in_data + place.at.in - v * job.in_a;
  Word<Size>* const out = out_data + place.at.out;
  // Rows of the tile that are rows of the array, and the end of the array seen from the tile's own first row.
  const int begin = place.a == 0 ? v : 0, end = place.na + v, nb = place.nb;
  const std::int64_t end_a = job.extent_a - place.a;
  const auto is_row = [&](int a) { return a >= begin && a < end; };
  // The second chunk of a pair may end behind the row: the last V elements, and up to V - 1 more, go one by one.
  const bool ends_here = place.left_b < Shape::b + v;
  const int whole_b = !ends_here ? Shape::b : place.left_b < v ? 0 : static_cast<int>(place.left_b) / v * v - v;

  Chunk row[blocks][v];
#pragma unroll
  for (int k = 0; k < blocks; ++k) {
    const int block = threadIdx.x + k * Shape::threads, b = block % b_chunks * v, a = block / b_chunks * v;
    const Word<Size>* from = in + a * job.in_a + b;
#pragma unroll
    for (int first = 0; first < v; first += Shape::in_flight) {
      StraddlingChunk<Size> pair[Shape::in_flight];
      const bool reads_both = !Shape::shared || block % b_chunks == b_chunks - 1 || b + v >= whole_b;
#pragma unroll
      for (int r = 0; r < Shape::in_flight; ++r)
        if (b < whole_b && is_row(a + first + r)) {
          pair[r].read_low(from + (first + r) * job.in_a);
          if (reads_both) pair[r].read_high(from + (first + r) * job.in_a);
        }
#pragma unroll
      for (int r = 0; r < Shape::in_flight; ++r) // all before the first shift, or registers spill
        if constexpr (Shape::shared) pair[r].high_of_next_lane(!reads_both);
#pragma unroll
      for (int r = 0; r < Shape::in_flight; ++r) row[k][first + r] = pair[r].chunk(from + (first + r) * job.in_a);
    }
  }
#pragma unroll
  for (int k = 0; k < blocks; ++k) {
    const int block = threadIdx.x + k * Shape::threads, b = block % b_chunks * v, a = block / b_chunks * v;
    Chunk column[v];
    transpose_block<Size>(row[k], column);
    if (b < whole_b)
#pragma unroll
      for (int r = 0; r < v; ++r) tile[chunk_index<Size, Shape::a>(a / v, b + r)] = column[r];
  }
  if (whole_b < nb)
    for_each_left_over<Shape::threads>(whole_b, nb, end, [&](int a, int b) {
      auto* const chunk = reinterpret_cast<Word<Size>*>(&tile[chunk_index<Size, Shape::a>(a / v, b)]);
      if (is_row(a)) chunk[a % v] = in[a * job.in_a + b];
    });
  __syncthreads();

#pragma unroll 4
  for (int index = threadIdx.x; index < nb * a_chunks; index += Shape::threads) {
    const int b = index / a_chunks, c = index % a_chunks;
    Word<Size>* const to = out + b * job.out_b;
    const int lag = static_cast<int>((reinterpret_cast<std::uintptr_t>(to) & 15) / Size), a = c * v - lag;
    if (c == a_chunks - 1 || a >= end_a) continue;
    const int at = v - lag; // in chunks c and c + 1
    const Chunk& low = tile[chunk_index<Size, Shape::a>(c + at / v, b)];
    const Chunk& high = at == v ? low : tile[chunk_index<Size, Shape::a>(c + 1, b)];
    const Chunk chunk = shifted<Size>(low, high, static_cast<unsigned>(at % v * Size));
    const bool in_front = place.a == 0 && a < 0;
    if (!in_front && a + v <= end_a) {
      store_chunk(to + a, chunk);
    } else { // the ends of a row of the array
#pragma unroll
      for (int e = 0; e < v; ++e)
        if ((place.a > 0 || a + e >= 0) && a + e < end_a) to[a + e] = element_of<Size>(chunk, e);
    }
  }
}

} // namespace Keramos::cuda
