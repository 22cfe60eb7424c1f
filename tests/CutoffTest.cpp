// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with a cutoff: every backend against the definition, over kernels, forms, boxes, and clouds that are hard on
// cells: clusters, thin ones, lattices on the borders of cells, far from the origin, coordinates that are no numbers.
#include "CutoffSupport.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;

constexpr Cutoff forms(int form, double radius)
{
  if (form == 0) return {radius};
  if (form == 1) return {.radius = radius, .form = CutoffForm::shifted};
  return {.radius = radius, .form = CutoffForm::switched, .switch_on = form == 2 ? 0.8 * radius : 0};
}

/// Sharp, shifted, switched from 0.8 radii on and from 0 on; open, and periodic along some axes.
template <class T, class K>
void expect_all_forms(const K& kernel, const Points<T>& points, double radius)
{
  constexpr bool shifts = Keramos::core::Interaction<T, K>::is_radial;
  for (int form = 0; form < 4; ++form) {
    if (form == 1 && !shifts) continue;
    SCOPED_TRACE(form);
    Cutoff cutoff = forms(form, radius);
    expect_definition<false>(kernel, points, cutoff);
    cutoff.box = {2.5 * radius, 0, 3.25 * radius};
    expect_definition<true>(kernel, points, cutoff, Keramos::accumulate);
  }
}

template <class Parameter>
class CutoffKernel : public testing::Test {
};
TYPED_TEST_SUITE(CutoffKernel, GatherSumParameters);

TYPED_TEST(CutoffKernel, FormsAndBoxes)
{
  using T = std::tuple_element_t<0, TypeParam>;
  const auto kernel = std::tuple_element_t<1, TypeParam>::make();
  const Points<T> points(500, 50);
  points.put_targets_on_sources();
  expect_all_forms(kernel, points, 0.3);
}

template <class T>
class CutoffCloud : public testing::Test {
protected:
  /// Charges of both signs, and some radii.
  static void expect_right(const Points<T>& points, std::initializer_list<double> radii, std::array<double, 3> box = {})
  {
    points.put_targets_on_sources();
    for (const double radius : radii) {
      SCOPED_TRACE(radius);
      Cutoff cutoff{radius};
      cutoff.box = box;
      expect_definition<false>(Keramos::Coulomb{}, points, cutoff);
      expect_definition<true>(Keramos::Yukawa{.kappa = 1 / radius}, points, cutoff);
      expect_definition<false>(Screened(), points, cutoff);
    }
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(CutoffCloud, Reals);

TYPED_TEST(CutoffCloud, FewAndNone)
{
  for (const std::int64_t sources : {0, 1, 2, 17})
    for (const std::int64_t targets : {0, 1, 2, 33}) this->expect_right(Points<TypeParam>(sources, targets), {0.9});
}

/// Nothing is added to what a grid holds, or all of it is cleared.
TYPED_TEST(CutoffCloud, GridsWithoutSources)
{
  const Keramos::UniformGrid<3> grid{{-1, -0.5, 0.25}, {0.125, 0.0625, 0.25}};
  const Points<TypeParam> none(0, 0);
  for (const Keramos::Backend backend : cutoff_backends<Keramos::Coulomb>())
    for (const Keramos::Update update : {Keramos::overwrite, Keramos::accumulate}) {
      const Array<TypeParam, 3> out({4, 3, 5}, Memory::right);
      out.for_each([&](const auto& i) { out.at(i) = 7; });
      const Keramos::Kernel kernel = run(backend, [&](const auto& exec) {
        return Keramos::gather_sum(exec, Keramos::Coulomb{}, grid, none.sources(), out.view, Cutoff{0.4}, update);
      });
      out.for_each([&](const auto& i) { EXPECT_EQ(out.at(i), update == Keramos::overwrite ? 0 : 7) << kernel; });
    }
}

/// A radius beyond everything: the sum over all sources, which is more than a block.
TYPED_TEST(CutoffCloud, RadiusFromTinyToHuge)
{
  this->expect_right(Points<TypeParam>(1200, 20), {1e-6, 0.01, 0.1, 1., 3., 1e6});
}

TYPED_TEST(CutoffCloud, Clustered)
{
  const Points<TypeParam> points(1500, 30);
  points.move([](std::int64_t i, int k, double x) { return (i % 5 + k) * 3.7 + x * x * x * (i % 3 ? 0.05 : 1); });
  this->expect_right(points, {0.05, 0.4});
}

/// Sheets and needles, along axes and aslant: cells of a box around them would be mostly empty.
TYPED_TEST(CutoffCloud, Thin)
{
  for (int shape = 0; shape < 4; ++shape) {
    SCOPED_TRACE(shape);
    const Points<TypeParam> points(1200, 25);
    const auto first = [&](const auto& array) {
      array.for_each([&](const auto& i) {
        if (i[1] == 0) return;
        const double x = array.at({i[0], 0}) * 40;
        if (i[1] == 2 && shape < 2) array.at(i) = static_cast<TypeParam>(shape == 0 ? 0.1 : x);
        if (shape >= 2) array.at(i) = static_cast<TypeParam>(shape == 2 ? 0.1 * array.at(i) : x);
      });
    };
    first(points.positions);
    first(points.targets);
    points.move([](std::int64_t, int k, double x) { return k == 0 ? 40 * x : x; });
    this->expect_right(points, {0.5, 2.});
  }
}

/// Rock salt: points on borders of cells, pairs at exactly the radius, charges that cancel.
TYPED_TEST(CutoffCloud, Lattice)
{
  const Points<TypeParam> points(12 * 12 * 12, 50);
  points.positions.for_each([&](const auto& i) {
    const std::int64_t index[] = {i[0] % 12, i[0] / 12 % 12, i[0] / 144};
    points.positions.at(i) = static_cast<TypeParam>(0.25 * static_cast<double>(index[i[1]]) - 1.5);
    points.weights.at({i[0]}) = (index[0] + index[1] + index[2]) % 2 ? -1 : 1;
  });
  points.targets.for_each([&](const auto& i) { points.targets.at(i) = points.positions.at({13 * i[0] % 1728, i[1]}); });
  this->expect_right(points, {0.25, 0.5, 0.75});
  this->expect_right(points, {0.25, 0.5, 0.75, 1.5}, {3, 3, 3});
  this->expect_right(points, {0.5}, {0, 3, 0});
}

TYPED_TEST(CutoffCloud, FarFromTheOrigin)
{
  const Points<TypeParam> points(700, 30);
  points.move([](std::int64_t, int k, double x) { return (k == 1 ? -4096 : 8192) + x; });
  this->expect_right(points, {0.1, 0.5});
  this->expect_right(points, {0.5}, {2.75, 0, 1});
  this->expect_right(points, {0.5}, {1, 0, 1e9}); // where coordinates in the box are rounded to several radii in float
}

/// One cell, two, three and four along an axis, where images of one cell are neighbours; points are anywhere.
TYPED_TEST(CutoffCloud, SmallBoxes)
{
  const Points<TypeParam> points(300, 20);
  points.move([](std::int64_t i, int, double x) { return i % 2 ? 3 * x : x; });
  for (const double cells : {2., 2.0001, 2.3, 3., 3.01, 3.9, 4.1, 7.7})
    this->expect_right(points, {0.5}, {0.5 * cells, 0.5 * cells, 0.5 * cells});
}

/// Those have no neighbours: such a target gets 0, such a source adds nothing, and the others are what they are without it.
TYPED_TEST(CutoffCloud, NoNumbersAndHugeOnes)
{
  using T = TypeParam;
  constexpr T bad[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::max(), T(-1e30)};
  for (const std::array<double, 3>& box : {std::array<double, 3>{}, std::array<double, 3>{2, 2, 2}}) {
    const Points<T> points(300, 60), clean(300, 60);
    for (int n = 0; n < 5; ++n)
      for (int k = 0; k < 3; ++k) {
        points.positions.at({20 * n + k, k}) = bad[n];
        points.targets.at({5 * n + k, k}) = bad[n];
        clean.weights.at({20 * n + k}) = 0;
      }
    for (const Keramos::Backend backend : cutoff_backends<Keramos::Gaussian>()) {
      const Array<T, 1> out({60}, Memory::right), want({60}, Memory::right);
      const auto sum = [&](const Points<T>& which, const Array<T, 1>& to) {
        return run(backend, [&](const auto& exec) {
          return Keramos::gather_sum(exec, Keramos::Gaussian{.sigma = 0.3}, which.targets.view, which.sources(),
                                     to.view, Cutoff{.radius = 0.6, .box = box});
        });
      };
      sum(points, out);
      const Keramos::Kernel kernel = sum(clean, want);
      for (std::int64_t i = 0; i < 60; ++i) {
        const bool is_bad = i < 25 && i % 5 < 3;
        EXPECT_NEAR(out.at({i}), is_bad ? 0 : want.at({i}), is_bad ? 0 : 100 * std::numeric_limits<T>::epsilon())
            << kernel << i;
      }
    }
  }
}

TYPED_TEST(CutoffCloud, TwoDimensions)
{
  const Points<TypeParam> points(800, 70, 2);
  points.put_targets_on_sources();
  for (const std::array<double, 3>& box : {std::array<double, 3>{}, std::array<double, 3>{0.5, 0.75, 0}}) {
    expect_definition<true, 2>(Keramos::Coulomb{}, points, {.radius = 0.2, .box = box});
    expect_definition<false, 2>(Keramos::Gaussian{.sigma = 0.1}, points,
                                {.radius = 0.2, .form = CutoffForm::shifted, .box = box});
  }
}

/// Every layout, and sources in one View.
TYPED_TEST(CutoffCloud, Memories)
{
  const Keramos::Coulomb kernel{.softening = 0.1};
  for (const Memory memory : memories) {
    const Points<TypeParam> points(300, 30, 3, memory);
    expect_definition<true>(kernel, points, {0.4});
    const Array<TypeParam, 2> packed({300, 4}, memory);
    packed.for_each([&](const auto& i) {
      packed.at(i) = i[1] < 3 ? points.positions.at({i[0], i[1]}) : points.weights.at({i[0]});
    });
    expect_definition_of<true>(Keramos::Sources{packed.view}, kernel, points, {0.4});
  }
}

/// A kernel that is nearly constant leaves the switch alone.
TYPED_TEST(CutoffCloud, WideGaussian)
{
  const Points<TypeParam> points(300, 30);
  for (const int form : {0, 2, 3}) expect_definition<true>(Keramos::Gaussian{.sigma = 1e18}, points, forms(form, 0.4));
}

/// Grids and planes have the sums of points at the same places, to rounding.
TYPED_TEST(CutoffCloud, GridsAndPlanes)
{
  using T = TypeParam;
  const Keramos::UniformGrid<3> grid{{-1, -0.5, 0.25}, {0.125, 0.0625, 0.25}};
  const Points<T> points(600, 9 * 7 * 5);
  const Cutoff cutoff{.radius = 0.4, .form = CutoffForm::switched, .switch_on = 0.3, .box = {1.5, 0, 0}};
  for (int axis = -1; axis < 3; ++axis)
    for (const Memory memory : {Memory::left, Memory::right_padded})
      for (const Keramos::Backend backend : cutoff_backends<Keramos::Yukawa>()) {
        const Output<T, 3, 3, true> volume({9, 7, 5}, memory);
        const Output<T, 2, 3, true> plane({axis == 0 ? 7 : 9, axis == 2 ? 7 : 5}, memory);
        volume.fill(Keramos::overwrite);
        plane.fill(Keramos::overwrite);
        const Keramos::Kernel kernel = run(backend, [&](const auto& exec) {
          if (axis < 0)
            return Keramos::gather_sum(exec, Keramos::Yukawa{.kappa = 2}, grid, points.sources(), volume.argument(),
                                       cutoff);
          return Keramos::gather_sum(exec, Keramos::Yukawa{.kappa = 2}, grid.plane(axis, 3), points.sources(),
                                     plane.argument(), cutoff);
        });
        const auto check = [&](const auto& out, const auto& targets) {
          int wrong = 0;
          out.potential.for_each([&](const auto& i) {
            const Wanted want = direct_sum(Keramos::Yukawa{.kappa = 2}, cutoff, coordinates<T>(targets, i),
                                           points.positions, points.weights);
            wrong += !(std::abs(out.potential.at(i) - want.sum[0]) <=
                       want.bound[0] + std::numeric_limits<T>::epsilon() * std::abs(want.sum[0]));
            for (int d = 0; d < 3; ++d)
              wrong += !(std::abs(out.component(i, d) - want.sum[1 + d]) <=
                         want.bound[1 + d] + std::numeric_limits<T>::epsilon() * std::abs(want.sum[1 + d]));
          });
          EXPECT_EQ(wrong, 0) << kernel << " across " << axis;
          EXPECT_EQ(out.touched_outside(), 0);
        };
        if (axis < 0)
          check(volume, grid);
        else
          check(plane, grid.plane(axis, 3));
      }
}

} // namespace
