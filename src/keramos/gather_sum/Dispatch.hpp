// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of gather-sums, in the order in which they are asked.
#pragma once

#include "../core/Dispatch.hpp"
#include "Checks.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "../../../backends/cuda/gather_sum/GatherSum.hpp"
#endif
#include "../../../backends/openmp/gather_sum/GatherSum.hpp"
#include "../../../backends/portable/GatherSum.hpp"
#include "../../../backends/reference/GatherSum.hpp"

namespace Keramos::core {

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
        [&] {
          auto plan = cuda::gather_sum::choose(cuda::device_of(space), problem, interaction);
          if (plan) check_workspace_size(problem.workspace, plan->workspace_bytes);
          return plan;
        },
        [&](const auto& plan) { cuda::gather_sum::launch(plan, space); });
#endif
  if constexpr (is_host<Space>) {
    call.ask(
        Backend::openmp, [&] { return openmp::gather_sum::choose(problem, interaction); },
        [&](const auto& plan) { openmp::gather_sum::launch(plan, space); });
    call.ask(
        Backend::reference, [&] { return reference::gather_sum::choose(problem, interaction); },
        [&](const auto& plan) { reference::gather_sum::launch(plan, space); });
  }
  call.ask(
      Backend::portable, [&] { return portable::gather_sum::choose(problem, interaction); },
      [&](const auto& plan) { portable::gather_sum::launch(plan, space); });
  return call.kernel();
}

/// Bytes of scratch that the same call wants; only CUDA kernels take any.
template <class Space, class Problem, class Interaction>
std::size_t gather_sum_workspace([[maybe_unused]] const On<Space>& on, [[maybe_unused]] const Problem& problem,
                                 [[maybe_unused]] const Interaction& interaction)
{
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    if (on.allows(Backend::cuda) && !problem.empty())
      if (const auto plan = cuda::gather_sum::choose(cuda::device_of(on.space), problem, interaction))
        return plan->workspace_bytes;
#endif
  return 0;
}

} // namespace Keramos::core
