// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The march through grids whose rows are short (backends/cuda/stencil/NarrowMarch.hpp) has the bits of the kernel that older GPUs take, which the rest of
// the suite compares with the reference: under all rules, at rows of any length, pitch and layout, in Regions, in place and behind a functor. And it is
// what such grids take.
#include "StencilNarrow.hpp"

namespace {

using namespace test;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;
using Keramos::constant;

using Taps19 = SomeTaps<1, 19>;
using Taps77 = SomeTaps<2, 77>;

template <class Op>
struct ByMarch {
  static constexpr int radius = Op::shape != Keramos::Shape::sparse ? Op::radius : Op::tap_count > 27 ? 2 : 1;
  static constexpr auto kind = Op::shape == Keramos::Shape::star  ? stencil::MarchKind::star
                               : Op::shape == Keramos::Shape::box ? stencil::MarchKind::box
                                                                  : stencil::MarchKind::sparse;
  static constexpr bool has_waves = kind == stencil::MarchKind::star, has_functors = kind != stencil::MarchKind::sparse;

  static auto plan(const auto& request) { return stencil::plan_narrow_march(request); }
  static void by_library(const auto&... arguments) { stencil::library::launch_narrow_march(arguments...); }
  static void by_user(const auto&... arguments) { stencil::launch_narrow_march_of<kind, radius>(arguments...); }
  template <class View>
  static auto reads(const View& view)
  {
    return ReadsView<typename View::value_type>{view};
  }
  template <class View>
  static auto stores(const View& view)
  {
    return Stores<typename View::value_type>{view};
  }
};

template <class T, class Op>
void check_case(const Rules& rules, const Index& extents, Memory memory)
{
  check_narrow<T, Op, ByMarch<Op>>(rules, extents, memory);
}

/// Boxes and what is within them where one value is beyond the field, or none.
template <class Op>
std::size_t rules_of()
{
  constexpr std::size_t of_several_values = 3;
  return std::size(all_rules) - (Op::shape == Keramos::Shape::star ? 0 : of_several_values);
}

template <class T, class Op>
void check_bits()
{
  constexpr int radius = ByMarch<Op>::radius;
  constexpr std::int64_t least = 2 * radius + 1;
  for (std::size_t turn = 0; turn < rules_of<Op>(); ++turn) {
    SCOPED_TRACE(testing::Message() << "rules " << turn);
    const bool is_left = turn % 2 == 1;
    const auto more = static_cast<std::int64_t>(turn);
    const std::int64_t row = 31 + more, rows = 67 + 5 * more, planes = least + more;
    check_case<T, Op>(all_rules[turn], is_left ? Index{row, rows, planes} : Index{planes, rows, row},
                      is_left ? Memory::left : Memory::right);
  }
  for (const std::int64_t row : {2, radius + 1, 2 * radius + 1, 31, 32, 33, 97, 163, 257}) {
    check_case<T, Op>(constant(0), {least, 45, row}, Memory::right);
    check_case<T, Op>(Keramos::ghost, {3, 70, row}, Memory::inside);
  }
  check_case<T, Op>(constant(0), {3, 2, 521},
                    Memory::right); // tiles along the rows, and fewer of these than a thread has
  check_case<T, Op>(Keramos::mirror, {600, 9, 12}, Memory::right); // chunks
}

template <class T>
void check_operators()
{
  check_bits<T, Keramos::Star<3, 1>>();
  check_bits<T, Keramos::Star<3, 2>>();
  check_bits<T, Keramos::Star<3, 3>>();
  check_bits<T, Keramos::Star<3, 4>>();
  check_bits<T, Keramos::Box<3, 1>>();
  check_bits<T, Keramos::Box<3, 2>>();
  check_bits<T, Taps19>();
  check_bits<T, Taps77>();
}

TEST(StencilNarrowMarch, Float) { check_operators<float>(); }

TEST(StencilNarrowMarch, Double) { check_operators<double>(); }

/// The name of the kernel for Views that nobody reads; behind epilogue_of(a third View).
template <class T, class Op, class... EpilogueOf>
std::string taken_by(const Rules& rules, const Index& extents, const EpilogueOf&... epilogue_of)
{
  const Kokkos::LayoutStride layout(extents[0], extents[1] * extents[2], extents[1], extents[2], extents[2], 1);
  const auto view_at = [&](std::uintptr_t address) { return StridedView<T, 3>(reinterpret_cast<T*>(address), layout); };
  const Keramos::Kernel kernel =
      Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Op>{}, view_at(std::uintptr_t(1) << 36),
                             view_at(std::uintptr_t(1) << 37), rules, epilogue_of(view_at(std::uintptr_t(1) << 38))...);
  return kernel.variant.str();
}
template <class T, int Radius, class... EpilogueOf>
std::string taken(const Index& extents, const EpilogueOf&... epilogue_of)
{
  return taken_by<T, Keramos::Star<3, Radius>>(constant(0), extents, epilogue_of...);
}
template <class T, int Radius, class... EpilogueOf>
bool is_taken(const Index& extents, const EpilogueOf&... epilogue_of)
{
  return taken<T, Radius>(extents, epilogue_of...).find("narrow") != std::string::npos;
}

TEST(StencilNarrowMarch, IsTakenForShortRows)
{
  if (!is_hopper()) GTEST_SKIP() << "where it was measured";
  EXPECT_TRUE((is_taken<float, 1>({1000, 1001, 33})));
  EXPECT_TRUE((is_taken<float, 4>({1000, 1001, 75})));
  EXPECT_TRUE((is_taken<double, 1>({1000, 1001, 33})));
  EXPECT_TRUE((is_taken<double, 4>({1000, 1001, 33})));
  EXPECT_TRUE((is_taken<float, 1>({3000, 1001, 6})));    // by registers where there are few
  EXPECT_FALSE((is_taken<float, 1>({100, 101, 33})));    // which other kernels of small grids take
  EXPECT_TRUE((is_taken<float, 1>({1000, 1001, 64})));   // half of the tiles by tensor copies
  EXPECT_FALSE((is_taken<float, 1>({1000, 1001, 128}))); // which fill these
  EXPECT_FALSE((is_taken<float, 1>({1000, 1001, 257})));
  EXPECT_FALSE((is_taken<double, 4>({1000, 1001, 129})));
  const auto wave = [](const auto& view) { return Keramos::LeapFrog{view, view}; };
  EXPECT_TRUE((is_taken<float, 1>({1000, 1001, 129}, wave)));
  EXPECT_FALSE((is_taken<double, 4>({1000, 1001, 33}, wave)));
  EXPECT_TRUE((is_taken<double, 1>({1000, 1001, 33}, wave)));
  EXPECT_FALSE((is_taken<double, 1>({1000, 1001, 75}, wave))); // in place it is slower
  const auto functor = [](const auto& view) { return Keramos::Epilogue{OfFields<float>(), view, 1.f}; };
  EXPECT_TRUE((is_taken<float, 4>({1000, 1001, 97}, functor)));
  EXPECT_FALSE((is_taken<float, 4>({1000, 1001, 128}, functor)));
  EXPECT_TRUE((is_taken<float, 1>({9, 16'000'000, 33})));
  EXPECT_FALSE((is_taken<float, 1>({9, 17'000'000, 33}))); // places in a plane have 32 bits
}

/// An application's operator that has the taps of Op and calls itself something else.
template <class Op, Keramos::Shape Shape, int Radius>
struct Called {
  static constexpr auto shape = Shape;
  static constexpr int rank = Op::rank, radius = Radius, tap_count = Op::tap_count;
  Op op;
  auto offset(int t) const { return op.offset(t); }
  double weight(int) const { return 1; }
};

TEST(StencilNarrowMarch, IsTakenForBoxes)
{
  if (!is_hopper()) GTEST_SKIP() << "where it was measured";
  const auto by = [](const std::string& variant) { return variant.find("narrow") != std::string::npos; };
  using Box = Keramos::Box<3, 1>;
  const Rules zero = constant(0), several{constant(1), constant(0), constant(0)};
  EXPECT_TRUE(by(taken_by<float, Box>(zero, {1000, 1001, 128})));
  EXPECT_FALSE(by(taken_by<float, Box>(zero, {1000, 1001, 131})));
  EXPECT_TRUE(by(taken_by<double, Box>(zero, {1000, 1001, 64})));
  EXPECT_FALSE(by(taken_by<double, Box>(zero, {1000, 1001, 71})));
  EXPECT_TRUE(by(taken_by<float, Box>(zero, {64, 64, 64})));
  EXPECT_FALSE(by(taken_by<float, Box>(zero, {63, 64, 64})));
  EXPECT_TRUE(by(taken_by<float, Taps19>(zero, {1000, 1001, 90})));
  EXPECT_FALSE(by(taken_by<double, Taps19>(zero, {1000, 1001, 97})));
  EXPECT_TRUE(by(taken_by<float, Box>(constant(3), {1000, 1001, 33})));
  EXPECT_FALSE(by(taken_by<float, Box>(several, {1000, 1001, 33})));
  EXPECT_FALSE(by(taken_by<float, Lacking<Box>>(zero, {1000, 1001, 33}, [](const auto& view) {
    return Keramos::Epilogue{OfFields<float>(), view, 1.f};
  }))); // which only calls itself a box
  const auto functor = [](const auto& view) { return Keramos::Epilogue{OfFields<double>(), view, 1.}; };
  EXPECT_TRUE(by(taken_by<double, Box>(zero, {512, 512, 512}, functor))); // tiles are all that is else
  EXPECT_TRUE(by(taken_by<double, Taps19>(zero, {500, 501, 300}, functor)));
  EXPECT_FALSE(by(taken_by<double, Taps19>(zero, {500, 501, 301}, functor)));
  EXPECT_FALSE(by(taken_by<double, Taps77>(zero, {200, 200, 100}, functor))); // of few points
  EXPECT_FALSE(by(taken_by<double, Lacking<Keramos::Star<3, 1>>>(zero, {1000, 1001, 33}, functor)));
  EXPECT_FALSE(by(taken_by<double, Called<Box, Keramos::Shape::star, 1>>(zero, {1000, 1001, 33}, functor)));
  EXPECT_TRUE(by(taken_by<double, Called<Box, Keramos::Shape::sparse, 0>>(zero, {1000, 1001, 33}, functor)));
  const auto wave = [](const auto& view) { return Keramos::LeapFrog{view, view}; };
  EXPECT_FALSE(by(taken_by<float, Box>(zero, {1000, 1001, 33}, wave)));
  EXPECT_TRUE(by(taken_by<double, Keramos::Box<3, 2>>(zero, {500, 501, 200})));
  EXPECT_FALSE(by(taken_by<float, Keramos::Box<3, 2>>(zero, {500, 501, 200})));
}

/// Of few planes, or of rows of a few points.
TEST(StencilNarrowMarch, IsTakenByMarchesOnLargeThinGrids)
{
  if (!is_hopper()) GTEST_SKIP() << "where it was measured";
  const auto is_direct = [](const std::string& variant) { return variant.find("direct") != std::string::npos; };
  EXPECT_FALSE(is_direct(taken<float, 1>({8, 1032, 9489})));
  EXPECT_FALSE(is_direct(taken<double, 4>({8, 1032, 9489})));
  EXPECT_TRUE(is_direct(taken<float, 1>({8, 132, 949})));
  EXPECT_TRUE(is_direct(taken<float, 1>({8, 1032, 9488}))); // on 16 bytes
  EXPECT_FALSE(is_direct(taken<float, 4>({3000, 1001, 6})));
  const auto wave = [](const auto& view) { return Keramos::LeapFrog{view, view}; };
  EXPECT_TRUE(is_direct(taken<double, 4>({3000, 1001, 6}, wave)));
}

} // namespace
