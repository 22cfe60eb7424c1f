// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as one Kokkos::parallel_for over elements, neighbours of the output in neighbouring threads: right on
// every execution space and for all strides, fast on none. Covers every call.
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/TransposeProblem.hpp"

#include <optional>

namespace Keramos::portable {

struct TransposePlan {
  Kernel kernel;
};

template <class In, class Out, class F>
std::optional<TransposePlan> choose(const core::TransposeProblem<In, Out>&, const F&)
{
  return TransposePlan{{Backend::portable, "", "element"}};
}

template <class T, class F>
std::optional<TransposePlan> choose(const core::InPlaceProblem<T>&, const F&)
{
  return TransposePlan{{Backend::portable, "", "element pair"}};
}

template <class Space>
using ElementPolicy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                            Kokkos::IndexType<std::int64_t>>;

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
    out[i * axes[0].out + j * axes[1].out + offset.out] =
        core::moved<Out>(f, in[i * axes[0].in + j * axes[1].in + offset.in]);
  }
};

template <class Space, class In, class Out, class F>
void launch(const TransposePlan& plan, const Space& space, const core::TransposeProblem<In, Out>& problem, const F& f)
{
  const auto& axes = problem.axes;
  const ElementPolicy<Space> policy(space, {0, 0, 0}, {axes[0].extent, axes[1].extent, axes.size(2)});
  Kokkos::parallel_for(plan.kernel.name(), policy, MoveElement<In, Out, F>{problem.in, problem.out, axes, f});
}

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
    base[a * fast + b * slow] = core::moved<T>(f, lower);
  }
};

template <class Space, class T, class F>
void launch(const TransposePlan& plan, const Space& space, const core::InPlaceProblem<T>& problem, const F& f)
{
  const ElementPolicy<Space> policy(space, {0, 0, 0}, {problem.order, problem.order, problem.stack.size()});
  Kokkos::parallel_for(plan.kernel.name(), policy,
                       SwapElements<T, F>{problem.data, problem.fast, problem.slow, problem.stack, f});
}

} // namespace Keramos::portable
