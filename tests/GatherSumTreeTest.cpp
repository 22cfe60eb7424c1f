// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of so many sources that blocks of them just complete a node of the tree in which blocks are added, or do not, with a last
// block that is full or short.
#include "GatherSumCloud.hpp"

namespace {

using namespace test;
using Keramos::Coulomb, Keramos::Gaussian, Keramos::PotentialAndGradient, Keramos::UniformGrid;
namespace core = Keramos::core;

class GatherSumTree : public GatherSumOnBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GatherSumTree, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

/// Around the numbers at which a node of `level` is complete: with a short last block, a full one, and one more.
std::vector<std::int64_t> counts_at(int level)
{
  const std::int64_t node = core::node_blocks(level) * core::source_block;
  return {node - core::source_block, node - core::source_block + 1, node - 1, node, node + 1};
}

template <class T>
constexpr double bound = sizeof(T) == 4 ? 2e-5 : 1e-12;

/// What `call` gives for targets at the points, of sources of one sign.
template <class T, class K, class Call>
void expect_sums(const K& kernel, const Points<T>& points, const Cloud<T>& cloud, const Call& call)
{
  const Values<T> got("got", points.extent(0));
  call(got);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = direct(kernel, points, static_cast<std::int64_t>(i), cloud);
    ASSERT_NEAR(got(i) / want, 1, bound<T>) << "target " << i << " of " << cloud.weights.size() << " sources";
  }
}

/// A kernel of one's own.
struct Lorentzian {
  template <class T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return 1 / (1 + r_squared);
  }
};

template <class T, class Sum>
void check_at_points(int level, const Sum& sum)
{
  const Points<T> points = Cloud<T>(3, 4).positions;
  for (const std::int64_t count : counts_at(level)) {
    const Cloud<T> cloud(count, 3, 0.1);
    expect_sums(Coulomb{}, points, cloud, [&](const auto& got) { sum(Coulomb{}, points, cloud.sources(), got); });
    expect_sums(Lorentzian{}, points, cloud, [&](const auto& got) { sum(Lorentzian{}, points, cloud.sources(), got); });
    const Points<T> gradient("gradient", 3);
    expect_sums(Gaussian{.sigma = 0.7}, points, cloud, [&](const auto& got) {
      sum(Gaussian{.sigma = 0.7}, points, cloud.sources(), PotentialAndGradient{got, gradient});
    });
  }
}

template <class T, class Sum>
void check_on_grid(int level, const Sum& sum)
{
  const Volume<T> on_grid("on grid", 2, 3, 40);
  const UniformGrid<3> grid{{-1, -0.5, -1}, {0.5, 0.25, 0.0625}};
  const Points<T> points("points", on_grid.size());
  for (int n = 0; n < 240; ++n) {
    const int place[] = {n / 120, n / 40 % 3, n % 40};
    for (int d = 0; d < 3; ++d) points(n, d) = static_cast<T>(grid.origin[d] + place[d] * grid.spacing[d]);
  }
  for (const std::int64_t count : counts_at(level)) {
    const Cloud<T> cloud(count, 3, 0.1);
    const auto check = [&](const auto& kernel) {
      expect_sums(kernel, points, cloud, [&](const auto& got) {
        sum(kernel, grid, cloud.sources(), on_grid);
        std::copy_n(on_grid.data(), on_grid.size(), got.data());
      });
    };
    check(Coulomb{});
    check(Gaussian{.sigma = 0.7});
    check(Lorentzian{});
  }
}

TEST_P(GatherSumTree, AtPoints)
{
  for (const int level : {1, 2}) {
    check_at_points<float>(level, [](const auto&... arguments) { sum(arguments...); });
    check_at_points<double>(level, [](const auto&... arguments) { sum(arguments...); });
  }
  check_at_points<double>(3, [](const auto&... arguments) { sum(arguments...); });
}

TEST_P(GatherSumTree, OnAGrid)
{
  for (const int level : {1, 2}) {
    check_on_grid<float>(level, [](const auto&... arguments) { sum(arguments...); });
    check_on_grid<double>(level, [](const auto&... arguments) { sum(arguments...); });
  }
}

/// So many sources that on a GPU a whole thread block adds the nodes of a target: those of level 1 where 8 blocks are side by side,
/// and of level 2 where 64 are. As many targets as have an H200 take them alone, in fours and in fives, and with more sources 64
/// blocks for 2, 6 and 10 of them, 8 for all. The last step has blocks without a source, and a block with a slice that is short.
TEST_P(GatherSumTree, ManyNodes)
{
  const auto check = [](std::int64_t count, std::initializer_list<std::size_t> parts) {
    const Cloud<float> cloud(count, 3, 0.1F);
    const Points<float> points = Cloud<float>(26, 4).positions;
    const Values<float> all("all", points.extent(0));
    sum(Coulomb{}, points, cloud.sources(), all);
    for (std::size_t i = 0; i < all.size(); i += 13)
      ASSERT_NEAR(all(i) / direct(Coulomb{}, points, static_cast<std::int64_t>(i), cloud), 1, bound<float>) << i;
    for (const std::size_t some : parts) {
      const Points<float> part("part", some);
      const Values<float> got("got", some), want("want", some);
      std::copy_n(points.data(), part.size(), part.data());
      std::copy_n(all.data(), some, want.data());
      sum(Coulomb{}, part, cloud.sources(), got);
      EXPECT_TRUE(test::same_bits(got, want)) << some << " targets of " << count << " sources";
    }
  };
  check(600'100, {1, 20});
  check(4'300'005, {2, 6, 10});
}

/// So many targets that a thread of an H200 has 8 of them, not 4: they are right, and have the same bits as some of them alone.
TEST_P(GatherSumTree, GaussianAtManyPoints)
{
  const Gaussian kernel{.sigma = 0.7};
  const Cloud<float> cloud(core::source_block + 5, 3, 0.1F);
  const Points<float> points = Cloud<float>(528 * 1024 + 28, 4).positions;
  const Values<float> all("all", points.extent(0));
  const Keramos::Kernel taken = sum(kernel, points, cloud.sources(), all);
  if (GetParam() == Keramos::Backend::cuda && Exec().concurrency() <= 132 * 2048)
    EXPECT_EQ(taken.variant, "gaussian points x8");
  for (std::size_t i = 0; i < all.size(); i += 9001)
    ASSERT_NEAR(all(i) / direct(kernel, points, static_cast<std::int64_t>(i), cloud), 1, bound<float>) << i;
  const std::size_t some = 1000, first = all.size() - some;
  const Points<float> part("part", some);
  const Values<float> got("got", some), want("want", some);
  std::copy_n(&points(first, 0), part.size(), part.data());
  std::copy_n(&all(first), some, want.data());
  sum(kernel, part, cloud.sources(), got);
  EXPECT_TRUE(test::same_bits(got, want));
}

} // namespace
