// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as one Kokkos::parallel_for over elements, neighbours of the output in neighbouring threads: right on
// every execution space and for all strides, fast on none. Covers every call.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/transpose/Oblong.hpp"
#include "../../src/keramos/transpose/Problem.hpp"

#include <algorithm>
#include <optional>

namespace Keramos::portable::transpose {

template <class Space>
using ElementPolicy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                            Kokkos::IndexType<std::int64_t>>;
using ElementRange = Kokkos::Array<std::int64_t, 3>;

/// body(i, j, k) for each of three indices below `range`.
template <class Body>
struct TransposePlan {
  Kernel kernel;
  ElementRange range;
  Body body;
};

/// One element; the axes from the third on share one index.
template <class In, class Out, class F>
struct MoveElement {
  const In* in;
  Out* out;
  core::MoveAxes axes;
  F f;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t rest) const
  {
    const core::MoveAxis offset = axes.offset(rest, 2);
    core::move_element(f, in[i * axes[0].in + j * axes[1].in + offset.in],
                       out[i * axes[0].out + j * axes[1].out + offset.out]);
  }
};

/// One pair of elements that trade places, or one element of the diagonal.
template <class T, class F>
struct SwapElements {
  T* data;
  std::int64_t fast, slow;
  core::MoveAxes stack;
  F f;

  KOKKOS_FUNCTION void operator()(std::int64_t a, std::int64_t b, std::int64_t matrix) const
  {
    if (a > b) return;
    T* const base = data + stack.offset(matrix).out;
    const T upper = base[a * fast + b * slow], lower = base[b * fast + a * slow];
    base[b * fast + a * slow] = core::moved<T>(f, upper);
    if (a < b) base[a * fast + b * slow] = core::moved<T>(f, lower);
  }
};

template <class In, class Out, class F>
std::optional<TransposePlan<MoveElement<In, Out, F>>> choose(const core::TransposeProblem<In, Out>& problem, const F& f)
{
  const auto& axes = problem.axes;
  return TransposePlan<MoveElement<In, Out, F>>{{Backend::portable, problem.call.operation, "element"},
                                                {axes[0].extent, axes[1].extent, axes.size(2)},
                                                {problem.in, problem.out, axes, f}};
}

template <class T, class F>
std::optional<TransposePlan<SwapElements<T, F>>> choose(const core::InPlaceProblem<T>& problem, const F& f)
{
  return TransposePlan<SwapElements<T, F>>{{Backend::portable, problem.call.operation, "element pair"},
                                           {problem.order, problem.order, problem.stack.size()},
                                           {problem.data, problem.fast, problem.slow, problem.stack, f}};
}

template <class Body, class Space>
void launch(const TransposePlan<Body>& plan, const Space& space)
{
  const ElementPolicy<Space> policy(space, {0, 0, 0}, {plan.range[0], plan.range[1], plan.range[2]});
  Kokkos::parallel_for(core::label(plan.kernel), policy, plan.body);
}

// ---- In place, not square -------------------------------------------------------------------------------------------

template <class T>
struct OblongPlan {
  Kernel kernel;
  core::OblongProblem<T> problem;
};

template <class T>
std::optional<OblongPlan<T>> choose(const core::OblongProblem<T>& problem, const core::Move&)
{
  return OblongPlan<T>{{Backend::portable, problem.call.operation, "row and column shuffles"}, problem};
}

/// Bytes that a call takes on this instance.
template <class T, class Space>
std::size_t scratch_bytes(const core::OblongProblem<T>& problem, const Space& space)
{
  const std::int64_t lines = problem.slots.wanted(core::is_host<Space> ? space.concurrency() : 0);
  return static_cast<std::size_t>(lines * problem.slots.bytes);
}

/// One step of taking lines from the first one on, and of putting them back.
template <class Pass>
struct TakeLines {
  Pass pass;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t step, std::int64_t slot) const { pass.take(first + slot, slot, step); }
};
template <class Pass>
struct PutLines {
  Pass pass;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t step, std::int64_t slot) const { pass.put(first + slot, slot, step); }
};

/// As many lines as the scratch holds: all are taken by one launch, and put back by the next.
template <class T, class Space>
void launch(const OblongPlan<T>& plan, const Space& space)
{
  using Steps = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                      Kokkos::IndexType<std::int64_t>>;
  core::for_each_pass(plan.problem, [&]<class Pass>(const Pass& pass) {
    const std::int64_t at_once = plan.problem.slots_at_once();
    for (std::int64_t first = 0; first < pass.lines(); first += at_once) {
      const Steps steps(space, {0, 0}, {pass.steps(), std::min(at_once, pass.lines() - first)});
      Kokkos::parallel_for(core::label(plan.kernel), steps, TakeLines<Pass>{pass, first});
      Kokkos::parallel_for(core::label(plan.kernel), steps, PutLines<Pass>{pass, first});
    }
  });
}

} // namespace Keramos::portable::transpose
