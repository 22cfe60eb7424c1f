// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of gather-sums whose sources are partitioned into chunks: it adds the chunks of every target, which are
// nodes of the tree of blocks, as the tree says.
#include "../../../src/keramos/core/Integer.hpp"
#include "Launch.hpp"

namespace Keramos::cuda::gather_sum {
namespace {

constexpr int chunk_threads = 256;
constexpr int filling_lanes = 65536; ///< of all targets, beyond which more of them only read less evenly: chosen

/// The sums of eight neighbouring lanes, which all of them get.
template <bool WithGradient>
__device__ core::GatherTotal<double> node_of_eight(core::GatherTotal<double> node)
{
  for (int c = 0; c < core::total_components<WithGradient>; ++c)
    core::component(node, c) = sum_of_eight(core::component(node, c));
  return node;
}

/// Where all threads of a block work for one target: what its warps have found, one for eight lanes, for the first warp.
template <bool WithGradient>
__device__ core::GatherTotal<double> first_warp_gets(const core::GatherTotal<double>& node, int round)
{
  __shared__ core::GatherTotal<double> nodes[2]
                                            [chunk_threads / 8]; // the next round comes before all have read this one
  if (threadIdx.x % 8 == 0) nodes[round % 2][threadIdx.x / 8] = node;
  __syncthreads();
  return nodes[round % 2][threadIdx.x % 32];
}

/// `lanes` neighbouring threads, a power of two up to 32 or all of a block, add the chunks of a target: each makes a node of the
/// next level of eight chunks (of one, where there is no such level), eight lanes make one of these of the level after that, of a
/// whole block eight lanes of the first warp the next one, and these are added to a tree, one after the other.
template <class T, bool WithGradient>
__global__ void __launch_bounds__(chunk_threads)
    gather_chunks(const __grid_constant__ core::GatherOutput<T> output, const double* const partial,
                  const std::int64_t chunks, const int level, const int lanes)
{
  constexpr int components = GatherResult<T, WithGradient>::components;
  const std::int64_t count = core::count_of(output.potential.extent);
  const std::int64_t target = std::int64_t{blockIdx.x} * (chunk_threads / lanes) + threadIdx.x / lanes;
  const std::int64_t i = target < count ? target : count - 1;
  const bool by_block = lanes == chunk_threads;
  const int lane = static_cast<int>(threadIdx.x % lanes), run = level + 1 < core::tree_levels ? 8 : 1;
  const int together = lanes >= 8 && level + 2 < core::tree_levels ? 8 : 1;
  const int together_again = by_block && level + 3 < core::tree_levels ? 8 : 1;
  const int level_of_node = level + (run == 8) + (together == 8) + (together_again == 8);
  const auto node_at = [&](std::int64_t first) {
    core::GatherTotal<double> node;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const std::int64_t chunk = first + lane * run + k;
      if (k < run && chunk < chunks)
        for (int c = 0; c < components; ++c) core::component(node, c) += partial[(chunk * components + c) * count + i];
    }
    return node;
  };
  core::BlockTree<WithGradient> tree;
  std::int64_t number = 0;
  wait_for_kernel_before();
  core::GatherTotal<double> next_node = node_at(0);
  int round = 0;
  for (std::int64_t first = 0; first < chunks; first += run * lanes, ++round) {
    core::GatherTotal<double> node = next_node;
    next_node = node_at(first + run * lanes); // on its way while this one is added
    if (together == 8) node = node_of_eight<WithGradient>(node);
    int of_lane = run, owners = lanes, step = together; // chunks of a lane, lanes, and of these those with one node
    if (by_block) {
      node = first_warp_gets<WithGradient>(node, round);
      if (threadIdx.x >= 32) continue;
      if (together_again == 8) node = node_of_eight<WithGradient>(node);
      of_lane = run * 8, owners = 32, step = together_again;
    }
    for (int from = 0; from < owners; from += step) {
      core::GatherTotal<double> next;
      for (int c = 0; c < components; ++c)
        core::component(next, c) = __shfl_sync(0xffffffffu, core::component(node, c), from, owners);
      if (first + from * of_lane < chunks) tree.add(level_of_node, number++, next);
    }
  }
  if (target < count && lane == 0)
    output.template store<WithGradient>(index_of(i, output.potential.extent), tree.total());
}

} // namespace

template <bool WithGradient, class T>
void launch_chunks(const GatherJob<T>& job, const Kokkos::Cuda& space, const double* partial)
{
  const core::GatherOutput<T>& output = job.call.output;
  const std::int64_t chunks = job.partition.chunks;
  const std::int64_t targets = core::count_of(output.potential.extent);
  int lanes = 1;
  while (lanes < 32 && 8 * lanes < chunks && lanes * targets < filling_lanes) lanes *= 2;
  if (8 * lanes < chunks && chunk_threads * targets < filling_lanes && job.partition.level + 2 < core::tree_levels)
    lanes = chunk_threads;
  const std::int64_t blocks = core::ceil_div(targets, std::int64_t{chunk_threads / lanes});
  constexpr bool begins_early = true;
  Kernel totals = job.kernel;
  totals.variant = job.kernel.variant.followed_by(" totals");
  launch_kernel<gather_chunks<T, WithGradient>>(totals, space,
                                                {dim3(static_cast<unsigned>(blocks)), chunk_threads, 0, begins_early},
                                                output, partial, chunks, job.partition.level, lanes);
}

template void launch_chunks<false>(const GatherJob<float>&, const Kokkos::Cuda&, const double*);
template void launch_chunks<true>(const GatherJob<float>&, const Kokkos::Cuda&, const double*);
template void launch_chunks<false>(const GatherJob<double>&, const Kokkos::Cuda&, const double*);
template void launch_chunks<true>(const GatherJob<double>&, const Kokkos::Cuda&, const double*);

} // namespace Keramos::cuda::gather_sum
