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

/// The gradient alone is what the potential's differences say: central ones, of second order.
TEST_P(GatherSumMath, GradientAloneIsTheDerivative)
{
  const Cloud<double> cloud(400);
  const Points<double> targets("targets", 60), gradient("gradient", 60);
  for (int i = 0; i < 60; ++i)
    for (int d = 0; d < 3; ++d) targets(i, d) = 1.5 + 0.01 * ((i + 1) * (d + 3) % 17); // away from the sources
  const auto check = [&](const auto& kernel, const auto&... cutoff) {
    constexpr double h = 1e-4;
    sum(kernel, targets, cloud.sources(), Keramos::Gradient{gradient}, cutoff...);
    const Points<double> moved("moved", 60);
    const Values<double> low("low", 60), high("high", 60);
    for (int d = 0; d < 3; ++d) {
      const auto move_to = [&](double step, const auto& out) {
        Kokkos::deep_copy(moved, targets);
        for (int i = 0; i < 60; ++i) moved(i, d) += step;
        sum(kernel, moved, cloud.sources(), out, cutoff...);
      };
      move_to(-h, low);
      move_to(h, high);
      for (int i = 0; i < 60; ++i) EXPECT_NEAR(gradient(i, d), (high(i) - low(i)) / (2 * h), 2e-5) << i << ' ' << d;
    }
  };
  check(Coulomb{});
  check(Yukawa{.kappa = 1.5});
  check(Gaussian{.sigma = 0.8});
  check(InverseMultiquadric{.c = 0.7});
  check(Coulomb{}, Keramos::Cutoff{.radius = 2, .form = Keramos::CutoffForm::switched, .switch_on = 1});
}

/// A value that nobody asks for is not computed: this one ends the program.
struct OnlySlope {
  static constexpr bool singular = false;
  KOKKOS_FUNCTION double operator()(double) const
  {
    Kokkos::abort("a value was computed");
    return 0;
  }
  KOKKOS_FUNCTION double derivative(double) const { return 0.5; }
};

TEST_P(GatherSumMath, GradientAloneComputesNoValue)
{
  const Cloud<double> cloud(300);
  const Points<double> gradient("gradient", 300);
  sum(OnlySlope{}, cloud.positions, cloud.sources(), Keramos::Gradient{gradient});
  double charge = 0, moment = 0; // the sum of w (t - s)
  for (int j = 0; j < 300; ++j) charge += cloud.weights(j), moment += cloud.weights(j) * cloud.positions(j, 1);
  for (int i = 0; i < 300; ++i) EXPECT_NEAR(gradient(i, 1), charge * cloud.positions(i, 1) - moment, 1e-12);
  if (GetParam() == Keramos::Backend::openmp) return; // no cells for functors
  for (const auto form : {Keramos::CutoffForm::sharp, Keramos::CutoffForm::shifted}) {
    sum(OnlySlope{}, cloud.positions, cloud.sources(), Keramos::Gradient{gradient},
        Keramos::Cutoff{.radius = 4, .form = form});
    for (int i = 0; i < 300; ++i) EXPECT_NEAR(gradient(i, 1), charge * cloud.positions(i, 1) - moment, 1e-12);
  }
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

/// Whatever a source's number in its block: it is left out at its own target and added at the others.
TEST_P(GatherSumMath, EverySourceOfABlockOnAGrid)
{
  constexpr int count = 37; // two rounds of the hot loops and some
  const Keramos::UniformGrid<3> grid{{0, 0, 0}, {0.25, 0.25, 0.25}};
  Cloud<float> one(count);
  Volume<float> volume("volume", 9, count, 5);
  for (int j = 0; j < count; ++j) {
    one.positions(j, 0) = one.positions(j, 2) = 1, one.positions(j, 1) = 0.25f * static_cast<float>(j);
    one.weights(j) = 0;
  }
  for (int j = 0; j < count; ++j) {
    one.weights(j) = 0.7f;
    sum(Coulomb{}, grid, one.sources(), volume);
    one.weights(j) = 0;
    for (int n = 0; n < 9 * count * 5; ++n) {
      const int i[] = {n / 5 / count, n / 5 % count, n % 5};
      const double squared = (i[0] - 4) * (i[0] - 4) + (i[1] - j) * (i[1] - j) + (i[2] - 4) * (i[2] - 4);
      const double expected = squared == 0 ? 0 : 0.7f / std::sqrt(squared / 16);
      EXPECT_NEAR(volume(i[0], i[1], i[2]), expected, std::exp2(-19) * expected) << j << " at " << n;
    }
  }
}

struct Root {
  static constexpr bool singular = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return Keramos::rsqrt(s);
  }
};
struct Decay {
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return Keramos::exp(s / -8);
  }
};

/// Keramos::rsqrt and Keramos::exp to what they promise, at distances whose squares are numbers of float.
TEST_P(GatherSumMath, FunctionsForFunctors)
{
  Cloud<float> one(1);
  one.positions(0, 0) = one.positions(0, 1) = one.positions(0, 2) = 0, one.weights(0) = 1;
  Points<float> targets("targets", 800);
  Values<float> value("value", 800);
  for (int i = 0; i < 800; ++i) targets(i, i % 3) = static_cast<float>(i) / 64;
  const auto square = [](int i) { return i * i / 4096.0; };
  sum(Root{}, targets, one.sources(), value);
  EXPECT_EQ(value(0), 0);
  for (int i = 1; i < 800; ++i) EXPECT_NEAR(value(i) * std::sqrt(square(i)), 1, std::exp2(-22.8)) << i;
  sum(Decay{}, targets, one.sources(), value);
  for (int i = 0; i < 800; ++i) {
    const double x = square(i) / 8;
    EXPECT_NEAR(value(i) * std::exp(x), 1, std::exp2(-22) + x * std::exp2(-23)) << i;
  }
}

template <class T>
std::vector<T> numbers_of_all_exponents()
{
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers;
  for (int exponent = Limits::min_exponent - 1; exponent < Limits::max_exponent; ++exponent)
    for (int n = 0; n < 200; ++n) numbers.push_back(std::ldexp(1 + T(n) / 200, exponent));
  return numbers;
}

/// Keramos::rsqrt and Keramos::exp on the host, in float and double: over the exponents, at their ends and beyond.
template <class T>
void check_functions()
{
  using Limits = std::numeric_limits<T>;
  const long double eps = Limits::epsilon();
  for (const T x : numbers_of_all_exponents<T>())
    EXPECT_NEAR(Keramos::rsqrt(x) * std::sqrt(static_cast<long double>(x)), 1, eps) << x;
  EXPECT_EQ(Keramos::rsqrt(T(0)), Limits::infinity());
  EXPECT_EQ(Keramos::rsqrt(Limits::denorm_min()), Limits::infinity());
  EXPECT_EQ(Keramos::rsqrt(Limits::infinity()), 0);
  EXPECT_TRUE(std::isnan(Keramos::rsqrt(Limits::quiet_NaN())));

  const long double ln2 = std::log(2.0L);
  const T lowest = static_cast<T>((Limits::min_exponent - 1) * ln2),
          highest = static_cast<T>((Limits::max_exponent - 0.5L) * ln2);
  for (int n = 1; n < 20000; ++n) {
    const T x = lowest + (highest - lowest) * T(n) / 20000;
    const long double exact = std::exp(static_cast<long double>(x));
    EXPECT_NEAR(Keramos::exp(x) / exact, 1, 2 * eps + std::abs(x) * eps) << x;
  }
  EXPECT_EQ(Keramos::exp(T(0)), 1);
  EXPECT_EQ(Keramos::exp(lowest * T(1.001)), 0);
  EXPECT_EQ(Keramos::exp(-Limits::infinity()), 0);
  EXPECT_EQ(Keramos::exp(highest * T(1.001)), Limits::infinity());
  EXPECT_EQ(Keramos::exp(Limits::infinity()), Limits::infinity());
  EXPECT_TRUE(std::isnan(Keramos::exp(Limits::quiet_NaN())));
}
TEST(FunctorMath, OnTheHostInFloat) { check_functions<float>(); }
TEST(FunctorMath, OnTheHostInDouble) { check_functions<double>(); }

/// f of r^2, called with vectors, and not singular.
template <class F>
struct OnVectors {
  static constexpr bool takes_vectors = true;
  F f;
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return f(s);
  }
};

/// Keramos::rsqrt and Keramos::exp of vectors on hosts are as far off as of numbers, and do the same at the ends.
template <class T>
void check_vectors()
{
  using Limits = std::numeric_limits<T>;
  const long double eps = Limits::epsilon();
  Cloud<T> one(1);
  one.positions(0, 0) = one.positions(0, 1) = one.positions(0, 2) = 0, one.weights(0) = 1;
  const auto sums = [&]<class F>(const std::vector<T>& r, const F& f) {
    const Points<T> targets("targets", r.size());
    const Values<T> value("value", r.size());
    for (std::size_t i = 0; i < r.size(); ++i) targets(i, 0) = r[i];
    const Kokkos::DefaultHostExecutionSpace exec;
    Keramos::gather_sum(Keramos::with_backend(exec, Keramos::Backend::openmp), OnVectors<F>{f}, targets, one.sources(),
                        value);
    exec.fence();
    return std::vector<T>(value.data(), value.data() + r.size());
  };
  std::vector<T> roots; // of r^2, normal numbers
  for (const T x : numbers_of_all_exponents<T>())
    if (x > 4 * std::sqrt(Limits::min()) && x < std::sqrt(Limits::max()) / 4) roots.push_back(x);
  const auto got = sums(roots, Root{});
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const long double s = roots[i] * roots[i];
    EXPECT_NEAR(got[i] * std::sqrt(s), 1, eps) << roots[i];
  }
  const auto ends = sums({0, Limits::max(), Limits::quiet_NaN()}, Root{});
  EXPECT_EQ(ends[0], Limits::infinity());
  EXPECT_EQ(ends[1], 0);
  EXPECT_TRUE(std::isnan(ends[2]));

  const std::vector<T> distances{0, 0.5, 1, 2, 5, 12, 20, Limits::max(), Limits::quiet_NaN()};
  const auto decay = sums(distances, Decay{});
  for (int i = 0; i < 7; ++i) {
    const long double x = distances[i] * distances[i] / 8;
    EXPECT_NEAR(decay[i] * std::exp(x), 1, (2 + x) * eps) << x;
  }
  EXPECT_EQ(decay[7], 0);
  EXPECT_TRUE(std::isnan(decay[8]));
}
TEST(FunctorMath, OnVectorsInFloat) { check_vectors<float>(); }
TEST(FunctorMath, OnVectorsInDouble) { check_vectors<double>(); }

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
