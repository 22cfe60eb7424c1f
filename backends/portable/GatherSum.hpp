// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums as one Kokkos::parallel_for over targets: right on every execution space, with every kernel. Covers every
// call.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/gather_sum/Interaction.hpp"

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
      {Backend::portable, "gather_sum", WithGradient ? "target gradient" : "target"},
      problem.target_count(),
      {problem.sorted, interaction}};
}

template <class Space, class T, bool WithGradient, class K>
void launch(const GatherSumPlan<T, WithGradient, K>& plan, const Space& space)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(core::label(plan.kernel), Policy(space, 0, plan.targets), plan.sum);
}

} // namespace Keramos::portable::gather_sum
