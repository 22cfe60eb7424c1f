// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather-sum with a cutoff: which pairs count, what a pair adds, and the problem that the backends are asked for. Form and
// box are data.
#pragma once

#include "../core/Kernel.hpp"
#include "Arguments.hpp"
#include "CellGrid.hpp"
#include "Interaction.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace Keramos::core {

/// A Cutoff in the value type, as pairs need it.
template <class T>
struct CutoffRule {
  T limit;                  ///< the least r^2 that does not count
  T radius_squared;         ///< where a shifted kernel is 0
  bool shifts;              ///< by the kernel at radius_squared
  T switch_on, switch_rate; ///< r^2 where the switch begins, and the inverse of its range of r^2; no switch: 0

  explicit CutoffRule(const Cutoff& cutoff)
      : limit(static_cast<T>(cutoff.radius * cutoff.radius)), radius_squared(limit),
        shifts(cutoff.form == CutoffForm::shifted), switch_on(static_cast<T>(cutoff.switch_on * cutoff.switch_on)),
        switch_rate(cutoff.form == CutoffForm::switched ? 1 / (radius_squared - switch_on) : 0)
  {
    // Of the images of a source one at most is closer than half of the box. A radius of just that must not let two of them
    // in by rounding: coordinates in the box are an eps of its length off, and r^2 some eps.
    constexpr double half = 0.25 * (1 - 32. * std::numeric_limits<T>::epsilon());
    for (const double length : cutoff.box)
      if (length > 0) limit = std::min(limit, static_cast<T>(half * length * length));
  }
};

/// What a source adds to a target under a cutoff. Both are in the box, the source perhaps shifted by whole boxes.
template <class T, class K>
struct CutoffInteraction {
  using Pair = Interaction<T, K>;
  Pair pair;
  CutoffRule<T> rule;

  /// What a shifted kernel takes away from every value.
  KOKKOS_FUNCTION T shift() const
  {
    if constexpr (Pair::is_radial && Pair::with_potential)
      if (rule.shifts) return pair.value(rule.radius_squared);
    return 0;
  }

  template <bool WithGradient, class Sum>
  KOKKOS_FUNCTION void add(GatherTotal<Sum>& total, const Point<T>& target, const Point<T>& source, T weight,
                           T shift) const
  {
    const Point<T> d = Pair::offset(target, source);
    const T s = Pair::squared(d);
    if (!(s < rule.limit) || (pair.singular && s == 0)) return;
    const T t = s > rule.switch_on ? (s - rule.switch_on) * rule.switch_rate : 0; // 0 to 1 in the range of the switch
    const T kept = (1 - t) * (1 - t) * (1 + 2 * t);
    const T value = Pair::with_potential || t > 0 ? pair.value(target, source) : 0;
    if constexpr (Pair::with_potential) total.potential += weight * (kept * (value - shift));
    if constexpr (WithGradient) {
      const T slope = t > 0 ? -12 * t * (1 - t) * rule.switch_rate * value : 0;
      const Point<T> g = pair.gradient(target, source);
      for (int k = 0; k < 3; ++k) total.gradient[k] += weight * (kept * g[k] + slope * d[k]);
    }
  }
};

template <class T, bool WithGradient>
struct CutoffProblem {
  GatherSumProblem<T, WithGradient> sum;
  CutoffRule<T> rule;
  CellGrid<T> grid;

  CutoffProblem(const GatherSumProblem<T, WithGradient>& the_sum, const Cutoff& cutoff)
      : sum(the_sum), rule(cutoff), grid(cutoff, the_sum.call.sources.positions.dimension, the_sum.call.sources.count())
  {
  }

  bool empty() const { return sum.empty(); }
};

/// What a backend with the functor compiled in would run.
template <class T, bool WithGradient, class K>
struct CutoffPlan {
  Kernel kernel;
  CutoffProblem<T, WithGradient> problem;
  CutoffInteraction<T, K> interaction;
  GatherWorkspace workspace;
  std::size_t workspace_bytes;
};

} // namespace Keramos::core
