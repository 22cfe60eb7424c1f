// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host gather-sums with a cutoff, of the built-in kernels: sources are sorted into cells, and points as well, so that
// neighbouring targets read the same cells. A task takes some targets, one after the other; the runs of sources that a target
// reads are those of the one before where both read the same cells.
#pragma once

#include "../../../src/keramos/gather_sum/CellSort.hpp"
#include "../../../src/keramos/gather_sum/Cutoff.hpp"
#include "../../../src/keramos/gather_sum/Scratch.hpp"
#include "GatherSum.hpp"

#include <optional>

namespace Keramos::openmp::gather_sum {

/// Targets of a task: many, that runs may be shared, and tasks enough for many cores.
inline constexpr std::int64_t cutoff_task_targets = 256;

/// The points of a call as its targets.
template <class T>
struct TargetPoints {
  core::GatherTargets<T> targets;
  KOKKOS_FUNCTION core::Point<T> operator[](std::int64_t i) const { return targets[{i, 0, 0}]; }
};

/// What lies in scratch.
template <class T>
struct CutoffArrays {
  core::SortedSources<T> sources;
  std::optional<core::BucketLists> targets; ///< of points

  CutoffArrays(core::ScratchArrays& scratch, const core::CellGrid<T>& grid, const core::GatherSumCall<T>& call)
      : sources(scratch, grid.buckets(), call.sources.count())
  {
    if (!call.targets.on_grid) targets.emplace(scratch, grid.buckets(), call.targets.points.count);
  }
};

/// Everything that a task reads.
template <class T>
struct CutoffJob {
  core::GatherSumCall<T> call;
  core::CellGrid<T> grid;
  core::CutoffRule<T> rule;
  GatherBuiltIn<T> kernel;
  T shift;
  const std::int64_t* begin; ///< of the sources of each bucket
  CutoffSources<T> sources;
  const std::int64_t* target_order; ///< none: as they are counted
};

void run_cutoff_task(const CutoffJob<float>& job, bool with_gradient, std::int64_t task);
void run_cutoff_task(const CutoffJob<double>& job, bool with_gradient, std::int64_t task);

template <class T, bool WithGradient>
struct CutoffTasks {
  CutoffJob<T> job;
  void operator()(std::int64_t task) const { run_cutoff_task(job, WithGradient, task); }
};

template <class T, bool WithGradient>
struct CutoffPlan {
  Kernel kernel;
  core::CutoffProblem<T, WithGradient> problem;
  GatherBuiltIn<T> built_in;
  T shift;
  core::GatherWorkspace workspace;
  std::size_t workspace_bytes;
};

template <class T, bool WithGradient, core::BuiltInKernel K>
std::optional<CutoffPlan<T, WithGradient>> choose(const core::CutoffProblem<T, WithGradient>& problem,
                                                  const core::Interaction<T, K>& interaction)
{
  const core::GatherSumCall<T>& call = problem.sum.call;
  core::ScratchArrays count(nullptr);
  const CutoffArrays<T> arrays(count, problem.grid, call);
  const auto variant = [on_grid = call.targets.on_grid, allocates = !problem.sum.workspace.given] {
    using Interaction = core::Interaction<T, K>;
    return core::text("cutoff ", on_grid ? "grid points " : "points ", Interaction::name(),
                      Interaction::sums(WithGradient), ' ', instruction_set_name(),
                      allocates ? ", scratch allocated" : "");
  };
  return CutoffPlan<T, WithGradient>{{Backend::openmp, "gather_sum", variant},
                                     problem,
                                     built_in<T, WithGradient>(interaction),
                                     core::CutoffInteraction<T, K>{interaction, problem.rule}.shift(),
                                     problem.sum.workspace,
                                     count.bytes()};
}

/// A user's functor is left to the portable kernels.
struct NoCutoffPlan {
  Kernel kernel;
};
template <class T, bool WithGradient, class K>
std::optional<NoCutoffPlan> choose(const core::CutoffProblem<T, WithGradient>&, const core::Interaction<T, K>&)
{
  return {};
}
template <class Space>
void launch(const NoCutoffPlan&, const Space&)
{
}

template <class Space, class T, bool WithGradient>
void launch(const CutoffPlan<T, WithGradient>& plan, const Space& space)
{
  const core::GatherScratch<Space> scratch(space, plan.workspace, plan.workspace_bytes);
  core::ScratchArrays memory(scratch.data());
  const auto& sum = plan.problem.sum;
  const core::CellGrid<T>& grid = plan.problem.grid;
  const CutoffArrays<T> arrays(memory, grid, sum.call);
  const std::string label = core::label(plan.kernel);
  core::sort_sources(label, space, arrays.sources, grid, sum.call.sources);
  if (arrays.targets)
    core::sort_into_buckets(label, space, *arrays.targets, grid, TargetPoints<T>{sum.call.targets}, 0);
  const core::SortedSources<T>& sorted = arrays.sources;
  const core::CutoffRule<T>& rule = plan.problem.rule;
  const CutoffTasks<T, WithGradient> tasks{{sum.sorted,
                                            grid,
                                            rule,
                                            plan.built_in,
                                            plan.shift,
                                            sorted.lists.begin,
                                            {{sorted.coordinate[0], sorted.coordinate[1], sorted.coordinate[2]},
                                             sorted.weight,
                                             plan.built_in.parameter,
                                             plan.built_in.singular,
                                             rule.limit,
                                             plan.shift,
                                             rule.switch_on,
                                             rule.switch_rate},
                                            arrays.targets ? arrays.targets->order : nullptr}};
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      label, Policy(space, 0, core::ceil_div(sum.target_count(), cutoff_task_targets), Kokkos::ChunkSize(1)), tasks);
}

} // namespace Keramos::openmp::gather_sum
