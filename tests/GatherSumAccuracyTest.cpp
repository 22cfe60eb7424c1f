// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums in float against sums in double, to the bound that the docstring of gather_sum states: clouds that are clustered, far from
// the origin, large and small, of charges that cancel, and targets on sources and next to them.
#include "GatherSumCloud.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace test;
using Keramos::Coulomb, Keramos::Gaussian, Keramos::UniformGrid, Keramos::Yukawa;

namespace {

class GatherSumAccuracy : public GatherSumOnBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GatherSumAccuracy, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

using Place = std::array<double, 3>;

struct Wanted {
  double sum = 0, bound = 0;
};

/// eps * sum |w| (|K| (min(n, 256) + 10) + 4 r |K'|), and what numbers below the smallest normal one may add.
template <class K>
Wanted wanted_at(const K& kernel, const Place& target, const Cloud<float>& cloud)
{
  Wanted wanted;
  const std::size_t count = cloud.weights.size();
  const double terms = static_cast<double>(std::min<std::size_t>(count, 256)) + 10;
  for (std::size_t j = 0; j < count; ++j) {
    double squared = 0;
    for (int d = 0; d < 3; ++d) squared += std::pow(target[d] - double(cloud.positions(j, d)), 2);
    if (squared == 0 && Keramos::core::is_singular(kernel)) continue;
    const double weight = cloud.weights(j), value = kernel(squared), slope = 2 * squared * kernel.derivative(squared);
    wanted.sum += weight * value;
    wanted.bound +=
        std::abs(weight) * (std::numeric_limits<float>::epsilon() * (std::abs(value) * terms + 4 * std::abs(slope)) +
                            double(std::numeric_limits<float>::min()));
  }
  wanted.bound += std::numeric_limits<float>::epsilon() * std::abs(wanted.sum);
  return wanted;
}

struct Setting {
  std::string name;
  double scale; ///< lengths of a kernel
  Place origin; ///< of the grid
  Cloud<float> cloud;
};

/// Random sources whose places and weights are changed.
Setting setting(const std::string& name, double scale, const Place& origin,
                const std::function<double(int j, int d, double x)>& place,
                const std::function<double(int j, double w)>& weight)
{
  constexpr int count = 600; // the last block is a short one
  Setting result{name, scale, origin, Cloud<float>(count)};
  for (int j = 0; j < count; ++j) {
    for (int d = 0; d < 3; ++d)
      result.cloud.positions(j, d) = static_cast<float>(place(j, d, result.cloud.positions(j, d)));
    result.cloud.weights(j) = static_cast<float>(weight(j, result.cloud.weights(j)));
  }
  return result;
}

std::vector<Setting> settings()
{
  const auto same = [](int, double w) { return w; };
  const auto at = [](double scale) { return [=](int, int, double x) { return scale * x; }; };
  const auto clusters = [](int j, int d, double x) { return (j % 5 + d) * 0.37 - 1 + 1e-3 * x * x * x; };
  const auto far = [](int, int d, double x) { return (d == 1 ? -4096 : 8192) + x; };
  std::vector<Setting> result;
  result.push_back(setting("anywhere", 1, {-1, -1, -1}, at(1), same));
  result.push_back(setting("clusters", 1, {-1, -1, -1}, clusters, same));
  result.push_back(setting("far from the origin", 1, {8191, -4097, 8191}, far, same));
  result.push_back(
      setting("charges that cancel", 1, {-1, -1, -1}, at(1), [](int j, double) { return j % 2 ? -1 : 1; }));
  result.push_back(setting("large", 1e17, {-1e17, -1e17, -1e17}, at(1e17), same));
  result.push_back(setting("small", 1e-9, {-1e-9, -1e-9, -1e-9}, at(1e-9), same));
  return result;
}

void expect_near(const Wanted& wanted, float got, const Setting& of, const Keramos::Kernel& kernel)
{
  EXPECT_LE(std::abs(got - wanted.sum), wanted.bound)
      << of.name << ", " << kernel << ": got " << got << ", want " << wanted.sum;
}

/// Every tenth target on a source, every tenth an eps beside one.
template <class K, class Sum>
void check_points(const Setting& of, const K& kernel, const Sum& sum)
{
  constexpr int count = 70;
  const Points<float> targets = Cloud<float>(count, 7).positions;
  for (int i = 0; i < count; ++i)
    for (int d = 0; d < 3; ++d) {
      const float source = of.cloud.positions((37 * i) % 600, d);
      const float beside = d == 0 ? std::nextafter(source, std::numeric_limits<float>::max()) : source;
      const float anywhere = static_cast<float>(of.origin[d] + of.scale * (1 + targets(i, d)));
      targets(i, d) = i % 10 == 0 ? source : i % 10 == 1 ? beside : anywhere;
    }
  const Values<float> got("got", count);
  const auto ran = sum(kernel, targets, of.cloud.sources(), got);
  for (int i = 0; i < count; ++i)
    expect_near(wanted_at(kernel, {targets(i, 0), targets(i, 1), targets(i, 2)}, of.cloud), got(i), of, ran);
}

template <class K, class Sum>
void check_grid(const Setting& of, const K& kernel, const Sum& sum)
{
  constexpr int n[] = {2, 9, 33};
  UniformGrid<3> grid;
  for (int d = 0; d < 3; ++d) {
    grid.origin[d] = of.origin[d];
    grid.spacing[d] = std::exp2(std::floor(std::log2(of.scale / n[d])));
  }
  const Volume<float> got("got", n[0], n[1], n[2]);
  const auto ran = sum(kernel, grid, of.cloud.sources(), got);
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k) {
        const int at[] = {i, j, k};
        Place target;
        for (int d = 0; d < 3; ++d) {
          const volatile double offset = at[d] * grid.spacing[d];
          target[d] = static_cast<float>(grid.origin[d] + offset);
        }
        expect_near(wanted_at(kernel, target, of.cloud), got(i, j, k), of, ran);
      }
}

TEST_P(GatherSumAccuracy, IsWhatTheDocstringSays)
{
  const auto call = [](const auto&... arguments) { return sum(arguments...); };
  for (const Setting& of : settings()) {
    const auto check = [&](const auto& kernel) {
      check_points(of, kernel, call);
      check_grid(of, kernel, call);
    };
    check(Coulomb{});
    check(Coulomb{.softening = 0.1 * of.scale});
    check(Yukawa{.kappa = 2 / of.scale});
    check(Gaussian{.sigma = 0.4 * of.scale});
  }
}

/// exp(-x) / of in double, to the roundings of x and some: from 1 to where nothing is left, wherever x lies between the steps of a
/// table.
void expect_decay(double got, long double x, long double of)
{
  const long double wanted = std::exp(-x) / of, eps = std::numeric_limits<double>::epsilon();
  EXPECT_LE(std::abs(got - wanted), (6 + 2 * x) * eps * wanted + 4 * std::numeric_limits<double>::min() / of) << x;
}

TEST_P(GatherSumAccuracy, OfExponentialsInDouble)
{
  constexpr int count = 20000;
  constexpr double kappa = 0.7, sigma = 1.25;
  Cloud<double> one(1);
  one.positions(0, 0) = one.positions(0, 1) = one.positions(0, 2) = 0, one.weights(0) = 1;
  const Points<double> targets("targets", count);
  const Values<double> got("got", count);
  for (int i = 0; i < count; ++i) targets(i, i % 3) = (i + 0.3) * 0.055;
  sum(Yukawa{.kappa = kappa}, targets, one.sources(), got);
  for (int i = 0; i < count; ++i) {
    const long double r = targets(i, i % 3);
    expect_decay(got(i), kappa * r, r);
  }
  for (int i = 0; i < count; ++i) targets(i, i % 3) = (i + 0.3) * 0.0025;
  sum(Gaussian{.sigma = sigma}, targets, one.sources(), got);
  const auto exponent = [](long double r) { return r * r / (2 * sigma * static_cast<long double>(sigma)); };
  for (int i = 0; i < count; ++i) expect_decay(got(i), exponent(targets(i, i % 3)), 1);

  const Volume<double> on_grid("on grid", 2, 3, count);
  sum(Gaussian{.sigma = sigma}, UniformGrid<3>{{0, 0, 0.25}, {0.5, 0.25, 0x1p-9}}, one.sources(), on_grid);
  for (int n = 0; n < 6 * count; ++n) {
    const long double x = n / count / 3 * 0.5L, y = n / count % 3 * 0.25L, z = 0.25L + n % count * 0x1p-9L;
    expect_decay(on_grid.data()[n], exponent(std::sqrt(x * x + y * y + z * z)), 1);
  }
}

} // namespace
