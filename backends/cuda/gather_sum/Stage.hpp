// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources on their way from any Views to the threads of a gather-sum: records in shared memory, which all threads of a
// block read together (one broadcast for 16 bytes), two buffers deep; or where they lie, for a thread that is alone with
// its block of sources and meets a sum that is not finite.
#pragma once

#include "../../../src/keramos/gather_sum/Problem.hpp"
#include "../Memory.hpp"
#include "Partition.hpp"
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
  static constexpr int skips_unroll = 1; ///< of the loop that leaves out coincident sources: short code, for it is rare
  struct Cursor {
    const SourceRecord<T>* record;
    __device__ SourceRecord<T> next() { return *record++; }
  };

  const SourceRecord<T>* records;
  int count;
  std::int64_t number; ///< of the block in its chunk

  __device__ Cursor cursor() const { return {records}; }
};

/// A block of sources where it lies, `order` as for stage().
template <class T>
struct SourcesInPlace {
  static constexpr int skips_unroll = 8; ///< reads that are on their way together
  struct Cursor {
    const T* entry[4]; ///< the next source's coordinates and weight; null: that coordinate is 0
    std::int64_t step[4];

    __device__ SourceRecord<T> next()
    {
      SourceRecord<T> record;
      T* const to[] = {&record.x, &record.y, &record.z, &record.weight};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        *to[k] = entry[k] ? *entry[k] : 0;
        if (entry[k]) entry[k] += step[k];
      }
      return record;
    }
  };

  const core::GatherSources<T>* sources;
  Kokkos::Array<int, 3> order;
  std::int64_t begin;
  int count;

  __device__ Cursor cursor() const
  {
    const auto& [positions, weights] = *sources;
    Cursor cursor;
    for (int k = 0; k < 3; ++k) {
      cursor.step[k] = positions.stride[order[k]];
      cursor.entry[k] = order[k] < positions.dimension ? positions.data[order[k]] + begin * cursor.step[k] : nullptr;
    }
    cursor.entry[3] = &weights(begin);
    cursor.step[3] = weights.stride[0];
    return cursor;
  }
};

/// Are the sources records x, y, z, weight, aligned to 16 bytes? Few targets wait for them most: H200, 10^7 sources in float
/// for one target and for 100, read so by groups of up to 320 threads, 61 and 490 us instead of 110 and 790.
template <class T>
bool are_records(const core::GatherSources<T>& sources, const Kokkos::Array<int, 3>& order)
{
  const auto& [positions, weights] = sources;
  const T* const first = positions.data[0];
  if (positions.dimension != 3 || order[0] != 0 || order[1] != 1 || !positions.one_stride) return false;
  return positions.data[1] == first + 1 && positions.data[2] == first + 2 && weights.data == first + 3 &&
         weights.stride[0] == positions.stride[0] && positions.stride[0] % vector_width<T> == 0 &&
         is_aligned(first, 16);
}

/// Starts the copy of a record into shared memory, by 16 bytes.
template <class T>
__device__ void stage_record(SourceRecord<T>& to, const T* from)
{
#pragma unroll
  for (int k = 0; k < 4; k += vector_width<T>) copy_async<16>(&to.x + k, from + k);
}

/// Starts the copy of a source: of a record, of others element by element. Views may have any strides, but where one serves
/// all coordinates, as in the rows of an array, there is one product of 64 bits. x, y and z of a record are the coordinates
/// order[0], order[1] and order[2]; a missing coordinate is 0.
template <class T>
__device__ void stage_one(SourceRecord<T>& to, const core::GatherSources<T>& sources, const GatherPartition& partition,
                          std::int64_t j)
{
  const core::GatherPoints<T>& positions = sources.positions;
  const Kokkos::Array<int, 3>& order = partition.order;
  const std::int64_t offset = j * positions.stride[0];
  if (partition.reads_records) return stage_record(to, positions.data[0] + offset);
  T* record = &to.x;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    if (order[k] < positions.dimension)
      copy_async<sizeof(T)>(record + k, positions.data[order[k]] +
                                            (positions.one_stride ? offset : j * positions.stride[order[k]]));
    else
      record[k] = 0;
  copy_async<sizeof(T)>(record + 3, &sources.weights(j));
}

/// Starts the copy of `count` sources.
template <class T>
__device__ void stage(SourceRecord<T>* records, const core::GatherSources<T>& sources, const GatherPartition& partition,
                      std::int64_t begin, int count)
{
  for (int j = threadIdx.x; j < count; j += blockDim.x) stage_one(records[j], sources, partition, begin + j);
  commit_copies();
}

/// f(StagedSources) for the blocks of a range, one after the other; all threads of the block must come here, those with
/// `takes_part` call f. One barrier per block of sources: when a thread has passed it, all threads have left the other
/// buffer.
template <class T, class F>
__device__ void for_each_staged(const core::GatherSources<T>& sources, const GatherPartition& partition,
                                const SourceRange& range, bool takes_part, const F& f)
{
  constexpr int block = static_cast<int>(core::source_block);
  __shared__ SourceRecord<T> buffers[2][block];
  const auto count_at = [&](std::int64_t begin) {
    return static_cast<int>(range.end - begin < block ? range.end - begin : block);
  };
  if (range.begin < range.end) stage(buffers[0], sources, partition, range.begin, count_at(range.begin));
  int current = 0;
  std::int64_t number = 0;
  for (std::int64_t begin = range.begin; begin < range.end; begin += block, current ^= 1, ++number) {
    wait_for_copies<0>();
    __syncthreads();
    const std::int64_t next = begin + block;
    if (next < range.end) stage(buffers[current ^ 1], sources, partition, next, count_at(next));
    if (takes_part) f(StagedSources<T>{buffers[current], count_at(begin), number});
  }
}

} // namespace Keramos::cuda::gather_sum
