// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting sort of points into the buckets of a CellGrid, by kernels on the caller's instance: count, scan, fill. Then the
// sources of every bucket are brought into the order of their indices, whatever order threads filled them in, and copied, so
// that sums read memory as it lies and are the same in every run.
#pragma once

#include "CellGrid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace Keramos::core {

/// Takes arrays from scratch, which is aligned to 8 bytes, one after the other; from none, it only counts.
class ScratchArrays {
public:
  explicit ScratchArrays(void* data) : data_(static_cast<char*>(data)) {}

  template <class T>
  T* take(std::int64_t count)
  {
    constexpr std::int64_t least = alignof(double), wanted = std::max(least, std::int64_t{alignof(T)});
    T* array = nullptr;
    if (data_) {
      const auto address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(data_)) + bytes_;
      array = reinterpret_cast<T*>(data_ + bytes_ + (round_up(address, wanted) - address));
    }
    bytes_ += round_up(count * static_cast<std::int64_t>(sizeof(T)), least) + (wanted - least);
    return array;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(bytes_); }

private:
  char* data_;
  std::int64_t bytes_ = 0;
};

/// Points by bucket: those of bucket b are order[begin[b]] to order[begin[b + 1] - 1].
struct BucketLists {
  std::int64_t buckets, points;
  std::int64_t *begin, *order;
  std::int64_t *bucket_of, *chunk_sums; ///< while they are sorted

  BucketLists(ScratchArrays& scratch, std::int64_t the_buckets, std::int64_t the_points)
      : buckets(the_buckets), points(the_points), begin(scratch.take<std::int64_t>(buckets + 1)),
        order(scratch.take<std::int64_t>(points)), bucket_of(scratch.take<std::int64_t>(points)),
        chunk_sums(scratch.take<std::int64_t>(chunks()))
  {
  }

  // The scan goes by chunks: their sums, the sums of these in one thread, and the chunks again. About as many as a chunk is long.
  KOKKOS_FUNCTION std::int64_t chunk_length() const
  {
    std::int64_t length = 16;
    while (length * length < buckets) length *= 2;
    return length;
  }
  KOKKOS_FUNCTION std::int64_t chunks() const { return ceil_div(buckets, chunk_length()); }
  KOKKOS_FUNCTION std::int64_t chunk_end(std::int64_t chunk) const
  {
    const std::int64_t end = (chunk + 1) * chunk_length();
    return end < buckets ? end : buckets;
  }
};

// ---- The kernels, in their order ------------------------------------------------------------------------------------

struct ClearBuckets {
  BucketLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t bucket) const { lists.begin[bucket] = 0; }
};

/// Points: operator[](index) gives a point of the call.
template <class T, class Points>
struct CountPoints {
  BucketLists lists;
  CellGrid<T> grid;
  Points points;
  std::int64_t elsewhere; ///< the bucket of points that can have no neighbours; -1: none

  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    const Point<T> point = points[j];
    const std::int64_t bucket = grid.holds(point) ? grid.bucket_of(grid.in_box(point)) : elsewhere;
    lists.bucket_of[j] = bucket;
    if (bucket >= 0) Kokkos::atomic_inc(&lists.begin[bucket]);
  }
};

struct SumChunks {
  BucketLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const
  {
    std::int64_t sum = 0;
    for (std::int64_t b = chunk * lists.chunk_length(); b < lists.chunk_end(chunk); ++b) sum += lists.begin[b];
    lists.chunk_sums[chunk] = sum;
  }
};

struct ScanChunks {
  BucketLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t) const
  {
    std::int64_t sum = 0;
    for (std::int64_t chunk = 0; chunk < lists.chunks(); ++chunk) {
      const std::int64_t before = sum;
      sum += lists.chunk_sums[chunk];
      lists.chunk_sums[chunk] = before;
    }
    lists.begin[lists.buckets] = sum;
  }
};

/// Leaves in begin[b] the end of bucket b, from which FillBuckets counts down.
struct ScanBuckets {
  BucketLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const
  {
    std::int64_t sum = lists.chunk_sums[chunk];
    for (std::int64_t b = chunk * lists.chunk_length(); b < lists.chunk_end(chunk); ++b)
      lists.begin[b] = sum += lists.begin[b];
  }
};

struct FillBuckets {
  BucketLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    const std::int64_t bucket = lists.bucket_of[j];
    if (bucket >= 0) lists.order[Kokkos::atomic_fetch_add(&lists.begin[bucket], -1) - 1] = j;
  }
};

/// Runs one kernel over [0, count).
template <class Space, class Functor>
void launch_over(const std::string& label, const Space& space, std::int64_t count, const Functor& functor)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(space, 0, count), functor);
}

/// Sorts; in a bucket, in the order in which threads come.
template <class T, class Space, class Points>
void sort_into_buckets(const std::string& label, const Space& space, const BucketLists& lists, const CellGrid<T>& grid,
                       const Points& points, std::int64_t elsewhere)
{
  launch_over(label, space, lists.buckets, ClearBuckets{lists});
  launch_over(label, space, lists.points, CountPoints<T, Points>{lists, grid, points, elsewhere});
  launch_over(label, space, lists.chunks(), SumChunks{lists});
  launch_over(label, space, 1, ScanChunks{lists});
  launch_over(label, space, lists.chunks(), ScanBuckets{lists});
  launch_over(label, space, lists.points, FillBuckets{lists});
}

// ---- Sources --------------------------------------------------------------------------------------------------------

/// The sources in the order of their buckets, an array per coordinate, in the box.
template <class T>
struct SortedSources {
  /// Vector kernels read up to so many numbers behind the last one: zeros.
  static constexpr std::int64_t padding = 16;

  BucketLists lists;
  Kokkos::Array<T*, 3> coordinate;
  T* weight;

  SortedSources(ScratchArrays& scratch, std::int64_t buckets, std::int64_t sources) : lists(scratch, buckets, sources)
  {
    for (int k = 0; k < 3; ++k) coordinate[k] = scratch.take<T>(sources + padding);
    weight = scratch.take<T>(sources + padding);
  }

  KOKKOS_FUNCTION std::int64_t begin(const CellRun& run) const { return lists.begin[run.first]; }
  KOKKOS_FUNCTION std::int64_t end(const CellRun& run) const { return lists.begin[run.first + run.count]; }
  KOKKOS_FUNCTION Point<T> operator[](std::int64_t j) const
  {
    return {coordinate[0][j], coordinate[1][j], coordinate[2][j]};
  }
};

/// Orders one bucket by index, and copies its sources.
template <class T>
struct CopySources {
  SortedSources<T> sorted;
  CellGrid<T> grid;
  GatherSources<T> sources;

  KOKKOS_FUNCTION void operator()(std::int64_t bucket) const
  {
    const std::int64_t begin = sorted.lists.begin[bucket], count = sorted.lists.begin[bucket + 1] - begin;
    order(sorted.lists.order + begin, count);
    for (std::int64_t at = begin; at < begin + count; ++at) {
      const std::int64_t j = sorted.lists.order[at];
      const Point<T> point = grid.in_box(sources[j]);
      for (int k = 0; k < 3; ++k) sorted.coordinate[k][at] = point[k];
      sorted.weight[at] = sources.weight(j);
    }
    if (bucket + 1 == sorted.lists.buckets)
      for (std::int64_t at = begin + count; at < begin + count + sorted.padding; ++at) {
        for (int k = 0; k < 3; ++k) sorted.coordinate[k][at] = 0;
        sorted.weight[at] = 0;
      }
  }

  /// Shell's sort with Knuth's gaps: an insertion sort for the few of a usual bucket, and still fast for all sources.
  KOKKOS_FUNCTION static void order(std::int64_t* index, std::int64_t count)
  {
    std::int64_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
      for (std::int64_t i = gap; i < count; ++i) {
        const std::int64_t moved = index[i];
        std::int64_t at = i;
        for (; at >= gap && index[at - gap] > moved; at -= gap) index[at] = index[at - gap];
        index[at] = moved;
      }
  }
};

template <class T, class Space>
void sort_sources(const std::string& label, const Space& space, const SortedSources<T>& sorted, const CellGrid<T>& grid,
                  const GatherSources<T>& sources)
{
  sort_into_buckets(label, space, sorted.lists, grid, sources, -1);
  launch_over(label, space, sorted.lists.buckets, CopySources<T>{sorted, grid, sources});
}

} // namespace Keramos::core
