// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small stars and boxes over two axes (backends/cuda/stencil/Plane.hpp) agree with the reference around the ends of their blocks and
// warps, at every edge rule and alignment of rows; and rows of contiguous elements do go this way.
#include "StencilKernels.hpp"
#include "StencilSupport.hpp"

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

/// A Region whose rows are a warp wide, far from the ends of the field, where rows of the input and of the output begin differently.
template <class T, class Op>
void check_region()
{
  constexpr bool is_for_all_rows = Op::shape == Keramos::Shape::box || (sizeof(T) == 8 && Op::radius <= 2);
  const std::int64_t begin = 16, end = begin + 32 * (16 / static_cast<std::int64_t>(sizeof(T)));
  for (const std::int64_t longer : {0, 1, 124})
    for (const Memory memory : {Memory::right, Memory::right_padded, Memory::inside}) {
      SCOPED_TRACE(testing::Message() << "radius " << Op::radius << " rows longer by " << longer);
      Comparison<T, Op> plane({}, Keramos::nearest, {33, 320}, Memory::right, memory);
      const Keramos::Region<2> region{{2, begin}, {31, end + longer}};
      const auto kernel = plane.run(Keramos::Backend::cuda, &region);
      const bool by_rows = kernel.name().find(" rows ") != std::string::npos;
      EXPECT_EQ(by_rows, memory == Memory::right || is_for_all_rows) << kernel.name();
    }
}
template <class T>
void check_regions()
{
  check_region<T, Keramos::Star<2, 1>>();
  check_region<T, Keramos::Star<2, 2>>();
  check_region<T, Keramos::Star<2, 4>>();
  check_region<T, Keramos::Box<2, 1>>();
  check_region<T, Keramos::Box<2, 2>>();
}

/// A large grid whose rows lie more than whole vectors apart: tiles in shared memory, with ends on all sides, the last of which are short.
template <class T>
void check_tiles(const Keramos::EdgeRules<2>& rules, std::int64_t nx, Memory memory, bool in_region = false)
{
  SCOPED_TRACE(testing::Message() << "rows of " << nx);
  Comparison<T, Keramos::Star<2, 4>> plane({}, rules, {1300, nx}, memory, memory);
  const Keramos::Region<2> region{{5, 3}, {1290, nx - 7}};
  const auto kernel = plane.run(Keramos::Backend::cuda, in_region ? &region : nullptr);
  EXPECT_NE(kernel.name().find(" tiles"), std::string::npos) << kernel.name();
}

TEST(StencilPlane, ByTilesInFloat)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_tiles<float>({constant(0.5), constant(0.75)}, 4097, Memory::right);
  check_tiles<float>({Keramos::periodic, constant(0.25)}, 4098, Memory::inside);
  check_tiles<float>(Keramos::mirror, 4099, Memory::right, true);
  check_tiles<float>({Keramos::nearest, Keramos::interior}, 4099, Memory::inside);
}
TEST(StencilPlane, ByTilesInDouble)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_tiles<double>({Keramos::periodic, constant(0.25)}, 2051, Memory::right);
  check_tiles<double>({constant(0.5), Keramos::mirror}, 2052, Memory::inside, true);
}

TEST(StencilPlane, InRegionsInFloat) { check_regions<float>(); }
TEST(StencilPlane, InRegionsInDouble) { check_regions<double>(); }

TEST(StencilPlane, InFloat) { check_planes<float>(); }
TEST(StencilPlane, InDouble) { check_planes<double>(); }

} // namespace
