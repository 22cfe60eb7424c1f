// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums on every backend: values that are no numbers, arguments of every form, the same bits again, and what a call
// tells of itself.
#include "GatherSumCloud.hpp"
#include "Launches.hpp"

#include <set>

namespace {

using namespace test;
using Keramos::Backend, Keramos::Coulomb, Keramos::Gaussian, Keramos::PotentialAndGradient, Keramos::Sources,
    Keramos::UniformGrid, Keramos::Yukawa;

class GatherSumCalls : public GatherSumOnBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GatherSumCalls, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

template <class T>
bool alike(T a, T b)
{
  return std::isnan(b) ? std::isnan(a) : std::isinf(b) ? a == b : std::abs(a - b) <= 1e-4 * (1 + std::abs(b));
}

/// The potential of a Gaussian on grids of few and of many columns, with sources that are no numbers and with the largest one.
template <class T, class Sum>
void check_gaussian_of_no_numbers(const Sum& sum)
{
  using Limits = std::numeric_limits<T>;
  constexpr int count = 300;
  std::vector<Cloud<T>> clouds;
  for (const T value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    clouds.emplace_back(count).weights(17) = value;
    clouds.emplace_back(count).positions(270, 2) = value;
  }
  clouds.emplace_back(count).positions(3, 0) = std::sqrt(Limits::max()) * 4; // r^2 is infinite
  const Cloud<T>& largest = clouds.emplace_back(count); // which has no room for rounding, on a target
  largest.weights(17) = Limits::max();
  for (int d = 0; d < 3; ++d) largest.positions(17, d) = -1;

  const UniformGrid<3> grid{{-1, -1, -1}, {0.05, 0.25, 0.03}};
  const Gaussian kernel{.sigma = 0.7};
  std::set<std::string> variants;
  for (const auto& [nx, ny, nz] : {std::array{40, 8, 4}, std::array{12, 16, 128}})
    for (std::size_t c = 0; c < clouds.size(); ++c) {
      const Volume<T> got("got", nx, ny, nz), want("want", nx, ny, nz);
      variants.insert(sum(kernel, grid, clouds[c].sources(), got).variant.str());
      Keramos::gather_sum(Keramos::with_backend(Host(), Backend::reference), kernel, grid, clouds[c].sources(), want);
      int wrong = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        const T a = got.data()[i], b = want.data()[i];
        if (!alike(a, b) && ++wrong < 4)
          ADD_FAILURE() << "cloud " << c << ", " << nx << " x " << ny << " x " << nz << ", target " << i << ": got "
                        << a << ", want " << b;
      }
      EXPECT_EQ(wrong, 0);
    }
  const bool has_tiles = variants.begin()->find("product x") != std::string::npos; // of a GPU, both
  if (has_tiles) EXPECT_EQ(variants.size(), 2u) << *variants.begin();
}

/// No number, infinities, and distances whose squares leave the range of float: as the arithmetic of the reference has
/// it.
TEST_P(GatherSumCalls, WhatIsNoNumberTravels)
{
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Points<float> targets = Cloud<float>(70, 9).positions;
  const auto compare_at = [&](const auto& where, const auto& cloud, const auto& kernel, const auto& got,
                              const auto& want, const char* what) {
    sum(kernel, where, cloud.sources(), got);
    Keramos::gather_sum(Keramos::with_backend(Host(), Backend::reference), kernel, where, cloud.sources(), want);
    for (std::size_t i = 0; i < got.potential.size(); ++i)
      EXPECT_PRED2(alike<float>, got.potential.data()[i], want.potential.data()[i]) << what;
    for (std::size_t i = 0; i < got.gradient.size(); ++i)
      EXPECT_PRED2(alike<float>, got.gradient.data()[i], want.gradient.data()[i]) << what;
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

TEST_P(GatherSumCalls, WithoutSources)
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

/// Their extents are (0, 0): no points, of whatever dimension a call has.
TEST_P(GatherSumCalls, ArraysThatWereNeverAllocated)
{
  const Kokkos::View<float**, Shared> none;
  const Values<float> no_values, out("out", 9);
  const Volume<float> on_grid("on_grid", 3, 4, 5);
  const Cloud<float> cloud(50);
  const Points<float> targets = Cloud<float>(9).positions;
  Kokkos::deep_copy(out, 5);
  sum(Coulomb{}, targets, Sources{none, no_values}, out);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(out(i), 0);
  Kokkos::deep_copy(on_grid, 5);
  sum(Coulomb{}, UniformGrid<3>{{0, 0, 0}, {1, 1, 1}}, Sources{none}, on_grid);
  for (std::size_t i = 0; i < on_grid.size(); ++i) EXPECT_EQ(on_grid.data()[i], 0);
  sum(Coulomb{}, none, cloud.sources(), PotentialAndGradient{no_values, none});
  sum(Coulomb{}, none, Sources{none}, no_values, Keramos::Cutoff{.radius = 1, .box = {4, 4, 4}});
  const Kokkos::View<float* [3], Shared> no_gradient; // whose type has three components
  sum(Coulomb{}, none, Sources{none}, PotentialAndGradient{no_values, no_gradient});
  sum(Coulomb{}, none, Sources{none}, Keramos::Gradient{no_gradient});
}

/// Counts the r^2 that no pair has, as a functor may look values up in a table.
struct UpToFarthest {
  float farthest;
  std::int64_t* others;
  KOKKOS_FUNCTION float operator()(float r_squared) const
  {
    if (!(r_squared <= farthest)) Kokkos::atomic_inc(others);
    return 1;
  }
};

/// No functor is called for targets that a grid lacks: 15 along the second axis are no whole number of a thread's eight.
TEST_P(GatherSumCalls, FunctorsSeePairsAlone)
{
  const Points<float> origin("origin", 1);
  const Values<float> weight("weight", 1);
  weight(0) = 2;
  const Volume<float> out("out", 512, 15, 70);
  const Kokkos::View<std::int64_t, Shared> others("others");
  const auto kernel = sum(UpToFarthest{511 * 511 + 14 * 14 + 69 * 69, others.data()},
                          UniformGrid<3>{{0, 0, 0}, {1, 1, 1}}, Sources{origin, weight}, out);
  EXPECT_EQ(others(), 0) << kernel;
  EXPECT_TRUE(GetParam() != Backend::cuda || kernel.variant == "radial functor grid x8") << kernel;
  for (std::size_t n = 0; n < out.size(); ++n) ASSERT_EQ(out.data()[n], 2);
}

TEST_P(GatherSumCalls, PackedSources)
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

TEST_P(GatherSumCalls, GaussianOfNoNumbers)
{
  const auto on_backend = [](const auto&... arguments) { return sum_on_one_multiprocessor(arguments...); };
  check_gaussian_of_no_numbers<float>(on_backend);
  check_gaussian_of_no_numbers<double>(on_backend);
}

/// Targets beside those whose sums leave the range of double, and are computed once more, keep their bits.
TEST_P(GatherSumCalls, GaussianBesideTooLargeSums)
{
  if (GetParam() != Backend::cuda) return; // whose products of matrices have several targets a thread
  const Cloud<double> cloud(900);
  cloud.weights(17) = 1e286;
  for (int d = 0; d < 3; ++d) cloud.positions(17, d) = -1;
  const Volume<double> whole("whole", 16, 16, 64), part("part", 16, 16, 16);
  sum_on_one_multiprocessor(Gaussian{.sigma = 0.7}, UniformGrid<3>{{-1, -1, -1}, {0.25, 0.25, 0.0625}}, cloud.sources(),
                            whole);
  sum(Gaussian{.sigma = 0.7}, UniformGrid<3>{{-1, -1, 2}, {0.25, 0.25, 0.0625}}, cloud.sources(), part);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 0; k < 16; ++k) ASSERT_EQ(part(i, j, k), whole(i, j, 48 + k));
}

/// A plane is that plane of the grid, whichever axis it cuts.
TEST_P(GatherSumCalls, PlaneOfAGrid)
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
TEST_P(GatherSumCalls, Deterministic)
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

TEST_P(GatherSumCalls, DryRunOnlyAsks)
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

TEST_P(GatherSumCalls, NameIsWhatToolsSee)
{
  const Cloud<float> cloud(10);
  Values<float> out("out", 10);
  const test::Launches launches;
  const auto kernel = sum(Gaussian{}, cloud.positions, cloud.sources(), out);
  EXPECT_EQ(launches.kernels(), std::vector{kernel.name()});
}

/// Views of few elements and a span of more than 2^31.
TEST_P(GatherSumCalls, HugeSpan)
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
