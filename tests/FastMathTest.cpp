// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application compiled with -ffast-math for the processor of its machine, and a library that is not: what functors call is arithmetic in
// the application's own translation unit, which compilers may then reorder and fuse as they like, and is right all the same. Of NaN and
// infinity nothing is asked, for there are none under this option.
#include <Keramos_GatherSum.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace {

template <class T>
class FastMath : public testing::Test {
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(FastMath, Reals);

TYPED_TEST(FastMath, FunctionsOfFunctors)
{
  using T = TypeParam;
  constexpr double eps = std::numeric_limits<T>::epsilon();
  for (int n = 1; n < 4000; ++n) {
    const T x = T(n) / 50 - 40, positive = T(n) / 7;
    EXPECT_NEAR(Keramos::exp(x) / std::exp(double{x}), 1, 4 * eps + std::abs(x) * eps) << x;
    EXPECT_NEAR(Keramos::rsqrt(positive) * std::sqrt(double{positive}), 1, 4 * eps) << positive;
  }
}

template <class T>
struct Screened {
  static constexpr bool singular = true;
  KOKKOS_FUNCTION T operator()(T s) const
  {
    const T inverse = Keramos::rsqrt(s);
    return Keramos::exp(-s * inverse) * inverse;
  }
};

/// The built-in kernel and a functor, coincident sources among them.
TYPED_TEST(FastMath, SumsAreRight)
{
  using T = TypeParam;
  using Space = Kokkos::DefaultHostExecutionSpace;
  constexpr int n = 100;
  const Kokkos::View<T* [3], Space> points("points", n);
  const Kokkos::View<T*, Space> weights("weights", n), built_in("built_in", n), functor("functor", n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) points(i, k) = T((i * (7 + 4 * k)) % 101) / 101;
    weights(i) = T(1 + i % 5) / 5;
  }
  const Space exec;
  const Keramos::Sources sources{points, weights};
  const auto by_library = Keramos::gather_sum(exec, Keramos::Yukawa{.kappa = 1}, points, sources, built_in);
  const auto by_application = Keramos::gather_sum(exec, Screened<T>{}, points, sources, functor);
  EXPECT_EQ(by_library.backend, Keramos::Backend::openmp);
  EXPECT_EQ(by_application.backend, Keramos::Backend::openmp);
  exec.fence();
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < 3; ++k) s += std::pow(double{points(i, k)} - double{points(j, k)}, 2);
      if (j != i) sum += weights(j) * std::exp(-std::sqrt(s)) / std::sqrt(s);
    }
    const double tolerance = (n + 20) * std::numeric_limits<T>::epsilon() * sum;
    EXPECT_NEAR(built_in(i), sum, tolerance);
    EXPECT_NEAR(functor(i), sum, tolerance);
  }
}

/// Sources and targets are brought into a periodic box by code of both: a source on a target stays there, however many boxes away.
TYPED_TEST(FastMath, PeriodicBoxKeepsSourcesOnTargets)
{
  using T = TypeParam;
  using Space = Kokkos::DefaultHostExecutionSpace;
  constexpr int n = 200;
  const Kokkos::View<T* [3], Space> points("points", n);
  const Kokkos::View<T*, Space> weights("weights", n), sums("sums", n);
  const Keramos::Cutoff cutoff{.radius = 1.3, .box = {7.3, 6.7, 9.1}};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) points(i, k) = T((i * (7 + 4 * k)) % 211) * T(0.57) - 60;
    weights(i) = T(1 + i % 5) / 5;
  }
  const Space exec;
  for (const auto backend : {Keramos::Backend::openmp, Keramos::Backend::portable, Keramos::Backend::reference}) {
    Keramos::gather_sum(Keramos::with_backend(exec, backend), Keramos::Coulomb{}, points,
                        Keramos::Sources{points, weights}, sums, cutoff);
    exec.fence();
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) {
        double s = 0;
        for (int k = 0; k < 3; ++k) {
          const double apart = double{points(i, k)} - double{points(j, k)};
          s += std::pow(apart - cutoff.box[k] * std::round(apart / cutoff.box[k]), 2);
        }
        if (j != i && s < 1.3 * 1.3) sum += weights(j) / std::sqrt(s);
      }
      EXPECT_NEAR(sums(i), sum, 1000 * std::numeric_limits<T>::epsilon() * (1 + sum))
          << i; // coordinates of 60 in a box
    }
  }
}

} // namespace
