// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of right for gather-sums: every target, and for each every source, over the call as the user wrote it,
// on the host, in the calling thread. Kernels are evaluated in the value type, sums are double.
//
// Another backend may differ from it by eps * sum over j of |w(j)| |K(j)| * (min(n, 256) + 10 + 4 q(j)): eps of the
// value type, n sources; 256 terms of a block are added in the value type; 10 bounds the roundings inside a kernel; and
// the relative error of r is magnified by q = |r K'(r) / K(r)|, the condition of the kernel (1 for 1/r, kappa r for a
// far Yukawa).
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/GatherSumProblem.hpp"

#include <optional>

namespace Keramos::reference {

struct GatherSumPlan {
  Kernel kernel;
};

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan> choose(const core::GatherSumProblem<T, WithGradient>&, const core::Interaction<T, K>&)
{
  return GatherSumPlan{{Backend::reference, "gather_sum", "double loop"}};
}

template <class Space, class T, bool WithGradient, class K>
void launch(const GatherSumPlan& plan, const Space& space, const core::GatherSumProblem<T, WithGradient>& problem,
            const core::Interaction<T, K>& interaction)
{
  const core::GatherSources<T>& sources = problem.call.sources;
  const core::GatherOutput<T>& output = problem.call.output;
  const auto point = [&](const core::Index3& i) {
    const core::Point<T> target = problem.call.targets[i];
    core::GatherTotal<double> total;
    for (std::int64_t j = 0; j < sources.count(); ++j)
      interaction.template add<WithGradient>(total, target, sources[j], sources.weight(j));
    output.store(i, total);
  };
  Kokkos::parallel_for(plan.kernel.name(), Kokkos::RangePolicy<Space>(space, 0, 1), [&](int) {
    for (std::int64_t i = 0; i < output.potential.extent[0]; ++i)
      for (std::int64_t j = 0; j < output.potential.extent[1]; ++j)
        for (std::int64_t k = 0; k < output.potential.extent[2]; ++k) point({i, j, k});
  });
}

} // namespace Keramos::reference
