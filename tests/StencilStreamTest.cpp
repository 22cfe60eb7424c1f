// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils whose output is so large that it is written past the caches: every point has the bits that it has in a part that is
// not, wherever lines, pages and planes begin; and those of the reference, but for rounding.
#include "StencilFunctors.hpp"
#include "StencilSupport.hpp"

#include <cstring>

namespace {

using namespace test;
using Space = Kokkos::DefaultHostExecutionSpace;
using Keramos::Backend;

template <class T>
using Volume = Kokkos::View<T***, Kokkos::LayoutRight, Space>;

/// Planes of whole lines, of whole pages, and of neither, rows of less than 1024 bytes, which only stars stream, and rows that lie 2048 bytes
/// apart; 4.5 to 6.6 MB of float, whose parts are in double less than 4 MiB.
const std::array<std::array<std::int64_t, 3>, 6> shapes{
    {{36, 130, 304}, {40, 128, 320}, {37, 131, 301}, {56, 190, 144}, {56, 190, 136}, {34, 64, 512}}};

template <class T>
struct Fields {
  Volume<T> in, previous, whole, parts, expected;

  explicit Fields(const std::array<std::int64_t, 3>& n)
      : in("in", n[0], n[1], n[2]), previous("previous", n[0], n[1], n[2]), whole("whole", n[0], n[1], n[2]),
        parts("parts", n[0], n[1], n[2]), expected("expected", n[0], n[1], n[2])
  {
    for (std::size_t i = 0; i < in.size(); ++i) {
      in.data()[i] = T(i * 2654435761u % 1000) / 1000;
      previous.data()[i] = T(i * 40503u % 1000) / 1000;
    }
    restore();
  }

  /// The outputs hold what a wave update may read from them.
  void restore() const
  {
    for (const auto& view : {whole, parts, expected}) Kokkos::deep_copy(view, previous);
  }
};

/// compute(exec, out, region...) at once, in six parts and, in a few rows, by the reference.
template <class T, class Compute>
void check(const Fields<T>& fields, double tolerance, const Compute& compute)
{
  fields.restore();
  const Space space;
  EXPECT_EQ(compute(space, fields.whole).backend, Backend::openmp);
  const std::int64_t n[] = {fields.in.extent_int(0), fields.in.extent_int(1), fields.in.extent_int(2)};
  const std::int64_t planes[] = {0, 12, 24, n[0]}, points[] = {0, 75, n[2]};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 2; ++i) {
      const std::array<std::int64_t, 3> begin{planes[k], 0, points[i]}, end{planes[k + 1], n[1], points[i + 1]};
      compute(space, fields.parts, Keramos::Region<3>{begin, end});
    }
  const std::array<std::int64_t, 3> begin{0, 60, 0}, end{n[0], 64, n[2]};
  compute(Keramos::with_backend(space, Backend::reference), fields.expected, Keramos::Region<3>{begin, end});
  space.fence();
  EXPECT_EQ(std::memcmp(fields.whole.data(), fields.parts.data(), fields.whole.size() * sizeof(T)), 0);
  double error = 0;
  for (std::int64_t i = 0; i < n[0]; ++i)
    for (std::int64_t j = begin[1]; j < end[1]; ++j)
      for (std::int64_t k = 0; k < n[2]; ++k)
        error = std::max(error, std::abs(double(fields.whole(i, j, k)) - double(fields.expected(i, j, k))));
  EXPECT_LE(error, tolerance);
}

template <class T, class Op>
void check_epilogues(const Fields<T>& fields, const Op& op, const Keramos::EdgeRules<3>& edges)
{
  double weights = 3;
  for (int t = 0; t < Op::tap_count; ++t) weights += std::abs(op.weight(t));
  const double tolerance = (Op::tap_count + 3) * std::numeric_limits<T>::epsilon() * weights;
  check(fields, tolerance, [&](const auto& exec, const auto& out, const auto&... region) {
    return Keramos::apply_stencil(exec, op, fields.in, out, edges, region...);
  });
  check(fields, tolerance, [&](const auto& exec, const auto& out, const auto&... region) {
    return Keramos::apply_stencil(exec, op, fields.in, out, edges, Damped<T>{}, region...);
  });
  check(fields, tolerance, [&](const auto& exec, const auto& out, const auto&... region) {
    return Keramos::apply_stencil(exec, op, fields.in, out, edges, Keramos::LeapFrog{out, T(0.3)}, region...);
  });
  check(fields, tolerance, [&](const auto& exec, const auto& out, const auto&... region) {
    return Keramos::apply_stencil(exec, op, fields.in, out, edges, Keramos::Epilogue{Leaps<T>{}, out, T(0.3)},
                                  region...);
  });
}

/// A functor that stores by itself writes what one does that returns its value, and is called once a point, but for those within `margin` of
/// an edge.
template <class T, class Op>
void check_stores(const Fields<T>& fields, const Op& op, const Keramos::EdgeRules<3>& edges, int margin = 0)
{
  fields.restore();
  const Space space;
  const Volume<int> calls("calls", fields.in.extent(0), fields.in.extent(1), fields.in.extent(2));
  Keramos::apply_stencil(space, op, fields.in, fields.whole, edges, Damped<T>{});
  Keramos::apply_stencil(space, op, fields.in, fields.parts, edges,
                         StoresDamped<Volume<T>, Volume<int>>{fields.parts, calls});
  space.fence();
  EXPECT_EQ(std::memcmp(fields.whole.data(), fields.parts.data(), fields.whole.size() * sizeof(T)), 0);
  std::int64_t wrong = 0;
  const auto inside = [&](int axis, int index) { return index >= margin && index < calls.extent_int(axis) - margin; };
  for (int i = 0; i < calls.extent_int(0); ++i)
    for (int j = 0; j < calls.extent_int(1); ++j)
      for (int k = 0; k < calls.extent_int(2); ++k)
        wrong += calls(i, j, k) != (inside(0, i) && inside(1, j) && inside(2, k) ? 1 : 0);
  EXPECT_EQ(wrong, 0);
}

template <class T>
void check_operators()
{
  const Keramos::EdgeRules<3> edges{Keramos::periodic, Keramos::constant(0.7), Keramos::mirror};
  for (const auto& shape : shapes) {
    SCOPED_TRACE(testing::PrintToString(shape));
    const Fields<T> fields(shape);
    check_epilogues(fields, Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0), edges);
    check_epilogues(fields, Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0), Keramos::interior);
    check_epilogues(fields, Keramos::FiniteDifference::laplacian<3, 6>(1.0, 0.5, 2.0), Keramos::interior);
    check_epilogues(fields, Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0), Keramos::interior);
    check_epilogues(fields, plane_star(), Keramos::interior);
    check_epilogues(fields, Weighted<Keramos::Box<3, 1>>{}, Keramos::interior);
    check_epilogues(fields, Weighted<Keramos::Box<3, 1>>{}, edges);
    check_epilogues(fields, Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0), edges);
    check_epilogues(fields, Keramos::FiniteDifference::first_derivative<3, 8>(0, 1.0), Keramos::interior);
    check_epilogues(fields, Keramos::FiniteDifference::first_derivative<3, 8>(0, 1.0), edges);
    check_epilogues(fields, Keramos::FiniteDifference::first_derivative<3, 8>(1, 1.0), Keramos::interior);
    check_epilogues(fields, Keramos::FiniteDifference::first_derivative<3, 8>(2, 1.0), edges);
    check_stores(fields, Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0), edges);
    check_stores(fields, Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0), Keramos::interior, 1);
    check_stores(fields, Weighted<Keramos::Box<3, 1>>{}, edges);
    check_stores(fields, Keramos::FiniteDifference::first_derivative<3, 8>(0, 1.0), edges);
  }
}

TEST(LargeStencils, HaveTheBitsOfTheirPartsInFloat) { check_operators<float>(); }
TEST(LargeStencils, HaveTheBitsOfTheirPartsInDouble) { check_operators<double>(); }

/// Rows of more points than a run has, so that their last runs are shorter than a vector of float; and runs as long as they may be in
/// planes whose lines begin at different points.
template <class T>
void check_long_rows()
{
  const Fields<T> fields({26, 64, 2063}), odd_planes({26, 65, 1111});
  check_epilogues(fields, Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0), Keramos::interior);
  check_epilogues(odd_planes, Keramos::FiniteDifference::laplacian<3, 12>(1.0, 0.5, 2.0), Keramos::periodic);
}

TEST(LargeStencils, HaveTheBitsOfTheirPartsInLongRows)
{
  check_long_rows<float>();
  check_long_rows<double>();
}

/// A functor of indices where these count the axes neither forwards nor backwards, because an axis behind the first has one point.
template <class T>
void check_flat(const std::array<std::int64_t, 3>& shape)
{
  const Fields<T> fields(shape);
  const Space space;
  const auto step = [&](const auto& exec, const Volume<T>& out) {
    const auto laplacian = Keramos::FiniteDifference::laplacian<3, 2>(1.0, 0.5, 2.0);
    return Keramos::apply_stencil(exec, laplacian, fields.in, out, Keramos::nearest,
                                  LeapsAt<int, Volume<T>>{fields.previous, T(0.3)});
  };
  EXPECT_EQ(step(space, fields.whole).backend, Backend::openmp);
  step(Keramos::with_backend(space, Backend::reference), fields.expected);
  space.fence();
  const double tolerance = 9 * std::numeric_limits<T>::epsilon() * (0.3 * 21 + 1.5); // terms, and all of their weights
  std::int64_t wrong = 0;
  for (std::size_t n = 0; n < fields.in.size(); ++n)
    wrong += !(std::abs(double(fields.whole.data()[n]) - double(fields.expected.data()[n])) <= tolerance);
  EXPECT_EQ(wrong, 0);
}

TEST(LargeStencils, TellFunctorsTheirIndicesWhereAnAxisHasOnePoint)
{
  check_flat<float>({1050, 1, 1050});
  check_flat<float>({1050, 1050, 1});
  check_flat<double>({750, 1, 750});
}

} // namespace
