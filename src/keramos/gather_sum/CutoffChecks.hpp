// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum demands of a Cutoff.
#pragma once

#include "Checks.hpp"
#include "Cutoff.hpp"
#include "Exact.hpp"

#include <cmath>
#include <type_traits>

namespace Keramos::core {

template <class T>
void check_box(const Cutoff& cutoff, int dimension)
{
  for (int k = 0; k < 3; ++k) {
    const double length = cutoff.box[k];
    if (length == 0) continue;
    if (k >= dimension)
      fail("gather_sum", "cutoff.box", text("0 along an axis that the targets lack, of which they have ", dimension),
           tuple_text(cutoff.box));
    if (!(length >= 2 * cutoff.radius && length <= CellGrid<T>::far_radii * cutoff.radius))
      fail("gather_sum", "cutoff.box",
           text("0 or twice to 2^36 times the radius, which is ", cutoff.radius, ", along each axis"),
           tuple_text(cutoff.box));
  }
}

template <class T, class K>
void check_cutoff(const Cutoff& cutoff, int dimension)
{
  const double radius = cutoff.radius, on = cutoff.switch_on;
  require_parameter<T>(radius > 0 && is_normal_in<T>(radius * radius), "cutoff.radius",
                       "a positive number with its square", radius);
  if (cutoff.form == CutoffForm::shifted && !Interaction<T, K>::is_radial)
    fail("gather_sum", "cutoff.form", "sharp or switched with a functor of two points", "shifted");
  if (cutoff.form == CutoffForm::switched) {
    const double rate = 1. / (static_cast<T>(radius * radius) - static_cast<T>(on * on)); // as in CutoffRule
    require_parameter<T>(on >= 0 && on < radius && std::isfinite(static_cast<T>(rate)), "cutoff.switch_on",
                         text("0 or more and less than the radius, which is ", radius).c_str(), on);
    require_parameter<T>(is_normal_in<T>(rate), "cutoff.radius",
                         "a positive number with its square, and with the inverse of its square less that of switch_on",
                         radius);
  }
  check_box<T>(cutoff, dimension);
}

template <class T, bool WithGradient>
CutoffProblem<T, WithGradient> with_cutoff(const GatherSumProblem<T, WithGradient>& problem, const Cutoff& cutoff)
{
  return {problem, cutoff};
}
template <bool WithGradient>
ExactCutoffProblem<WithGradient> with_cutoff(const ExactProblem<WithGradient>& problem, const Cutoff& cutoff)
{
  return {problem, cutoff};
}

/// A checked call with a cutoff, as check_gather_sum() has those without.
template <class Problem, class T, class K>
auto check_cutoff_sum(const CheckedGatherSum<Problem, Interaction<T, K>>& checked, const Cutoff& cutoff)
{
  check_cutoff<T, K>(cutoff, checked.problem.call.sources.positions.dimension);
  const auto problem = with_cutoff(checked.problem, cutoff);
  return CheckedGatherSum<std::remove_const_t<decltype(problem)>, Interaction<T, K>>{problem, checked.interaction};
}

} // namespace Keramos::core
