// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of right for transposes: one walk over the axes of the call as the user wrote it, on the host, in the
// calling thread.
#pragma once

#include "../../src/keramos/core/Execution.hpp"
#include "../../src/keramos/transpose/Oblong.hpp"
#include "../../src/keramos/transpose/Problem.hpp"

#include <optional>
#include <utility>

namespace Keramos::reference::transpose {

using Index6 = Kokkos::Array<std::int64_t, core::max_rank>;

/// Calls body(index) for every index within the extents.
template <class Body>
void for_each_index(const Index6& extent, const Body& body)
{
  Index6 i{};
  for (i[0] = 0; i[0] < extent[0]; ++i[0])
    for (i[1] = 0; i[1] < extent[1]; ++i[1])
      for (i[2] = 0; i[2] < extent[2]; ++i[2])
        for (i[3] = 0; i[3] < extent[3]; ++i[3])
          for (i[4] = 0; i[4] < extent[4]; ++i[4])
            for (i[5] = 0; i[5] < extent[5]; ++i[5]) body(i);
}

template <class In, class Out, class F>
void move_all(const core::TransposeCall<In, Out>& call, const F& f)
{
  for_each_index(call.out.extent, [&](const Index6& i) {
    Index6 j{};
    for (int k = 0; k < core::max_rank; ++k) j[call.axes[k]] = i[k];
    core::move_element(f, call.in[j], call.out[i]);
  });
}

template <class T, class F>
void move_all(const core::InPlaceCall<T>& call, const F& f)
{
  const int row = call.rank - 2, column = call.rank - 1;
  for_each_index(call.matrix.extent, [&](const Index6& i) {
    if (i[row] > i[column]) return;
    Index6 j = i;
    std::swap(j[row], j[column]);
    const T upper = call.matrix[i], lower = call.matrix[j];
    call.matrix[j] = core::moved<T>(f, upper);
    if (i[row] < i[column]) call.matrix[i] = core::moved<T>(f, lower);
  });
}

/// Cycle by cycle, each from its first place in memory: what lies at i * columns + j goes to j * rows + i.
template <class T>
void move_all(const core::OblongCall<T>& call, const core::Move&)
{
  const auto goes_to = [&](std::int64_t at) { return at % call.columns * call.rows + at / call.columns; };
  for (std::int64_t first = 0; first < call.rows * call.columns; ++first) {
    std::int64_t at = goes_to(first);
    while (at > first) at = goes_to(at);
    if (at < first) continue; // this cycle is done
    T carried = call.data[first];
    do {
      at = goes_to(at);
      std::swap(carried, call.data[at]);
    } while (at != first);
  }
}

/// The call as the user wrote it.
template <class Call, class F>
struct TransposePlan {
  Kernel kernel;
  Call call;
  F f;
};

template <class In, class Out, class F>
std::optional<TransposePlan<core::TransposeCall<In, Out>, F>> choose(const core::TransposeProblem<In, Out>& problem,
                                                                     const F& f)
{
  return TransposePlan<core::TransposeCall<In, Out>, F>{
      {Backend::reference, problem.call.operation, "loop nest"}, problem.call, f};
}

template <class T, class F>
std::optional<TransposePlan<core::InPlaceCall<T>, F>> choose(const core::InPlaceProblem<T>& problem, const F& f)
{
  return TransposePlan<core::InPlaceCall<T>, F>{
      {Backend::reference, problem.call.operation, "loop nest"}, problem.call, f};
}

template <class T, class F>
std::optional<TransposePlan<core::OblongCall<T>, F>> choose(const core::OblongProblem<T>& problem, const F& f)
{
  return TransposePlan<core::OblongCall<T>, F>{{Backend::reference, problem.call.operation, "cycles"}, problem.call, f};
}

template <class Call, class F, class Space>
void launch(const TransposePlan<Call, F>& plan, const Space& space)
{
  Kokkos::parallel_for(core::label(plan.kernel), Kokkos::RangePolicy<Space>(space, 0, 1),
                       [call = plan.call, f = plan.f](int) { move_all(call, f); });
}

} // namespace Keramos::reference::transpose
