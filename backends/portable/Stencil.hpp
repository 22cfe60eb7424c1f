// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils as one Kokkos::parallel_for over points: right on every execution space, fast on none. Covers every call.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/Execution.hpp"
#include "../../src/core/StencilProblem.hpp"

#include <optional>

namespace Keramos::portable {

struct StencilPlan {
  Kernel kernel;
};

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan> choose(const core::StencilProblem<T, Capacity>&, const Epilogue&)
{
  return StencilPlan{{Backend::portable, "apply_stencil", "point"}};
}

/// One point of the output.
template <class T, int Capacity, class Epilogue>
struct StencilPoint {
  core::Taps<T, Capacity> taps;
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  Epilogue epilogue;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    const core::Index3 at{i, j, k};
    const bool inside = axes.inside(at);
    T sum{};
    for (int t = 0; t < taps.count; ++t) {
      core::Index3 place = at;
      for (int p = 0; p < 3; ++p) place[p] += taps.offset[t][p];
      sum += taps.weight[t] * (inside ? in[place] : beyond(place));
    }
    core::finish(epilogue, out, sum, in(i, j, k), i, j, k);
  }

  KOKKOS_FUNCTION T beyond(core::Index3 place) const
  {
    T value{};
    return axes.resolve(place, value) ? in[place] : value;
  }
};

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan& plan, const Space& space, const core::StencilProblem<T, Capacity>& problem,
            const Epilogue& epilogue)
{
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                       Kokkos::IndexType<std::int64_t>>;
  const Policy policy(space, {problem.begin[0], problem.begin[1], problem.begin[2]},
                      {problem.end[0], problem.end[1], problem.end[2]});
  Kokkos::parallel_for(
      plan.kernel.name(), policy,
      StencilPoint<T, Capacity, Epilogue>{problem.taps, problem.in, problem.out, problem.axes, epilogue});
}

} // namespace Keramos::portable
