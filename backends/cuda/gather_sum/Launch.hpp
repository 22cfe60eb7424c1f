// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a partition to a launch. The built-in kernels are instantiated in the library, {Coulomb,Yukawa,Gaussian}.cpp; a
// user's functor where he calls.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../Launch.hpp"
#include "Few.hpp"
#include "Warps.hpp"

namespace Keramos::cuda::gather_sum {

/// What every launch of a call takes, whatever it sums.
template <class T>
struct GatherJob {
  Kernel kernel;
  GatherPartition partition;
  core::GatherSumCall<T> call; ///< its axes as the kernel takes them: a thread's targets on a grid lie along the second
};

/// The kernel of the partition. `partial` is the scratch of a call with several chunks.
template <bool WithGradient, class Targets, class Pair, class T = typename Pair::value_type>
void launch_pairs(const GatherJob<T>& job, const Kokkos::Cuda& space, const Pair& pair, double* partial)
{
  constexpr TargetsPerThread targets = Targets::per_thread;
  const GatherPartition& partition = job.partition;
  const GatherResult<T, WithGradient> result{partial};
  const dim3 blocks(static_cast<unsigned>(partition.tiles), static_cast<unsigned>(partition.chunks));
  const dim3 threads(static_cast<unsigned>(partition.threads));
  switch (partition.shape) {
  case GatherShape::grid:
    if constexpr (targets.grid != 0)
      launch_kernel<gather_on_grid<targets.grid, WithGradient, Pair>>(job.kernel, space, {blocks, threads}, job.call,
                                                                      partition, pair, result);
    return;
  case GatherShape::points:
    if constexpr (targets.many_points != 0)
      if (partition.targets_per_thread == targets.many_points)
        return launch_kernel<gather_at_points<targets.many_points, WithGradient, Pair>>(
            job.kernel, space, {blocks, threads}, job.call, partition, pair, result);
    return launch_kernel<gather_at_points<targets.points, WithGradient, Pair>>(job.kernel, space, {blocks, threads},
                                                                               job.call, partition, pair, result);
  case GatherShape::few:
    return launch_kernel<gather_few<targets.few, WithGradient, Pair>>(
        job.kernel, space, {blocks, threads, Slices<T>::bytes(partition)}, job.call, partition, pair, result);
  case GatherShape::grid_by_warps:
    if constexpr (targets.grid_by_warps != 0)
      launch_kernel<gather_on_grid_by_warps<targets.grid_by_warps, WithGradient, Pair>>(
          job.kernel, space, {blocks, threads}, job.call, partition, pair, result);
    return;
  case GatherShape::points_by_warps:
    if constexpr (targets.points_by_warps != 0)
      launch_kernel<gather_at_points_by_warps<targets.points_by_warps, WithGradient, Pair>>(
          job.kernel, space, {blocks, threads}, job.call, partition, pair, result);
    return;
  case GatherShape::product:
    return; // Product.hpp has its launch
  }
}

/// Compiled once, for Coulomb, Yukawa and Gaussian, and for GradientOnly of these.
template <bool WithGradient, class T, class K>
void launch_built_in(const GatherJob<T>& job, const Kokkos::Cuda& space, const K& kernel, double* partial);

/// The second pass over the scratch of a call with several chunks. Compiled once.
template <bool WithGradient, class T>
void launch_chunks(const GatherJob<T>& job, const Kokkos::Cuda& space, const double* partial);

} // namespace Keramos::cuda::gather_sum
