// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the tests of gather-sums: outputs with and without gradient, the places of targets, the bound on rounding, and the
// comparison with it.
#pragma once

#include "Support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace test {

/// A potential and, perhaps, a gradient in the same kind of memory.
template <class T, int Rank, int Dimension, bool WithGradient>
struct Output {
  using Extents = std::array<std::int64_t, Rank>;
  Array<T, Rank> potential;
  Array<T, Rank + 1> gradient;

  Output(const Extents& extents, Memory memory) : potential(extents, memory), gradient(widened(extents), memory) {}

  auto argument() const
  {
    if constexpr (WithGradient)
      return Keramos::PotentialAndGradient{potential.view, gradient.view};
    else
      return potential.view;
  }

  auto gradient_alone() const requires WithGradient { return Keramos::Gradient{gradient.view}; }

  T& component(const Extents& i, int d) const { return gradient.at(join(i, d)); }

  /// Values to add to, or to lose.
  void fill(Keramos::Update update) const
  {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    if (update == Keramos::accumulate) {
      potential.randomise(21);
      gradient.randomise(22);
    } else {
      potential.for_each([&](const auto& i) { potential.at(i) = nan; });
      gradient.for_each([&](const auto& i) { gradient.at(i) = nan; });
    }
  }

  std::int64_t touched_outside() const { return potential.touched_outside() + gradient.touched_outside(); }

private:
  static std::array<std::int64_t, Rank + 1> join(const Extents& i, std::int64_t last)
  {
    std::array<std::int64_t, Rank + 1> result{};
    std::copy(i.begin(), i.end(), result.begin());
    result[Rank] = last;
    return result;
  }
  static auto widened(const Extents& extents) { return join(extents, WithGradient ? Dimension : 0); }
};

// ---- The target with index i of an output, rounded to the value type ------------------------------------------------

template <class T, int Rank, class Index>
std::array<double, 3> coordinates(const Keramos::UniformGrid<Rank>& grid, const Index& i)
{
  std::array<double, 3> result{};
  for (int k = 0; k < Rank; ++k) {
    const volatile double offset = i[k] * grid.spacing[k];
    result[k] = static_cast<T>(grid.origin[k] + offset);
  }
  return result;
}

template <class T>
std::array<double, 3> coordinates(const Keramos::GridPlane& plane, const std::array<std::int64_t, 2>& i)
{
  std::array<std::int64_t, 3> index{};
  for (int k = 0, next = 0; k < 3; ++k) index[k] = k == plane.axis ? plane.index : i[next++];
  return coordinates<T>(Keramos::UniformGrid<3>{plane.origin, plane.spacing}, index);
}

template <class T>
std::array<double, 3> coordinates(const Array<T, 2>& points, const std::array<std::int64_t, 1>& i)
{
  std::array<double, 3> result{};
  for (int d = 0; d < points.extents[1]; ++d) result[d] = points.at({i[0], d});
  return result;
}

// ---- How far two backends may be apart: the formula of backends/reference/GatherSum.hpp -----------------------------

struct Bound {
  double potential = 0, gradient = 0;
};

template <class T, class K>
Bound gather_bound(const K& kernel, const std::array<double, 3>& target, const Array<T, 2>& positions,
                   const Array<T, 1>& weights)
{
  Bound sum;
  const std::int64_t count = weights.extents[0];
  const double terms = static_cast<double>(std::min<std::int64_t>(count, 256)) + 10;
  for (std::int64_t j = 0; j < count; ++j) {
    Kokkos::Array<double, 3> t{}, s{};
    double squared = 0;
    for (int d = 0; d < positions.extents[1]; ++d) {
      t[d] = target[d];
      s[d] = positions.at({j, d});
      squared += (t[d] - s[d]) * (t[d] - s[d]);
    }
    if (squared == 0 && Keramos::core::is_singular(kernel)) continue;
    double value = 0, slope = 0; // |K| and |K'(r)|
    if constexpr (Keramos::core::Interaction<double, K>::is_radial) {
      const double inverse = 1 / std::sqrt(squared);
      value = std::abs(Keramos::core::radial_value(kernel, squared, inverse));
      slope = std::abs(2 * std::sqrt(squared) * Keramos::core::radial_derivative(kernel, squared, inverse));
    } else {
      const auto gradient = kernel.gradient(t, s);
      value = std::abs(kernel(t, s));
      slope = std::hypot(gradient[0], gradient[1], gradient[2]);
    }
    const double weight = std::abs(weights.at({j})), condition = value > 0 ? std::sqrt(squared) * slope / value : 0;
    sum.potential += weight * (value * (terms + 4 * condition) + std::numeric_limits<T>::min());
    sum.gradient += weight * (slope * (terms + 4 * (condition + 2)) + std::numeric_limits<T>::min());
  }
  const double eps = std::numeric_limits<T>::epsilon();
  return {eps * sum.potential, eps * sum.gradient};
}

/// Targets as the call takes them: an array of points is its View.
template <class Targets>
const auto& argument_of(const Targets& targets)
{
  if constexpr (requires { targets.view; })
    return targets.view;
  else
    return targets;
}

/// Sources, outputs and what to expect: everything around a call that does not depend on its kernel.
template <class T, int Rank, int Dimension, bool WithGradient>
class Data {
public:
  using Extents = std::array<std::int64_t, Rank>;
  using Result = Output<T, Rank, Dimension, WithGradient>;

  Array<T, 2> positions;
  Array<T, 1> weights;
  Result out, expected;
  std::vector<std::array<double, 3>> targets; ///< in the order of for_each()
  std::vector<Bound> bounds;                  ///< likewise

  Data(const Extents& extents, std::int64_t sources, Memory in_memory, Memory out_memory)
      : positions({sources, Dimension}, in_memory), weights({sources}, in_memory), out(extents, out_memory),
        expected(extents, Memory::right)
  {
    positions.randomise(5);
    weights.randomise(6);
  }

  auto sources() const { return Keramos::Sources{positions.view, weights.view}; }

  /// Every seventh source stands on a target.
  void place_on_targets() const
  {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto j = static_cast<std::int64_t>(7 * i);
      for (std::int64_t d = 0; d < Dimension && j < positions.extents[0]; ++d)
        positions.at({j, d}) = static_cast<T>(targets[i][d]);
    }
  }

  void compare() const
  {
    int wrong = 0;
    auto next = bounds.begin();
    out.potential.for_each([&](const Extents& i) {
      const Bound bound = *next++;
      const auto check = [&](T got, T want, double within, const char* what) {
        within += std::numeric_limits<T>::epsilon() * (1 + std::abs(want)); // accumulate adds to about 1
        if (!(std::abs(got - want) <= within) && ++wrong < 4)
          ADD_FAILURE() << what << " at " << Keramos::core::tuple_text(i) << ": got " << got << ", want " << want
                        << ", off by " << got - want << ", bound " << within;
      };
      check(out.potential.at(i), expected.potential.at(i), bound.potential, "potential");
      for (int d = 0; WithGradient && d < Dimension; ++d)
        check(out.component(i, d), expected.component(i, d), bound.gradient, "gradient");
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(out.touched_outside(), 0);
  }
};

#ifdef KOKKOS_ENABLE_CUDA
/// The call as on a GPU with one multiprocessor: small sizes reach every kernel, with one chunk of sources and more; and as on one
/// with too little shared memory for products of matrices.
template <class Exec, class K, class Targets, class S, class Out>
Keramos::Kernel sum_on_small_gpu(const Exec& exec, bool has_shared_memory, const K& kernel, const Targets& targets,
                                 const S& sources, const Out& out)
{
  namespace core = Keramos::core;
  namespace sums = Keramos::cuda::gather_sum;
  const auto where = core::on(exec);
  const auto checked = core::check_gather_sum<decltype(where.space)>(kernel, targets, sources, out, Keramos::overwrite,
                                                                     core::NoWorkspace{});
  Keramos::cuda::Device device = Keramos::cuda::device_of(where.space);
  device.multiprocessors = 1;
  if (!has_shared_memory) device.shared_per_block = 48 << 10;
  const auto plan = sums::choose(device, checked.problem, checked.interaction);
  sums::launch(*plan, where.space);
  return plan->kernel;
}
#endif

} // namespace test
