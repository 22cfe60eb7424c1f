// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes by runs: a block reads the runs of contiguous elements that its box has in the input, asynchronously and straight into
// shared memory, and gathers there those of the output. Both sides go by vectors of 16 bytes, aligned and in lines of eight,
// wherever a run begins. What is read are all sectors of 32 bytes that hold a part of a run: where a warp asked for half a sector,
// that cost a sixth of the speed (N x 6 floats on an H200: 78 and 90% of a copy). Each vector lies in shared memory as far behind a
// sector as in the input. What an index of a row or of a column costs is paid once a block, in tables. A functor is applied where
// the runs of the output are gathered; so shared memory holds elements of the input, and either side has vectors of its own.
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
#include "Jobs.hpp"
#include "Shapes.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// Where a box lies, and its part of each run of the output.
struct BoxPlace {
  Offsets at;
  unsigned lead; ///< along the axis that is cut, in front of the box's own elements
  bool ends;     ///< the runs end with the box; else before the last sector that they do not fill
};

/// Where a box begins; the first thread notes its extents. The same for all threads, and unrolled, so that none waits for
/// another.
__device__ __forceinline__ BoxPlace find_box_rows(const BoxRowsJob& job, unsigned box, unsigned* extents)
{
  BoxPlace place{{0, 0}, 0, true};
#pragma unroll
  for (int k = 0; k < core::max_rank; ++k) {
    if (k == job.grid.count) break;
    const auto& axis = job.grid.axis[k];
    const unsigned here = quotient(box, axis.before), rest = quotient(here, axis.blocks);
    std::int64_t first = std::int64_t{here - rest * axis.blocks.d} * axis.box;
    const std::int64_t left = axis.extent - first;
    unsigned extent = left < axis.box ? static_cast<unsigned>(left) : axis.box;
    if (k == job.cut) {
      place.ends = left <= axis.box;
      place.lead = static_cast<unsigned>(min(first, std::int64_t{job.shared}));
      first -= place.lead;
      extent += place.lead;
    }
    place.at.in += first * axis.in;
    place.at.out += first * axis.out;
    if (threadIdx.x == 0) extents[k] = extent;
  }
  return place;
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

template <class T>
__device__ __forceinline__ BoxRow box_row(const T* first, unsigned slot, unsigned length)
{
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const unsigned begin = address % 128 / sizeof(T);
  return {address, static_cast<int>(slot), static_cast<unsigned short>(begin),
          static_cast<unsigned short>(begin + length)};
}

/// Run r of a side; `first` and `slot` are those of the first run.
template <int Size>
__device__ __forceinline__ BoxRow row_of(const BoxRowsJob& job, const BoxRowsJob::Side& side, const unsigned* extent,
                                         unsigned length, const Word<Size>* first, unsigned slot, unsigned r)
{
#pragma unroll
  for (int k = 1; k < max_box_axes; ++k) {
    if (k < side.run_axes || k >= job.inner) continue;
    const auto& axis = side.axis[k];
    const unsigned rest = k == job.inner - 1 ? 0 : r / extent[axis.number], at = r - rest * extent[axis.number];
    r = rest;
    first += at * axis.stride;
    slot += at * axis.slot;
  }
  return box_row(first, slot, length);
}

/// The part of a run of the output that its block writes: whole sectors, where boxes cut runs.
template <int Size>
__device__ __forceinline__ BoxRow own_part(BoxRow run, const BoxPlace& place, unsigned period)
{
  constexpr unsigned sector = sector_bytes / Size;
  run.begin = max(static_cast<unsigned>(run.begin), (run.begin + place.lead * period) / sector * sector);
  if (!place.ends) run.end = run.end / sector * sector;
  return run;
}

/// The slot of column t of a period of the output's runs: all axes of a run but the last, which are whole in every box.
__device__ __forceinline__ unsigned slot_of_column(const BoxRowsJob::Side& side, unsigned t)
{
  unsigned slot = 0;
#pragma unroll
  for (int k = 0; k < max_box_axes - 1; ++k) {
    if (k >= side.run_axes - 1) break;
    const auto& axis = side.axis[k];
    const unsigned rest = quotient(t, axis.box);
    slot += (t - rest * axis.box.d) * axis.slot;
    t = rest;
  }
  return slot;
}

/// The shared memory of a box, by bytes. The vectors of 128 bytes change places by an exclusive or with bits in which the lanes
/// differ that gather a run of the output: they meet eight groups of banks, whatever the strides.
struct BoxBytes {
  unsigned char* memory;
  unsigned shift;

  __device__ __forceinline__ unsigned char* at(unsigned byte) const { return memory + (byte ^ (byte >> shift & 0x70)); }
};

/// The vectors of all rows, which the threads share: those of one thread, one after the other.
struct VectorWalk {
  unsigned row, vector, vectors, row_step, vector_step;

  __device__ __forceinline__ explicit VectorWalk(unsigned vectors_of_row)
      : row(threadIdx.x / vectors_of_row), vector(threadIdx.x - row * vectors_of_row), vectors(vectors_of_row),
        row_step(blockDim.x / vectors), vector_step(blockDim.x - row_step * vectors)
  {
  }
  __device__ __forceinline__ void advance()
  {
    row += row_step;
    vector += vector_step;
    if (vector >= vectors) vector -= vectors, ++row;
  }
};

/// Calls f(row, vector) for all vectors of all rows.
template <class F>
__device__ __forceinline__ void for_each_vector(unsigned rows, unsigned vectors, const F& f)
{
  VectorWalk walk(vectors);
#pragma unroll 1
  for (; walk.row < rows; walk.advance()) f(walk.row, walk.vector);
}

/// Lines of 128 bytes, and vectors, of a run of so many bytes, wherever it begins.
template <int Size>
__device__ __forceinline__ unsigned lines_of(unsigned run_bytes)
{
  return (run_bytes + 255 - Size) / 128;
}
template <int Size>
__device__ __forceinline__ unsigned vectors_of(unsigned run_bytes)
{
  return 8 * lines_of<Size>(run_bytes);
}

template <int Size>
__device__ __forceinline__ void read_runs(const BoxRuns& runs, const BoxRow* rows, const ReadableVectors<1>& readable,
                                          const BoxBytes& bytes)
{
  for_each_vector(runs.rows, vectors_of<Size>(runs.length * Size), [&](unsigned row, unsigned vector) {
    const BoxRow run = rows[row];
    const int at = 16 * vector, begin = run.begin * Size, end = run.end * Size;
    const int sector = at / sector_bytes * sector_bytes;
    if (sector + sector_bytes <= begin || sector >= end) return;
    const std::uintptr_t from = run.line() + at;
    unsigned char* const to = bytes.at(run.slot - begin + at);
    if (readable.contain(from)) return copy_async<16>(to, reinterpret_cast<const void*>(from));
#pragma unroll 1
    for (int k = 0; k < 16; k += Size) // at the very ends of the input
      if (at + k >= begin && at + k < end)
        *reinterpret_cast<Word<Size>*>(to + k) = *reinterpret_cast<const Word<Size>*>(from + k);
  });
  commit_copies();
}

/// Asks for what the output holds, so that it comes while the input does.
template <int Size>
__device__ __forceinline__ void fetch_runs(const BoxRuns& runs, const BoxRow* rows)
{
  for_each_vector(runs.rows, lines_of<Size>(runs.length * Size), [&](unsigned row, unsigned line) {
    const BoxRow run = rows[row];
    const unsigned begin = run.begin * Size, end = run.end * Size;
    if (128 * line + 128 > begin && 128 * line < end) fetch_line(run.line() + 128 * line);
  });
}

/// The slots of the columns of a run of the output.
struct BoxColumns {
  const unsigned* column; ///< of a period
  Divisor period;
  unsigned pitch; ///< bytes between periods

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
  int at, begin, end; ///< the vector and the run, from the run's line on

  __device__ __forceinline__ RunVector(const BoxRow& run, unsigned vector)
      : at(static_cast<int>(vector) * width), begin(run.begin), end(run.end)
  {
  }
  __device__ __forceinline__ bool is_empty() const { return at + width <= begin || at >= end; }
  __device__ __forceinline__ bool is_whole() const { return at >= begin && at + width <= end; }
  __device__ __forceinline__ int first() const { return max(at, begin); }
  __device__ __forceinline__ int last() const { return min(at + width, end); }

  __device__ __forceinline__ Elements load(const Bits* line) const
  {
    if (is_whole()) return __builtin_bit_cast(Elements, load_vector(line + at));
    Elements elements{};
#pragma unroll
    for (int e = 0; e < width; ++e)
      if (first() + e < last()) elements.element[e] = line[first() + e];
    return elements;
  }
};

/// An accumulation asks for what a few vectors hold before it stores the first of them: no load passes a store that may be to the
/// same place, and each would be waited for by itself.
template <class In, class Out, class F>
__device__ __forceinline__ void write_runs(const BoxRuns& runs, const BoxRow* rows, const BoxColumns& columns,
                                           const BoxBytes& bytes, const F& f)
{
  constexpr int size = sizeof(Out);
  constexpr int at_once = core::is_accumulation<F> ? accumulated_at_once<size> : 1;
  using Bits = Word<size>;
  using Part = RunVector<Bits>;
  const auto write = [&](const BoxRow& run, unsigned vector, typename Part::Elements& elements) {
    const Part part(run, vector);
    if (part.is_empty()) return;
    Bits* const to = reinterpret_cast<Bits*>(run.line());
    const int behind = run.address % 128 / size;
    const auto result = [&](int e, unsigned byte) {
      const auto& value = *reinterpret_cast<const Word<sizeof(In)>*>(bytes.at(run.slot + byte));
      return result_of<In, Out>(f, value, elements.element[e]);
    };
    if (part.is_whole()) {
      columns.for_each<Part::width>(part.at - behind,
                                    [&](int e, unsigned byte) { elements.element[e] = result(e, byte); });
      store_vector(to + part.at, __builtin_bit_cast(Vector, elements));
    } else {
      const int first = part.first(), last = part.last();
      columns.for_each<Part::width>(first - behind, [&](int e, unsigned byte) {
        if (first + e < last) to[first + e] = result(e, byte);
      });
    }
  };
  VectorWalk walk(vectors_of<size>(runs.length * size)), ahead = walk;
#pragma unroll 1
  while (walk.row < runs.rows) {
    typename Part::Elements elements[at_once] = {};
    if constexpr (core::is_accumulation<F>) {
#pragma unroll
      for (int n = 0; n < at_once; ++n, ahead.advance()) {
        if (ahead.row >= runs.rows) continue;
        const BoxRow& run = rows[ahead.row];
        const Part part(run, ahead.vector);
        if (!part.is_empty()) elements[n] = part.load(reinterpret_cast<const Bits*>(run.line()));
      }
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n, walk.advance())
      if (n == 0 || walk.row < runs.rows) write(BoxRow(rows[walk.row]), walk.vector, elements[n]);
  }
}

template <class In, class Out, class F>
__global__ void __launch_bounds__(box_rows_max_threads, box_rows_blocks<std::is_same_v<F, core::Move>>)
    box_rows_kernel(const In* in_data, Out* out_data, const __grid_constant__ BoxRowsJob job,
                    const __grid_constant__ F f)
{
  constexpr int in_size = sizeof(In), out_size = sizeof(Out);
  extern __shared__ uint4 box_rows_memory[];
  unsigned char* const memory = reinterpret_cast<unsigned char*>(box_rows_memory);
  auto* const in_row = reinterpret_cast<BoxRow*>(memory + job.in.first_row);
  auto* const out_row = reinterpret_cast<BoxRow*>(memory + job.out.first_row);
  auto* const column = reinterpret_cast<unsigned*>(memory + job.first_column);
  unsigned* const extent = column + job.period.d;
  const BoxPlace place = find_box_rows(job, blockIdx.x, extent);
  __syncthreads();
  const auto* const in = reinterpret_cast<const Word<in_size>*>(in_data) + place.at.in;
  const auto* const out = reinterpret_cast<const Word<out_size>*>(out_data) + place.at.out;
  const unsigned behind = reinterpret_cast<std::uintptr_t>(in) % sector_bytes;
  const BoxRuns in_runs(job, job.in, extent), out_runs(job, job.out, extent);
  for (unsigned r = threadIdx.x; r < in_runs.rows; r += blockDim.x)
    in_row[r] = row_of<in_size>(job, job.in, extent, in_runs.length, in, behind, r);
  __syncthreads();

  const BoxBytes bytes{memory, job.shift};
  read_runs<in_size>(in_runs, in_row, {in_data + job.in_begin, in_data + job.in_end}, bytes);
  for (unsigned r = threadIdx.x; r < out_runs.rows; r += blockDim.x)
    out_row[r] = own_part<out_size>(row_of<out_size>(job, job.out, extent, out_runs.length, out, behind, r), place,
                                    job.period.d);
  if (job.period.d > 1)
    for (unsigned t = threadIdx.x; t < job.period.d; t += blockDim.x) column[t] = slot_of_column(job.out, t);
  if constexpr (core::is_accumulation<F>) {
    __syncthreads();
    fetch_runs<out_size>(out_runs, out_row);
  }
  wait_for_copies<0>();
  __syncthreads();
  write_runs<In, Out>(out_runs, out_row, {column, job.period, job.pitch}, bytes, f);
}

} // namespace Keramos::cuda::transpose
