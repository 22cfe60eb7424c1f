// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars, lines and boxes for compute-sanitizer: see SanitizeTest.cpp.
#include "SanitizeStencils.hpp"

namespace {

using namespace test;

template <class T, class Op>
void check_stencil(const Op& op, const Sizes<Op>& sizes)
{
  check_hows<T, Nothing, WaveUpdate>(Weighted<Op>{op}, sizes);
}

template <class T, int Radius>
void check_radius()
{
  constexpr int r = Radius;
  check_stencil<T>(Keramos::Star<3, r>(), {{2, 3, 132}, {r + 1, 2 * r + 1, 36}});
  check_stencil<T>(Keramos::Star<2, r>(), {{5, 260}, {2 * r + 1, 36}});
  check_stencil<T>(Keramos::Star<1, r>(), {{36}, {1030}});
  for (int axis = 0; axis < 3; ++axis) check_stencil<T>(Keramos::Line<3, r>(axis, {}), {{5, 6, 36}, {2, 3, 132}});
  if constexpr (r <= 4) check_plane<T, Nothing, WaveUpdate>(Keramos::Star<2, r>());
  if constexpr (r <= 2) check_plane<T, Nothing>(Keramos::Box<2, r>());
}

template <class T>
void check_radii()
{
  [&]<int... Radius>(std::integer_sequence<int, Radius...>) { (check_radius<T, Radius + 1>(), ...); }
  (std::make_integer_sequence<int, 8>());
}

template <class T>
void check_tiles()
{
  check_stencil<T>(Keramos::Box<3, 1>(), {{3, 5, 36}, {2, 2, 131}});
  check_stencil<T>(Keramos::Box<3, 2>(), {{3, 5, 36}});
  check_stencil<T>(Keramos::Box<2, 1>(), {{5, 36}, {3, 131}});
  check_stencil<T>(Keramos::Box<2, 2>(), {{5, 36}, {3, 131}});
  check_stencil<T>(Keramos::Box<2, 3>(), {{9, 36}});
  check_stencil<T>(Keramos::Box<1, 2>(), {{131}});
  check_stencil<T>(Keramos::Star<3, 0>(), {{2, 3, 36}});
  check_stencil<T>(Keramos::SparseStencil<3, 5>({{{1, 2, 3}, {-1, 0, 0}, {0, 0, 2}, {0, -3, 1}, {2, 0, -1}}}, {}),
                   {{5, 6, 37}});
  // So many taps that each has a capacity of its own; the last does not fit into the parameters in double.
  check_stencil<T>(Keramos::Box<3, 3>(), {{3, 4, 33}});
  check_stencil<T>(Keramos::Box<3, 5>(), {{2, 3, 5}});
  check_stencil<T>(Keramos::Box<3, 6>(), {{2, 3, 5}});
  if constexpr (std::is_same_v<T, float>) {
    check_stencil<T>(Keramos::Box<3, 7>(), {{2, 3, 5}});
    check_stencil<T>(Keramos::Box<3, 8>(), {{2, 3, 5}});
  }
}

/// Lines along the slowest axis march, those along the middle one go by slabs, where rows begin anywhere and zeros are beyond their ends.
template <class T, int Radius>
void check_bulk_line(int axis)
{
  using Op = Weighted<Keramos::Line<3, Radius>>;
  const Op op{Keramos::Line<3, Radius>(axis, {})};
  const std::array<std::int64_t, 3> planes{33, 9, 131}, slabs{5, 33, 131};
  const Array<T, 3> in(axis == 0 ? planes : slabs, Memory::right), expected(in.extents, Memory::right),
      got(in.extents, Memory::right);
  in.randomise(1);
  const DeviceArray<T, 3> in_there(in, 1), out_there(expected, 0);
  run_as_large(op, Keramos::constant(0), in_there.view(), out_there.view(), Keramos::core::StoreValue());
  out_there.download(got);
  run(Backend::reference,
      [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in.view, expected.view, Keramos::constant(0)); });
  const double bound = 4. * Op::tap_count * std::numeric_limits<T>::epsilon();
  got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << testing::PrintToString(i); });
}

TEST(SanitizeStencils, LinesByBulkCopies)
{
  [&]<int... Radius>(std::integer_sequence<int, Radius...>)
  {
    (check_bulk_line<float, Radius + 1>(0), ...);
    (check_bulk_line<double, Radius + 1>(0), ...);
    (check_bulk_line<float, Radius + 1>(1), ...);
  }
  (std::make_integer_sequence<int, Keramos::cuda::stencil::max_line_march_radius>());
}

TEST(SanitizeStencils, StarsAndLinesInFloat) { check_radii<float>(); }
TEST(SanitizeStencils, StarsAndLinesInDouble) { check_radii<double>(); }
TEST(SanitizeStencils, BoxesInFloat) { check_tiles<float>(); }
TEST(SanitizeStencils, BoxesInDouble) { check_tiles<double>(); }

} // namespace
