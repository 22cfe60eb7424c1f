// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of transposes, in the order in which they are asked.
#pragma once

#include "../core/Dispatch.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "../../../backends/cuda/transpose/Transpose.hpp"
#endif
#include "../../../backends/openmp/transpose/Transpose.hpp"
#include "../../../backends/portable/Transpose.hpp"
#include "../../../backends/reference/Transpose.hpp"

namespace Keramos::core {

template <class Space, class Problem, class F>
Kernel dispatch_transpose(const On<Space>& on, const Problem& problem, const F& f)
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

} // namespace Keramos::core
