// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of right for gather-sums: every target, and for each every source, over the call as the user wrote it,
// on the host, in the calling thread. Kernels are evaluated in the value type, sums are double, in the order of the tree of
// src/keramos/gather_sum/Problem.hpp.
//
// Another backend may differ from it by eps * sum over j of |w(j)| |K(j)| * (min(n, 256) + 10 + 4 q(j)): eps of the
// value type, n sources; 256 terms of a block are added in the value type; 10 bounds the roundings inside a kernel; and
// the relative error of r is magnified by q = |r K'(r) / K(r)|, the condition of the kernel (1 for 1/r, kappa r for a
// far Yukawa).
//
// With a cutoff, the same over the pairs that count, and a pair whose r^2 is that of the cutoff to within its rounding may count
// or not: r^2 is 4 eps off, and 8 eps of the length of a box times r.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/gather_sum/Cutoff.hpp"
#include "../../src/keramos/gather_sum/Interaction.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace Keramos::reference::gather_sum {

/// Pair: an Interaction, or a CutoffPair.
template <class T, bool WithGradient, class Pair>
struct GatherSumPlan {
  Kernel kernel;
  core::GatherSumCall<T> call;
  Pair interaction;
};

/// What a source adds under a cutoff, both as the user gave them: the nearest image of the source, if it is close enough.
template <class T, class K>
struct CutoffPair {
  core::CutoffInteraction<T, K> interaction;
  core::CellGrid<T> grid;
  T shift;

  template <bool WithGradient, class Sum>
  void add(core::GatherTotal<Sum>& total, const core::Point<T>& target, const core::Point<T>& source, T weight) const
  {
    if (!grid.holds(target) || !grid.holds(source)) return;
    const core::Point<T> inside = grid.in_box(target);
    interaction.template add<WithGradient>(total, inside, grid.nearest(inside, grid.in_box(source)), weight, shift);
  }
};

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan<T, WithGradient, core::Interaction<T, K>>>
choose(const core::GatherSumProblem<T, WithGradient>& problem, const core::Interaction<T, K>& interaction)
{
  return GatherSumPlan<T, WithGradient, core::Interaction<T, K>>{
      {Backend::reference, "gather_sum", "double loop"}, problem.call, interaction};
}

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan<T, WithGradient, CutoffPair<T, K>>>
choose(const core::CutoffProblem<T, WithGradient>& problem, const core::Interaction<T, K>& interaction)
{
  const core::CutoffInteraction<T, K> cut{interaction, problem.rule};
  return GatherSumPlan<T, WithGradient, CutoffPair<T, K>>{
      {Backend::reference, "gather_sum", "cutoff double loop"}, problem.sum.call, {cut, problem.grid, cut.shift()}};
}

template <class Space, class T, bool WithGradient, class Pair>
void launch(const GatherSumPlan<T, WithGradient, Pair>& plan, const Space& space)
{
  const core::GatherSources<T>& sources = plan.call.sources;
  const core::GatherOutput<T>& output = plan.call.output;
  const auto point = [&](const core::Index3& i) {
    const core::Point<T> target = plan.call.targets[i];
    core::BlockTree<WithGradient> tree;
    for (std::int64_t block = 0; block * core::source_block < sources.count(); ++block) {
      core::GatherTotal<double> total;
      const std::int64_t begin = block * core::source_block;
      for (std::int64_t j = begin; j < std::min(begin + core::source_block, sources.count()); ++j)
        plan.interaction.template add<WithGradient>(total, target, sources[j], sources.weight(j));
      tree.add(block, total);
    }
    output.template store<WithGradient>(i, tree.total());
  };
  Kokkos::parallel_for(core::label(plan.kernel), Kokkos::RangePolicy<Space>(space, 0, 1), [&](int) {
    for (std::int64_t i = 0; i < output.potential.extent[0]; ++i)
      for (std::int64_t j = 0; j < output.potential.extent[1]; ++j)
        for (std::int64_t k = 0; k < output.potential.extent[2]; ++k) point({i, j, k});
  });
}

} // namespace Keramos::reference::gather_sum
