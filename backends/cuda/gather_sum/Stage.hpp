// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources on their way from any Views to the threads of a gather-sum: records in shared memory, which all threads of a
// block read together (one broadcast for 16 bytes), two buffers deep, or strided ones for threads that share none.
#pragma once

#include "../../../src/keramos/gather_sum/Problem.hpp"
#include "../Memory.hpp"
#include "RadialPairs.hpp"

namespace Keramos::cuda::gather_sum {

/// Source blocks begin .. end of a chunk, in sources.
struct SourceRange {
  std::int64_t begin, end;

  __device__ SourceRange(std::int64_t chunk, std::int64_t length, std::int64_t count)
      : begin(chunk * length), end(begin + length < count ? begin + length : count)
  {
  }
};

/// A block of sources in shared memory. Like every kind of block it tells their number and has a cursor, which hands
/// them out one after the other.
template <class T>
struct StagedSources {
  static constexpr bool shared = true;
  struct Cursor {
    const SourceRecord<T>* record;
    __device__ SourceRecord<T> next() { return *record++; }
  };

  const SourceRecord<T>* records;
  int count;

  __device__ Cursor cursor() const { return {records}; }
};

/// Every `stride`-th source from `begin` on, where it lies.
template <class T>
struct StridedSources {
  static constexpr bool shared = false;
  struct Cursor {
    const T* entry[4]; ///< the next source's coordinates and weight; null: that coordinate is 0
    std::int64_t step[4];

    __device__ SourceRecord<T> next()
    {
      const SourceRecord<T> record{*entry[0], *entry[1], entry[2] ? *entry[2] : 0, *entry[3]};
      for (int d = 0; d < 4; ++d) entry[d] += step[d];
      return record;
    }
  };

  const core::GatherSources<T>* sources;
  std::int64_t begin;
  int stride, count;

  __device__ Cursor cursor() const
  {
    const auto& [positions, weights] = *sources;
    Cursor cursor;
    for (int d = 0; d < 3; ++d) {
      const bool exists = d < positions.extent[1];
      cursor.entry[d] = exists ? &positions(begin, d) : nullptr;
      cursor.step[d] = exists ? stride * positions.stride[0] : 0;
    }
    cursor.entry[3] = &weights(begin);
    cursor.step[3] = stride * weights.stride[0];
    return cursor;
  }
};

/// Starts the copy of `count` sources into shared memory, element by element: Views may have any strides. Entry k of a
/// record is coordinate[k]; a missing coordinate is 0.
template <class T>
__device__ void stage(SourceRecord<T>* records, const core::GatherSources<T>& sources,
                      const Kokkos::Array<int, 3>& coordinate, std::int64_t begin, int count)
{
  for (int j = threadIdx.x; j < count; j += blockDim.x) {
    T* record = &records[j].x;
#pragma unroll
    for (int k = 0; k < 3; ++k)
      if (coordinate[k] < sources.positions.extent[1])
        copy_async<sizeof(T)>(record + k, &sources.positions(begin + j, coordinate[k]));
      else
        record[k] = 0;
    copy_async<sizeof(T)>(record + 3, &sources.weights(begin + j));
  }
  commit_copies();
}

/// f(StagedSources) for the blocks of a range, one after the other; all threads of the block must come here, those with
/// `takes_part` call f. One barrier per block of sources: when a thread has passed it, all threads have left the other
/// buffer.
template <class T, class F>
__device__ void for_each_staged(const core::GatherSources<T>& sources, const Kokkos::Array<int, 3>& coordinate,
                                const SourceRange& range, bool takes_part, const F& f)
{
  constexpr int block = static_cast<int>(core::source_block);
  __shared__ SourceRecord<T> buffers[2][block];
  const auto count_at = [&](std::int64_t begin) {
    return static_cast<int>(range.end - begin < block ? range.end - begin : block);
  };
  if (range.begin < range.end) stage(buffers[0], sources, coordinate, range.begin, count_at(range.begin));
  int current = 0;
  for (std::int64_t begin = range.begin; begin < range.end; begin += block, current ^= 1) {
    wait_for_copies<0>();
    __syncthreads();
    const std::int64_t next = begin + block;
    if (next < range.end) stage(buffers[current ^ 1], sources, coordinate, next, count_at(next));
    if (takes_part) f(StagedSources<T>{buffers[current], count_at(begin)});
  }
}

} // namespace Keramos::cuda::gather_sum
