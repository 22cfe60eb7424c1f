// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums as one Kokkos::parallel_for over targets: right on every execution space, with every kernel. Covers every
// call.
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/GatherSumProblem.hpp"

#include <optional>

namespace Keramos::portable {

struct GatherSumPlan {
  Kernel kernel;
};

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan> choose(const core::GatherSumProblem<T, WithGradient>&, const core::Interaction<T, K>&)
{
  return GatherSumPlan{{Backend::portable, "gather_sum", WithGradient ? "target gradient" : "target"}};
}

/// One target: blocks of sources in the value type, their totals in double.
template <class T, bool WithGradient, class K>
struct GatherSumTarget {
  core::GatherSumCall<T> call;
  core::Interaction<T, K> interaction;

  KOKKOS_FUNCTION void operator()(std::int64_t flat) const
  {
    const core::Index3 i = core::unflatten(flat, call.output.potential.extent);
    const core::Point<T> target = call.targets[i];
    const std::int64_t count = call.sources.count();
    core::GatherTotal<double> total;
    for (std::int64_t begin = 0; begin < count; begin += core::source_block) {
      const std::int64_t end = begin + core::source_block < count ? begin + core::source_block : count;
      core::GatherTotal<T> block;
      for (std::int64_t j = begin; j < end; ++j)
        interaction.template add<WithGradient>(block, target, call.sources[j], call.sources.weight(j));
      total.potential += block.potential;
      for (int d = 0; d < 3; ++d) total.gradient[d] += block.gradient[d];
    }
    call.output.store(i, total);
  }
};

template <class Space, class T, bool WithGradient, class K>
void launch(const GatherSumPlan& plan, const Space& space, const core::GatherSumProblem<T, WithGradient>& problem,
            const core::Interaction<T, K>& interaction)
{
  Kokkos::parallel_for(plan.kernel.name(),
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, problem.target_count()),
                       GatherSumTarget<T, WithGradient, K>{problem.sorted, interaction});
}

} // namespace Keramos::portable
