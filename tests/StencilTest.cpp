// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils: every backend against the reference over types, ranks, shapes, radii, layouts, sizes, edge rules, regions.
#include "StencilSupport.hpp"

namespace {

using namespace test;
using Keramos::Backend, Keramos::EdgeRules, Keramos::AxisRule, Keramos::sides, Keramos::constant;

template <int Rank>
std::vector<EdgeRules<Rank>> rules()
{
  std::vector<EdgeRules<Rank>> all{Keramos::periodic, Keramos::periodic_closed, constant(0.7),  Keramos::nearest,
                                   Keramos::reflect,  Keramos::mirror,          Keramos::ghost, Keramos::interior};
  const AxisRule a = sides(constant(0.5), Keramos::nearest), b = sides(Keramos::interior, Keramos::mirror),
                 c = Keramos::ghost, d = Keramos::periodic, e = sides(Keramos::reflect, constant(-2)),
                 f = sides(Keramos::ghost, Keramos::mirror), g = sides(constant(0.2), Keramos::ghost),
                 h = sides(Keramos::reflect, Keramos::ghost), k = sides(Keramos::ghost, Keramos::interior);
  if constexpr (Rank == 1) all.insert(all.end(), {a, b, e, f, g, h, k});
  if constexpr (Rank == 2) all.insert(all.end(), {{a, b}, {c, d}, {e, a}, {b, c}, {f, g}, {h, k}});
  if constexpr (Rank == 3)
    all.insert(all.end(), {{a, b, c}, {d, e, a}, {c, d, b}, {e, a, d}, {e, e, e}, {f, g, h}, {g, k, f}, {h, f, d}});
  return all;
}

/// Sizes at the edges of vectors, blocks and halos.
template <int Rank>
std::vector<std::array<std::int64_t, Rank>> sizes(int r)
{
  if constexpr (Rank == 1) return {{0}, {1}, {2}, {r}, {2 * r + 1}, {31}, {32}, {33}, {127}, {1024}, {1025}, {2500}};
  if constexpr (Rank == 2)
    return {{0, 5}, {1, 1}, {r, 2 * r + 1}, {31, 33}, {33, 32}, {7, 131}, {131, 7}, {1, 40}, {40, 1}};
  if constexpr (Rank == 3)
    return {{3, 0, 4},  {1, 1, 1}, {r, 2 * r + 1, 2 * r + 2}, {17, 5, 33}, {33, 17, 5}, {5, 32, 19},
            {1, 9, 37}, {9, 37, 1}};
}

template <class T, class Op>
void sweep(const Op& op, Backend backend)
{
  constexpr int rank = Op::rank;
  int turn = 0; // layouts take turns, so that every pair meets every rule over the sizes
  for (const auto& edges : rules<rank>())
    for (const auto& extents : sizes<rank>(std::max(Op::radius, 2))) {
      const Memory in = memories[turn % memories.size()], out = memories[turn / 2 % memories.size()];
      ++turn;
      SCOPED_TRACE(testing::Message() << Keramos::core::shape_text(Op::shape, rank, Op::radius, Op::tap_count)
                                      << " rule " << to_string(edges[0].low.kind) << " extents "
                                      << testing::PrintToString(extents) << " memory " << int(in) << " " << int(out));
      Comparison<T, Op> comparison(op, edges, extents, in, out);
      EXPECT_EQ(comparison.run(backend).backend, backend);
      if (testing::Test::HasFailure()) return;
    }
}

template <class T>
void sweep_all(Backend backend)
{
  sweep<T>(Keramos::Star<1, 0>(), backend);
  sweep<T>(Keramos::Star<1, 4>(), backend);
  sweep<T>(Keramos::Star<1, 8>(), backend);
  sweep<T>(Keramos::Star<2, 1>(), backend);
  sweep<T>(Keramos::Star<2, 3>(), backend);
  sweep<T>(Keramos::Star<3, 0>(), backend);
  sweep<T>(Keramos::Star<3, 1>(), backend);
  sweep<T>(Keramos::Star<3, 4>(), backend);
  sweep<T>(Keramos::Star<3, 8>(), backend);
  sweep<T>(Keramos::Box<1, 2>(), backend);
  sweep<T>(Keramos::Box<2, 1>(), backend);
  sweep<T>(Keramos::Box<2, 2>(), backend);
  sweep<T>(Keramos::Box<3, 1>(), backend);
  for (int axis = 0; axis < 3; ++axis) sweep<T>(Keramos::Line<3, 4>(axis, {}), backend);
  for (int axis = 0; axis < 2; ++axis) sweep<T>(Keramos::Line<2, 2>(axis, {}), backend);
  sweep<T>(Keramos::SparseStencil<1, 3>({{{-3}, {0}, {5}}}, {}), backend);
  sweep<T>(Keramos::SparseStencil<2, 4>({{{-2, 1}, {0, 0}, {1, 3}, {0, -1}}}, {}), backend);
  sweep<T>(Keramos::SparseStencil<3, 5>({{{1, 2, 3}, {-1, 0, 0}, {0, 0, 2}, {0, -3, 1}, {2, 0, -1}}}, {}), backend);
}

class Stencils : public testing::TestWithParam<Backend> {};

TEST_P(Stencils, AgreeWithReferenceInFloat) { sweep_all<float>(GetParam()); }
TEST_P(Stencils, AgreeWithReferenceInDouble) { sweep_all<double>(GetParam()); }

TEST_P(Stencils, WriteOnlyTheirRegion)
{
  const Keramos::Star<3, 2> star;
  using Index = std::array<int, 3>;
  for (const auto& [begin, end] : {std::pair{Index{0, 0, 0}, Index{11, 12, 37}},
                                   {Index{2, 3, 1}, Index{9, 4, 36}},
                                   {Index{0, 11, 5}, Index{1, 12, 6}},
                                   {Index{5, 5, 5}, Index{5, 9, 9}}})
    for (const auto& edges : rules<3>()) {
      const Keramos::Region region{begin, end};
      Comparison<float, Keramos::Star<3, 2>>(star, edges, {11, 12, 37}, Memory::inside, Memory::left)
          .run(GetParam(), &region);
    }
}

/// at() is the weight of the tap with that offset, and of no other.
template <class Op, class At>
void check_at(const At& at)
{
  Op op;
  for (int t = 0; t < Op::tap_count; ++t) at(op, op.offset(t)) = t + 1;
  for (int t = 0; t < Op::tap_count; ++t) EXPECT_EQ(op.weight(t), t + 1);
}

TEST(Operators, HaveAWeightAtEveryOffset)
{
  check_at<Keramos::Box<2, 2>>([](auto& box, const auto& offset) -> double& { return box.at(offset); });
  check_at<Keramos::Box<3, 1>>([](auto& box, const auto& offset) -> double& { return box.at(offset); });
  check_at<Keramos::Star<3, 2>>([](auto& star, const std::array<int, 3>& offset) -> double& {
    for (int axis = 0; axis < 3; ++axis)
      if (offset[axis] != 0) return star.at(axis, offset[axis]);
    EXPECT_EQ(&star.at(2, 0), &star.centre());
    return star.at(1, 0);
  });
}

/// The box [2, 5) x [3, 7), however its corners are spelt.
TEST(Regions, TakeCornersInEverySpelling)
{
  const std::int64_t five = 5;
  const std::size_t seven = 7;
  enum { two = 2, three = 3 };
  const int begin[] = {2, 3};
  for (const Keramos::Region<2>& region : {
           Keramos::Region<2>{{2, 3}, {5, 7}},
           Keramos::Region<2>({2, 3}, {five, seven}),
           Keramos::Region<2>{{two, three}, {5u, 7}},
           Keramos::Region<2>{begin, std::array{5, 7}},
           Keramos::Region<2>{begin, {five, 7}},
           Keramos::Region<2>{std::array{2, 3}, {five, 7}},
           Keramos::Region<2>{{2, 3}, Kokkos::Array{5, 7}},
           Keramos::Region<2>{std::vector{2, 3}, std::vector{5, 7}},
           Keramos::Region{{2, 3}, {five, seven}},
           Keramos::Region{std::array{2, 3}, std::array{five, std::int64_t{7}}},
           Keramos::Region{std::array{two, three}, Kokkos::Array<std::size_t, 2>{5, seven}},
           Keramos::Region{begin, Kokkos::Array{5, 7}},
       }) {
    EXPECT_EQ(region.begin, (std::array<std::int64_t, 2>{2, 3}));
    EXPECT_EQ(region.end, (std::array<std::int64_t, 2>{5, 7}));
  }
  EXPECT_EQ((Keramos::Region<1>{{2}, {5}}.end[0]), 5);
  EXPECT_EQ((Keramos::Region<1>{2, five}.end[0]), 5);
  EXPECT_EQ((Keramos::Region<3>{{0, 0, 0}, {5, 6, seven}}.end), (std::array<std::int64_t, 3>{5, 6, 7}));
}

template <class Begin, class End = std::array<int, 2>>
concept Corners = std::is_constructible_v<Keramos::Region<2>, Begin, End>;
static_assert(Corners<std::array<std::size_t, 2>> && Corners<const std::int64_t (&)[2], Kokkos::Array<int, 2>>);
static_assert(!Corners<std::array<double, 2>> && !Corners<std::array<bool, 2>>);
static_assert(!Corners<std::array<int, 2>, std::array<float, 2>> && !Corners<double (&)[2]>);
static_assert(std::is_constructible_v<Keramos::Region<3>, const Keramos::Region<3>&> &&
              !std::is_constructible_v<Keramos::Region<2>, const Keramos::Region<3>&>);

/// A call takes the two lists themselves, beside an epilogue or without one.
TEST_P(Stencils, TakeTheCornersOfARegionInBraces)
{
  const Keramos::Star<2, 1> twice(2, {0});
  Array<float, 2> in({6, 9}, Memory::right), out(in.extents, Memory::right);
  in.for_each([&](const auto& i) { in.at(i) = 1; });
  out.for_each([&](const auto& i) { out.at(i) = 0; });
  test::run(GetParam(), [&](const auto& exec) {
    return Keramos::apply_stencil(exec, twice, in.view, out.view, Keramos::nearest, {{2, 3}, {5, 7}});
  });
  test::run(GetParam(), [&](const auto& exec) {
    return Keramos::apply_stencil(exec, twice, in.view, out.view, Keramos::nearest, Keramos::LeapFrog{in.view, 1.0},
                                  {{0, 3}, {2, 7}});
  });
  out.for_each([&](const auto& i) { // LeapFrog: 2 * centre - previous + scale * value
    const float expected = i[1] < 3 || i[1] >= 7 || i[0] == 5 ? 0 : i[0] < 2 ? 2 - 1 + 2 : 2;
    EXPECT_EQ(out.at(i), expected) << testing::PrintToString(i);
  });
}

/// 4913 coefficients in double are more than a CUDA kernel takes by value: the portable kernel has them in memory of
/// Kokkos' own, whose allocation no graph captures.
TEST_P(Stencils, AgreeOnTheLargestBox)
{
  if (GetParam() == Backend::cuda) GTEST_SKIP() << "portable's";
  if (has_cuda && GetParam() == Backend::portable && in_graphs()) GTEST_SKIP() << "not captured";
  Comparison<double, Keramos::Box<3, 8>>(Keramos::Box<3, 8>(), Keramos::reflect, {5, 3, 9}, Memory::right,
                                         Memory::right)
      .run(GetParam());
}

/// Two runs agree bit for bit.
TEST_P(Stencils, Repeat)
{
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0);
  Array<float, 3> in({40, 41, 43}, Memory::right), a(in.extents, Memory::right), b(in.extents, Memory::right);
  in.randomise(3);
  for (const auto& out : {a, b})
    test::run(GetParam(), [&](const auto& exec) {
      return Keramos::apply_stencil(exec, laplacian, in.view, out.view, Keramos::periodic);
    });
  EXPECT_EQ(0, std::memcmp(a.buffer.data(), b.buffer.data(), a.buffer.size() * sizeof(float)));
}

TEST_P(Stencils, LetNaNAndInfinityTravel)
{
  const Keramos::Line<1, 1> sum(0, {1, 1, 1});
  Array<float, 1> in({70}, Memory::right), out({70}, Memory::right);
  in.for_each([&](auto i) { in.at(i) = 1; });
  in.view(20) = std::numeric_limits<float>::quiet_NaN();
  in.view(50) = std::numeric_limits<float>::infinity();
  test::run(GetParam(),
            [&](const auto& exec) { return Keramos::apply_stencil(exec, sum, in.view, out.view, constant(NAN)); });
  out.for_each([&](auto i) {
    const bool nan = i[0] == 0 || i[0] == 69 || std::abs(i[0] - 20) <= 1;
    EXPECT_EQ(std::isnan(out.at(i)), nan) << i[0];
    EXPECT_EQ(std::isinf(out.at(i)), std::abs(i[0] - 50) <= 1) << i[0];
  });
}

/// Its points do not read what it lacks: not even with a weight of zero, which leaves a NaN what it is.
template <class Op>
void check_lacking(Backend backend, const Op& op)
{
  constexpr int rank = Op::rank;
  using Index = std::array<std::int64_t, rank>;
  const Lacking<Op> lacking{op};
  Index extents, odd_one;
  extents.fill(24), odd_one.fill(11);
  const Array<float, rank> in(extents, Memory::right), out(extents, Memory::right);
  in.for_each([&](const Index& i) { in.at(i) = i == odd_one ? std::numeric_limits<float>::quiet_NaN() : 1; });
  test::run(backend,
            [&](const auto& exec) { return Keramos::apply_stencil(exec, lacking, in.view, out.view, constant(0)); });
  out.for_each([&](const Index& i) {
    bool reads = false;
    for (int t = 0; t < lacking.tap_count; ++t) {
      Index at = i;
      for (int axis = 0; axis < rank; ++axis) at[axis] += lacking.offset(t)[axis];
      reads = reads || at == odd_one;
    }
    ASSERT_EQ(std::isnan(out.at(i)), reads)
        << Keramos::core::shape_text(Op::shape, rank, Op::radius, Op::tap_count) << " " << testing::PrintToString(i);
  });
}

TEST_P(Stencils, AddNothingForTapsThatAnOperatorLacks)
{
  check_lacking(GetParam(), Keramos::Star<1, 2>());
  check_lacking(GetParam(), Keramos::Star<2, 1>());
  check_lacking(GetParam(), Keramos::Star<2, 4>());
  check_lacking(GetParam(), Keramos::Star<3, 1>());
  check_lacking(GetParam(), Keramos::Star<3, 4>());
  check_lacking(GetParam(), Keramos::Box<2, 1>());
  check_lacking(GetParam(), Keramos::Box<3, 1>());
  for (int axis = 0; axis < 3; ++axis) check_lacking(GetParam(), Keramos::Line<3, 2>(axis, {}));
}

TEST(SparseStencils, AddUpTheWeightsOfAPointThatIsNamedTwice)
{
  const Keramos::SparseStencil<1, 3> once_infinite({{{0}, {1}, {0}}},
                                                   {2, 0.5, -1}); // 2 infinity - infinity would be NaN
  const Array<float, 1> in({70}, Memory::right, std::numeric_limits<float>::infinity());
  for (const Backend backend : all_backends()) {
    const Array<float, 1> out({70}, Memory::right);
    test::run(backend, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, once_infinite, in.view, out.view, constant(0));
    });
    out.for_each([&](auto i) { EXPECT_EQ(out.at(i), in.at(i)) << to_string(backend) << " at " << i[0]; });
  }
}

/// Few points further apart than 2^31 elements: offsets of 32 bits would show.
TEST_P(Stencils, ReachAcrossHugeSpans)
{
  const std::int64_t far = (std::int64_t{1} << 31) + 12345;
  const FarMemory<float> in_memory(5 * far), out_memory(5 * far);
  const Kokkos::LayoutStride layout(5, far, 7, 50, 40, 1);
  const StridedView<float, 3> in(in_memory.data(), layout), out(out_memory.data(), layout);
  Array<float, 3> small({5, 7, 40}, Memory::right), expected({5, 7, 40}, Memory::right);
  small.randomise(9);
  const auto at = [](const auto& view, const auto& i) -> float& {
    return view.data()[i[0] * static_cast<std::int64_t>(view.stride(0)) + i[1] * view.stride(1) + i[2]];
  };
  small.for_each([&](const auto& i) { at(in, i) = small.at(i); });
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 4>(1.0, 1.0, 1.0);
  const auto apply = [&](const auto& from, const auto& to) {
    test::run(GetParam(),
              [&](const auto& exec) { return Keramos::apply_stencil(exec, laplacian, from, to, Keramos::mirror); });
  };
  apply(in, out);
  apply(small.view, expected.view);
  expected.for_each([&](const auto& i) { EXPECT_EQ(at(out, i), expected.at(i)) << testing::PrintToString(i); });
}

INSTANTIATE_TEST_SUITE_P(Backends, Stencils, testing::ValuesIn(fast_backends()),
                         [](const auto& info) { return to_string(info.param); });

} // namespace
