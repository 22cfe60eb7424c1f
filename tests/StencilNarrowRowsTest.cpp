// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of planes whose rows are short (backends/cuda/stencil/NarrowRows.hpp) has the bits of the kernel that older GPUs take, which the rest of the
// suite compares with the reference: under all rules, at rows of any length, pitch and layout, in Regions, in place and behind a functor. And it is what
// such planes take.
#include "StencilNarrow.hpp"

namespace {

using namespace test;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 2>;
using Rules = Keramos::EdgeRules<2>;
using Keramos::constant;

/// Reads a View by itself, and tells the axes apart.
template <class T>
struct ReadsPlane {
  StridedView<T, 2> view;
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j) const
  {
    return centre + view(i, j) * value + T(i) - T(2 * j);
  }
};

/// Stores by itself, differently when called twice.
template <class T>
struct StoresPlane {
  StridedView<T, 2> out;
  KOKKOS_FUNCTION void operator()(T value, T centre, int i, int j) const { out(i, j) = 3 * out(i, j) + value - centre; }
};

template <class Op>
struct ByRows {
  static constexpr int radius = Op::radius;
  static constexpr bool is_star = Op::shape == Keramos::Shape::star, has_waves = is_star, has_functors = true;

  static auto plan(const auto& request) { return stencil::plan_narrow_rows(request); }
  static void by_library(const auto&... arguments) { stencil::library::launch_narrow_rows(arguments...); }
  static void by_user(const auto&... arguments) { stencil::launch_narrow_rows_of<is_star, radius>(arguments...); }
  template <class View>
  static auto reads(const View& view)
  {
    return ReadsPlane<typename View::value_type>{view};
  }
  template <class View>
  static auto stores(const View& view)
  {
    return StoresPlane<typename View::value_type>{view};
  }
};

/// The last ones, of several values, are not for boxes.
const Rules rules_of_planes[] = {
    Keramos::periodic,
    constant(0),
    Keramos::periodic_closed,
    constant(0.3),
    Keramos::nearest,
    Keramos::reflect,
    Keramos::mirror,
    Keramos::interior,
    {Keramos::sides(Keramos::mirror, constant(0.5)), Keramos::sides(constant(0.5), Keramos::nearest)},
    {constant(0.25), Keramos::sides(constant(0.5), constant(2))},
    {Keramos::sides(constant(0.25), Keramos::mirror), constant(-0.0)}};

template <class Op>
constexpr std::size_t count_of_rules()
{
  return std::size(rules_of_planes) - (Op::shape == Keramos::Shape::star ? 0 : 2);
}

template <class T, class Op>
void check_case(const Rules& rules, const Index& extents, Memory memory)
{
  check_narrow<T, Op, ByRows<Op>>(rules, extents, memory);
}

/// Of fewer rows than a tile has, of one tile, of several, and of several of a block.
template <class T, class Op>
void check_bits()
{
  constexpr std::int64_t least = 2 * Op::radius + 1;
  for (std::size_t turn = 0; turn < count_of_rules<Op>(); ++turn) {
    SCOPED_TRACE(testing::Message() << "rules " << turn);
    const bool is_left = turn % 2 == 1;
    const auto more = static_cast<std::int64_t>(turn);
    for (const std::int64_t rows : {least, 61 + 5 * more, 997 + more})
      check_case<T, Op>(rules_of_planes[turn], is_left ? Index{31 + more, rows} : Index{rows, 31 + more},
                        is_left ? Memory::left : Memory::right);
  }
  for (const std::int64_t row : {2, Op::radius + 1, 2 * Op::radius + 1, 31, 32, 33, 97, 129, 257}) {
    check_case<T, Op>(constant(0), {145, row}, Memory::right);
    check_case<T, Op>(Keramos::ghost, {70, row}, Memory::inside);
  }
  check_case<T, Op>(constant(0), {3, 1021},
                    Memory::right); // tiles along the rows, and fewer of these than a thread has
  check_case<T, Op>(Keramos::mirror, {9001, 33}, Memory::right); // chunks
  check_case<T, Op>(constant(0.5), {90001, 5}, Memory::right);
}

template <class T>
void check_operators()
{
  check_bits<T, Keramos::Star<2, 1>>();
  check_bits<T, Keramos::Star<2, 2>>();
  check_bits<T, Keramos::Star<2, 3>>();
  check_bits<T, Keramos::Star<2, 4>>();
  check_bits<T, Keramos::Box<2, 1>>();
  check_bits<T, Keramos::Box<2, 2>>();
}

TEST(StencilNarrowRows, Float) { check_operators<float>(); }

TEST(StencilNarrowRows, Double) { check_operators<double>(); }

/// Whether Views that nobody reads take it; behind epilogue_of(a third View).
template <class T, class Op, class... EpilogueOf>
bool is_taken(const Rules& rules, const Index& extents, const EpilogueOf&... epilogue_of)
{
  const Kokkos::LayoutStride layout(extents[0], extents[1], extents[1], 1);
  const auto view_at = [&](std::uintptr_t address) { return StridedView<T, 2>(reinterpret_cast<T*>(address), layout); };
  const Keramos::Kernel kernel =
      Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Op>{}, view_at(std::uintptr_t(1) << 36),
                             view_at(std::uintptr_t(1) << 37), rules, epilogue_of(view_at(std::uintptr_t(1) << 38))...);
  return kernel.variant.str().find("narrow") != std::string::npos;
}

TEST(StencilNarrowRows, IsTakenForShortRows)
{
  if (!is_hopper()) GTEST_SKIP() << "where it was measured";
  using Star = Keramos::Star<2, 4>;
  using Box = Keramos::Box<2, 1>;
  const Rules zero = constant(0), several{constant(1), constant(0)};
  const auto wave = [](const auto& view) { return Keramos::LeapFrog{view, view}; };
  const auto functor = [](const auto& view) { return Keramos::Epilogue{OfFields<float>(), view, 1.f}; };
  EXPECT_TRUE((is_taken<float, Star>(zero, {1000000, 33})));
  EXPECT_TRUE((is_taken<float, Star>(zero, {1000000, 33}, wave)));
  EXPECT_TRUE((is_taken<float, Star>(zero, {1000000, 33}, functor)));
  EXPECT_TRUE((is_taken<double, Box>(zero, {1000000, 33})));
  EXPECT_TRUE((is_taken<float, Box>(zero, {1000000, 33}, functor)));
  EXPECT_TRUE((is_taken<float, Box>(zero, {16384, 16385}, functor))); // tiles are all that is else
  EXPECT_FALSE((is_taken<float, Box>(zero, {16384, 16385})));
  EXPECT_FALSE((is_taken<float, Box>(zero, {1000000, 33}, wave)));
  EXPECT_FALSE((is_taken<float, Box>(several, {1000000, 33})));
  EXPECT_TRUE((is_taken<float, Star>(several, {1000000, 33})));
  EXPECT_FALSE((is_taken<float, Star>(zero, {1000000, 257})));
  EXPECT_FALSE((is_taken<double, Star>(zero, {1000000, 121})));
  EXPECT_TRUE((is_taken<float, Star>(zero, {100000, 200})));
  EXPECT_FALSE((is_taken<float, Star>(zero, {10000, 200}))); // of few points
  EXPECT_TRUE((is_taken<float, Star>(zero, {10000, 125})));
  EXPECT_FALSE((is_taken<float, Star>(zero, {1000, 33})));
}

} // namespace
