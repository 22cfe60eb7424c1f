// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of gather-sums, in the order in which they are asked.
#pragma once

#include "../core/Dispatch.hpp"
#include "Checks.hpp"
#include "CutoffChecks.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "../../../backends/cuda/gather_sum/Cutoff.hpp"
#include "../../../backends/cuda/gather_sum/GatherSum.hpp"
#endif
#include "../../../backends/openmp/gather_sum/Cutoff.hpp"
#include "../../../backends/openmp/gather_sum/GatherSum.hpp"
#include "../../../backends/portable/GatherSum.hpp"
#include "../../../backends/reference/GatherSum.hpp"

namespace Keramos::core {

/// Bytes of scratch that a plan wants.
template <class Plan>
std::size_t scratch_bytes([[maybe_unused]] const Plan& plan)
{
  if constexpr (requires { plan.workspace_bytes; })
    return plan.workspace_bytes;
  else
    return 0;
}

/// The plan, if there is one; the caller's scratch must be large enough for it.
template <class Plan>
std::optional<Plan> with_room(std::optional<Plan> plan)
{
  if constexpr (requires { plan->workspace_bytes; })
    if (plan) check_workspace_size(plan->workspace, plan->workspace_bytes);
  return plan;
}

/// Problem: GatherSumProblem or CutoffProblem.
template <class Space, class Problem, class Interaction>
Kernel dispatch_gather_sum(const char* operation, const On<Space>& on, const Problem& problem,
                           const Interaction& interaction)
{
  Dispatch call(operation, on, problem.empty());
  const Space& space = on.space;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    call.ask(
        Backend::cuda,
        [&] { return with_room(cuda::gather_sum::choose(cuda::device_of(space), problem, interaction)); },
        [&](const auto& plan) { cuda::gather_sum::launch(plan, space); });
#endif
  if constexpr (is_host<Space>) {
    call.ask(
        Backend::openmp, [&] { return with_room(openmp::gather_sum::choose(problem, interaction)); },
        [&](const auto& plan) { openmp::gather_sum::launch(plan, space); });
    call.ask(
        Backend::reference, [&] { return reference::gather_sum::choose(problem, interaction); },
        [&](const auto& plan) { reference::gather_sum::launch(plan, space); });
  }
  call.ask(
      Backend::portable, [&] { return with_room(portable::gather_sum::choose(problem, interaction)); },
      [&](const auto& plan) { portable::gather_sum::launch(plan, space); });
  return call.kernel();
}

/// Bytes of scratch that the same call wants.
template <class Space, class Problem, class Interaction>
std::size_t gather_sum_workspace(const On<Space>& on, const Problem& problem, const Interaction& interaction)
{
  if (problem.empty()) return 0;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    if (on.allows(Backend::cuda))
      if (const auto plan = cuda::gather_sum::choose(cuda::device_of(on.space), problem, interaction))
        return scratch_bytes(*plan);
#endif
  if constexpr (is_host<Space>)
    if (on.allows(Backend::openmp))
      if (const auto plan = openmp::gather_sum::choose(problem, interaction)) return scratch_bytes(*plan);
  if (on.allows(Backend::portable))
    if (const auto plan = portable::gather_sum::choose(problem, interaction)) return scratch_bytes(*plan);
  return 0;
}

} // namespace Keramos::core
