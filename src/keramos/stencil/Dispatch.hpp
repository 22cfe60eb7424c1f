// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of stencils, in the order in which they are asked. Each has
//
//     std::optional<StencilPlan<...>> choose(..., problem, epilogue)   with what it must know of the machine in front
//     void launch(plan, space)
//
// and the plan holds all that the launch needs, so that the problem can be forgotten.
#pragma once

#include "../core/Dispatch.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "../../../backends/cuda/stencil/Stencil.hpp"
#endif
#include "../../../backends/openmp/stencil/Stencil.hpp"
#include "../../../backends/portable/Stencil.hpp"
#include "../../../backends/reference/Stencil.hpp"

namespace Keramos::core {

template <class Space, class Problem, class Epilogue>
Kernel dispatch_stencil(const char* operation, const On<Space>& on, const Problem& problem, const Epilogue& epilogue)
{
  Dispatch call(operation, on, problem.empty());
  const Space& space = on.space;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    call.ask(
        Backend::cuda, [&] { return cuda::stencil::choose(cuda::device_of(space), problem, epilogue); },
        [&](const auto& plan) { cuda::stencil::launch(plan, space); });
#endif
  if constexpr (is_host<Space>) {
    call.ask(
        Backend::openmp, [&] { return openmp::stencil::choose(space.concurrency(), problem, epilogue); },
        [&](const auto& plan) { openmp::stencil::launch(plan, space); });
    call.ask(
        Backend::reference, [&] { return reference::stencil::choose(problem, epilogue); },
        [&](const auto& plan) { reference::stencil::launch(plan, space); });
  }
  call.ask(
      Backend::portable, [&] { return portable::stencil::choose(problem, epilogue); },
      [&](const auto& plan) { portable::stencil::launch(plan, space); });
  return call.kernel();
}

} // namespace Keramos::core
