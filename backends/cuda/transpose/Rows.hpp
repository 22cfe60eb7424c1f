// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are contiguous on both sides, wherever they begin: a lane writes aligned vectors of 16 bytes, for each of which it
// reads the two aligned vectors that hold its elements. Lanes are numbered through the rows, so that none idles where rows are
// short.
//
//     row            |xxxxxxxxxxxxxxxxxx|
//     vectors     |..xx|xxxx|xxxx|xxxx|xx..|     one more than fit a row, since it begins behind an aligned address
//
// All loads are on their way before the first store. Vectors at the ends of a row are masked, which waits for nothing; outside
// of the memory that the input covers nothing is read. Sectors of the output that nobody fills are asked for meanwhile.
#pragma once

#include "Jobs.hpp"
#include "Sectors.hpp"

namespace Keramos::cuda::transpose {

/// One vector of the output: which of its elements belong to the row, and what was read for them.
template <int Size>
struct RowVector {
  static constexpr int v = 16 / Size;
  const Word<Size>* from = nullptr;
  Word<Size>* to = nullptr;
  int begin = 0, end = 0; ///< elements
  unsigned shift;         ///< bytes between an aligned address and the elements in the input
  std::uintptr_t pair;    ///< that address
  bool wants_low, wants_high;
  Vector low, high;

  /// Vector `along` of a row of so many elements.
  __device__ __forceinline__ void find(const Word<Size>* row_in, Word<Size>* row_out, int along, int row)
  {
    const int misalignment = misalignment_of<Size>(row_out);
    const int at = along * v - misalignment, left = row - at;
    if (left <= 0) return; // the row needs a vector less than others
    from = row_in + at;
    to = row_out + at;
    begin = along == 0 ? misalignment : 0;
    end = min(left, v);
  }

  /// Which vectors hold its elements: apart from the loads, since a register for an address may be a word of another's load that nobody uses,
  /// and waits for it (f32 into a sub-view 88 for 94% of a copy). At the very ends of the input the elements are moved here.
  __device__ __forceinline__ void aim(const ReadableVectors<2>& readable)
  {
    shift = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) & 15);
    pair = reinterpret_cast<std::uintptr_t>(from) - shift;
    if (begin < end && !readable.contain(pair)) {
#pragma unroll 1
      for (int e = begin; e < end; ++e) to[e] = from[e];
      end = begin;
    }
    const int in_low = v - static_cast<int>(shift / Size);
    wants_low = begin < in_low && begin < end;
    wants_high = Size < 16 && end > in_low && begin < end;
  }

  __device__ __forceinline__ void read()
  {
    load_vector_if(wants_low, low, pair);
    if constexpr (Size < 16) load_vector_if(wants_high, high, pair + 16);
  }

  __device__ __forceinline__ void write() const
  {
    const Vector vector = Size == 16 ? low : shifted<Size>(low, high, shift);
    if (end - begin == v) return store_vector_through(to, vector);
#pragma unroll
    for (int e = 0; e < v; ++e)
      if (e >= begin && e < end) __stwt(to + e, element_of<Size>(vector, e));
  }
};

/// Offsets of row n of a batch. Unrolled: each thread comes here for each of its vectors.
__device__ __forceinline__ Offsets offsets_of_row(const Batch& rows, unsigned n)
{
  Offsets sum{0, 0};
#pragma unroll
  for (int k = 0; k < core::max_rank - 1; ++k) {
    const auto& axis = rows.axis[k];
    const bool last = k == rows.count - 1;
    const unsigned above = last ? 0 : quotient(n, axis.extent), at = n - above * axis.extent.d;
    n = above;
    sum.in += at * axis.in;
    sum.out += at * axis.out;
    if (last) break;
  }
  return sum;
}

/// Where a block works: which of the batch, and its number in there.
struct RowsBlock {
  Offsets start{0, 0};
  unsigned number = blockIdx.x;

  __device__ __forceinline__ explicit RowsBlock(const RowsJob& job)
  {
    if (job.batch.count == 0) return;
    const unsigned batch = quotient(number, job.blocks);
    start = offsets_of(job.batch, batch);
    number -= batch * job.blocks.d;
  }
};

/// The vectors of a thread, numbered through the rows.
template <int Size, class Shape>
__device__ __forceinline__ void find_in_rows(const Word<Size>* in, Word<Size>* out, const RowsJob& job,
                                             RowVector<Size> (&vector)[Shape::in_flight])
{
  const RowsBlock block(job);
  const unsigned first = block.number * (Shape::in_flight * Shape::threads) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Shape::in_flight; ++k) {
    const unsigned n = first + k * Shape::threads;
    if (n >= static_cast<unsigned>(job.vectors)) break;
    const unsigned row = quotient(n, job.row_vectors);
    const Offsets at = offsets_of_row(job.rows, row);
    vector[k].find(in + block.start.in + at.in, out + block.start.out + at.out,
                   static_cast<int>(n - row * job.row_vectors.d), static_cast<int>(job.row));
  }
}

/// The same of a single row, which may be longer than 32 bits count: the block's part of it is the row.
template <int Size, class Shape>
__device__ __forceinline__ void find_in_row(const Word<Size>* in, Word<Size>* out, const RowsJob& job,
                                            RowVector<Size> (&vector)[Shape::in_flight])
{
  constexpr int v = 16 / Size, vectors = Shape::in_flight * Shape::threads;
  const RowsBlock block(job);
  const std::int64_t first = std::int64_t{block.number} * vectors;
  const int misalignment = first == 0 ? 0 : misalignment_of<Size>(out + block.start.out);
  const std::int64_t at = first * v - misalignment;
  const int row = static_cast<int>(min(job.row - at, std::int64_t{vectors} * v));
#pragma unroll
  for (int k = 0; k < Shape::in_flight; ++k)
    vector[k].find(in + block.start.in + at, out + block.start.out + at,
                   static_cast<int>(threadIdx.x) + k * Shape::threads, row);
}

/// Asks for the sectors of the output of which a row has a part, and nobody the rest: of the rows that begin among a block's vectors.
template <int Size, class Shape>
__device__ __forceinline__ void ask_for_ends(const Word<Size>* out, const RowsJob& job)
{
  const RowsBlock block(job);
  const auto rows_before = [&](unsigned vector) { return vector == 0 ? 0 : quotient(vector - 1, job.row_vectors) + 1; };
  const unsigned first = block.number * (Shape::in_flight * Shape::threads);
  const unsigned last = min(first + Shape::in_flight * Shape::threads, static_cast<unsigned>(job.vectors));
  const unsigned ends = 2 * rows_before(last);
  for (unsigned n = 2 * rows_before(first) + threadIdx.x; n < ends; n += Shape::threads) {
    const Word<Size>* const row = out + block.start.out + offsets_of_row(job.rows, n / 2).out;
    const Word<Size>* const end = n % 2 == 0 ? row : row + job.row;
    if (sector_misalignment_of<Size>(end) > 0) prefetch_sector(end - n % 2);
  }
}

template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    rows_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ RowsJob job)
{
  const ReadableVectors<2> readable(in_data + job.in_begin, in_data + job.in_end);
  RowVector<Size> vector[Shape::in_flight];
  if (job.rows.count == 0)
    find_in_row<Size, Shape>(in_data, out_data, job, vector);
  else
    find_in_rows<Size, Shape>(in_data, out_data, job, vector);
#pragma unroll
  for (int k = 0; k < Shape::in_flight; ++k) vector[k].aim(readable);
#pragma unroll
  for (int k = 0; k < Shape::in_flight; ++k) vector[k].read(); // nothing else comes between the loads
  if (job.has_gaps) ask_for_ends<Size, Shape>(out_data, job);
#pragma unroll
  for (int k = 0; k < Shape::in_flight; ++k) vector[k].write();
}

} // namespace Keramos::cuda::transpose
