// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with a cutoff, by their definition in double: every pair, every image. Rounding moves a pair by some eps, and what
// that changes, be it that the pair counts no more, is the bound.
#pragma once

#include "GatherSumCases.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace test {

using Keramos::Cutoff, Keramos::CutoffForm;
using Point3 = std::array<double, 3>;
using Total = std::array<double, 4>; ///< potential and gradient

/// What a source adds to a target that is d away from it, per weight.
template <class K>
Total pair_sum(const K& kernel, const Cutoff& cutoff, const Point3& target, const Point3& d)
{
  const double s = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], b = cutoff.radius * cutoff.radius;
  if (s >= b || (s == 0 && Keramos::core::is_singular(kernel))) return {};
  const Keramos::core::Interaction<double, K> pair(kernel);
  const Kokkos::Array<double, 3> t{target[0], target[1], target[2]}, source{t[0] - d[0], t[1] - d[1], t[2] - d[2]};
  double value = pair.value(t, source), kept = 1, slope = 0;
  const auto gradient = pair.gradient(t, source);
  if constexpr (Keramos::core::Interaction<double, K>::is_radial)
    if (cutoff.form == CutoffForm::shifted) value -= pair.value(b);
  if (const double a = cutoff.switch_on * cutoff.switch_on; cutoff.form == CutoffForm::switched && s > a) {
    kept = (b - s) * (b - s) * (b + 2 * s - 3 * a) / std::pow(b - a, 3);
    slope = 2 * value * ((b - s) * (-2 * (b + 2 * s - 3 * a) + 2 * (b - s)) / std::pow(b - a, 3));
  }
  Total total{kept * value};
  for (int k = 0; k < 3; ++k) total[1 + k] = kept * gradient[k] + slope * d[k];
  return total;
}

/// The backends that cover a call with this kernel: hosts have nothing of their own for functors.
template <class K>
std::vector<Keramos::Backend> cutoff_backends()
{
  std::vector<Keramos::Backend> backends = all_backends();
  if constexpr (!Keramos::core::BuiltInKernel<K>) std::erase(backends, Keramos::Backend::openmp);
  return backends;
}

inline double into_box(double x, double length) { return x - length * std::floor(x / length); }

/// The sums of a target, and how far a backend may be off.
struct Wanted {
  Total sum{}, bound{};
};

template <class T, class K>
Wanted direct_sum(const K& kernel, const Cutoff& cutoff, const Point3& target, const Array<T, 2>& positions,
                  const Array<T, 1>& weights)
{
  constexpr double eps = std::numeric_limits<T>::epsilon();
  Wanted wanted;
  const std::int64_t count = weights.extents[0];
  for (std::int64_t j = 0; j < count; ++j) {
    Point3 d{};
    double box_eps = 0, squared = 0;
    for (int k = 0; k < positions.extents[1]; ++k) {
      const double length = static_cast<T>(cutoff.box[k]), source = positions.at({j, k});
      d[k] = target[k] - source;
      if (length > 0) {
        d[k] = into_box(target[k], length) - into_box(source, length);
        d[k] -= length * std::round(d[k] / length);
        box_eps += 4 * eps * length;
      }
      squared += d[k] * d[k];
    }
    if (!(squared <= 2 * cutoff.radius * cutoff.radius)) continue;
    const double r = std::sqrt(squared), weight = weights.at({j});
    const Total sum = pair_sum(kernel, cutoff, target, d);
    const double terms = static_cast<double>(std::min<std::int64_t>(count, 256)) + 20;
    Total cut{}; // of a value whose shift or switch takes it away, the rounding stays
    if (r < cutoff.radius && r > 0) cut = pair_sum(kernel, Cutoff{cutoff.radius}, target, d);
    for (int c = 0; c < 4; ++c) {
      wanted.sum[c] += weight * sum[c];
      wanted.bound[c] +=
          std::abs(weight) * (terms * eps * (std::abs(cut[c]) + std::abs(sum[c])) + std::numeric_limits<T>::min());
    }
    if (!(r > 0)) continue;
    for (const double side : {-1., 1.}) {
      Point3 moved = d;
      for (double& x : moved) x *= 1 + side * (8 * eps + box_eps / r);
      const Total there = pair_sum(kernel, cutoff, target, moved);
      for (int c = 0; c < 4; ++c) wanted.bound[c] += 2 * std::abs(weight * (there[c] - sum[c]));
    }
    if (cutoff.form == CutoffForm::shifted) wanted.bound[0] += terms * eps * std::abs(weight * cut[0]);
    for (int c = 1; c < 4; ++c) // directions are rounded too, and the switch multiplies the value
      wanted.bound[c] +=
          std::abs(weight) * (16 * eps + 2 * box_eps / r) *
          (std::hypot(cut[1], cut[2], cut[3]) +
           (cutoff.form == CutoffForm::switched
                ? 8 * std::abs(cut[0]) * r / (cutoff.radius * cutoff.radius - cutoff.switch_on * cutoff.switch_on)
                : 0));
  }
  return wanted;
}

/// Sources, and targets that are points, in any memory.
template <class T>
struct Points {
  Array<T, 2> positions, targets;
  Array<T, 1> weights;

  Points(std::int64_t sources, std::int64_t the_targets, int dimension = 3, Memory memory = Memory::right)
      : positions({sources, dimension}, memory), targets({the_targets, dimension}, memory), weights({sources}, memory)
  {
    positions.randomise(1);
    targets.randomise(2);
    weights.randomise(3);
  }

  auto sources() const { return Keramos::Sources{positions.view, weights.view}; }

  /// place(index of the point, k, coordinate) for every coordinate.
  template <class Place>
  void move(const Place& place) const
  {
    for (const auto* array : {&positions, &targets})
      array->for_each([&](const auto& i) {
        array->at(i) = static_cast<T>(place(i[0], static_cast<int>(i[1]), static_cast<double>(array->at(i))));
      });
  }

  /// Every third target stands on a source.
  void put_targets_on_sources() const
  {
    for (std::int64_t i = 0; i < std::min(targets.extents[0], positions.extents[0]); i += 3)
      for (std::int64_t k = 0; k < targets.extents[1]; ++k) targets.at({i, k}) = positions.at({i, k});
  }
};

/// Every backend against the definition, at points; `sources` are those of the points.
template <bool WithGradient, int Dimension = 3, class T, class K, class Sources>
void expect_definition_of(const Sources& sources, const K& kernel, const Points<T>& points, const Cutoff& cutoff,
                          Keramos::Update update = Keramos::overwrite)
{
  const std::int64_t count = points.targets.extents[0];
  std::vector<Wanted> wanted;
  for (std::int64_t i = 0; i < count; ++i)
    wanted.push_back(direct_sum(kernel, cutoff, coordinates<T>(points.targets, {i}), points.positions, points.weights));
  for (const Keramos::Backend backend : cutoff_backends<K>()) {
    const Output<T, 1, Dimension, WithGradient> out({count}, Memory::right), before({count}, Memory::right);
    out.fill(update);
    before.fill(update);
    const Keramos::Kernel kernel_taken = run(backend, [&](const auto& exec) {
      return Keramos::gather_sum(exec, kernel, points.targets.view, sources, out.argument(), cutoff, update);
    });
    int wrong = 0;
    const auto check = [&](T got, T old, const Wanted& want, std::int64_t i, int c) {
      const double base = update == Keramos::accumulate ? old : 0, sum = base + want.sum[c];
      const double within = want.bound[c] + std::numeric_limits<T>::epsilon() * std::abs(sum);
      if (!(std::abs(got - sum) <= within) && ++wrong < 4)
        ADD_FAILURE() << kernel_taken << ", target " << i << ", component " << c << ": got " << got << ", want " << sum
                      << ", off by " << got - sum << ", bound " << within;
    };
    for (std::int64_t i = 0; i < count; ++i) {
      check(out.potential.at({i}), before.potential.at({i}), wanted[i], i, 0);
      for (int d = 0; WithGradient && d < Dimension; ++d)
        check(out.component({i}, d), before.component({i}, d), wanted[i], i, 1 + d);
    }
    EXPECT_EQ(wrong, 0) << kernel_taken;
    EXPECT_EQ(out.touched_outside(), 0);
  }
}

template <bool WithGradient, int Dimension = 3, class T, class K>
void expect_definition(const K& kernel, const Points<T>& points, const Cutoff& cutoff,
                       Keramos::Update update = Keramos::overwrite)
{
  expect_definition_of<WithGradient, Dimension>(points.sources(), kernel, points, cutoff, update);
}

} // namespace test
