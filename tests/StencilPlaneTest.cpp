// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small stars and boxes over two axes (backends/cuda/stencil/Plane.hpp) agree with the reference around the ends of their blocks and
// warps, at every edge rule and alignment of rows; and rows of contiguous elements do go this way. An application's functor is called
// once for each point, with what the library's own kernels store, but for rounding, and with the centre.
#include "StencilSupport.hpp"

#include <limits>

namespace {

using namespace test;
using Keramos::constant;

const Keramos::EdgeRule all_rules[] = {Keramos::periodic, Keramos::periodic_closed, constant(0.3),    Keramos::nearest,
                                       Keramos::reflect,  Keramos::mirror,          Keramos::interior};

template <class T, class Op>
void check_plane(const Op& op)
{
  std::int64_t turn = 0;
  for (const std::int64_t nx : {1, 2, 31, 129, 260, 266, 523})
    for (const std::int64_t ny : {1, 7, 8, 33, 66})
      for (const Memory memory : {Memory::right, Memory::left, Memory::inside, Memory::spread}) {
        SCOPED_TRACE(testing::Message() << nx << "x" << ny << " turn " << turn);
        const Keramos::EdgeRule rule = all_rules[turn % 7], other = all_rules[(turn + 2) % 7];
        ++turn;
        const Keramos::EdgeRules<2> rules[] = {
            rule, {other, constant(0.25)}, {constant(0.5), constant(0.75)}, Keramos::ghost};
        const Keramos::EdgeRules<2>& rule_of_turn = rules[(turn + turn / 4) % 4];
        Comparison<T, Op> plane(op, rule_of_turn, {ny, nx}, memory, memory);
        const auto kernel = plane.run(Keramos::Backend::cuda);
        const bool by_rows = kernel.name().find(" rows ") != std::string::npos;
        constexpr bool is_star = Op::shape == Keramos::Shape::star;
        constexpr bool is_for_all_rows = !is_star || (sizeof(T) == 8 && Op::radius <= 2);
        if (memory == Memory::spread) EXPECT_FALSE(by_rows) << kernel.name();
        // Axes of one point leave the order of the taps open, and a tile takes them.
        if (memory == Memory::spread || nx == 1 || ny == 1) continue;
        const bool is_alike =
            &rule_of_turn != &rules[3]; // a halo: rows of the input and of the output have other pitches
        if (is_alike || (memory == Memory::inside && is_for_all_rows)) EXPECT_TRUE(by_rows) << kernel.name();
      }
}

template <class T>
void check_planes()
{
  check_plane<T>(Keramos::Star<2, 1>());
  check_plane<T>(Keramos::Star<2, 2>());
  check_plane<T>(Keramos::Star<2, 3>());
  check_plane<T>(Keramos::Star<2, 4>());
  check_plane<T>(Keramos::Box<2, 1>());
  check_plane<T>(Keramos::Box<2, 2>());
}

/// Counts calls, and those with another value, but for rounding, or another centre, and stores something else than the value.
template <class T>
struct ChecksCalls {
  static constexpr T tolerance = 100 * std::numeric_limits<T>::epsilon(); // 9 products of magnitude 1 at most

  StridedView<T, 2> values, in;
  StridedView<int, 2> calls;

  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j) const
  {
    const bool is_right = Kokkos::abs(value - values(i, j)) <= tolerance && centre == in(i, j);
    calls(i, j) += is_right ? 1 : 1000;
    return 2 * value - centre;
  }
};

template <class T, class Op>
void check_functor()
{
  const Weighted<Op> op{};
  for (const std::int64_t nx : {8, 31, 129, 260, 266, 523})
    for (const Memory memory : {Memory::right, Memory::left, Memory::inside}) {
      SCOPED_TRACE(testing::Message() << "rows of " << nx);
      const std::array<std::int64_t, 2> right{33, nx}, left{nx, 33}, extents = memory == Memory::left ? left : right;
      Array<T, 2> in(extents, memory), values(extents, memory), out(extents, memory);
      Array<int, 2> calls(extents, Memory::right, 0);
      in.randomise(7);
      const Keramos::EdgeRules<2> rules{Keramos::reflect, constant(0.25)};
      const auto kernel = run(Keramos::Backend::cuda, [&](const auto& exec) {
        Keramos::apply_stencil(exec, op, in.view, values.view, rules);
        return Keramos::apply_stencil(exec, op, in.view, out.view, rules,
                                      ChecksCalls<T>{values.view, in.view, calls.view});
      });
      EXPECT_NE(kernel.name().find(" rows "), std::string::npos) << kernel.name();
      out.for_each([&](const auto& i) {
        EXPECT_EQ(calls.at(i), 1) << testing::PrintToString(i);
        EXPECT_NEAR(out.at(i), 2 * values.at(i) - in.at(i), 3 * ChecksCalls<T>::tolerance) << testing::PrintToString(i);
      });
      EXPECT_EQ(out.touched_outside(), 0);
    }
}

TEST(StencilPlane, CallsFunctors)
{
  check_functor<float, Keramos::Star<2, 2>>();
  check_functor<double, Keramos::Star<2, 1>>();
}

/// A Region whose rows are a warp wide, far from the ends of the field, where rows of the input and of the output begin differently.
template <class T>
void check_region()
{
  const std::int64_t begin = 16, end = begin + 32 * (16 / static_cast<std::int64_t>(sizeof(T)));
  for (const std::int64_t longer : {0, 1, 124})
    for (const Memory memory : {Memory::right_padded, Memory::inside}) {
      SCOPED_TRACE(testing::Message() << "rows longer by " << longer);
      Comparison<T, Keramos::Box<2, 1>> plane({}, Keramos::nearest, {33, 320}, Memory::right, memory);
      const Keramos::Region<2> region{{2, begin}, {31, end + longer}};
      const auto kernel = plane.run(Keramos::Backend::cuda, &region);
      EXPECT_NE(kernel.name().find(" rows "), std::string::npos) << kernel.name();
    }
}

TEST(StencilPlane, InRegions)
{
  check_region<float>();
  check_region<double>();
}

TEST(StencilPlane, InFloat) { check_planes<float>(); }
TEST(StencilPlane, InDouble) { check_planes<double>(); }

} // namespace
