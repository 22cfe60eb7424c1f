// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils on short rows, several of which are summed at once: every point has the bits that it has when its row is computed alone, on
// any number of points in a row and of rows in a plane, and where the output is what an update reads. Behind functors, too, in pieces of longer
// rows.
#include "StencilFunctors.hpp"
#include "StencilSupport.hpp"

#include <cstring>
#include <utility>

namespace {

using namespace test;
using Space = Kokkos::DefaultHostExecutionSpace;

template <class T>
using Grid = Kokkos::View<T***, Kokkos::LayoutRight, Space>;

/// compute(out, region...) at once and row by row, into fields that hold what an update may read.
template <class T, class Compute>
void check(const std::array<int, 3>& n, const Compute& compute)
{
  const Grid<T> whole("whole", n[0], n[1], n[2]), rows("rows", n[0], n[1], n[2]);
  for (std::size_t i = 0; i < whole.size(); ++i) whole.data()[i] = T(i * 40503u % 1000) / 1000;
  Kokkos::deep_copy(rows, whole);
  EXPECT_EQ(compute(whole).backend, Keramos::Backend::openmp);
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j) compute(rows, Keramos::Region<3>{{i, j, 0}, {i + 1, j + 1, n[2]}});
  Kokkos::fence();
  EXPECT_EQ(std::memcmp(whole.data(), rows.data(), whole.size() * sizeof(T)), 0) << testing::PrintToString(n);
}

template <class T>
bool agree(const Grid<T>& a, const Grid<T>& b)
{
  Kokkos::fence();
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// One that stores by itself is called once a point, and the type of its indices decides nothing: results are those of single points.
template <class T, class Op>
void check_functors(const Op& op, const Grid<T>& in)
{
  const Space space;
  const int n0 = in.extent(0), n1 = in.extent(1), n2 = in.extent(2);
  const Grid<T> sums("sums", n0, n1, n2), returned("returned", n0, n1, n2), stored("stored", n0, n1, n2);
  const Grid<int> calls("calls", n0, n1, n2);
  const auto compute = [&](const Grid<T>& out, const auto&... functor) {
    Keramos::apply_stencil(space, op, in, out, Keramos::interior, functor...);
  };
  const StoresDamped<Grid<T>, Grid<int>> stores{stored, calls};
  compute(sums);
  compute(returned, Damped<T>{});
  compute(stored, stores);
  std::int64_t wrong = 0;
  for (int i = 0; i < n0; ++i)
    for (int j = 0; j < n1; ++j)
      for (int k = 0; k < n2; ++k) {
        if (calls(i, j, k) > 1) ++wrong;
        if (calls(i, j, k) == 1) wrong += stored(i, j, k) != Damped<T>()(sums(i, j, k), in(i, j, k), i, j, k);
      }
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(agree(returned, stored));
  compute(returned, LeapsAt<int, Grid<T>>{in, T(0.3)});
  compute(stored, LeapsAt<std::int64_t, Grid<T>>{in, T(0.3)});
  EXPECT_TRUE(agree(returned, stored));
  compute(stored, Keramos::Epilogue{Leaps<T>{}, in, T(0.3)});
  EXPECT_TRUE(agree(returned, stored));
}

template <class T, class Op>
void check_updates(const Op& op, const std::array<int, 3>& n)
{
  const Space space;
  const Grid<T> in("in", n[0], n[1], n[2]);
  for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = T(i * 2654435761u % 1000) / 1000;
  check<T>(n, [&](const auto& out, const auto&... region) {
    return Keramos::apply_stencil(space, op, in, out, Keramos::interior, region...);
  });
  check<T>(n, [&](const auto& out, const auto&... region) {
    return Keramos::apply_stencil(space, op, in, out, Keramos::interior, Damped<T>{}, region...);
  });
  check<T>(n, [&](const auto& out, const auto&... region) {
    return Keramos::apply_stencil(space, op, in, out, Keramos::interior, Keramos::LeapFrog{out, T(0.3)}, region...);
  });
  // Fields whose rows begin elsewhere in their lines, and lie at another distance.
  const Grid<T> wide("wide", n[0], n[1] + 1, n[2] + 3);
  for (std::size_t i = 0; i < wide.size(); ++i) wide.data()[i] = T(i * 69069u % 1000) / 1000;
  const auto part = [&](int row, int element) {
    return Kokkos::subview(wide, Kokkos::ALL, std::pair(row, row + n[1]), std::pair(element, element + n[2]));
  };
  check<T>(n, [&](const auto& out, const auto&... region) {
    return Keramos::apply_stencil(space, op, in, out, Keramos::interior, Keramos::LeapFrog{part(1, 2), part(0, 3)},
                                  region...);
  });
  check<T>(n, [&](const auto& out, const auto&... region) {
    return Keramos::apply_stencil(space, op, in, out, Keramos::interior, Keramos::Epilogue{Leaps<T>{}, out, T(0.3)},
                                  region...);
  });
  check<T>(n, [&](const auto& out, const auto&... region) {
    return Keramos::apply_stencil(space, op, in, out, Keramos::interior, LeapsAt<int, Grid<T>>{out, T(0.3)}, region...);
  });
  check_functors(op, in);
}

template <class T>
void check_rows()
{
  for (const auto& n : {std::array<int, 3>{9, 15, 9},
                        {9, 16, 16},
                        {10, 17, 24},
                        {14, 27, 33},
                        {11, 16, 39},
                        {13, 18, 70},
                        {10, 15, 1111}}) {
    for (int axis = 0; axis < 3; ++axis)
      check_updates<T>(Keramos::FiniteDifference::first_derivative<3, 8>(axis, 1.0), n);
    check_updates<T>(plane_star(), n);
    check_updates<T>(Weighted<Keramos::Box<3, 1>>{}, n);
    check_updates<T>(Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0), n);
    check_updates<T>(Keramos::FiniteDifference::laplacian<3, 8>(1.0, 0.5, 2.0), n);
  }
}

TEST(ShortRows, HaveTheBitsOfSingleRowsInFloat) { check_rows<float>(); }
TEST(ShortRows, HaveTheBitsOfSingleRowsInDouble) { check_rows<double>(); }

} // namespace
