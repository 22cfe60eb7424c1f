// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums against mathematics: what must hold whatever the code, on every backend.
#include "GatherSumCloud.hpp"

namespace {

using namespace test;
using Keramos::Coulomb, Keramos::Gaussian, Keramos::InverseMultiquadric, Keramos::PotentialAndGradient,
    Keramos::Sources, Keramos::UniformGrid, Keramos::Yukawa;

class GatherSumMath : public GatherSumOnBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GatherSumMath, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

TEST_P(GatherSumMath, AddsOverSources)
{
  const Cloud<double> cloud(700);
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return Sources{Kokkos::subview(cloud.positions, std::pair(begin, end), Kokkos::ALL),
                   Kokkos::subview(cloud.weights, std::pair(begin, end))};
  };
  const UniformGrid<3> grid{{-1, -1, -1}, {0.3, 0.2, 0.1}};
  Volume<double> whole("whole", 5, 6, 19), parts("parts", 5, 6, 19);
  sum(Coulomb{}, grid, cloud.sources(), whole);
  sum(Coulomb{}, grid, part(0, 300), parts);
  sum(Coulomb{}, grid, part(300, 700), parts, Keramos::accumulate);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole.data()[i], parts.data()[i], 1e-11);
}

/// Moving everything by the same number that rounds nothing changes no bit.
TEST_P(GatherSumMath, Translation)
{
  Cloud<float> cloud(300);
  for (std::size_t i = 0; i < cloud.positions.size(); ++i)
    cloud.positions.data()[i] = std::round(cloud.positions.data()[i] * 1024) / 1024;
  Volume<float> here("here", 3, 4, 40), there("there", 3, 4, 40);
  sum(Yukawa{.kappa = 0.7}, UniformGrid<3>{{-1, -1, -1}, {0.25, 0.5, 0.0625}}, cloud.sources(), here);
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) cloud.positions.data()[i] += 64;
  sum(Yukawa{.kappa = 0.7}, UniformGrid<3>{{63, 63, 63}, {0.25, 0.5, 0.0625}}, cloud.sources(), there);
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(here.data()[i], there.data()[i]);
}

TEST_P(GatherSumMath, OneSource)
{
  Cloud<double> one(1);
  one.positions(0, 0) = 3, one.positions(0, 1) = 0, one.positions(0, 2) = 4, one.weights(0) = 2;
  Points<double> origin("origin", 1), gradient("gradient", 1);
  Values<double> value("value", 1);
  const auto run = [&](const auto& kernel) {
    sum(kernel, origin, one.sources(), PotentialAndGradient{value, gradient});
    return value(0);
  };
  EXPECT_DOUBLE_EQ(run(Coulomb{}), 0.4);
  EXPECT_NEAR(gradient(0, 0), 2 * 3 / 125.0, 1e-16); // towards the source
  EXPECT_NEAR(gradient(0, 2), 2 * 4 / 125.0, 1e-16);
  EXPECT_DOUBLE_EQ(run(Coulomb{.softening = 12}), 2 / 13.0);
  EXPECT_DOUBLE_EQ(run(InverseMultiquadric{.c = 12}), 2 / 13.0);
  EXPECT_NEAR(gradient(0, 0), 2 * 3 / std::pow(13.0, 3), 1e-16);
  EXPECT_NEAR(run(Yukawa{.kappa = 0.5}), 0.4 * std::exp(-2.5), 1e-16);
  EXPECT_NEAR(gradient(0, 2), 0.4 * std::exp(-2.5) * (0.5 + 1 / 5.0) * 4 / 5, 1e-16);
  EXPECT_NEAR(run(Gaussian{.sigma = 2}), 2 * std::exp(-25 / 8.0), 1e-16);
  EXPECT_NEAR(gradient(0, 2), 2 * std::exp(-25 / 8.0), 1e-16); // times 4 / sigma^2
}

/// At a source a finite kernel adds K(0), a singular one nothing; so does its gradient.
TEST_P(GatherSumMath, CoincidentSources)
{
  const Cloud<float> cloud(600);
  Values<float> alone("alone", 600), potential("potential", 600);
  Points<float> gradient("gradient", 600);
  const auto both = PotentialAndGradient{potential, gradient};
  sum(Coulomb{}, cloud.positions, cloud.sources(), alone);
  sum(Coulomb{}, cloud.positions, cloud.sources(), both);
  for (int i = 0; i < 600; ++i) {
    EXPECT_NEAR(alone(i), direct(Coulomb{}, cloud.positions, i, cloud), 2e-4);
    EXPECT_NEAR(alone(i), potential(i), 2e-4);
    EXPECT_TRUE(std::isfinite(gradient(i, 0) + gradient(i, 1) + gradient(i, 2)));
  }
  const auto own = [&](const auto& kernel, float at_zero) {
    sum(kernel, cloud.positions, cloud.sources(), both);
    for (int i = 0; i < 600; ++i)
      EXPECT_NEAR(potential(i), direct(kernel, cloud.positions, i, cloud) + cloud.weights(i) * at_zero, 2e-4);
  };
  own(Coulomb{.softening = 0.5}, 2);
  own(InverseMultiquadric{.c = 0.25}, 4);
  own(Gaussian{.sigma = 0.3}, 1);
  own(Yukawa{.kappa = 1}, 0);
}

/// Evjen's sums over a cube of rock salt, whose surface carries fractions of its charges, approach the Madelung
/// constant.
TEST_P(GatherSumMath, Madelung)
{
  constexpr int half = 8, side = 2 * half + 1;
  Cloud<double> crystal(side * side * side);
  std::int64_t j = 0;
  for (int x = -half; x <= half; ++x)
    for (int y = -half; y <= half; ++y)
      for (int z = -half; z <= half; ++z, ++j) {
        const int at[3] = {x, y, z};
        double charge = (x + y + z) % 2 == 0 ? 1 : -1;
        for (int d = 0; d < 3; ++d) {
          if (std::abs(at[d]) == half) charge /= 2;
          crystal.positions(j, d) = at[d];
        }
        crystal.weights(j) = charge;
      }
  Volume<double> potential("potential", 1, 1, side);
  sum(Coulomb{}, UniformGrid<3>{{0, 0, -half}, {1, 1, 1}}, crystal.sources(), potential);
  EXPECT_NEAR(potential(0, 0, half), -1.7475645946, 1e-5);
  EXPECT_NEAR(potential(0, 0, half + 1), 1.7475645946, 1e-3); // a neighbour, of the other sign
}

TEST_P(GatherSumMath, GaussianIsSeparable)
{
  Cloud<double> one(1);
  Volume<double> density("density", 4, 5, 33);
  const std::array<double, 3> origin{-0.5, -1, -2}, spacing{0.5, 0.4, 0.1};
  sum(Gaussian{.sigma = 0.8}, UniformGrid<3>{origin, spacing}, one.sources(), density);
  const auto along = [&](int k, int i) {
    return std::exp(-std::pow(origin[k] + i * spacing[k] - one.positions(0, k), 2) / (2 * 0.8 * 0.8));
  };
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 33; ++k)
        EXPECT_NEAR(density(i, j, k), one.weights(0) * along(0, i) * along(1, j) * along(2, k), 3e-15);
}

/// Gradients against central differences of potentials, all in double: their own error is h^2 / 6 of the third
/// derivative.
TEST_P(GatherSumMath, GradientIsTheDerivative)
{
  const Cloud<double> cloud(257);
  const auto check = [&](const auto& kernel) {
    constexpr double h = 1e-4;
    Points<double> targets("targets", 40), gradient("gradient", 40);
    for (int i = 0; i < 40; ++i)
      for (int d = 0; d < 3; ++d) targets(i, d) = (d == 0 ? 1.3 : -1) + 0.05 * i; // not too near to any source
    Values<double> potential("potential", 40), up("up", 40), down("down", 40);
    sum(kernel, targets, cloud.sources(), PotentialAndGradient{potential, gradient});
    for (int d = 0; d < 3; ++d) {
      for (int i = 0; i < 40; ++i) targets(i, d) += h;
      sum(kernel, targets, cloud.sources(), up);
      for (int i = 0; i < 40; ++i) targets(i, d) -= 2 * h;
      sum(kernel, targets, cloud.sources(), down);
      for (int i = 0; i < 40; ++i) targets(i, d) += h;
      for (int i = 0; i < 40; ++i) EXPECT_NEAR(gradient(i, d), (up(i) - down(i)) / (2 * h), 2e-5);
    }
  };
  check(Coulomb{});
  check(Coulomb{.softening = 0.1});
  check(Yukawa{.kappa = 2});
  check(Gaussian{.sigma = 0.5});
  check(InverseMultiquadric{.c = 0.3});
}

/// 10^6 sources of one sign in float: adding them one by one would be off by 1e-3.
TEST_P(GatherSumMath, ManySources)
{
  const Cloud<float> cloud(1000000, 3, 0);
  const Points<float> targets = Cloud<float>(3, 4).positions;
  Values<float> potential("potential", 3);
  sum(Coulomb{}, targets, cloud.sources(), potential);
  for (int i = 0; i < 3; ++i) {
    const double want = direct(Coulomb{}, targets, i, cloud);
    EXPECT_NEAR(potential(i) / want, 1, 5e-7);
  }
}

} // namespace
