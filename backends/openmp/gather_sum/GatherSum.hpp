// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host gather-sums: targets are partitioned into tasks; a task takes the sources block by block and holds its sums in
// double. The built-in kernels run compiled vector code, along the rows of a grid or over single points
// (GatherSum.cpp); a user's functor is instantiated here, in the same tasks.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "../../../src/keramos/gather_sum/Interaction.hpp"
#include "FunctorTile.hpp"
#include "RowTask.hpp"
#include "Tasks.hpp"

#include <cstdint>
#include <optional>

namespace Keramos::openmp::gather_sum {

/// The built-in kernels as the compiled tasks take them.
template <class T>
GatherBuiltIn<T> built_in(const Coulomb& kernel)
{
  return {GatherFamily::coulomb, static_cast<T>(kernel.softening * kernel.softening), kernel.singular()};
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

template <class T, bool WithGradient, core::BuiltInKernel K>
GatherBuiltIn<T> built_in(const core::Interaction<T, K>& interaction)
{
  GatherBuiltIn<T> result = built_in<T>(core::library_kernel(interaction.kernel));
  if constexpr (WithGradient)
    result.parts = core::Interaction<T, K>::with_potential ? GatherParts::both : GatherParts::gradient;
  return result;
}

/// All tasks of a call. Sum is GatherBuiltIn, or a FunctorTile.
template <class T, bool WithGradient, class Sum>
struct GatherTasks {
  core::GatherSumCall<T> call; ///< axes fastest first
  GatherPartition partition;
  Sum sum;

  void operator()(std::int64_t task) const
  {
    if constexpr (std::is_same_v<Sum, GatherBuiltIn<T>>)
      run_task(call, partition, sum, WithGradient, task);
    else if (partition.rows)
      row_task<WithGradient>(
          call, partition, [this](const GatherTile<T>& tile) { sum.add_row(tile); }, task);
    else
      point_task<WithGradient>(
          call, partition, [this](const GatherTile<T>& tile) { sum.add_points(tile); }, task);
  }
};

template <class T, bool WithGradient, class Sum>
struct GatherSumPlan {
  Kernel kernel;
  GatherTasks<T, WithGradient, Sum> tasks;
};

/// The call with the last axis that the user named first: rows run along it, whatever the layout, because r^2 is summed
/// in the order of the axes.
template <class T>
core::GatherSumCall<T> along_rows(const core::GatherSumCall<T>& call)
{
  return call.targets.axes == 3 ? permuted(call, {2, 0, 1}) : permuted(call, {1, 0, 2});
}

template <class T, bool WithGradient, core::BuiltInKernel K>
std::optional<GatherSumPlan<T, WithGradient, GatherBuiltIn<T>>>
choose(const core::GatherSumProblem<T, WithGradient>& problem, const core::Interaction<T, K>& interaction)
{
  const GatherBuiltIn<T> kernel = built_in<T, WithGradient>(interaction);
  const bool on_grid = problem.call.targets.on_grid;
  const core::GatherSumCall<T> row_call = along_rows(problem.call);
  const core::Field<T, 3>& out = row_call.output.potential;
  const bool rows = on_grid && suits_rows(out.extent[0], sizeof(T), kernel.family);
  const char* how = !on_grid                                  ? "points "
                    : !rows                                   ? "grid points "
                    : kernel.family == GatherFamily::gaussian ? "grid product "
                                                              : "grid rows ";
  const auto variant = [how] {
    using Interaction = core::Interaction<T, K>;
    return core::text(how, Interaction::name(), Interaction::sums(WithGradient), ' ', instruction_set_name());
  };
  GatherPartition partition = rows ? partition_rows(out.extent, out.stride, kernel.family, WithGradient)
                                   : partition_points(problem.target_count());
  if (on_grid) partition.order = row_call.targets.coordinate;
  return GatherSumPlan<T, WithGradient, GatherBuiltIn<T>>{{Backend::openmp, "gather_sum", variant},
                                                          {rows ? row_call : problem.sorted, partition, kernel}};
}

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan<T, WithGradient, FunctorTile<T, WithGradient, K>>>
choose(const core::GatherSumProblem<T, WithGradient>& problem, const core::Interaction<T, K>& interaction)
{
  using Interaction = core::Interaction<T, K>;
  const bool on_grid = problem.call.targets.on_grid;
  const core::GatherSumCall<T> row_call = along_rows(problem.call);
  const core::Field<T, 3>& out = row_call.output.potential;
  const bool rows = Interaction::is_radial && on_grid && suits_rows(out.extent[0], sizeof(T), GatherFamily::coulomb);
  const char* how = !on_grid ? "points " : rows ? "grid rows " : "grid points ";
  const auto variant = [how] {
    return core::text(how, Interaction::name(), Interaction::sums(WithGradient), ' ', vectorised_name());
  };
  GatherPartition partition = rows ? partition_rows(out.extent, out.stride, GatherFamily::coulomb, WithGradient)
                                   : partition_points(problem.target_count());
  if (on_grid && Interaction::is_radial) partition.order = row_call.targets.coordinate;
  return GatherSumPlan<T, WithGradient, FunctorTile<T, WithGradient, K>>{
      {Backend::openmp, "gather_sum", variant}, {rows ? row_call : problem.sorted, partition, {interaction}}};
}

template <class Space, class T, bool WithGradient, class Sum>
void launch(const GatherSumPlan<T, WithGradient, Sum>& plan, const Space& space)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(core::label(plan.kernel), Policy(space, 0, plan.tasks.partition.tasks, Kokkos::ChunkSize(1)),
                       plan.tasks);
}

} // namespace Keramos::openmp::gather_sum
