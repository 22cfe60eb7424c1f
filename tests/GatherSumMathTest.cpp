// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums against mathematics: what must hold whatever the code, on every backend.
#include "GatherSumSupport.hpp"
#include "Launches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
namespace {

using namespace test;
using Keramos::Backend, Keramos::Coulomb, Keramos::Gaussian, Keramos::InverseMultiquadric,
    Keramos::PotentialAndGradient, Keramos::Sources, Keramos::UniformGrid, Keramos::Yukawa;

template <class T>
using Points = Kokkos::View<T* [3], Kokkos::LayoutRight, Shared>;
template <class T>
using Values = Kokkos::View<T*, Shared>;
template <class T>
using Volume = Kokkos::View<T***, Kokkos::LayoutRight, Shared>;

template <class T>
struct Cloud {
  Points<T> positions;
  Values<T> weights;

  explicit Cloud(std::int64_t count, unsigned seed = 1, T low_weight = -1)
      : positions("positions", count), weights("weights", count)
  {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> place(-1, 1), weight(low_weight, 1);
    for (std::int64_t j = 0; j < count; ++j) {
      for (int d = 0; d < 3; ++d) positions(j, d) = static_cast<T>(place(engine));
      weights(j) = static_cast<T>(weight(engine));
    }
  }
  auto sources() const { return Sources{positions, weights}; }
};

template <class T>
bool same_bits(const Values<T>& a, const Values<T>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A sum in double at one target; coincident sources are left out.
template <class T, class K>
double direct(const K& kernel, const Points<T>& targets, std::int64_t i, const Cloud<T>& cloud)
{
  double sum = 0;
  for (std::size_t j = 0; j < cloud.weights.size(); ++j) {
    double squared = 0;
    for (int d = 0; d < 3; ++d) squared += std::pow(double(targets(i, d)) - double(cloud.positions(j, d)), 2);
    if (squared > 0) sum += cloud.weights(j) * kernel(squared);
  }
  return sum;
}

class GatherSumMath : public testing::TestWithParam<Backend> {
protected:
  /// Keramos::gather_sum on the backend of the test.
  template <class... Arguments>
  static Keramos::Kernel sum(const Arguments&... arguments)
  {
    return run(GetParam(), [&](const auto& exec) { return Keramos::gather_sum(exec, arguments...); });
  }
};
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
  constexpr int reach = 8, side = 2 * reach + 1;
  Cloud<double> crystal(side * side * side);
  std::int64_t j = 0;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z, ++j) {
        const int at[3] = {x, y, z};
        double charge = (x + y + z) % 2 == 0 ? 1 : -1;
        for (int d = 0; d < 3; ++d) {
          if (std::abs(at[d]) == reach) charge /= 2;
          crystal.positions(j, d) = at[d];
        }
        crystal.weights(j) = charge;
      }
  Volume<double> potential("potential", 1, 1, side);
  sum(Coulomb{}, UniformGrid<3>{{0, 0, -reach}, {1, 1, 1}}, crystal.sources(), potential);
  EXPECT_NEAR(potential(0, 0, reach), -1.7475645946, 1e-5);
  EXPECT_NEAR(potential(0, 0, reach + 1), 1.7475645946, 1e-3); // a neighbour, of the other sign
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

/// No number, infinities, and distances whose squares leave the range of float: as the arithmetic of the reference has
/// it.
TEST_P(GatherSumMath, WhatIsNoNumberTravels)
{
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Points<float> targets = Cloud<float>(70, 9).positions;
  const auto alike = [](float a, float b) {
    return std::isnan(b) ? std::isnan(a) : std::isinf(b) ? a == b : std::abs(a - b) <= 1e-4 * (1 + std::abs(b));
  };
  const auto compare_at = [&](const auto& where, const auto& cloud, const auto& kernel, const auto& got,
                              const auto& want, const char* what) {
    sum(kernel, where, cloud.sources(), got);
    Keramos::gather_sum(Keramos::with_backend(Host(), Backend::reference), kernel, where, cloud.sources(), want);
    for (std::size_t i = 0; i < got.potential.size(); ++i)
      EXPECT_PRED2(alike, got.potential.data()[i], want.potential.data()[i]) << what;
    for (std::size_t i = 0; i < got.gradient.size(); ++i)
      EXPECT_PRED2(alike, got.gradient.data()[i], want.gradient.data()[i]) << what;
  };
  const UniformGrid<3> grid{{-1, -1, -1}, {1, 0.5, 0.0625}};
  const auto compare = [&](const Cloud<float>& cloud, const auto& kernel, const char* what) {
    const auto at_points = [] { return PotentialAndGradient{Values<float>("", 70), Points<float>("", 70)}; };
    compare_at(targets, cloud, kernel, at_points(), at_points(), what);
    using Field = Kokkos::View<float*** [3], Kokkos::LayoutRight, Shared>;
    const auto on_grid = [] { return PotentialAndGradient{Volume<float>("", 3, 3, 30), Field("", 3, 3, 30)}; };
    compare_at(grid, cloud, kernel, on_grid(), on_grid(), what);
  };
  const auto with_all = [&](const Cloud<float>& cloud, const char* what) {
    compare(cloud, Coulomb{}, what);
    compare(cloud, Coulomb{.softening = 0.1}, what);
    compare(cloud, Yukawa{.kappa = 1}, what);
    compare(cloud, Gaussian{.sigma = 0.7}, what);
  };
  for (const float value : {nan, infinity, -infinity}) {
    Cloud<float> weight(300);
    weight.weights(17) = value;
    with_all(weight, "weight");
    Cloud<float> position(300);
    position.positions(270, 1) = value;
    with_all(position, "position");
  }
  Cloud<float> far(300), near(300);
  far.positions(3, 0) = 1e25f; // r^2 is infinite
  near.positions(4, 2) = targets(5, 2), near.positions(4, 1) = targets(5, 1);
  near.positions(4, 0) = targets(5, 0) * (1 + std::numeric_limits<float>::epsilon());
  targets(6, 0) = 1e-21f, targets(6, 1) = targets(6, 2) = 0;
  near.positions(8, 0) = near.positions(8, 1) = near.positions(8, 2) = 0; // r^2 is subnormal
  with_all(far, "far");
  compare(near, Coulomb{.softening = 0.1}, "near");
  compare(near, Gaussian{.sigma = 0.7}, "near");
  Cloud<float> heavy(1); // w d exp(-d^2 / (2 sigma^2)) leaves the range of float, the gradient does not
  heavy.weights(0) = 3e38f, heavy.positions(0, 0) = 0, heavy.positions(0, 1) = 10, heavy.positions(0, 2) = 50;
  compare(heavy, Gaussian{.sigma = 10}, "heavy");
  Values<float> got("got", 70), want("want", 70);
  sum(Coulomb{}, targets, near.sources(), got);
  Keramos::gather_sum(Keramos::with_backend(Host(), Backend::reference), Coulomb{}, targets, near.sources(), want);
  for (int i = 0; i < 70; ++i) EXPECT_NEAR(got(i) / want(i), 1, 1e-4);
}

TEST_P(GatherSumMath, WithoutSources)
{
  const Cloud<float> none(0);
  Values<float> out("out", 9);
  const Points<float> targets = Cloud<float>(9).positions;
  Kokkos::deep_copy(out, 5);
  sum(Coulomb{}, targets, none.sources(), out, Keramos::accumulate);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(out(i), 5);
  sum(Coulomb{}, targets, none.sources(), out);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(out(i), 0);
}

TEST_P(GatherSumMath, PackedSources)
{
  const Cloud<float> cloud(300);
  Kokkos::View<float* [4], Kokkos::LayoutLeft, Shared> packed("packed", 300);
  for (int j = 0; j < 300; ++j) {
    for (int d = 0; d < 3; ++d) packed(j, d) = cloud.positions(j, d);
    packed(j, 3) = cloud.weights(j);
  }
  const Points<float> targets = Cloud<float>(77, 2).positions;
  Values<float> apart("apart", 77), together("together", 77);
  sum(Yukawa{.kappa = 1}, targets, cloud.sources(), apart);
  sum(Yukawa{.kappa = 1}, targets, Sources{packed}, together);
  EXPECT_TRUE(same_bits(apart, together));
}

/// A plane is that plane of the grid, whichever axis it cuts.
TEST_P(GatherSumMath, PlaneOfAGrid)
{
  const Cloud<double> cloud(100);
  const UniformGrid<3> grid{{-1, -0.5, 0}, {0.11, 0.13, 0.17}};
  Volume<double> volume("volume", 7, 8, 9);
  sum(Coulomb{}, grid, cloud.sources(), volume);
  for (int axis = 0; axis < 3; ++axis) {
    const int rows = axis == 0 ? 8 : 7, columns = axis == 2 ? 8 : 9;
    Kokkos::View<double**, Shared> plane("plane", rows, columns);
    sum(Coulomb{}, grid.plane(axis, 3), cloud.sources(), plane);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const double want = axis == 0 ? volume(3, i, j) : axis == 1 ? volume(i, 3, j) : volume(i, j, 3);
        EXPECT_NEAR(plane(i, j), want, 1e-12);
      }
  }
}

/// The same bits again, in another execution space with another number of threads, and beside other targets.
TEST_P(GatherSumMath, Deterministic)
{
  const Cloud<float> cloud(2000);
  const Points<float> targets = Cloud<float>(1500, 2).positions;
  for (int i = 0; i < 1500; i += 50)
    for (int d = 0; d < 3; ++d) targets(i, d) = cloud.positions(i, d);
  Values<float> first("first", 1500), again("again", 1500);
  sum(Coulomb{}, targets, cloud.sources(), first);
  sum(Coulomb{}, targets, cloud.sources(), again);
  EXPECT_TRUE(same_bits(first, again));
#if defined(KOKKOS_ENABLE_SERIAL)
  if (GetParam() == Backend::cuda) return;
  if (has_cuda && GetParam() == Backend::portable) return; // sums on a GPU round otherwise
  Kokkos::deep_copy(again, -1);
  Keramos::gather_sum(Keramos::with_backend(Kokkos::Serial(), GetParam()), Coulomb{}, targets, cloud.sources(), again);
  EXPECT_TRUE(same_bits(first, again));
#endif
  Values<float> some("some", 1000);
  sum(Coulomb{}, Kokkos::subview(targets, std::pair(0, 1000), Kokkos::ALL), cloud.sources(), some);
  EXPECT_EQ(std::memcmp(some.data(), first.data(), 1000 * sizeof(float)), 0);
}

TEST_P(GatherSumMath, DryRunOnlyAsks)
{
  const Cloud<float> cloud(10);
  Values<float> out("out", 10);
  Kokkos::deep_copy(out, 5);
  const auto asked = run(GetParam(), [&](const auto& exec) {
    return Keramos::gather_sum(Keramos::dry_run(exec), Gaussian{}, cloud.positions, cloud.sources(), out);
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(out(i), 5);
  EXPECT_EQ(asked, sum(Gaussian{}, cloud.positions, cloud.sources(), out));
  EXPECT_EQ(asked.backend, GetParam());
}

TEST_P(GatherSumMath, NameIsWhatToolsSee)
{
  const Cloud<float> cloud(10);
  Values<float> out("out", 10);
  const test::Launches launches;
  const auto kernel = sum(Gaussian{}, cloud.positions, cloud.sources(), out);
  EXPECT_EQ(launches.kernels(), std::vector{kernel.name()});
}

/// Views of few elements and a span of more than 2^31.
TEST_P(GatherSumMath, HugeSpan)
{
  constexpr std::size_t step = (std::size_t(1) << 31) + 5;
  const test::FarMemory<float> memory(2 * step + 8);
  float* data = memory.data();
  using Strided = Kokkos::View<float**, Kokkos::LayoutStride, Shared>;
  const Strided positions(data, Kokkos::LayoutStride(3, step, 3, 1)); // a row every `step` elements
  const Kokkos::View<float*, Kokkos::LayoutStride, Shared> out(data + 3, Kokkos::LayoutStride(3, step));
  for (std::size_t j = 0; j < 3; ++j) data[j * step] = static_cast<float>(j); // Kokkos' own indices may be int
  Values<float> weights("weights", 3);
  Kokkos::deep_copy(weights, 1);
  sum(Coulomb{}, positions, Sources{positions, weights}, out);
  EXPECT_FLOAT_EQ(data[3], 1.5f);
  EXPECT_FLOAT_EQ(data[3 + step], 2);
  EXPECT_FLOAT_EQ(data[3 + 2 * step], 1.5f);
}

} // namespace
