// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host gather-sums: targets are cut into tasks; a task takes the sources block by block and holds its sums in double.
// The built-in kernels run compiled vector code, along the rows of a grid or over single points (GatherSum.cpp); a
// user's functor is instantiated here, in the same tasks.
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/GatherSumProblem.hpp"
#include "GatherTasks.hpp"

#include <optional>

namespace Keramos::openmp {

struct GatherSumPlan {
  Kernel kernel;
  GatherCut cut;
};

/// The built-in kernels as the compiled tasks take them.
template <class T>
GatherBuiltIn<T> built_in(const Coulomb& kernel)
{
  return {GatherFamily::inverse_root, static_cast<T>(kernel.softening * kernel.softening), kernel.singular()};
}
template <class T>
GatherBuiltIn<T> built_in(const Yukawa& kernel)
{
  return {GatherFamily::yukawa, static_cast<T>(kernel.kappa), true};
}
template <class T>
GatherBuiltIn<T> built_in(const Gaussian& kernel)
{
  return {GatherFamily::gaussian, static_cast<T>(kernel.rate()), false};
}
template <class T>
GatherBuiltIn<T> built_in(const InverseMultiquadric& kernel)
{
  return {GatherFamily::inverse_root, static_cast<T>(kernel.c * kernel.c), false};
}

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan> choose(const core::GatherSumProblem<T, WithGradient>& problem,
                                    const core::Interaction<T, K>& interaction)
{
  const auto& [targets, sources, output] = problem.sorted;
  const char* gradient = WithGradient ? " gradient" : "";
  if constexpr (core::BuiltInKernel<K>) {
    const GatherFamily family = built_in<T>(interaction.kernel).family;
    const bool rows = targets.on_grid && suits_rows(output.potential.extent[0], sizeof(T), family);
    const char* how = !targets.on_grid                   ? "points "
                      : !rows                            ? "grid points "
                      : family == GatherFamily::gaussian ? "grid product "
                                                         : "grid rows ";
    return GatherSumPlan{
        {Backend::openmp, "gather_sum", core::text(how, K::name, gradient, ' ', instruction_set_name())},
        rows ? cut_rows(output.potential.extent, family) : cut_points(problem.target_count())};
  } else {
    const char* how = targets.on_grid ? "grid points " : "points ";
    const char* functor = core::Interaction<T, K>::is_radial ? "radial functor" : "pair functor";
    return GatherSumPlan{{Backend::openmp, "gather_sum", core::text(how, functor, gradient)},
                         cut_points(problem.target_count())};
  }
}

template <class Space, class T, bool WithGradient, class K>
void launch(const GatherSumPlan& plan, const Space& space, const core::GatherSumProblem<T, WithGradient>& problem,
            const core::Interaction<T, K>& interaction)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  const Policy policy(space, 0, plan.cut.tasks, Kokkos::ChunkSize(1));
  const core::GatherSumCall<T> call = problem.sorted;
  const GatherCut cut = plan.cut;
  if constexpr (core::BuiltInKernel<K>) {
    const GatherBuiltIn<T> kernel = built_in<T>(interaction.kernel);
    Kokkos::parallel_for(plan.kernel.name(), policy,
                         [=](std::int64_t task) { run_task(call, cut, kernel, WithGradient, task); });
  } else {
    const FunctorTile<T, WithGradient, K> functor{interaction};
    Kokkos::parallel_for(plan.kernel.name(), policy,
                         [=](std::int64_t task) { point_task<WithGradient>(call, cut, functor, task); });
  }
}

} // namespace Keramos::openmp
