// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA gather-sums. Threads own targets, on a grid with the distance across it shared, and read the sources together
// from shared memory (GatherSumKernels.hpp); where targets are few, threads own sources and warp shuffles add them up
// (GatherSumFew.hpp). The built-in kernels are compiled once; a user's functor is instantiated here, in two of the three
// kernels.
//
// Blocks of 256 sources are summed in the value type with the hardware's approximate root and exponential, which stay
// within the bound of backends/reference/GatherSum.hpp, and their totals in double. A block whose sum is not finite (a
// coincident source, an overflow, a NaN) is computed again as the reference does it. A kernel's value below the
// smallest normal number counts as zero.
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/GatherSumProblem.hpp"
#include "Device.hpp"
#include "GatherSumCut.hpp"
#include "GatherSumLaunch.hpp"
#include "GatherSumScratch.hpp"

#include <optional>

namespace Keramos::cuda {

struct GatherSumPlan {
  Kernel kernel;
  GatherCut cut;
  std::size_t workspace_bytes = 0;
};

template <class K>
const K& library_kernel(const K& kernel)
{
  return kernel;
}
inline Coulomb library_kernel(const InverseMultiquadric& kernel) { return {.softening = kernel.c}; }

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan> choose(const Device& device, const core::GatherSumProblem<T, WithGradient>& problem,
                                    const core::Interaction<T, K>&)
{
  const auto& [targets, sources, output] = problem.sorted;
  constexpr GatherReach reach = core::BuiltInKernel<K> ? BuiltInReach<T, WithGradient>::value : FunctorReach::value;
  GatherSumPlan plan;
  plan.cut = cut_gather_sum(device, output.potential.extent, targets.on_grid, sources.count(), reach);
  plan.workspace_bytes = scratch_bytes(plan.cut, problem.target_count(), WithGradient ? 4 : 1);
  check_workspace(problem.workspace, plan.workspace_bytes);
  const char* name = "pair functor";
  if constexpr (core::BuiltInKernel<K>)
    name = K::name;
  else if constexpr (core::Interaction<T, K>::is_radial)
    name = "radial functor";
  const bool allocates = plan.workspace_bytes > 0 && !problem.workspace.given;
  plan.kernel = {Backend::cuda, "gather_sum",
                 core::text(name, ' ', cut_text(plan.cut, WithGradient), allocates ? ", scratch allocated" : "")};
  return plan;
}

template <class T, bool WithGradient, class K>
void launch(const GatherSumPlan& plan, const Kokkos::Cuda& space,
            const core::GatherSumProblem<T, WithGradient>& problem, const core::Interaction<T, K>& interaction)
{
  const std::string name = plan.kernel.name();
  const core::GatherSumCall<T> call = turned(problem.sorted, plan.cut.along);
  const GatherScratch scratch(space, problem.workspace, plan.workspace_bytes);
  if constexpr (core::BuiltInKernel<K>)
    launch_built_in<WithGradient>(name, space, call, plan.cut, library_kernel(interaction.kernel), scratch.data());
  else
    launch_pairs<WithGradient, FunctorReach>(name, space, call, plan.cut, FunctorPair<T, K>{interaction},
                                             scratch.data());
  if (plan.cut.chunks > 1) launch_chunks<WithGradient>(name, space, call.output, plan.cut, scratch.data());
}

} // namespace Keramos::cuda
