// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one file that sees every backend. A public call hands over its problem; the first backend that covers it takes
// it.
//
// Every backend is a namespace with two functions a problem type, in a file named after the operator:
//
//     std::optional<Plan> choose(problem, functor)          pure: what it would run, or "not covered"
//     void launch(plan, space, problem, functor)            only launches, on the given instance
//
// where plan.kernel is the Kernel that the public call returns and problem.empty() tells that there is nothing to
// launch. cuda::choose takes the numbers of the GPU as well, in front.
#pragma once

#include <Kokkos_Core.hpp> // tells KOKKOS_ENABLE_CUDA

#ifdef KOKKOS_ENABLE_CUDA
#include "../backends/cuda/GatherSum.hpp"
#include "../backends/cuda/Stencil.hpp"
#include "../backends/cuda/Transpose.hpp"
#endif
#include "../backends/openmp/GatherSum.hpp"
#include "../backends/openmp/Stencil.hpp"
#include "../backends/openmp/Transpose.hpp"
#include "../backends/portable/GatherSum.hpp"
#include "../backends/portable/Stencil.hpp"
#include "../backends/portable/Transpose.hpp"
#include "../backends/reference/GatherSum.hpp"
#include "../backends/reference/Stencil.hpp"
#include "../backends/reference/Transpose.hpp"
#include "core/Error.hpp"
#include "core/Execution.hpp"
#include "core/Log.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

namespace Keramos::core {

template <class Space, class Problem, class Functor>
Kernel dispatch(const char* operation, const On<Space>& on, const Problem& problem, const Functor& functor)
{
  const Kokkos::Profiling::ScopedRegion region(std::string("Keramos::") + operation);
  Decision decision{.space = Space::name(), .only = on.only, .dry = on.dry, .nothing = problem.empty()};
  const auto run = [&](auto& plan, auto launch) {
    plan->kernel.operation = operation;
    if (logs_dispatch()) log_dispatch(plan->kernel, decision);
    if (!on.dry && !problem.empty()) launch(*plan);
    return plan->kernel;
  };
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    if (on.allows(Backend::cuda))
      if (auto plan = cuda::choose(cuda::device_of(on.space), problem, functor))
        return run(plan, [&](auto& chosen) { cuda::launch(chosen, on.space, problem, functor); });
    decision.pass(Backend::cuda);
  }
#endif
  if constexpr (is_host<Space>) {
    if (on.allows(Backend::openmp))
      if (auto plan = openmp::choose(problem, functor))
        return run(plan, [&](auto& chosen) { openmp::launch(chosen, on.space, problem, functor); });
    decision.pass(Backend::openmp);
    if (on.allows(Backend::reference))
      if (auto plan = reference::choose(problem, functor))
        return run(plan, [&](auto& chosen) { reference::launch(chosen, on.space, problem, functor); });
  }
  if (on.allows(Backend::portable))
    if (auto plan = portable::choose(problem, functor))
      return run(plan, [&](auto& chosen) { portable::launch(chosen, on.space, problem, functor); });
  fail(operation, "exec", "a backend that covers this call",
       std::string(on.only ? to_string(*on.only) : "no backend") + " on " + Space::name());
}

/// Bytes of scratch that the same call wants; only CUDA kernels take any.
template <class Space, class Problem, class Functor>
std::size_t workspace_size([[maybe_unused]] const On<Space>& on, [[maybe_unused]] const Problem& problem,
                           [[maybe_unused]] const Functor& functor)
{
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    if (on.allows(Backend::cuda) && !problem.empty())
      if (const auto plan = cuda::choose(cuda::device_of(on.space), problem, functor)) return plan->workspace_bytes;
#endif
  return 0;
}

} // namespace Keramos::core
