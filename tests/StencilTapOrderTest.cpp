// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a point's taps are added is that of their offsets, whatever order an operator names them in and however far some of
// them reach: taps of weight zero, near or far, change no bit.
#include "StencilSupport.hpp"

#include <cstring>
#include <vector>

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Plane = Kokkos::View<float**, Kokkos::LayoutRight, Space>;

template <int Taps>
Plane applied(const Keramos::SparseStencil<2, Taps>& op)
{
  const Plane in("in", 9, 37), out("out", 9, 37);
  for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = static_cast<float>(i * 2654435761u % 1000 + 1) / 1000;
  const Space space;
  EXPECT_EQ(Keramos::apply_stencil(space, op, in, out, Keramos::periodic).backend, Keramos::Backend::openmp);
  space.fence();
  return out;
}

bool same_bits(const Plane& a, const Plane& b)
{
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(TapOrder, IsThatOfTheOffsetsHoweverFarTheyReach)
{
  using Offsets = std::array<int, 2>;
  constexpr Offsets a{-1, 2}, b{0, -1}, c{0, 0}, d{0, 1}, e{1, 0};
  const Plane sorted = applied<5>({{a, b, c, d, e}, {0.7, -1.1, 1.9, -0.2, 0.3}});
  EXPECT_TRUE(same_bits(sorted, applied<5>({{e, b, a, d, c}, {0.3, -1.1, 0.7, -0.2, 1.9}})));
  for (const int distance : {3, 131071, 131072, 131073, 2000000}) {
    const Offsets above{distance, -1}, below{-distance, 1};
    EXPECT_TRUE(same_bits(sorted, applied<7>({{e, b, above, a, below, d, c}, {0.3, -1.1, 0, 0.7, 0, -0.2, 1.9}})))
        << distance;
  }
}

/// What a View with so many points across one of long rows makes of values that are the same across it: of each point along them.
template <class Layout>
std::vector<float> applied_along(int axis, int points_across)
{
  constexpr int points = 37;
  using View = Kokkos::View<float**, Layout, Space>;
  const Keramos::Box<2, 1> box{0.7, -1.1, 1.9, -0.2, 0.3, 1.3, -0.6, 0.9, -1.7};
  const int n0 = axis == 0 ? points : points_across, n1 = axis == 0 ? points_across : points;
  const View in("in", n0, n1), out("out", n0, n1);
  for (int i = 0; i < n0; ++i)
    for (int j = 0; j < n1; ++j) in(i, j) = static_cast<float>((axis == 0 ? i : j) * 2654435761u % 1000 + 1) / 1000;
  const Space space;
  EXPECT_EQ(Keramos::apply_stencil(space, box, in, out, Keramos::nearest).backend, Keramos::Backend::openmp);
  space.fence();
  std::vector<float> along;
  for (int n = 0; n < points; ++n) along.push_back(axis == 0 ? out(n, 0) : out(0, n));
  return along;
}

/// Strides do not tell where an axis of one point stands; the layout does.
TEST(TapOrder, IsThatOfTheLayoutWhereAnAxisHasOnePoint)
{
  for (const int axis : {0, 1}) {
    EXPECT_EQ(applied_along<Kokkos::LayoutRight>(axis, 1), applied_along<Kokkos::LayoutRight>(axis, 5)) << axis;
    EXPECT_EQ(applied_along<Kokkos::LayoutLeft>(axis, 1), applied_along<Kokkos::LayoutLeft>(axis, 5)) << axis;
  }
}

} // namespace
