// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small matrices that are contiguous on both sides, in whatever order the input has them: a block brings a few whole ones to shared
// memory, asynchronously and in whole sectors, and turns them on the way out. A lane writes a word, of several elements where these are smaller: it finds each by two
// divisions, and neighbours, which are `columns` apart in shared memory, meet different banks. What a block writes are whole sectors of the
// output: the few elements in front of its own that fill one come straight from the matrix before, and the last ones are left to the next block.
//
//     input, and shared memory      output                  two matrices of a block, 2 x 3, and one of which it writes the end
//     000111  AAABBB                ...D|0101 01AB|ABAB
#pragma once

#include "TileSectors.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// A matrix of a block: its first sector in memory, how far behind that it begins, and the slot of the element that number 0 of the block's
/// would be, if all its matrices were like this one.
template <int Size>
struct alignas(16) SmallMatrix {
  const Word<Size>* sector;
  int behind, slot;
};

/// What a block has in shared memory, by its number in the output.
template <int Size>
struct TurnedElements {
  const MatricesJob& job;
  const SmallMatrix<Size>* matrix;
  SwizzledBytes bytes;

  struct Place {
    unsigned row, slot, left; ///< elements of its matrix from this one on
  };
  __device__ __forceinline__ Place find(unsigned t) const
  {
    const unsigned column = quotient(t, job.rows), row = t - column * job.rows.d, q = quotient(t, job.elements);
    return {row, matrix[q].slot + column + row * job.columns, (q + 1) * job.elements.d - t};
  }
  __device__ __forceinline__ Word<Size> at(unsigned slot) const
  {
    return *reinterpret_cast<const Word<Size>*>(bytes.at(slot * Size));
  }

  /// Neighbours from t on; all in one matrix but in few of the words.
  template <int Count>
  __device__ __forceinline__ Packed<Word<Size>, Count> get(unsigned t) const
  {
    Packed<Word<Size>, Count> result;
    Place place = find(t);
    const bool together = Count == 1 || place.left >= Count;
#pragma unroll
    for (int e = 0; e < Count; ++e) {
      if (!together) place = find(t + e);
      result.element[e] = at(place.slot);
      const bool ends = ++place.row == job.rows.d;
      place.slot += ends ? job.columns + 1 - job.elements.d : job.columns;
      if (ends) place.row = 0;
    }
    return result;
  }
};

template <int Size>
__device__ __forceinline__ void find_matrices(const MatricesJob& job, const Word<Size>* in, unsigned first,
                                              unsigned count, SmallMatrix<Size>* matrix)
{
  for (unsigned q = threadIdx.x; q < count; q += blockDim.x) {
    const Word<Size>* const from = in + input_offset_of(job.axes, first + q);
    const int behind = sector_misalignment_of<Size>(from);
    matrix[q] = {from - behind, behind, static_cast<int>(q * job.pitch + behind - q * job.columns)};
  }
}

template <int Size>
__device__ __forceinline__ void read_matrices(const MatricesJob& job, unsigned count,
                                              const ReadableVectors<1>& readable, const SmallMatrix<Size>* matrix,
                                              const SwizzledBytes& bytes)
{
  constexpr int v = 16 / Size, sector = sector_bytes / Size;
  const int elements = static_cast<int>(job.elements.d);
  for_each_vector(count, job.vectors, [&](unsigned q, unsigned vector) {
    const SmallMatrix<Size> from = matrix[q];
    const int at = static_cast<int>(vector) * v, b = at - from.behind;
    if (at / sector * sector - from.behind >= elements) return;
    auto* const to = reinterpret_cast<Word<Size>*>(bytes.at((q * job.pitch + at) * Size));
    copy_row_vector<Size>(to, from.sector + at, b, elements, readable);
  });
  commit_copies();
}

/// Elements of the matrix before the block's, which is in no shared memory: `behind` of them, in front of `out`.
template <int Size>
__device__ __forceinline__ void write_end_of(const MatricesJob& job, const Word<Size>* matrix, Word<Size>* out,
                                             int behind)
{
  const int t = static_cast<int>(threadIdx.x) - behind;
  if (t >= 0) return;
  const unsigned at = job.elements.d + t, column = quotient(at, job.rows), row = at - column * job.rows.d;
  out[t] = matrix[column + row * job.columns];
}

/// The block's own elements up to `end`, word by word.
template <int Size>
__device__ __forceinline__ void write_matrices(Word<Size>* out, int behind, int end,
                                               const TurnedElements<Size>& elements)
{
  constexpr int width = Size < 4 ? 4 / Size : 1, step = matrices_threads * width; // elements
  int t = static_cast<int>(threadIdx.x) * width - behind;
  const auto write_some = [&] {
#pragma unroll
    for (int e = 0; e < width; ++e)
      if (t + e >= 0 && t + e < end) store_elements<true>(out + t + e, elements.template get<1>(t + e));
  };
  if (t < 0) {
    if (width > 1) write_some();
    t += step;
  }
#pragma unroll 4
  for (; t + width <= end; t += step) store_elements<true>(out + t, elements.template get<width>(t));
  if (width > 1) write_some();
}

/// in_rows == columns, out_columns == rows, and the output goes on from matrix to matrix.
template <int Size>
__global__ void __launch_bounds__(matrices_threads, matrices_blocks)
    matrices_kernel(const Word<Size>* data, Word<Size>* out_data, const __grid_constant__ MatricesJob job)
{
  constexpr int sector = sector_bytes / Size;
  extern __shared__ __align__(128) unsigned char matrices_memory[];
  auto* const matrix = reinterpret_cast<SmallMatrix<Size>*>(matrices_memory + job.first_matrix);
  const SwizzledBytes bytes{matrices_memory, matrices_shift};
  const unsigned batch = quotient(blockIdx.x, job.blocks), first = (blockIdx.x - batch * job.blocks.d) * job.own;
  const unsigned count = min(job.own, job.count - first);
  const Offsets at = offsets_of(job.batch, batch);
  const Word<Size>* const in = data + at.in;
  find_matrices<Size>(job, in, first, count, matrix);
  __syncthreads();
  read_matrices<Size>(job, count, {data + job.in_begin, data + job.in_end}, matrix, bytes);
  Word<Size>* const out = out_data + at.out + std::int64_t{first} * job.elements.d;
  const int behind = sector_misalignment_of<Size>(out);
  if (first > 0) write_end_of<Size>(job, in + input_offset_of(job.axes, first - 1), out, behind);
  wait_for_copies<0>();
  __syncthreads();
  const int all = static_cast<int>(count * job.elements.d);
  const int end = first + count == job.count ? all : all - ((behind + all) & (sector - 1));
  write_matrices<Size>(out, behind, end, {job, matrix, bytes});
}

} // namespace Keramos::cuda::transpose
