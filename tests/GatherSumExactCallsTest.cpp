// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of exact sums: bit for bit those of Views of double that hold the same numbers, rounded, in every form of targets, sources
// and output; their scratch, and wrong use.
#include "GatherSumExact.hpp"

namespace {

using namespace test;
using Keramos::Coulomb, Keramos::Exact, Keramos::Gaussian, Keramos::Sources, Keramos::Workspace;
class GatherSumExactCalls : public GatherSumExact {};

INSTANTIATE_TEST_SUITE_P(Exact, GatherSumExactCalls, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

// ---- Against the call of double -------------------------------------------------------------------------------------

template <int Rank>
Array<double, Rank> doubled(const Array<float, Rank>& array)
{
  const Array<double, Rank> result(array.extents, Memory::right);
  array.for_each([&](const auto& i) { result.at(i) = array.at(i); });
  return result;
}

/// The sum of double as the call of float stores it.
float stored(double sum, float before, Keramos::Update update)
{
  return static_cast<float>(update == Keramos::accumulate ? before + sum : sum);
}

/// Every form of a call, in every layout: Options are what may stand behind `out` before the update.
template <int Rank, int Dimension, bool WithGradient, class K, class Targets, class... Options>
void compare(Keramos::Backend backend, const K& kernel, const Targets& given,
             const std::array<std::int64_t, Rank>& extents, int turn, const Options&... options)
{
  SCOPED_TRACE(Keramos::core::text("extents ", Keramos::core::tuple_text(extents), ", turn ", turn));
  const Keramos::Update update = turn % 2 ? Keramos::accumulate : Keramos::overwrite;
  const Data<float, Rank, Dimension, WithGradient> data(extents, 700, memories[turn % 6], memories[(turn + 2) % 6]);
  const Output<double, Rank, Dimension, WithGradient> right(extents, Memory::left);
  const auto positions = doubled(data.positions);
  const auto weights = doubled(data.weights);
  data.out.fill(update);
  data.expected.fill(update);
  const auto call = [&](const auto& k, const auto& targets, const auto& sources, const auto& out, const auto&... rest) {
    return run(backend, [&](const auto& exec) { return Keramos::gather_sum(exec, k, targets, sources, out, rest...); });
  };
  const Sources in_doubles{positions.view, weights.view};
  Keramos::Kernel ran, of_double;
  if constexpr (Rank == 1) {
    const auto copy = doubled(given);
    of_double = call(kernel, copy.view, in_doubles, right.argument(), options...);
    ran = call(Exact{kernel}, given.view, data.sources(), data.out.argument(), options..., update);
  } else {
    of_double = call(kernel, given, in_doubles, right.argument(), options...);
    ran = call(Exact{kernel}, given, data.sources(), data.out.argument(), options..., update);
  }
  EXPECT_EQ(ran.backend, backend);
  EXPECT_TRUE(says(ran, ", exact, scratch allocated")) << ran;
  int wrong = 0;
  const auto check = [&](float got, double sum, float before) {
    const float want = stored(sum, before, update);
    wrong += std::memcmp(&got, &want, sizeof got) != 0;
  };
  right.potential.for_each([&](const auto& i) {
    check(data.out.potential.at(i), right.potential.at(i), data.expected.potential.at(i));
    for (int d = 0; WithGradient && d < Dimension; ++d)
      check(data.out.component(i, d), right.component(i, d), data.expected.component(i, d));
  });
  EXPECT_EQ(wrong, 0) << ran << " beside " << of_double;
  EXPECT_EQ(data.out.touched_outside(), 0);
}

Array<float, 2> some_points(std::int64_t count, int dimension, Memory memory)
{
  const Array<float, 2> points({count, dimension}, memory);
  points.randomise(11);
  return points;
}

TEST_P(GatherSumExactCalls, IsTheSumOfDoubleAtPoints)
{
  for (int turn = 0; turn < 6; ++turn) {
    const auto points = some_points(37, 3, memories[turn]);
    compare<1, 3, false>(GetParam(), Coulomb{}, points, {37}, turn);
    compare<1, 3, true>(GetParam(), Anisotropic{}, points, {37}, turn);
    compare<1, 2, true>(GetParam(), Coulomb{}, some_points(5, 2, memories[turn]), {5}, turn);
    compare<1, 3, true>(GetParam(), Coulomb{}, points, {37}, turn, Keramos::Cutoff{0.6});
  }
}

TEST_P(GatherSumExactCalls, IsTheSumOfDoubleOnGrids)
{
  const Keramos::UniformGrid<3> grid{{-1, -1, -1}, {0.1, 0.3, 0.2}};
  for (int turn = 0; turn < 6; ++turn) {
    compare<3, 3, false>(GetParam(), Gaussian{.sigma = 0.4}, grid, {9, 4, 7}, turn);
    compare<3, 3, true>(GetParam(), Coulomb{}, grid, {3, 5, 11}, turn);
    compare<2, 3, true>(GetParam(), Coulomb{}, grid.plane(1, 2), {8, 5}, turn);
    compare<2, 2, false>(GetParam(), RootVectors{}, Keramos::UniformGrid<2>{{-1, -1}, {0.1, 0.3}}, {17, 6}, turn);
  }
}

TEST_P(GatherSumExactCalls, GradientAloneAndCoordinatesApart)
{
  const Cloud<float> cloud(300), targets(20, 2);
  const Points<float> beside("beside", 20), alone("alone", 20);
  const Values<float> phi("phi", 20);
  const auto column = [](const Points<float>& points, int d) { return Kokkos::subview(points, Kokkos::ALL, d); };
  const auto& at = targets.positions;
  sum(Exact{Coulomb{}}, at, cloud.sources(), Keramos::PotentialAndGradient{phi, beside});
  sum(Exact{Coulomb{}}, Keramos::Points{column(at, 0), column(at, 1), column(at, 2)},
      Sources{column(cloud.positions, 0), column(cloud.positions, 1), column(cloud.positions, 2), cloud.weights},
      Keramos::Gradient{alone});
  EXPECT_EQ(std::memcmp(beside.data(), alone.data(), 60 * sizeof(float)), 0);
  EXPECT_NE(alone(7, 1), 0);
}

/// Some of the targets, in another order.
TEST_P(GatherSumExactCalls, BitsDependOnNoOtherTarget)
{
  const Cloud<float> cloud(2500), targets(301, 2);
  const Points<float> some("some", 23);
  const Values<float> all_out("out", 301), some_out("out", 23);
  for (int i = 0; i < 23; ++i)
    for (int d = 0; d < 3; ++d) some(i, d) = targets.positions(300 - 13 * i, d);
  sum(Exact{Coulomb{}}, targets.positions, cloud.sources(), all_out);
  sum(Exact{Coulomb{}}, some, cloud.sources(), some_out);
  for (int i = 0; i < 23; ++i) EXPECT_EQ(some_out(i), all_out(300 - 13 * i));
}

TEST_P(GatherSumExactCalls, OfDoubleIsTheSumWithout)
{
  const Cloud<double> cloud(500), targets(20, 2);
  const Values<double> plain("plain", 20), exact("exact", 20);
  const auto without = sum(Coulomb{}, targets.positions, cloud.sources(), plain);
  EXPECT_EQ(sum(Exact{Coulomb{}}, targets.positions, cloud.sources(), exact), without);
  EXPECT_TRUE(same_bits(plain, exact));
  EXPECT_EQ(size(Exact{Coulomb{}}, targets.positions, cloud.sources(), exact),
            size(Coulomb{}, targets.positions, cloud.sources(), plain));
}

// ---- Scratch, errors, nothing to do ---------------------------------------------------------------------------------

TEST_P(GatherSumExactCalls, NoTargetsOrNoSources)
{
  const Cloud<float> none(0), cloud(10), targets(8);
  const Values<float> nowhere("nowhere", 0), out("out", 8);
  EXPECT_EQ(size(Exact{Coulomb{}}, none.positions, cloud.sources(), nowhere), 0u);
  sum(Exact{Coulomb{}}, none.positions, cloud.sources(), nowhere);
  sum(Exact{Coulomb{}}, none.positions, cloud.sources(), nowhere, Keramos::Cutoff{1});
  Kokkos::deep_copy(out, 3);
  sum(Exact{Coulomb{}}, targets.positions, none.sources(), out, Keramos::accumulate);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(out(i), 3);
  sum(Exact{Coulomb{}}, targets.positions, none.sources(), out);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(out(i), 0);
}

TEST_P(GatherSumExactCalls, InAWorkspace)
{
  const Cloud<float> cloud(40000), targets(20, 2);
  const Values<float> allocated("allocated", 20), given("given", 20);
  const auto call = [&](const Values<float>& out, const auto&... rest) {
    return sum(Exact{Coulomb{}}, targets.positions, cloud.sources(), out, rest...);
  };
  const auto bytes = size(Exact{Coulomb{}}, targets.positions, cloud.sources(), given);
  EXPECT_GE(bytes, 40000 * 4 * sizeof(double) + 20 * 4 * sizeof(double));
  const Values<double> scratch("scratch", bytes / sizeof(double));
  EXPECT_TRUE(says(call(allocated), ", exact, scratch allocated"));
  const auto in_scratch = call(given, Workspace{scratch});
  EXPECT_TRUE(says(in_scratch, ", exact")) << in_scratch;
  EXPECT_FALSE(says(in_scratch, "allocated")) << in_scratch;
  EXPECT_TRUE(same_bits(allocated, given));
  const Values<double> eight_further("scratch", bytes / sizeof(double) + 1);
  call(given, Keramos::accumulate,
       Workspace{Kokkos::subview(eight_further, std::pair<std::size_t, std::size_t>(1, eight_further.size()))});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(given(i), 2 * allocated(i));
}

TEST_P(GatherSumExactCalls, WrongUseOfAWorkspace)
{
  const Cloud<float> cloud(100), targets(20, 2);
  const Values<float> out("out", 20);
  const auto bytes = size(Exact{Coulomb{}}, targets.positions, cloud.sources(), out);
  const Kokkos::View<char*, Shared> scratch("scratch", bytes + 8);
  const auto said = [&](std::size_t begin, std::size_t end) {
    const auto part = Kokkos::subview(scratch, std::pair(begin, end));
    return message([&] { sum(Exact{Coulomb{}}, targets.positions, cloud.sources(), out, Workspace{part}); });
  };
  const std::string head = "Keramos::gather_sum: argument 'workspace': expected ";
  EXPECT_EQ(said(0, bytes - 1),
            head +
                Keramos::core::text("at least ", bytes, " bytes, as gather_sum_workspace_size tells, got ", bytes - 1));
  EXPECT_EQ(said(4, bytes + 4), head + "memory aligned to 8 bytes, got another address");
  EXPECT_EQ(message([&] { sum(Exact{Coulomb{}}, targets.positions, cloud.sources(), out, Workspace{out}); }),
            head + "no element in common with 'out', got Views that overlap in memory");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(out(i), 0); // nothing was written
  EXPECT_EQ(said(0, bytes), "no error");
}

/// Parameters have the range of double; all else is as without.
TEST_P(GatherSumExactCalls, WrongUse)
{
  const Cloud<float> cloud(10), targets(8);
  const Values<float> out("out", 8), longer("longer", 9);
  const auto said = [&](const auto& kernel, const auto& to) {
    return message([&] { sum(Exact{kernel}, targets.positions, cloud.sources(), to); });
  };
  EXPECT_EQ(said(Coulomb{.softening = -1}, out), "Keramos::gather_sum: argument 'kernel.softening': expected 0, or a "
                                                 "positive number with its square, in the range of double, got -1");
  EXPECT_EQ(said(Coulomb{.softening = 1e-30}, out), "no error");
  EXPECT_EQ(said(Coulomb{}, longer), "Keramos::gather_sum: argument 'out': expected extents (8), got (9)");
  EXPECT_EQ(said(Coulomb{}, Kokkos::subview(cloud.weights, std::pair(0, 8))),
            "Keramos::gather_sum: argument 'out': expected no element in common with 'sources.weights', got Views that "
            "overlap in memory");
}

/// A dry run tells the kernel, and writes nothing.
TEST_P(GatherSumExactCalls, DryRun)
{
  const Cloud<float> cloud(300), targets(8, 2);
  const Values<float> out("out", 8);
  const auto call = [&](const auto& exec) {
    return Keramos::gather_sum(exec, Exact{Coulomb{}}, targets.positions, cloud.sources(), out);
  };
  const Keramos::Kernel asked = run(GetParam(), [&](const auto& exec) { return call(Keramos::dry_run(exec)); });
  for (int i = 0; i < 8; ++i) EXPECT_EQ(out(i), 0);
  EXPECT_EQ(run(GetParam(), call), asked);
}

} // namespace
