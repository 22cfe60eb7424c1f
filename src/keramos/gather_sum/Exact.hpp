// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of float Views in double, for Exact: sources and points are copied to doubles in scratch, which is exact, the backends sum
// those like any other call of double, and the sums are rounded into the output once. So the call has the kernels and the bits
// of double, and no backend knows of it.
#pragma once

#include "../core/Execution.hpp"
#include "CellSort.hpp"
#include "Cutoff.hpp"
#include "Problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace Keramos::core {

// ---- The kernels around the sum -------------------------------------------------------------------------------------

/// Rows of coordinates and weight, one a source: what every backend reads fastest.
struct SourcesToDouble {
  GatherSources<float> from;
  double* rows;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    const int dimension = from.positions.dimension;
    const Point<float> position = from[j];
    double* const row = rows + j * (dimension + 1);
    for (int d = 0; d < dimension; ++d) row[d] = position[d];
    row[dimension] = from.weight(j);
  }
};

/// Coordinates apart, as threads of neighbouring targets read them.
struct PointsToDouble {
  GatherPoints<float> from;
  double* coordinates;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    const Point<float> point = from[j];
    for (int d = 0; d < from.dimension; ++d) coordinates[d * from.count + j] = point[d];
  }
};

/// Brings sums to where the call wants them.
template <bool WithGradient>
struct RoundSums {
  GatherOutput<double> from;
  GatherOutput<float> to;

  KOKKOS_FUNCTION void operator()(std::int64_t flat) const
  {
    const Index3 i = unflatten(flat, to.potential.extent);
    GatherTotal<double> sum;
    if (from.potential.data) sum.potential = from.potential[i];
    if constexpr (WithGradient)
      for (int d = 0; d < from.gradient.extent[3]; ++d) sum.gradient[d] = from.gradient(i[0], i[1], i[2], d);
    to.template store<WithGradient>(i, sum);
  }
};

// ---- The call in double ---------------------------------------------------------------------------------------------

/// Doubles side by side for the elements of a field, in the order in which these lie.
template <int Rank>
Field<double, Rank> packed_like(const Field<float, Rank>& field, double* data)
{
  std::array<int, Rank> axes;
  for (int axis = 0; axis < Rank; ++axis) axes[axis] = axis;
  Field<double, Rank> packed{data, field.extent, {}};
  std::int64_t next = 1;
  for (const int axis : fastest_first(field, axes, Rank)) {
    packed.stride[axis] = next;
    next *= field.extent[axis];
  }
  return packed;
}

/// A call of float, and the same of double on arrays in scratch; without scratch these have no addresses, and their size is
/// counted.
struct DoubleCall {
  GatherSumCall<float> given;
  GatherSumCall<double> call;
  double *sources, *targets;

  DoubleCall(const GatherSumCall<float>& the_call, ScratchArrays& scratch) : given(the_call)
  {
    const std::int64_t source_count = given.sources.count(), target_count = count_of(given.output.potential.extent);
    sources = take(scratch, source_count * (given.sources.positions.dimension + 1));
    targets = given.targets.on_grid ? nullptr : take(scratch, target_count * given.targets.points.dimension);
    set_sources(source_count);
    set_targets(target_count);
    const auto& [potential, gradient, accumulates, carry] = given.output;
    call.output.potential = packed_like(potential, potential.data ? take(scratch, target_count) : nullptr);
    if (gradient.data) call.output.gradient = packed_like(gradient, take(scratch, target_count * gradient.extent[3]));
  }

private:
  /// From an address where a row of four doubles, or two elements, is read at once.
  static double* take(ScratchArrays& scratch, std::int64_t count)
  {
    struct alignas(16) Pair {
      double values[2];
    };
    return reinterpret_cast<double*>(scratch.take<Pair>(ceil_div(count, 2)));
  }

  /// An array `offset` elements behind an address, if there is one.
  static Field<const double, 1> behind(const double* data, std::int64_t offset, std::int64_t count, std::int64_t stride)
  {
    return {data ? data + offset : nullptr, {count}, {stride}};
  }

  void set_sources(std::int64_t count)
  {
    const int dimension = given.sources.positions.dimension;
    for (int d = 0; d < dimension; ++d) call.sources.positions.append(behind(sources, d, count, dimension + 1));
    call.sources.weights = behind(sources, dimension, count, dimension + 1);
  }

  void set_targets(std::int64_t count)
  {
    const auto& [on_grid, axes, origin, spacing, coordinate, first, points] = given.targets;
    call.targets = {on_grid, axes, origin, spacing, coordinate, first, {}};
    for (int d = 0; d < points.dimension; ++d) call.targets.points.append(behind(targets, d * count, count, 1));
  }
};

// ---- The problem ----------------------------------------------------------------------------------------------------

template <bool WithGradient>
struct ExactProblem {
  static constexpr bool with_gradient = WithGradient;

  GatherSumCall<float> call;
  GatherWorkspace workspace{};

  bool empty() const { return call.output.potential.empty(); }
  std::int64_t target_count() const { return count_of(call.output.potential.extent); }

  /// The problem that is summed.
  GatherSumProblem<double, WithGradient> in_double(const GatherSumCall<double>& summed,
                                                   const GatherWorkspace& scratch) const
  {
    return GatherSumProblem<double, WithGradient>(summed, scratch);
  }
};

template <bool WithGradient>
struct ExactCutoffProblem : ExactProblem<WithGradient> {
  Cutoff cutoff;

  ExactCutoffProblem(const ExactProblem<WithGradient>& sum, const Cutoff& the_cutoff)
      : ExactProblem<WithGradient>(sum), cutoff(the_cutoff)
  {
  }

  CutoffProblem<double, WithGradient> in_double(const GatherSumCall<double>& summed,
                                                const GatherWorkspace& scratch) const
  {
    return {ExactProblem<WithGradient>::in_double(summed, scratch), cutoff};
  }
};

template <class Problem>
concept SummedInDouble = requires(const Problem& problem, const GatherSumCall<double>& call)
{
  problem.in_double(call, GatherWorkspace{});
};

/// How a sum is launched where nothing stands around it.
struct LaunchAlone {
  template <class Plan>
  std::optional<Plan> named(std::optional<Plan> plan) const
  {
    return plan;
  }
  template <class Launch>
  void operator()(const Kernel&, const Launch& launch) const
  {
    launch();
  }
};

/// A sum of doubles between the kernels that copy its arguments and round its results, all under the name of its kernel.
template <class Space, bool WithGradient>
struct LaunchBetween {
  const Space& space;
  const DoubleCall& doubles;
  bool allocates;

  template <class Plan>
  std::optional<Plan> named(std::optional<Plan> plan) const
  {
    if (plan)
      plan->kernel.variant = plan->kernel.variant.followed_by(allocates ? ", exact, scratch allocated" : ", exact");
    return plan;
  }

  template <class Launch>
  void operator()(const Kernel& kernel, const Launch& launch) const
  {
    const std::string name = label(kernel);
    const auto& [given, call, sources, targets] = doubles;
    launch_over(name, space, given.sources.count(), SourcesToDouble{given.sources, sources});
    if (targets) launch_over(name, space, given.targets.points.count, PointsToDouble{given.targets.points, targets});
    launch();
    const GatherSumProblem<double, WithGradient> from(call);
    const GatherSumProblem<float, WithGradient> to(given); // its axes are sorted as those of the doubles are
    launch_over(name, space, to.target_count(), RoundSums<WithGradient>{from.sorted.output, to.sorted.output});
  }
};

} // namespace Keramos::core
