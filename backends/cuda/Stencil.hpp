// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA stencils.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/Execution.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "Device.hpp"
#include "Launch.hpp"

#include <optional>

namespace Keramos::cuda {

struct StencilPlan {
  Kernel kernel;
};

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan> choose(const Device&, const core::StencilProblem<T, Capacity>&, const Epilogue&)
{
  return std::nullopt;
}

template <class T, int Capacity, class Epilogue>
void launch(const StencilPlan&, const Kokkos::Cuda&, const core::StencilProblem<T, Capacity>&, const Epilogue&)
{
}

} // namespace Keramos::cuda
