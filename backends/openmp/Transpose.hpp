// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/core/Execution.hpp"
#include "../../src/core/TransposeProblem.hpp"
#include <optional>
namespace Keramos::openmp {
struct TransposePlan {
  Kernel kernel;
};
template <class In, class Out, class F>
std::optional<TransposePlan> choose(const core::TransposeProblem<In, Out>&, const F&)
{
  return std::nullopt;
}
template <class Space, class In, class Out, class F>
void launch(const TransposePlan&, const Space&, const core::TransposeProblem<In, Out>&, const F&)
{
}
template <class T, class F>
std::optional<TransposePlan> choose(const core::InPlaceProblem<T>&, const F&)
{
  return std::nullopt;
}
template <class Space, class T, class F>
void launch(const TransposePlan&, const Space&, const core::InPlaceProblem<T>&, const F&)
{
}
} // namespace Keramos::openmp
