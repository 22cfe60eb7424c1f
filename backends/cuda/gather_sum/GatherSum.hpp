// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA gather-sums. Threads own targets, on a grid with the distance across it shared, and read the sources together
// from shared memory (Kernels.hpp); where targets are few, threads own blocks of sources (Few.hpp). The potential of a Gaussian on
// a grid is a product of matrices (Product.hpp). The built-in kernels are compiled once; a user's functor is instantiated here, that
// of two points in two of the three kernels. Sums with a cutoff have a plan of their own (Cutoff.hpp).
//
// Blocks of 256 sources are summed in the value type, one source after the other, with the hardware's approximate
// reciprocal square root and exponential, which stay within the bound of backends/reference/GatherSum.hpp, and their
// totals in double, by the tree of blocks. A target of which a block's sum is not finite (a coincident source, an
// overflow, a NaN) has that block computed again as the reference does it. A kernel's value below the smallest normal
// number counts as zero.
//
// A target has the same bits in each of the first three kernels: they add a source by the same instructions, written out as
// fused multiply-adds (RadialPairs.hpp), and sum r^2 in the order of the axes that the user named.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "../../../src/keramos/gather_sum/Interaction.hpp"
#include "../../../src/keramos/gather_sum/Scratch.hpp"
#include "../Device.hpp"
#include "Launch.hpp"
#include "Partition.hpp"
#include "ProductTile.hpp"

#include <cstdlib>
#include <optional>
#include <type_traits>

namespace Keramos::cuda::gather_sum {

/// Sum is a built-in kernel, or a user's as a FunctorPair.
template <class T, bool WithGradient, class Sum>
struct GatherSumPlan : GatherJob<T> {
  Sum sum;
  core::GatherWorkspace workspace;
  std::size_t workspace_bytes;
};

/// What the kernels sum: the compiled ones of the library, or a functor.
template <class T, core::BuiltInKernel K>
auto sum_of(const core::Interaction<T, K>& interaction)
{
  return core::library_kernel(K{interaction.kernel});
}
template <class T, class K>
FunctorPair<T, K> sum_of(const core::Interaction<T, K>& interaction)
{
  return {interaction};
}

/// The call as the kernel of a grid takes it: lanes along the faster one of the user's first and third axis, and a thread's
/// targets along his second.
template <class T>
core::GatherSumCall<T> along_second_axis(const core::GatherSumCall<T>& call, bool z_first)
{
  return z_first ? permuted(call, {2, 1, 0}) : call;
}

/// Is the call a matrix product? For all grids or for none, for the sums of both ways differ in bits.
template <class T, bool WithGradient, class K>
bool has_product(const Device& device, const core::GatherTargets<T>& targets)
{
  return std::is_same_v<K, Gaussian> && !WithGradient && targets.on_grid && has_product_tiles<T>(device);
}

template <class T, bool WithGradient, class K>
auto choose(const Device& device, const core::GatherSumProblem<T, WithGradient>& problem,
            const core::Interaction<T, K>& interaction)
{
  using Interaction = core::Interaction<T, K>;
  constexpr TargetsPerThread targets = core::BuiltInKernel<K>
                                           ? BuiltInTargets<T, WithGradient, K>::per_thread
                                           : FunctorTargets<Interaction::is_radial, WithGradient>::per_thread;
  const bool on_grid = problem.call.targets.on_grid;
  const auto& stride = problem.call.output.potential.stride;
  const bool z_first = problem.call.targets.axes == 3 && std::abs(stride[2]) < std::abs(stride[0]);
  const core::GatherSumCall<T> grid_call = along_second_axis(problem.call, z_first);
  const std::int64_t sources = problem.call.sources.count();
  GatherPartition partition;
  if (has_product<T, WithGradient, K>(device, problem.call.targets)) {
    partition = partition_product<T>(device, problem.call, sources);
  } else {
    partition = partition_gather_sum(device, problem.target_count(),
                                     on_grid ? &grid_call.output.potential.extent : nullptr, sources, targets);
    partition.z_first = z_first;
    if (Interaction::is_radial && on_grid) partition.order = problem.call.targets.coordinate;
  }
  partition.reads_records = are_records(problem.call.sources, partition.order);
  const std::size_t bytes = scratch_bytes(partition, problem.target_count(), WithGradient ? 4 : 1);
  const auto variant = [shape = partition.shape, targets_per_thread = partition.targets_per_thread,
                        chunked = partition.chunks > 1, allocates = bytes > 0 && !problem.workspace.given] {
    return core::text(Interaction::name(), ' ',
                      partition_text(shape, targets_per_thread, Interaction::sums(WithGradient), chunked),
                      allocates ? ", scratch allocated" : "");
  };
  using Plan = GatherSumPlan<T, WithGradient, decltype(sum_of(interaction))>;
  return std::optional<Plan>(
      Plan{{{Backend::cuda, "gather_sum", variant},
            partition,
            partition.shape == GatherShape::grid || partition.shape == GatherShape::grid_by_warps ? grid_call
            : partition.shape == GatherShape::product                                             ? problem.call
                                                                                                  : problem.sorted},
           sum_of(interaction),
           problem.workspace,
           bytes});
}

template <class T, bool WithGradient, class Sum>
void launch(const GatherSumPlan<T, WithGradient, Sum>& plan, const Kokkos::Cuda& space)
{
  const core::GatherScratch scratch(space, plan.workspace, plan.workspace_bytes);
  double* const partial = static_cast<double*>(scratch.data());
  if constexpr (core::BuiltInKernel<Sum>)
    launch_built_in<WithGradient>(plan, space, plan.sum, partial);
  else
    launch_pairs<WithGradient, FunctorTargets<Sum::Interaction::is_radial, WithGradient>>(plan, space, plan.sum,
                                                                                          partial);
  if (plan.partition.chunks > 1) launch_chunks<WithGradient>(plan, space, partial);
}

} // namespace Keramos::cuda::gather_sum
