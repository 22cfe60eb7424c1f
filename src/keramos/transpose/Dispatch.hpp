// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of transposes, in the order in which they are asked.
#pragma once

#include "../core/Dispatch.hpp"
#include "../core/Workspace.hpp"
#include "Accumulation.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "../../../backends/cuda/transpose/Transpose.hpp"
#endif
#include "../../../backends/openmp/transpose/Transpose.hpp"
#include "../../../backends/portable/Transpose.hpp"
#include "../../../backends/reference/Transpose.hpp"

namespace Keramos::core {

/// f by value: a function that is named is kept as a pointer.
template <class Space, class Problem, class F>
Kernel dispatch_transpose(const On<Space>& on, const Problem& problem, F f)
{
  Dispatch call(problem.call.operation, on, problem.empty());
  const Space& space = on.space;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    call.ask(
        Backend::cuda, [&] { return cuda::transpose::choose(cuda::device_of(space), problem, f); },
        [&](const auto& plan) { cuda::transpose::launch(plan, space); });
#endif
  if constexpr (is_host<Space>) {
    call.ask(
        Backend::openmp, [&] { return openmp::transpose::choose(problem, f); },
        [&](const auto& plan) { openmp::transpose::launch(plan, space); });
    call.ask(
        Backend::reference, [&] { return reference::transpose::choose(problem, f); },
        [&](const auto& plan) { reference::transpose::launch(plan, space); });
  }
  call.ask(
      Backend::portable, [&] { return portable::transpose::choose(problem, f); },
      [&](const auto& plan) { portable::transpose::launch(plan, space); });
  return call.kernel();
}

/// Bytes of scratch that the backend takes which takes the call.
template <class Space, class T>
std::size_t oblong_workspace(const On<Space>& on, const OblongProblem<T>& problem)
{
  if (problem.empty()) return 0;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    if (on.allows(Backend::cuda)) {
      const auto& call = problem.call;
      const auto way = cuda::transpose::oblong_way(call.rows, call.columns, sizeof(T), call.data);
      if (way) return static_cast<std::size_t>(cuda::transpose::scratch_bytes(*way));
    }
#endif
  if constexpr (is_host<Space>) {
    if (on.allows(Backend::openmp)) return openmp::transpose::scratch_bytes(problem, on.space);
    if (on.allows(Backend::reference)) return 0;
  }
  return portable::transpose::scratch_bytes(problem, on.space);
}

template <class Space, class T>
Kernel dispatch_oblong(const On<Space>& on, const OblongProblem<T>& problem)
{
  check_scratch_size(problem.call.operation, "transpose_in_place_workspace_size", problem.call.scratch_bytes,
                     oblong_workspace(on, problem));
  return dispatch_transpose(on, problem, Move{});
}

/// Where nothing of out stays it is not read: a move with a functor.
template <class Space, class In, class Out, class Alpha, class Beta, class F>
Kernel dispatch_transpose(const On<Space>& on, const TransposeProblem<In, Out>& problem,
                          const Accumulate<Alpha, Beta, F>& how)
{
  const Term<Out, Alpha, F> term{{how.alpha}, how.f};
  if (how.beta == Beta()) return dispatch_transpose(on, problem, term);
  return dispatch_transpose(on, problem, Accumulation<Out, Alpha, Beta, F>{term, {how.beta}});
}

} // namespace Keramos::core
