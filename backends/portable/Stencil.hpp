// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils as one Kokkos::parallel_for over points: right on every execution space, fast on none. Covers every call.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../src/keramos/stencil/Problem.hpp"

#include <cstdint>
#include <optional>

namespace Keramos::portable::stencil {

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
      core::Index3 read = at;
      for (int p = 0; p < 3; ++p) read[p] += taps.offset[t][p];
      sum += taps.weight[t] * (inside ? in[read] : beyond(read));
    }
    core::finish(epilogue, out, sum, in(i, j, k), i, j, k);
  }

  KOKKOS_FUNCTION T beyond(core::Index3 index) const
  {
    T value{};
    return axes.resolve(index, value) ? in[index] : value;
  }
};

template <class T, int Capacity, class Epilogue>
struct StencilPlan {
  Kernel kernel;
  core::Index3 begin, end;
  StencilPoint<T, Capacity, Epilogue> point;
};

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan<T, Capacity, Epilogue>> choose(const core::StencilProblem<T, Capacity>& problem,
                                                         const Epilogue& epilogue)
{
  const Kernel kernel{Backend::portable, "apply_stencil", "point"};
  return StencilPlan<T, Capacity, Epilogue>{
      kernel, problem.begin, problem.end, {problem.taps, problem.in, problem.out, problem.axes, epilogue}};
}

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan<T, Capacity, Epilogue>& plan, const Space& space)
{
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                       Kokkos::IndexType<std::int64_t>>;
  const Policy policy(space, {plan.begin[0], plan.begin[1], plan.begin[2]}, {plan.end[0], plan.end[1], plan.end[2]});
  Kokkos::parallel_for(core::label(plan.kernel), policy, plan.point);
}

} // namespace Keramos::portable::stencil
