// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils near edges, where planes are taken in blocks: every point has the bits that it has when its plane is computed alone,
// under every rule, also where an extent is smaller than the reach and where two axes say constant; and it is the reference's, but
// for rounding.
#include "StencilSupport.hpp"

#include <cstring>
#include <vector>

namespace {

using namespace test;
using Space = Kokkos::DefaultHostExecutionSpace;
using Keramos::Backend;
using Keramos::EdgeRules;

/// Rules of the three axes; each stands once at every place.
const std::vector<EdgeRules<3>> rules{
    Keramos::periodic,
    {Keramos::constant(0.25), Keramos::constant(-1.5), Keramos::constant(3)},
    {Keramos::nearest, Keramos::constant(0.7), Keramos::periodic},
    {Keramos::sides(Keramos::constant(2), Keramos::mirror), Keramos::reflect, Keramos::nearest},
    {Keramos::constant(0.5), Keramos::sides(Keramos::mirror, Keramos::constant(-2)), Keramos::constant(0.1)},
    {Keramos::periodic_closed, Keramos::mirror, Keramos::sides(Keramos::nearest, Keramos::reflect)},
    {Keramos::interior, Keramos::periodic, Keramos::interior}};

template <class T, class Layout, class Op>
void check(const Op& op, const std::array<int, 3>& n, const EdgeRules<3>& edges, int slow_axis)
{
  using Volume = Kokkos::View<T***, Layout, Space>;
  const Volume in("in", n[0], n[1], n[2]), whole("whole", n[0], n[1], n[2]), parts("parts", n[0], n[1], n[2]),
      expected("expected", n[0], n[1], n[2]);
  for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = T(i * 2654435761u % 1000) / 1000;
  const Space space;
  EXPECT_EQ(Keramos::apply_stencil(space, op, in, whole, edges).backend, Backend::openmp);
  for (int plane = 0; plane < n[slow_axis]; ++plane) {
    std::array<std::int64_t, 3> begin{0, 0, 0}, end{n[0], n[1], n[2]};
    begin[slow_axis] = plane;
    end[slow_axis] = plane + 1;
    Keramos::apply_stencil(space, op, in, parts, edges, Keramos::Region<3>{begin, end});
  }
  Keramos::apply_stencil(Keramos::with_backend(space, Backend::reference), op, in, expected, edges);
  space.fence();
  EXPECT_EQ(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(T)), 0);
  double weights = 0, error = 0;
  for (int t = 0; t < Op::tap_count; ++t) weights += std::abs(op.weight(t));
  for (std::size_t i = 0; i < whole.size(); ++i)
    error = std::max(error, std::abs(double(whole.data()[i]) - double(expected.data()[i])));
  EXPECT_LE(error, 3 * Op::tap_count * std::numeric_limits<T>::epsilon() * weights); // no operand is larger than 3
}

template <class T, class Op>
void check_everywhere(const Op& op)
{
  for (const auto& n : {std::array<int, 3>{4, 4, 17}, {9, 2, 5}, {12, 7, 33}, {19, 11, 16}})
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      SCOPED_TRACE(testing::PrintToString(n) + " rule " + std::to_string(rule));
      check<T, Kokkos::LayoutRight>(op, n, rules[rule], 0);
      check<T, Kokkos::LayoutLeft>(op, {n[2], n[1], n[0]}, rules[rule], 2);
    }
}

template <class T>
void check_blocks()
{
  check_everywhere<T>(Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0));
  check_everywhere<T>(Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0));
  check_everywhere<T>(Weighted<Keramos::Box<3, 1>>{});
  // A column, and beside it one more tap in the plane below or above.
  using Column = Weighted<Keramos::SparseStencil<3, 4>>;
  for (const int above : {-1, 1}) {
    check_everywhere<T>(Column{{{{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {above, -above, 0}}}, {}}});
    check_everywhere<T>(Column{{{{{0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, -above, above}}}, {}}});
  }
}

/// Constants are read from rows of as many as a run has points, which are shorter than those of the input.
TEST(RowsOfConstants, AreAsLongAsRunsOfLongRows)
{
  const auto check = [](const auto& op, const auto& extents, const auto*... region) {
    using Op = std::decay_t<decltype(op)>;
    Comparison<float, Op>(op, Keramos::constant(31), extents, Memory::right, Memory::right)
        .run(Backend::openmp, region...);
  };
  check(Keramos::Box<2, 2>(), std::array<std::int64_t, 2>{3, 5000});
  check(Keramos::Star<3, 1>(), std::array<std::int64_t, 3>{5, 2, 5000});
  check(Keramos::Star<3, 4>(), std::array<std::int64_t, 3>{5, 2, 5000});
  // One of these begins with a line of the output, where whole vectors go up to the end of a run.
  for (int begin = 2; begin < 18; ++begin) {
    const Keramos::Region<2> region{{0, begin}, {2, 2080}};
    check(Keramos::Box<2, 2>(), std::array<std::int64_t, 2>{2, 2080}, &region);
  }
}

TEST(BlocksAtEdges, HaveTheBitsOfSinglePlanesInFloat) { check_blocks<float>(); }
TEST(BlocksAtEdges, HaveTheBitsOfSinglePlanesInDouble) { check_blocks<double>(); }

} // namespace
