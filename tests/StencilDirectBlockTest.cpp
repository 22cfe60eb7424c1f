// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils whose rows are read and written where they are, in several planes at once: every point has the bits that it has when its
// plane is computed alone, wherever a row begins in its line, under any edges, and where the output goes past the caches; and what is
// beside the region stays.
#include "StencilSupport.hpp"

#include <cstring>

namespace {

using namespace test;
using Space = Kokkos::DefaultHostExecutionSpace;

template <class T>
using Grid = Kokkos::View<T***, Kokkos::LayoutRight, Space>;

template <int Radius>
auto column()
{
  return Weighted<Keramos::Line<3, Radius>>{Keramos::Line<3, Radius>(0, {})};
}

/// The region at once and plane by plane.
template <class T, class Op>
void check(const Op& op, const Keramos::EdgeRules<3>& edges, const std::array<std::int64_t, 3>& n,
           const Keramos::Region<3>& region)
{
  const Space space;
  const Grid<T> in("in", n[0], n[1], n[2]), whole("whole", n[0], n[1], n[2]), planes("planes", n[0], n[1], n[2]);
  for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = T(i * 2654435761u % 1000) / 1000;
  EXPECT_EQ(Keramos::apply_stencil(space, op, in, whole, edges, region).backend, Keramos::Backend::openmp);
  for (auto i = region.begin[0]; i < region.end[0]; ++i) {
    const Keramos::Region<3> plane{{i, region.begin[1], region.begin[2]}, {i + 1, region.end[1], region.end[2]}};
    Keramos::apply_stencil(space, op, in, planes, edges, plane);
  }
  space.fence();
  EXPECT_EQ(std::memcmp(whole.data(), planes.data(), whole.size() * sizeof(T)), 0) << testing::PrintToString(n);
}

/// On outputs so large that they are streamed, whose rows begin and end anywhere in their lines.
template <class T, class Op>
void check_rows(const Op& op)
{
  const Keramos::EdgeRules<3> edges{Keramos::periodic, Keramos::constant(0.7), Keramos::mirror};
  for (const std::int64_t points : {272, 288, 305, 544})
    for (const std::int64_t first : {0, 5}) {
      const std::array<std::int64_t, 3> n{37, (std::int64_t{5} << 20) / (37 * 4 * points), points};
      check<T>(op, Keramos::interior, n, {{0, 0, first}, {n[0], n[1], n[2]}});
      check<T>(op, edges, n, {{3, 1, first}, {n[0], n[1] - 1, n[2] - 1}});
    }
}

template <class T>
void check_columns()
{
  check_rows<T>(column<1>());
  check_rows<T>(column<2>());
  check_rows<T>(column<3>());
  check_rows<T>(column<4>());
}

TEST(DirectBlocks, HaveTheBitsOfSinglePlanesInFloat) { check_columns<float>(); }
TEST(DirectBlocks, HaveTheBitsOfSinglePlanesInDouble) { check_columns<double>(); }

} // namespace
