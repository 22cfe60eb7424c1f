// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of right for stencils: one loop nest over the call as the user wrote it, on the host, in the calling
// thread.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../src/keramos/stencil/Problem.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace Keramos::reference::stencil {

template <class T, int Capacity, class Epilogue>
struct StencilPlan {
  Kernel kernel;
  core::StencilCall<T, Capacity> call;
  std::array<int, 3> order; ///< axis p of the epilogue, and of its output, is axis order[p] of the call
  core::Field<T, 3> out;
  Epilogue epilogue;
};

/// Every offset once, where the operator names it first: weights of one that it names again add up.
template <class T, int Capacity>
core::Taps<T, Capacity> each_once(const core::Taps<T, Capacity>& taps)
{
  core::Taps<T, Capacity> result;
  std::map<std::array<int, 3>, int> place; // in the result
  for (int t = 0; t < taps.count; ++t) {
    const auto& offset = taps.offset[t];
    const auto [known, is_new] = place.try_emplace({offset[0], offset[1], offset[2]}, result.count);
    if (!is_new) {
      result.weight[known->second] += taps.weight[t];
      continue;
    }
    result.offset[result.count] = offset;
    result.weight[result.count++] = taps.weight[t];
  }
  return result;
}

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan<T, Capacity, Epilogue>> choose(const core::StencilProblem<T, Capacity>& problem,
                                                         const Epilogue& epilogue)
{
  const Kernel kernel{Backend::reference, "apply_stencil", "loop nest"};
  StencilPlan<T, Capacity, Epilogue> plan{kernel, problem.call, problem.order, problem.out, epilogue};
  plan.call.taps = each_once(problem.call.taps);
  return plan;
}

/// The operand at `index` of the user's axes; clears `written` if the point must not be written (an interior side).
template <class T, int Capacity>
T operand(const core::StencilCall<T, Capacity>& call, core::Index3 index, bool& written)
{
  T outside{};
  bool is_outside = false;
  for (int axis = 0; axis < call.rank; ++axis) {
    const std::int64_t extent = call.out.extent[axis];
    const auto& [low, high] = call.edges[axis];
    const bool is_low = index[axis] < 0, has_halo = low.kind == Edge::ghost || high.kind == Edge::ghost;
    const EdgeRule& rule = is_low ? low : high;
    if ((is_low || index[axis] >= extent) && rule.kind != Edge::ghost) {
      if (rule.kind == Edge::interior) written = false;
      index[axis] = has_halo ? core::edge_index_beside_ghost(rule.kind, is_low, index[axis], extent)
                             : core::edge_index(rule.kind, index[axis], extent);
      if (index[axis] == core::no_index) { // the last axis decides, as in numpy.pad
        is_outside = true;
        outside = static_cast<T>(rule.value);
      }
    }
    if (index[axis] != core::no_index) index[axis] += call.halo_low(axis);
  }
  return is_outside || !written ? outside : call.in[index];
}

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan<T, Capacity, Epilogue>& plan, const Space& space)
{
  const auto& call = plan.call;
  const auto point = [&](const core::Index3& i) {
    T sum{};
    bool written = true;
    for (int t = 0; t < call.taps.count; ++t) {
      core::Index3 at = i;
      for (int axis = 0; axis < 3; ++axis) at[axis] += call.taps.offset[t][axis];
      sum += call.taps.weight[t] * operand(call, at, written);
    }
    if (!written) return;
    const T centre = operand(call, i, written);
    core::finish(plan.epilogue, plan.out, sum, centre, i[plan.order[0]], i[plan.order[1]], i[plan.order[2]]);
  };
  Kokkos::parallel_for(core::label(plan.kernel), Kokkos::RangePolicy<Space>(space, 0, 1), [&](int) {
    for (std::int64_t i = call.begin[0]; i < call.end[0]; ++i)
      for (std::int64_t j = call.begin[1]; j < call.end[1]; ++j)
        for (std::int64_t k = call.begin[2]; k < call.end[2]; ++k) point({i, j, k});
  });
}

} // namespace Keramos::reference::stencil
