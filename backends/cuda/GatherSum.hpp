// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA gather-sums.
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/GatherSumProblem.hpp"
#include "Device.hpp"
#include "Launch.hpp"

#include <optional>

namespace Keramos::cuda {

struct GatherSumPlan {
  Kernel kernel;
};

template <class T, bool WithGradient, class K>
std::optional<GatherSumPlan> choose(const Device&, const core::GatherSumProblem<T, WithGradient>&,
                                    const core::Interaction<T, K>&)
{
  return std::nullopt;
}

template <class T, bool WithGradient, class K>
void launch(const GatherSumPlan&, const Kokkos::Cuda&, const core::GatherSumProblem<T, WithGradient>&,
            const core::Interaction<T, K>&)
{
}

} // namespace Keramos::cuda
