// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes that have long runs on both sides, as those over both slow axes of a permutation that keeps short runs together: a
// warp reads a run of the input, asynchronously and straight into shared memory, and writes a run of the output. What an index
// of a row or of a column costs is paid once a block, in tables: where each run lies, and in which slot each column of the
// output's runs.
//
//     input, and shared memory      output                 (1, 0, 2) of groups of 3
//     row i0  aaabbbcccddd          row a  aaaAAAaaa...    column   0 1 2 3 4 5 ...
//     row i1  AAABBBCCCDDD          row b  bbbBBBbbb...    slot     0 1 2 P P+1 P+2 ...    and 3 more for each row
#pragma once

#include "../Memory.hpp"
#include "Access.hpp"
#include "Jobs.hpp"
#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// Where a box begins; the first thread notes its extents. The same for all threads, and unrolled, so that none waits for
/// another.
__device__ __forceinline__ Offsets find_box_rows(const BoxGrid& grid, unsigned box, unsigned* extents)
{
  Offsets sum{0, 0};
#pragma unroll
  for (int k = 0; k < core::max_rank; ++k) {
    if (k == grid.count) break;
    const auto& axis = grid.axis[k];
    const unsigned here = quotient(box, axis.before), rest = quotient(here, axis.blocks);
    const std::int64_t first = std::int64_t{here - rest * axis.blocks.d} * axis.box, left = axis.extent - first;
    sum.in += first * axis.in;
    sum.out += first * axis.out;
    if (threadIdx.x == 0) extents[k] = left < axis.box ? static_cast<unsigned>(left) : axis.box;
  }
  return sum;
}

/// The runs of one side of a box.
struct BoxRuns {
  unsigned length = 1, rows = 1;

  __device__ __forceinline__ BoxRuns(const BoxRowsJob& job, const BoxRowsJob::Side& side, const unsigned* extent)
  {
#pragma unroll
    for (int k = 0; k < max_box_axes; ++k)
      if (k < job.inner) (k < side.run_axes ? length : rows) *= extent[side.axis[k].number];
  }
};

/// Run r of a side.
__device__ __forceinline__ BoxRow row_of(const BoxRowsJob& job, const BoxRowsJob::Side& side, const unsigned* extent,
                                         unsigned r)
{
  BoxRow row{0, 0};
#pragma unroll
  for (int k = 1; k < max_box_axes; ++k) {
    if (k < side.run_axes || k >= job.inner) continue;
    const auto& axis = side.axis[k];
    const unsigned rest = k == job.inner - 1 ? 0 : r / extent[axis.number], at = r - rest * extent[axis.number];
    r = rest;
    row.offset += at * axis.stride;
    row.slot += at * axis.slot;
  }
  return row;
}

/// The slot of column t in the output's runs. All axes of a run but its last are whole, at edges as well.
__device__ __forceinline__ unsigned slot_of_column(const BoxRowsJob::Side& side, unsigned t)
{
  unsigned slot = 0;
#pragma unroll
  for (int k = 0; k < max_box_axes; ++k) {
    const auto& axis = side.axis[k];
    const bool last = k == side.run_axes - 1;
    const unsigned rest = last ? 0 : quotient(t, axis.box);
    slot += (t - rest * axis.box.d) * axis.slot;
    t = rest;
    if (last) break;
  }
  return slot;
}

/// Elements between a row and the 32 bytes, a sector, in which it begins: warps start there, so that they share none.
template <int Size>
__device__ __forceinline__ int sector_misalignment_of(const Word<Size>* row)
{
  return static_cast<int>((reinterpret_cast<std::uintptr_t>(row) & 31) / Size);
}

/// Calls f(row, t) for each run, where t is this lane's first element; the others are 32 apart, `box_steps` in all. The warps
/// share the runs, or pieces of them where these are longer.
template <int Size, class T, class F>
__device__ __forceinline__ void for_each_piece(const BoxRuns& runs, const BoxRow* rows, T* data, const F& f)
{
  constexpr int piece = 32 * box_steps;
  const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const unsigned pieces = (runs.length + 32 / Size - 1 + piece - 1) / piece; // a row may begin within a sector
  const unsigned row_step = warps / pieces, piece_step = warps % pieces;
  unsigned row = warp / pieces, at = warp % pieces;
  while (row < runs.rows) {
    const BoxRow entry = rows[row];
    T* const run = data + entry.offset;
    f(run, entry.slot, static_cast<int>(at * piece + threadIdx.x % 32) - sector_misalignment_of<Size>(run));
    row += row_step;
    at += piece_step;
    if (at >= pieces) at -= pieces, ++row;
  }
}

template <int Size>
__device__ __forceinline__ void read_runs(const Word<Size>* in, const BoxRuns& runs, const BoxRow* rows,
                                          unsigned char* memory)
{
  for_each_piece<Size>(runs, rows, in, [&](const Word<Size>* from, unsigned slot, int t) {
    const Word<Size>* const first = from + t;
    auto* const to = reinterpret_cast<Word<Size>*>(memory + static_cast<int>(slot)) + t;
    if constexpr (Size >= 4) {
#pragma unroll
      for (int k = 0; k < box_steps; ++k)
        if (static_cast<unsigned>(t + 32 * k) < runs.length) copy_async<Size>(to + 32 * k, first + 32 * k);
    } else {
      Word<Size> value[box_steps];
#pragma unroll
      for (int k = 0; k < box_steps; ++k)
        if (static_cast<unsigned>(t + 32 * k) < runs.length) value[k] = __ldcs(first + 32 * k);
#pragma unroll
      for (int k = 0; k < box_steps; ++k)
        if (static_cast<unsigned>(t + 32 * k) < runs.length) to[32 * k] = value[k];
    }
  });
  if constexpr (Size >= 4) {
    commit_copies();
    wait_for_copies<0>();
  }
}

template <int Size>
__device__ __forceinline__ void write_runs(Word<Size>* out, const BoxRuns& runs, const BoxRow* rows,
                                           const unsigned* column, const unsigned char* memory)
{
  for_each_piece<Size>(runs, rows, out, [&](Word<Size>* to, unsigned slot, int t) {
    Word<Size>* const first = to + t;
    const unsigned* const slots = column + t;
    Word<Size> value[box_steps];
#pragma unroll
    for (int k = 0; k < box_steps; ++k)
      if (static_cast<unsigned>(t + 32 * k) < runs.length)
        value[k] = *reinterpret_cast<const Word<Size>*>(memory + (slot + slots[32 * k]));
#pragma unroll
    for (int k = 0; k < box_steps; ++k)
      if (static_cast<unsigned>(t + 32 * k) < runs.length) __stcs(first + 32 * k, value[k]);
  });
}

template <int Size>
__global__ void __launch_bounds__(box_rows_max_threads, 2048 / box_rows_max_threads)
    box_rows_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ BoxRowsJob job)
{
  extern __shared__ uint4 box_rows_memory[];
  unsigned char* const memory = reinterpret_cast<unsigned char*>(box_rows_memory);
  auto* const in_row = reinterpret_cast<BoxRow*>(memory + job.in.first_row);
  auto* const out_row = reinterpret_cast<BoxRow*>(memory + job.out.first_row);
  auto* const column = reinterpret_cast<unsigned*>(memory + job.first_column);
  __shared__ unsigned extent[core::max_rank];
  const Offsets begin = find_box_rows(job.grid, blockIdx.x, extent);
  __syncthreads();

  const BoxRuns in_runs(job, job.in, extent), out_runs(job, job.out, extent);
  for (unsigned r = threadIdx.x; r < in_runs.rows; r += blockDim.x) in_row[r] = row_of(job, job.in, extent, r);
  for (unsigned r = blockDim.x - 1 - threadIdx.x; r < out_runs.rows; r += blockDim.x)
    out_row[r] = row_of(job, job.out, extent, r);
  for (unsigned t = threadIdx.x; t < out_runs.length; t += blockDim.x) column[t] = slot_of_column(job.out, t);
  __syncthreads();

  read_runs<Size>(in_data + begin.in, in_runs, in_row, memory);
  __syncthreads();
  write_runs<Size>(out_data + begin.out, out_runs, out_row, column, memory);
}

} // namespace Keramos::cuda::transpose
