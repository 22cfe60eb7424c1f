// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finite differences against mathematics: tabled weights, exactness on polynomials, order of convergence, adjoint
// identities.
#include "Support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace test;
namespace fd = Keramos::FiniteDifference;

void expect_weights(const std::vector<double>& weights, const std::vector<double>& expected)
{
  ASSERT_EQ(weights.size(), expected.size());
  for (std::size_t k = 0; k < weights.size(); ++k) EXPECT_NEAR(weights[k], expected[k], 1e-15) << k;
}

/// Tables 1 and 2 of Fornberg's paper.
TEST(FiniteDifference, WeightsAreTheTabledOnes)
{
  expect_weights(fd::weights(1, {-1, 0, 1}), {-1. / 2, 0, 1. / 2});
  expect_weights(fd::weights(1, {-4, -3, -2, -1, 0, 1, 2, 3, 4}),
                 {1. / 280, -4. / 105, 1. / 5, -4. / 5, 0, 4. / 5, -1. / 5, 4. / 105, -1. / 280});
  expect_weights(fd::weights(2, {-4, -3, -2, -1, 0, 1, 2, 3, 4}),
                 {-1. / 560, 8. / 315, -1. / 5, 8. / 5, -205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560});
  expect_weights(fd::weights(4, {-2, -1, 0, 1, 2}), {1, -4, 6, -4, 1});
  expect_weights(fd::weights(1, {0, 1, 2, 3}), {-11. / 6, 3, -3. / 2, 1. / 3});
  expect_weights(fd::weights(1, {-0.5, 0.5}), {-1, 1});
  expect_weights(fd::weights(0, {-1, 0, 1}), {0, 1, 0});
}

/// Exact on x^d for every degree d up to the number of points, which is the defining property.
TEST(FiniteDifference, WeightsAreExactOnPolynomials)
{
  for (int accuracy = 2; accuracy <= 16; accuracy += 2)
    for (int derivative : {1, 2}) {
      std::vector<double> offsets;
      for (int k = -accuracy / 2; k <= accuracy / 2; ++k) offsets.push_back(k);
      const auto weights = fd::weights(derivative, offsets);
      for (int degree = 0; degree <= accuracy; ++degree) {
        double value = 0, magnitude = 0;
        for (std::size_t k = 0; k < offsets.size(); ++k) {
          value += weights[k] * std::pow(offsets[k], degree);
          magnitude += std::abs(weights[k] * std::pow(offsets[k], degree));
        }
        const double exact = degree == derivative ? (derivative == 1 ? 1 : 2) : 0;
        EXPECT_NEAR(value, exact, 1e-15 * (1 + 20 * magnitude)) << "accuracy " << accuracy << " degree " << degree;
      }
    }
}

class Derivatives : public testing::TestWithParam<Keramos::Backend> {
protected:
  template <class Op, class In, class Out>
  void apply(const Op& op, const In& in, const Out& out, const Keramos::core::RulesOf<Op>& edges)
  {
    test::run(GetParam(), [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in, out, edges); });
  }
};

/// Mixed monomials over a grid with another spacing along each axis: away from the edges the operators are exact.
TEST_P(Derivatives, AreExactOnPolynomialsOfThreeVariables)
{
  const std::array<double, 3> h{0.5, 0.25, 0.125};
  const auto position = [&](const auto& i, int axis) { return (i[axis] - 6) * h[axis]; };
  Array<double, 3> in({13, 14, 15}, Memory::left), out(in.extents, Memory::right_padded);
  in.for_each([&](const auto& i) {
    const double x = position(i, 0), y = position(i, 1), z = position(i, 2);
    in.at(i) = x * x * x * y + 3 * y * y * z * z + x * z * z * z * z - 2;
  });
  const auto compare = [&](const auto& op, auto exact) {
    Kokkos::deep_copy(out.buffer, 1e30);
    apply(op, in.view, out.view, Keramos::interior);
    int written = 0;
    out.for_each([&](const auto& i) {
      if (out.at(i) == 1e30) return;
      ++written;
      EXPECT_NEAR(out.at(i), exact(position(i, 0), position(i, 1), position(i, 2)), 1e-10) << testing::PrintToString(i);
    });
    EXPECT_GT(written, 0);
  };
  compare(fd::first_derivative<3, 4>(0, h[0]),
          [](double x, double y, double z) { return 3 * x * x * y + z * z * z * z; });
  compare(fd::first_derivative<3, 8>(1, h[1]), [](double x, double y, double z) { return x * x * x + 6 * y * z * z; });
  compare(fd::second_derivative<3, 6>(2, h[2]),
          [](double x, double y, double z) { return 6 * y * y + 12 * x * z * z; });
  compare(fd::laplacian<3, 8>(h[0], h[1], h[2]),
          [](double x, double y, double z) { return 6 * x * y + 6 * z * z + 6 * y * y + 12 * x * z * z; });
  compare(fd::derivative<3>(2, 3, {-2, -1, 0, 1, 2, 3}, h[2]), [](double x, double, double z) { return 24 * x * z; });
}

/// The error of a sine falls as spacing^accuracy.
TEST_P(Derivatives, ConvergeAtTheirOrder)
{
  const auto error = [&](const auto& make, int n) {
    const double spacing = 2 * std::numbers::pi / n;
    Array<double, 1> in({n}, Memory::right), out({n}, Memory::right);
    in.for_each([&](auto i) { in.at(i) = std::sin(i[0] * spacing); });
    apply(make(spacing), in.view, out.view, Keramos::periodic);
    double worst = 0;
    out.for_each([&](auto i) { worst = std::max(worst, std::abs(out.at(i) - std::cos(i[0] * spacing))); });
    return worst;
  };
  const auto order = [&](const auto& make) { return std::log2(error(make, 24) / error(make, 48)); };
  EXPECT_NEAR(order([](double h) { return fd::first_derivative<1, 2>(0, h); }), 2, 0.2);
  EXPECT_NEAR(order([](double h) { return fd::first_derivative<1, 4>(0, h); }), 4, 0.2);
  EXPECT_NEAR(order([](double h) { return fd::first_derivative<1, 8>(0, h); }), 8, 0.3);
}

/// <A u, v> = <u, A^T v> with the transposed operator (its offsets turned round), under periodic edges.
TEST_P(Derivatives, ObeyTheAdjointIdentity)
{
  Keramos::Box<3, 1> box, transposed;
  for (int t = 0; t < 27; ++t) {
    const auto o = box.offset(t);
    box.at(o) = std::cos(3. * t);
    transposed.at({-o[0], -o[1], -o[2]}) = std::cos(3. * t);
  }
  Array<double, 3> u({11, 7, 33}, Memory::right), v(u.extents, Memory::left), au(u.extents, Memory::right),
      atv(u.extents, Memory::right);
  u.randomise(1);
  v.randomise(2);
  apply(box, u.view, au.view, Keramos::periodic);
  apply(transposed, v.view, atv.view, Keramos::periodic);
  double left = 0, right = 0;
  u.for_each([&](const auto& i) {
    left += au.at(i) * v.at(i);
    right += u.at(i) * atv.at(i);
  });
  EXPECT_NEAR(left, right, 1e-11);
}

/// Taps and weights, to the last bit.
template <class Op>
void expect_same(const Op& a, const Op& b)
{
  for (int t = 0; t < Op::tap_count; ++t) {
    EXPECT_EQ(a.offset(t), b.offset(t)) << t;
    EXPECT_EQ(a.weight(t), b.weight(t)) << t;
  }
}

TEST(FiniteDifference, SpacingsAreOfAnyArithmeticType)
{
  const auto laplacian = fd::laplacian<3, 8>(1.0, 0.5, 2.0);
  expect_same(laplacian, fd::laplacian<3, 8>(1, 0.5f, 2u));
  expect_same(laplacian, fd::laplacian<3, 8>(1.0f, 0.5, std::int64_t{2}));
  expect_same(fd::laplacian<3, 8>(1.0, 1.0, 1.0), fd::laplacian<3, 8>(1, 1, 1));
  expect_same(fd::first_derivative<2, 4>(1, 0.5), fd::first_derivative<2, 4>(1, 0.5f));
}

enum Coordinate { X, Y, Z };

template <class Axis>
concept NamesAnAxis = requires(Axis axis)
{
  fd::first_derivative<3, 4>(axis, 1.0);
  fd::second_derivative<3, 4>(axis, 1.0);
  fd::derivative<3>(axis, 1, {0, 1}, 1.0);
};
enum class Scoped { x };
static_assert(NamesAnAxis<Coordinate> && NamesAnAxis<int> && NamesAnAxis<std::size_t> && NamesAnAxis<signed char>);
static_assert(!NamesAnAxis<double> && !NamesAnAxis<bool> && !NamesAnAxis<Scoped> && !NamesAnAxis<int*>);

TEST(FiniteDifference, AxesMayBeEnumerators)
{
  expect_same(fd::first_derivative<3, 4>(1, 0.5), fd::first_derivative<3, 4>(Y, 0.5));
  expect_same(fd::second_derivative<3, 4>(2, 0.5), fd::second_derivative<3, 4>(Z, 0.5));
  expect_same(fd::derivative<3>(0, 1, {0, 1}, 0.5), fd::derivative<3>(X, 1, {0, 1}, 0.5));
}

INSTANTIATE_TEST_SUITE_P(Backends, Derivatives, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return to_string(info.param); });

} // namespace
