// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes by runs: a block reads the runs of contiguous elements that its box has in the input, asynchronously and straight into
// shared memory, and gathers there those of the output. Both sides go by aligned vectors of 16 bytes, from the sector or the line
// on in which a run begins. What is read are all sectors of 32 bytes that hold a part of a run: where a warp asked for half a sector,
// that cost a sixth of the speed (N x 6 floats on an H200: 78 and 90% of a copy). Each vector lies in shared memory as far behind a
// sector as in the input. What an index of a row or of a column costs is paid once a block, in tables. A functor is applied where
// the runs of the output are gathered; so shared memory holds elements of the input, and either side has vectors of its own. What
// an accumulation adds to is copied there, too.
//
//     input, and shared memory      output                 (1, 0, 2) of groups of 3
//     row i0  aaabbbcccddd          row a  aaaAAAaaa...    column   0 1 2     a period; each further one lies a pitch behind
//     row i1  AAABBBCCCDDD          row b  bbbBBBbbb...    slot     0 1 2     the one before
//
// Where boxes cut the runs of the output, each block writes whole sectors, if that is worth it: it begins and ends where one begins
// in front of its own elements, for which it reads a few more there.
#pragma once

#include "../Memory.hpp"
#include "Access.hpp"
#include "BoxPlace.hpp"
#include "Sectors.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

template <int Size>
__device__ __forceinline__ void read_runs(const BoxRuns& runs, const BoxRow* rows, unsigned unit,
                                          const ReadableVectors<1>& readable, const SwizzledBytes& bytes)
{
  for_each_vector(runs.rows, vectors_of(runs.length * Size, Size, unit), [&](unsigned row, unsigned vector) {
    const BoxRow run = rows[row];
    const int at = 16 * vector, begin = run.begin * Size, end = run.end * Size;
    const int sector = at / sector_bytes * sector_bytes;
    if (sector + sector_bytes <= begin || sector >= end) return;
    const std::uintptr_t from = run.base(unit) + at;
    unsigned char* const to = bytes.at(run.slot - begin + at);
    if (readable.contain(from)) return copy_vector_of_unit(to, reinterpret_cast<const void*>(from));
#pragma unroll 1
    for (int k = 0; k < 16; k += Size) // at the very ends of the input
      if (at + k >= begin && at + k < end)
        *reinterpret_cast<Word<Size>*>(to + k) = *reinterpret_cast<const Word<Size>*>(from + k);
  });
  commit_copies();
}

/// The slots of the columns of a run of the output.
struct BoxColumns {
  const unsigned* column; ///< of a period, where they do not lie in steps
  Divisor period;
  unsigned pitch, step; ///< bytes between periods; between columns, or 0
  unsigned last;        ///< the last element's slot in shared memory

  __device__ __forceinline__ bool lie_in_steps() const { return period.d == 1 || step > 0; }

  /// `Count` elements from `t` on, of which at most one ends a period: calls f(number, slot), also for those behind the end of a run, whose
  /// slots are any. For narrow elements, of which a vector has many.
  template <int Count, class F>
  __device__ __forceinline__ void for_each_step(unsigned t, unsigned slot, const F& f) const
  {
    const bool single = period.d == 1;
    const unsigned n = single ? t : quotient(t, period), at = t - n * period.d, by = single ? pitch : step;
    const unsigned to_next = single ? pitch : pitch - (period.d - 1) * step;
    const int ends = static_cast<int>(period.d - 1 - at);
    unsigned byte = slot + n * pitch + at * step;
#pragma unroll
    for (int e = 0; e < Count; ++e) {
      f(e, min(byte, last));
      byte += e == ends ? to_next : by;
    }
  }

  /// `Count` elements from `t` on: calls f(number, byte).
  template <int Count, class F>
  __device__ __forceinline__ void for_each(unsigned t, const F& f) const
  {
    if (period.d == 1) {
#pragma unroll
      for (int e = 0; e < Count; ++e) f(e, (t + e) * pitch);
      return;
    }
    const unsigned n = quotient(t, period);
    unsigned at = t - n * period.d, byte = n * pitch;
    if (step > 0) {
      const unsigned to_next = pitch - (period.d - 1) * step;
      byte += at * step;
#pragma unroll
      for (int e = 0; e < Count; ++e) {
        f(e, byte);
        const bool ends = ++at == period.d;
        byte += ends ? to_next : step;
        if (ends) at = 0;
      }
      return;
    }
#pragma unroll
    for (int e = 0; e < Count; ++e) {
      f(e, byte + column[at]);
      if (++at == period.d) at = 0, byte += pitch;
    }
  }
};

/// The elements of a run of the output that lie in one of its vectors.
template <class Bits>
struct RunVector {
  static constexpr int width = 16 / sizeof(Bits);
  struct alignas(16) Elements {
    Bits element[width];
  };
  int at, begin, end; ///< the vector and the run, from the run's base on

  __device__ __forceinline__ RunVector(const BoxRow& run, unsigned vector)
      : at(static_cast<int>(vector) * width), begin(run.begin), end(run.end)
  {
  }
  __device__ __forceinline__ int first() const { return max(at, begin); }
  __device__ __forceinline__ int count() const { return min(at + width, end) - first(); } ///< none: 0 or less
};

/// Copies what the output holds behind the box, as asynchronously as the input: each thread the elements that it will write, from
/// the beginning of a vector on.
template <int Size>
__device__ __forceinline__ void hold_runs(const BoxRuns& runs, const BoxRow* rows, unsigned unit, unsigned char* held)
{
  using Bits = Word<Size>;
  const unsigned vectors = vectors_of(runs.length * Size, Size, unit);
  for_each_vector(runs.rows, vectors, [&](unsigned row, unsigned vector) {
    const BoxRow run = rows[row];
    const RunVector<Bits> part(run, vector);
    const int count = part.count();
    const auto* const from = reinterpret_cast<const Bits*>(run.base(unit)) + part.first();
    auto* const to = reinterpret_cast<Bits*>(held + 16 * (row * vectors + vector));
    if (count == part.width) return copy_async<16>(to, from);
    if constexpr (Size == 4 || Size == 8) {
#pragma unroll 1
      for (int e = 0; e < count; ++e) copy_async<Size>(to + e, from + e);
    } else if (count > 0) { // all of them on their way at once
      typename RunVector<Bits>::Elements elements;
#pragma unroll
      for (int e = 0; e < part.width; ++e)
        if (e < count) elements.element[e] = from[e];
      *reinterpret_cast<typename RunVector<Bits>::Elements*>(to) = elements;
    }
  });
  commit_copies();
}

/// `held`: see hold_runs; read by accumulations alone. `by_patches`: of narrow elements.
template <class In, class Out, class F>
__device__ __forceinline__ void write_runs(const BoxRuns& runs, const BoxRow* rows, unsigned unit,
                                           const BoxColumns& columns, const SwizzledBytes& bytes,
                                           const unsigned char* held, bool by_patches, const F& f)
{
  constexpr int size = sizeof(Out);
  constexpr bool joins_words = size < 4 && std::is_same_v<F, core::Move>; // more cheaply if none of them is missing
  using Bits = Word<size>;
  using Part = RunVector<Bits>;
  const unsigned vectors = vectors_of(runs.length * size, size, unit);
  const auto for_each = [&](const auto& write_vector) {
    if constexpr (sizeof(In) < min_box_rows_size)
      for_each_vector_of_patches(by_patches, runs.rows, vectors, write_vector);
    else
      for_each_vector(runs.rows, vectors, write_vector);
  };
  const auto write = [&](auto for_whole_vectors) {
    for_each([&](unsigned row, unsigned vector) {
      const BoxRow run = rows[row];
      const Part part(run, vector);
      const int first = part.first(), count = part.count();
      if (count <= 0) return;
      typename Part::Elements elements;
      if constexpr (core::is_accumulation<F>)
        elements = *reinterpret_cast<const typename Part::Elements*>(held + 16 * (row * vectors + vector));
      const int behind = (run.address & (unit - 1)) / size;
      const auto gather_from = [&](int e, unsigned slot) {
        const auto& value = *reinterpret_cast<const Word<sizeof(In)>*>(bytes.at(slot));
        elements.element[e] = result_of<In, Out>(f, value, elements.element[e]);
      };
      const auto gather = [&](int e, unsigned byte) { gather_from(e, run.slot + byte); };
      if (sizeof(In) < min_box_rows_size && columns.lie_in_steps()) {
        columns.template for_each_step<Part::width>(first - behind, run.slot, [&](int e, unsigned slot) {
          if (joins_words || e < count) gather_from(e, slot);
        });
      } else if (decltype(for_whole_vectors)::value && count == Part::width) {
        columns.for_each<Part::width>(first - behind, gather);
      } else {
        unsigned last = 0;
        columns.for_each<Part::width>(first - behind, [&](int e, unsigned byte) {
          if (!joins_words && e >= count) return;
          if (e < count) last = byte;
          gather(e, last);
        });
      }
      Bits* const to = reinterpret_cast<Bits*>(run.base(unit)) + first;
      if (count == Part::width) return store_vector_through(to, __builtin_bit_cast(Vector, elements));
#pragma unroll
      for (int e = 0; e < Part::width; ++e)
        if (e < count) to[e] = elements.element[e];
    });
  };
  // A table's columns are asked for eight at a time, and none of them for whether it is there.
  if constexpr (narrows(sizeof(In), sizeof(Out)))
    if (columns.period.d > 1) return write(std::true_type());
  write(std::false_type());
}

template <class In, class Out, class F>
__global__ void __launch_bounds__(box_rows_max_threads, box_rows_blocks<std::is_same_v<F, core::Move>>)
    box_rows_kernel(const In* in_data, Out* out_data, const __grid_constant__ BoxRowsJob job,
                    const __grid_constant__ F f)
{
  constexpr int in_size = sizeof(In), out_size = sizeof(Out);
  extern __shared__ uint4
      box_rows_memory[]; // and none that is static: a box begins with the banks, or all is a tenth slower
  unsigned char* const memory = reinterpret_cast<unsigned char*>(box_rows_memory);
  auto* const in_row = reinterpret_cast<BoxRow*>(memory + job.in.first_row);
  auto* const out_row = reinterpret_cast<BoxRow*>(memory + job.out.first_row);
  auto* const extent = reinterpret_cast<unsigned*>(memory + job.first_extent);
  unsigned* const column = extent + core::max_rank;
  const BoxPlace place = find_box_rows(job, blockIdx.x, extent);
  const auto* const in = reinterpret_cast<const Word<in_size>*>(in_data) + place.at.in;
  const auto* const out = reinterpret_cast<const Word<out_size>*>(out_data) + place.at.out;
  const unsigned behind = reinterpret_cast<std::uintptr_t>(in) % sector_bytes;
  __syncthreads();
  for (unsigned r = threadIdx.x; r < place.in.rows; r += blockDim.x)
    in_row[r] = row_of<in_size>(job, job.in, extent, place.in.length, in, behind, r);
  __syncthreads();

  const SwizzledBytes bytes{memory, job.shift};
  read_runs<in_size>(place.in, in_row, job.in.unit, {in_data + job.in_begin, in_data + job.in_end}, bytes);
  for (unsigned r = threadIdx.x; r < place.out.rows; r += blockDim.x)
    out_row[r] = own_part<out_size>(row_of<out_size>(job, job.out, extent, place.out.length, out, behind, r), place,
                                    job.period.d);
  for (unsigned t = threadIdx.x; t < job.columns; t += blockDim.x) column[t] = slot_of_column(job.out, t);
  if constexpr (core::is_accumulation<F>) {
    __syncthreads();
    hold_runs<out_size>(place.out, out_row, job.out.unit, memory + job.first_held);
  }
  wait_for_copies<0>();
  __syncthreads();
  write_runs<In, Out>(place.out, out_row, job.out.unit,
                      {column, job.period, job.pitch, job.step, job.in.first_row - in_size}, bytes,
                      memory + job.first_held, job.by_patches, f);
}

} // namespace Keramos::cuda::transpose
