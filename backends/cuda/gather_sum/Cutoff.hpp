// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA gather-sums with a cutoff: sources are sorted into cells (CellLists.cpp), and points as well, so that neighbouring
// threads read the same cells; then CutoffKernel.hpp sums. The built-in kernels are compiled once.
#pragma once

#include "../../../src/keramos/gather_sum/Scratch.hpp"
#include "../Device.hpp"
#include "CutoffKernel.hpp"

#include <cstddef>
#include <optional>

namespace Keramos::cuda::gather_sum {

/// Points and buckets have numbers of 32 bits; more of them are left to the portable kernels.
inline constexpr std::int64_t max_cutoff_points = std::int64_t{1} << 30;

template <class T, bool WithGradient, class K>
std::optional<core::CutoffPlan<T, WithGradient, K>>
choose(const Device&, const core::CutoffProblem<T, WithGradient>& problem, const core::Interaction<T, K>& interaction)
{
  const core::GatherSumCall<T>& call = problem.sum.sorted;
  if (call.sources.count() > max_cutoff_points || problem.sum.target_count() > max_cutoff_points) return {};
  core::ScratchArrays count(nullptr);
  CutoffLists<T>(count, problem.grid, call);
  const auto variant = [on_grid = call.targets.on_grid, allocates = !problem.sum.workspace.given] {
    using Interaction = core::Interaction<T, K>;
    return core::text("cutoff ", on_grid ? "grid points " : "points ", Interaction::name(),
                      Interaction::sums(WithGradient), allocates ? ", scratch allocated" : "");
  };
  return core::CutoffPlan<T, WithGradient, K>{{Backend::cuda, "gather_sum", variant},
                                              problem,
                                              {interaction, problem.rule},
                                              problem.sum.workspace,
                                              count.bytes()};
}

template <class T, bool WithGradient, class K>
void launch(const core::CutoffPlan<T, WithGradient, K>& plan, const Kokkos::Cuda& space)
{
  const core::GatherScratch scratch(space, plan.workspace, plan.workspace_bytes);
  core::ScratchArrays arrays(scratch.data());
  const core::GatherSumCall<T>& call = plan.problem.sum.sorted;
  const CutoffLists<T> lists(arrays, plan.problem.grid, call);
  sort_into_cells(plan.kernel, space, lists, plan.problem.grid, call);
  const CutoffJob<T> job{call, plan.problem.grid, lists.sources, lists.of_sources.begin, lists.of_targets.order};
  if constexpr (core::BuiltInKernel<K>)
    launch_built_in_cutoff<WithGradient>(plan.kernel, space, job, core::library_kernel(K{plan.interaction.pair.kernel}),
                                         plan.interaction.rule);
  else
    launch_cutoff<WithGradient>(plan.kernel, space, job, plan.interaction);
}

} // namespace Keramos::cuda::gather_sum
