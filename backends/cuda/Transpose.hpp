// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA transposes.
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/TransposeProblem.hpp"
#include "Device.hpp"
#include "Launch.hpp"

#include <optional>

namespace Keramos::cuda {

struct TransposePlan {
  Kernel kernel;
};

template <class In, class Out, class F>
std::optional<TransposePlan> choose(const Device&, const core::TransposeProblem<In, Out>&, const F&)
{
  return std::nullopt;
}

template <class T, class F>
std::optional<TransposePlan> choose(const Device&, const core::InPlaceProblem<T>&, const F&)
{
  return std::nullopt;
}

template <class Problem, class F>
void launch(const TransposePlan&, const Kokkos::Cuda&, const Problem&, const F&)
{
}

} // namespace Keramos::cuda
