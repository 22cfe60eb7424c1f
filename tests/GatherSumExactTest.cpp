// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact sums of float Views, on every backend: to half a unit in the last place of a sum in long double.
#include "GatherSumExact.hpp"

#include <cmath>
#include <limits>

namespace {

using namespace test;
using Keramos::Coulomb, Keramos::Exact;
class GatherSumExactly : public GatherSumExact {};

INSTANTIATE_TEST_SUITE_P(Exact, GatherSumExactly, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

struct LongSum {
  long double sum = 0, absolute = 0;
};

LongSum coulomb_sum(const std::array<double, 3>& target, const Cloud<float>& cloud)
{
  LongSum total;
  for (std::size_t j = 0; j < cloud.weights.size(); ++j) {
    long double squared = 0;
    for (int d = 0; d < 3; ++d) {
      const long double offset = static_cast<long double>(target[d]) - cloud.positions(j, d);
      squared += offset * offset;
    }
    if (squared == 0) continue;
    const long double term = cloud.weights(j) / std::sqrt(squared);
    total.sum += term;
    total.absolute += std::abs(term);
  }
  return total;
}

/// One rounding to float, and the bound of backends/reference/GatherSum.hpp in double.
double exact_bound(const LongSum& right)
{
  const auto rounded = static_cast<float>(std::abs(right.sum));
  const double unit = std::nextafter(rounded, std::numeric_limits<float>::infinity()) - rounded;
  return 0.5 * unit + (256 + 10 + 4) * std::numeric_limits<double>::epsilon() * static_cast<double>(right.absolute);
}

void check_points(Keramos::Backend backend, const Points<float>& points, const Cloud<float>& cloud)
{
  const Values<float> out("out", points.extent(0));
  run(backend,
      [&](const auto& exec) { return Keramos::gather_sum(exec, Exact{Coulomb{}}, points, cloud.sources(), out); });
  int wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const LongSum right = coulomb_sum({points(i, 0), points(i, 1), points(i, 2)}, cloud);
    const double off = std::abs(static_cast<double>(out(i) - right.sum));
    if (!(off <= exact_bound(right)) && ++wrong < 4)
      ADD_FAILURE() << "target " << i << ": got " << out(i) << ", want " << static_cast<double>(right.sum)
                    << ", off by " << off << ", bound " << exact_bound(right);
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(GatherSumExactly, ChargesOfOneSign)
{
  check_points(GetParam(), Cloud<float>(70, 2).positions, Cloud<float>(3000, 1, 0));
}

/// Dipoles: what is left of a sum is a thousandth of its terms, and of a sum in float a few digits.
TEST_P(GatherSumExactly, ChargesThatCancel)
{
  const Cloud<float> cloud(3000);
  for (std::size_t j = 1; j < cloud.weights.size(); j += 2) {
    for (int d = 0; d < 3; ++d) cloud.positions(j, d) = cloud.positions(j - 1, d) + (d == 1 ? 1e-3f : 0.f);
    cloud.weights(j) = -cloud.weights(j - 1);
  }
  check_points(GetParam(), Cloud<float>(70, 2).positions, cloud);
}

/// Sources as close to targets as float has them, and in heaps.
TEST_P(GatherSumExactly, Clusters)
{
  const Cloud<float> cloud(2000, 3, 0), targets(40, 4);
  for (std::size_t j = 0; j < cloud.weights.size(); ++j)
    for (int d = 0; d < 3; ++d) {
      const float centre = targets.positions(j % 20, d), offset = cloud.positions(j, d) * std::pow(10.f, -1.f - j % 7);
      cloud.positions(j, d) = centre + offset;
    }
  check_points(GetParam(), targets.positions, cloud);
}

TEST_P(GatherSumExactly, FarFromTheOrigin)
{
  const Cloud<float> cloud(1500, 5, 0), targets(40, 6);
  for (const auto& points : {cloud.positions, targets.positions})
    for (std::size_t j = 0; j < points.extent(0); ++j) points(j, 0) += 4096;
  check_points(GetParam(), targets.positions, cloud);
}

/// They add nothing; and r^2, which float holds as 0 or infinity, is neither in double.
TEST_P(GatherSumExactly, CoincidentSourcesAndWhatFloatCannotHold)
{
  const Cloud<float> cloud(600, 7, 0), targets(30, 8);
  for (std::size_t i = 0; i < 30; ++i)
    for (int d = 0; d < 3; ++d) cloud.positions(7 * i, d) = targets.positions(i, d);
  for (int d = 0; d < 3; ++d) {
    cloud.positions(300, d) = 3e19f;
    targets.positions(0, d) = cloud.positions(301, d) = 0;
  }
  cloud.positions(301, 0) = 1e-23f;
  check_points(GetParam(), targets.positions, cloud);
}

/// The places of a grid are those of double.
TEST_P(GatherSumExactly, OnAGrid)
{
  const Cloud<float> cloud(1000, 9, 0);
  const Keramos::UniformGrid<3> grid{{-1.1, -0.9, -1}, {0.1, 0.3, 0.7}};
  const Volume<float> out("out", 17, 6, 3);
  sum(Exact{Coulomb{}}, grid, cloud.sources(), out);
  for (std::int64_t i = 0; i < 17; ++i)
    for (std::int64_t j = 0; j < 6; ++j)
      for (std::int64_t k = 0; k < 3; ++k) {
        const LongSum right = coulomb_sum(coordinates<double>(grid, std::array{i, j, k}), cloud);
        EXPECT_LE(std::abs(static_cast<double>(out(i, j, k) - right.sum)), exact_bound(right));
      }
}

} // namespace
