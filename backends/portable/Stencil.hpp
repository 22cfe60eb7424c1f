// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils as one Kokkos::parallel_for over points: right on every execution space, fast on none. Covers every call.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../src/keramos/stencil/Problem.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace Keramos::portable::stencil {

/// One point of the output. Taps: core::Taps in place, or FarTaps.
template <class T, class Taps, class Epilogue>
struct StencilPoint {
  Taps taps;
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

/// More taps than a kernel carries, where it reaches them.
template <class T>
struct FarTaps {
  int count;
  const T* weight;
  const Kokkos::Array<int, 3>* offset;
};

/// Their memory, for as long as a launch lasts: the plan's on hosts, elsewhere a copy.
template <class Space, class T>
class FarTapMemory {
public:
  template <int Capacity>
  FarTapMemory(const Space& space, const core::Taps<T, Capacity>& taps)
      : space_(space), taps_{taps.count, taps.weight, taps.offset}
  {
    if constexpr (!core::is_host<Space>) {
      taps_.weight = copied(weight_, taps_.weight);
      taps_.offset = copied(offset_, taps_.offset);
    }
  }
  /// An instance that is asynchronous may not have ended its work.
  ~FarTapMemory()
  {
    if constexpr (!core::is_synchronous<Space>) space_.fence("taps of apply_stencil are freed");
  }
  FarTapMemory(const FarTapMemory&) = delete;
  FarTapMemory& operator=(const FarTapMemory&) = delete;

  const FarTaps<T>& taps() const { return taps_; }

private:
  using Memory = Kokkos::View<char*, typename Space::memory_space>;

  template <class Element>
  const Element* copied(Memory& memory, const Element* from) const
  {
    const std::size_t bytes = taps_.count * sizeof(Element);
    memory = Memory(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, "taps of apply_stencil"), bytes);
    const Kokkos::View<const char*, Kokkos::HostSpace> here(reinterpret_cast<const char*>(from), bytes);
    Kokkos::deep_copy(space_, memory, here);
    return reinterpret_cast<const Element*>(memory.data());
  }

  Space space_;
  FarTaps<T> taps_;
  Memory weight_, offset_; ///< empty on hosts
};

template <class T, int Capacity, class Epilogue>
struct StencilPlan {
  Kernel kernel;
  core::Index3 begin, end;
  StencilPoint<T, core::Taps<T, Capacity>, Epilogue> point;
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
  const auto& point = plan.point;
  if constexpr (core::taps_in_place<Capacity>) {
    Kokkos::parallel_for(core::label(plan.kernel), policy, point);
  } else {
    const FarTapMemory<Space, T> memory(space, point.taps);
    Kokkos::parallel_for(
        core::label(plan.kernel), policy,
        StencilPoint<T, FarTaps<T>, Epilogue>{memory.taps(), point.in, point.out, point.axes, point.epilogue});
  }
}

} // namespace Keramos::portable::stencil
