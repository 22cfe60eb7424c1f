// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums as one Kokkos::parallel_for over targets: right on every execution space, with every kernel. Covers every
// call. With a cutoff, sources are sorted into cells first, by kernels on the same instance.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/gather_sum/CellSort.hpp"
#include "../../src/keramos/gather_sum/Cutoff.hpp"
#include "../../src/keramos/gather_sum/Interaction.hpp"
#include "../../src/keramos/gather_sum/Scratch.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace Keramos::portable::gather_sum {

/// One target: blocks of sources in the value type, their totals in double, by the tree.
template <class T, bool WithGradient, class K>
struct GatherSumTarget {
  core::GatherSumCall<T> call;
  core::Interaction<T, K> interaction;

  KOKKOS_FUNCTION void operator()(std::int64_t flat) const
  {
    const core::Index3 i = core::unflatten(flat, call.output.potential.extent);
    const core::Point<T> target = call.targets[i];
    const std::int64_t count = call.sources.count();
    core::BlockTree<WithGradient> tree;
    for (std::int64_t number = 0; number * core::source_block < count; ++number) {
      const std::int64_t begin = number * core::source_block;
      const std::int64_t end = begin + core::source_block < count ? begin + core::source_block : count;
      core::GatherTotal<T> block;
      for (std::int64_t j = begin; j < end; ++j)
        interaction.template add<WithGradient>(block, target, call.sources[j], call.sources.weight(j));
      core::GatherTotal<double> total;
      total.add(block);
      tree.add(number, total);
    }
    call.output.template store<WithGradient>(i, tree.total());
  }
};

template <class T, bool WithGradient, class K>
struct GatherSumPlan {
  Kernel kernel;
  std::int64_t targets;
  GatherSumTarget<T, WithGradient, K> sum;
};

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan<T, WithGradient, K>> choose(const core::GatherSumProblem<T, WithGradient>& problem,
                                                        const core::Interaction<T, K>& interaction)
{
  return GatherSumPlan<T, WithGradient, K>{
      {Backend::portable, "gather_sum",
       [] { return core::text("target", core::Interaction<T, K>::sums(WithGradient)); }},
      problem.target_count(),
      {problem.sorted, interaction}};
}

template <class Space, class T, bool WithGradient, class K>
void launch(const GatherSumPlan<T, WithGradient, K>& plan, const Space& space)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(core::label(plan.kernel), Policy(space, 0, plan.targets), plan.sum);
}

// ---- With a cutoff --------------------------------------------------------------------------------------------------

/// One target: the sources of the cells around it, blocks of them in the value type and their totals in double.
template <class T, bool WithGradient, class K>
struct CutoffTarget {
  core::GatherSumCall<T> call;
  core::CutoffInteraction<T, K> interaction;
  core::CellGrid<T> grid;
  core::SortedSources<T> sources;

  KOKKOS_FUNCTION void operator()(std::int64_t flat) const
  {
    const core::Index3 i = core::unflatten(flat, call.output.potential.extent);
    const core::Point<T> given = call.targets[i];
    core::GatherTotal<double> total;
    if (grid.holds(given)) {
      const core::Point<T> target = grid.in_box(given);
      const T shift = interaction.shift();
      grid.for_each_run(grid.range(target), [&](const core::CellRun& run) {
        const core::Point<T> shifted = grid.shifted(target, run.image);
        const std::int64_t end = sources.end(run);
        for (std::int64_t j = sources.begin(run); j < end;) {
          core::GatherTotal<T> block;
          for (const std::int64_t last = j + core::source_block; j < end && j < last; ++j)
            interaction.template add<WithGradient>(block, shifted, sources[j], sources.weight[j], shift);
          total.add(block);
        }
      });
    }
    call.output.template store<WithGradient>(i, total);
  }
};

template <class T, bool WithGradient, class K>
std::optional<core::CutoffPlan<T, WithGradient, K>> choose(const core::CutoffProblem<T, WithGradient>& problem,
                                                           const core::Interaction<T, K>& interaction)
{
  core::ScratchArrays count(nullptr);
  core::SortedSources<T>(count, problem.grid.buckets(), problem.sum.call.sources.count());
  const auto variant = [allocates = !problem.sum.workspace.given] {
    return core::text("cutoff target", core::Interaction<T, K>::sums(WithGradient),
                      allocates ? ", scratch allocated" : "");
  };
  return core::CutoffPlan<T, WithGradient, K>{{Backend::portable, "gather_sum", variant},
                                              problem,
                                              {interaction, problem.rule},
                                              problem.sum.workspace,
                                              count.bytes()};
}

template <class Space, class T, bool WithGradient, class K>
void launch(const core::CutoffPlan<T, WithGradient, K>& plan, const Space& space)
{
  const core::GatherScratch<Space> scratch(space, plan.workspace, plan.workspace_bytes);
  core::ScratchArrays arrays(scratch.data());
  const auto& sum = plan.problem.sum;
  const core::CellGrid<T>& grid = plan.problem.grid;
  const core::SortedSources<T> sorted(arrays, grid.buckets(), sum.call.sources.count());
  const std::string label = core::label(plan.kernel);
  core::sort_sources(label, space, sorted, grid, sum.call.sources);
  core::launch_over(label, space, sum.target_count(),
                    CutoffTarget<T, WithGradient, K>{sum.sorted, plan.interaction, grid, sorted});
}

} // namespace Keramos::portable::gather_sum
