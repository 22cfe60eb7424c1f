// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting sort into cells, of sources and of points at once (blockIdx.y):
//
//     count      a point takes the next place of its bucket, in the order in which threads come
//     scan       chunks of buckets: their sums, then every chunk with the sum of those before it
//     fill       the points of a bucket side by side
//     copy       the sources: one goes behind those of its bucket that come before it in the call, which it counts. For a bucket
//                of k that is k^2 comparisons, fewer than as many targets there would have pairs.
#include "CellLists.hpp"

#include "../Launch.hpp"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace Keramos::cuda::gather_sum {
namespace {

// Chosen, not measured.
constexpr int sort_threads = 256, per_thread = PointLists::tile / sort_threads;

struct BothLists {
  PointLists list[2]; ///< of sources, of targets

  __device__ const PointLists& here() const { return list[blockIdx.y]; }
};

__device__ int global_thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void clear_buckets(const __grid_constant__ BothLists lists)
{
  const PointLists& list = lists.here();
  if (const int bucket = global_thread(); bucket < list.buckets) list.begin[bucket] = 0;
}

template <class T>
struct BothPoints {
  core::GatherPoints<T> points[2];
};

/// Points that can have no neighbours: as sources they are left out, as targets they are anywhere.
template <class T>
__global__ void count_points(const __grid_constant__ BothLists lists, const __grid_constant__ core::CellGrid<T> grid,
                             const __grid_constant__ BothPoints<T> both)
{
  const PointLists& list = lists.here();
  const int j = global_thread();
  if (j >= list.points) return;
  const core::Point<T> point = both.points[blockIdx.y][j];
  const int elsewhere = blockIdx.y == 0 ? -1 : 0;
  const int bucket = grid.holds(point) ? static_cast<int>(grid.bucket_of(grid.in_box(point))) : elsewhere;
  list.bucket_of[j] = bucket;
  if (bucket >= 0) list.place[j] = atomicAdd(&list.begin[bucket], 1);
}

/// What a thread has of the buckets of a tile.
__device__ void load_counts(int (&count)[per_thread], const PointLists& list, int tile)
{
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int bucket = tile + static_cast<int>(threadIdx.x) * per_thread + k;
    count[k] = bucket < list.buckets ? list.begin[bucket] : 0;
  }
}

__global__ void __launch_bounds__(sort_threads) sum_chunks(const __grid_constant__ BothLists lists)
{
  using Reduce = cub::BlockReduce<int, sort_threads>;
  __shared__ Reduce::TempStorage shared;
  const PointLists& list = lists.here();
  const int begin = static_cast<int>(blockIdx.x) * list.chunk(), end = min(begin + list.chunk(), list.buckets);
  int sum = 0;
  for (int tile = begin; tile < end; tile += PointLists::tile) {
    int count[per_thread];
    load_counts(count, list, tile);
    for (const int c : count) sum += c;
  }
  sum = Reduce(shared).Sum(sum);
  if (threadIdx.x == 0) list.chunk_sums[blockIdx.x] = sum;
}

/// Leaves in begin[b] the number of points in the buckets before b.
__global__ void __launch_bounds__(sort_threads) scan_chunks(const __grid_constant__ BothLists lists)
{
  using Reduce = cub::BlockReduce<int, sort_threads>;
  using Scan = cub::BlockScan<int, sort_threads>;
  __shared__ union {
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
  } shared;
  __shared__ int before_chunk;
  const PointLists& list = lists.here();
  int sum = 0;
  for (unsigned chunk = threadIdx.x; chunk < blockIdx.x; chunk += sort_threads) sum += list.chunk_sums[chunk];
  sum = Reduce(shared.reduce).Sum(sum);
  if (threadIdx.x == 0) before_chunk = sum;
  __syncthreads();
  int before = before_chunk;
  const int begin = static_cast<int>(blockIdx.x) * list.chunk(), end = min(begin + list.chunk(), list.buckets);
  for (int tile = begin; tile < end; tile += PointLists::tile) {
    int count[per_thread], in_tile;
    load_counts(count, list, tile);
    Scan(shared.scan).ExclusiveSum(count, count, in_tile);
    for (int k = 0; k < per_thread; ++k) {
      const int bucket = tile + static_cast<int>(threadIdx.x) * per_thread + k;
      if (bucket < list.buckets) list.begin[bucket] = before + count[k];
    }
    before += in_tile;
    __syncthreads();
  }
  if (end == list.buckets && begin < end && threadIdx.x == 0) list.begin[end] = before;
}

__global__ void fill_order(const __grid_constant__ BothLists lists)
{
  const PointLists& list = lists.here();
  const int j = global_thread();
  if (j >= list.points) return;
  if (const int bucket = list.bucket_of[j]; bucket >= 0) list.order[list.begin[bucket] + list.place[j]] = j;
}

template <class T>
__global__ void copy_sources(const PointLists list, const __grid_constant__ core::CellGrid<T> grid,
                             const __grid_constant__ core::GatherSources<T> sources, SourceRecord<T>* const records)
{
  const int at = global_thread();
  if (at >= list.begin[list.buckets]) return;
  const int j = list.order[at], bucket = list.bucket_of[j];
  const int begin = list.begin[bucket], end = list.begin[bucket + 1];
  int before = 0;
  for (int other = begin; other < end; ++other) before += list.order[other] < j;
  const core::Point<T> point = grid.in_box(sources[j]);
  records[begin + before] = {point[0], point[1], point[2], sources.weight(j)};
}

unsigned blocks_of(int threads) { return static_cast<unsigned>(core::ceil_div(threads, sort_threads)); }

} // namespace

template <class T>
void sort_into_cells(const Kernel& kernel, const Kokkos::Cuda& space, const CutoffLists<T>& lists,
                     const core::CellGrid<T>& grid, const core::GatherSumCall<T>& call)
{
  const BothLists both{{lists.of_sources, lists.of_targets}};
  const PointLists& sources = lists.of_sources;
  const unsigned sets = call.targets.on_grid ? 1 : 2, chunks = static_cast<unsigned>(sources.chunks());
  const unsigned points = blocks_of(std::max(sources.points, lists.of_targets.points)); // none: a grid without sources
  Kernel sort = kernel;
  sort.variant = kernel.variant.followed_by(" sort");
  launch_kernel<clear_buckets>(sort, space, {{blocks_of(sources.buckets), sets}, sort_threads}, both);
  if (points > 0)
    launch_kernel<count_points<T>>(sort, space, {{points, sets}, sort_threads}, both, grid,
                                   BothPoints<T>{{call.sources.positions, call.targets.points}});
  launch_kernel<sum_chunks>(sort, space, {{chunks, sets}, sort_threads}, both);
  launch_kernel<scan_chunks>(sort, space, {{chunks, sets}, sort_threads}, both);
  if (points > 0) launch_kernel<fill_order>(sort, space, {{points, sets}, sort_threads}, both);
  if (sources.points > 0)
    launch_kernel<copy_sources<T>>(sort, space, {blocks_of(sources.points), sort_threads}, sources, grid, call.sources,
                                   lists.sources);
}

template void sort_into_cells(const Kernel&, const Kokkos::Cuda&, const CutoffLists<float>&,
                              const core::CellGrid<float>&, const core::GatherSumCall<float>&);
template void sort_into_cells(const Kernel&, const Kokkos::Cuda&, const CutoffLists<double>&,
                              const core::CellGrid<double>&, const core::GatherSumCall<double>&);

} // namespace Keramos::cuda::gather_sum
