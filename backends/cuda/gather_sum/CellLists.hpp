// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a gather-sum with a cutoff, sorted into the cells of a CellGrid: what lies in scratch, and the launches that
// fill it. As core::sort_sources(), in fewer bytes and with a thread for each point and each bucket.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../../../src/keramos/gather_sum/CellSort.hpp"
#include "Stage.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Keramos::cuda::gather_sum {

/// Points by bucket, in numbers of 32 bits.
struct PointLists {
  int buckets = 0, points = 0;
  int* begin = nullptr;     ///< [buckets + 1] of a bucket's points in `order`
  int* order = nullptr;     ///< [points] in a bucket in the order in which threads came
  int* bucket_of = nullptr; ///< [points] the bucket; -1: none
  int* place = nullptr;     ///< [points] in its bucket
  int* chunk_sums = nullptr;

  static constexpr int max_chunks = 1024, tile = 1024; ///< of the scan: a chunk is some tiles. Chosen

  PointLists() = default;
  PointLists(core::ScratchArrays& scratch, std::int64_t the_buckets, std::int64_t the_points)
      : buckets(static_cast<int>(the_buckets)), points(static_cast<int>(the_points)),
        begin(scratch.take<int>(the_buckets + 1)), order(scratch.take<int>(the_points)),
        bucket_of(scratch.take<int>(the_points)), place(scratch.take<int>(the_points)),
        chunk_sums(scratch.take<int>(max_chunks))
  {
  }

  /// Buckets of a chunk.
  KOKKOS_FUNCTION int chunk() const
  {
    return static_cast<int>(core::round_up(core::ceil_div(buckets, max_chunks), tile));
  }
  int chunks() const { return static_cast<int>(core::ceil_div(buckets, chunk())); }
};

/// What the sums read. Targets on a grid are in an order of use already.
template <class T>
struct CutoffLists {
  SourceRecord<T>* sources; ///< in the box, by bucket, in a bucket in the order of the call
  PointLists of_sources, of_targets;

  CutoffLists(core::ScratchArrays& scratch, const core::CellGrid<T>& grid, const core::GatherSumCall<T>& call)
      : sources(scratch.take<SourceRecord<T>>(call.sources.count())),
        of_sources(scratch, grid.buckets(), call.sources.count())
  {
    if (!call.targets.on_grid) of_targets = {scratch, grid.buckets(), call.targets.points.count};
  }
};

/// Compiled once.
template <class T>
void sort_into_cells(const Kernel& kernel, const Kokkos::Cuda& space, const CutoffLists<T>& lists,
                     const core::CellGrid<T>& grid, const core::GatherSumCall<T>& call);

} // namespace Keramos::cuda::gather_sum
