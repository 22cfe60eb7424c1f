// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of gather-sums, in the order in which they are asked.
#pragma once

#include "../core/Dispatch.hpp"
#include "Checks.hpp"
#include "CutoffChecks.hpp"
#include "Exact.hpp"
#include "Scratch.hpp"

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

/// The plan, if there is one; the caller's scratch must be large enough for it, if it is to be launched.
template <class Plan>
std::optional<Plan> with_room([[maybe_unused]] bool nothing, std::optional<Plan> plan)
{
  if constexpr (requires { plan->workspace_bytes; })
    if (plan && !nothing) check_workspace_size(plan->workspace, plan->workspace_bytes);
  return plan;
}

/// Problem: GatherSumProblem or CutoffProblem. Around: how the kernel that takes it is named and launched.
template <class Space, class Problem, class Interaction, class Around>
Kernel dispatch_to_backends(const char* operation, const On<Space>& on, const Problem& problem,
                            const Interaction& interaction, const Around& around)
{
  const bool nothing = problem.empty();
  Dispatch call(operation, on, nothing);
  const Space& space = on.space;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    call.ask(
        Backend::cuda,
        [&] {
          return around.named(
              with_room(nothing, cuda::gather_sum::choose(cuda::device_of(space), problem, interaction)));
        },
        [&](const auto& plan) { around(plan.kernel, [&] { cuda::gather_sum::launch(plan, space); }); });
#endif
  if constexpr (is_host<Space>) {
    call.ask(
        Backend::openmp,
        [&] { return around.named(with_room(nothing, openmp::gather_sum::choose(problem, interaction))); },
        [&](const auto& plan) { around(plan.kernel, [&] { openmp::gather_sum::launch(plan, space); }); });
    call.ask(
        Backend::reference, [&] { return around.named(reference::gather_sum::choose(problem, interaction)); },
        [&](const auto& plan) { around(plan.kernel, [&] { reference::gather_sum::launch(plan, space); }); });
  }
  call.ask(
      Backend::portable,
      [&] { return around.named(with_room(nothing, portable::gather_sum::choose(problem, interaction))); },
      [&](const auto& plan) { around(plan.kernel, [&] { portable::gather_sum::launch(plan, space); }); });
  return call.kernel();
}

/// Bytes of scratch that the backend wants.
template <class Space, class Problem, class Interaction>
std::size_t backend_workspace(const On<Space>& on, const Problem& problem, const Interaction& interaction)
{
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

/// Bytes of scratch that the same call wants.
template <class Space, class Problem, class Interaction>
std::size_t gather_sum_workspace(const On<Space>& on, const Problem& problem, const Interaction& interaction)
{
  if (problem.empty()) return 0;
  if constexpr (SummedInDouble<Problem>) {
    ScratchArrays count(nullptr);
    const DoubleCall doubles(problem.call, count);
    return count.bytes() + backend_workspace(on, problem.in_double(doubles.call, {}), interaction);
  } else {
    return backend_workspace(on, problem, interaction);
  }
}

/// Problem: also an ExactProblem or an ExactCutoffProblem.
template <class Space, class Problem, class Interaction>
Kernel dispatch_gather_sum(const char* operation, const On<Space>& on, const Problem& problem,
                           const Interaction& interaction)
{
  if constexpr (SummedInDouble<Problem>) {
    const std::size_t bytes = gather_sum_workspace(on, problem, interaction);
    check_workspace_size(problem.workspace, bytes);
    const GatherScratch<Space> scratch(on.space, problem.workspace, on.dry ? 0 : bytes);
    ScratchArrays arrays(scratch.data());
    const DoubleCall doubles(problem.call, arrays);
    char* const rest = scratch.data() ? static_cast<char*>(scratch.data()) + arrays.bytes() : nullptr;
    const GatherWorkspace of_backend{rest, problem.empty() ? 0 : bytes - arrays.bytes(), true};
    return dispatch_to_backends(
        operation, on, problem.in_double(doubles.call, of_backend), interaction,
        LaunchBetween<Space, Problem::with_gradient>{on.space, doubles, bytes > 0 && !problem.workspace.given});
  } else {
    return dispatch_to_backends(operation, on, problem, interaction, LaunchAlone{});
  }
}

} // namespace Keramos::core
