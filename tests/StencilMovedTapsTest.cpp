// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that are nearly a star, a line, a box or a column: one of their taps lies a step elsewhere, so that kernels for these must not take
// them for one.
#include "StencilSupport.hpp"

namespace {

using namespace test;
using Keramos::Backend;

/// Op with one tap a step further along an axis.
template <class Op>
struct Moved {
  static constexpr auto shape = Keramos::Shape::sparse;
  static constexpr int rank = Op::rank, radius = 0, tap_count = Op::tap_count;
  Op op;
  int tap, axis, step;

  auto offset(int t) const
  {
    auto result = op.offset(t);
    if (t == tap) result[axis] += step;
    return result;
  }
  double weight(int t) const { return op.weight(t); }
};

template <class T, class Op>
void check_moved(const Op& op)
{
  for (int tap = 0; tap < Op::tap_count; ++tap)
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1})
        for (const auto edge : {Keramos::interior, Keramos::nearest}) {
          SCOPED_TRACE(testing::Message()
                       << Keramos::core::shape_text(Op::shape, 3, Op::radius, Op::tap_count) << " tap " << tap
                       << " axis " << axis << " step " << step << " " << to_string(edge.kind));
          Comparison<T, Moved<Op>>({op, tap, axis, step}, edge, {10, 13, 35}, Memory::right, Memory::right)
              .run(Backend::openmp);
          if (testing::Test::HasFailure()) return;
        }
}

template <class T>
void check_all_moved()
{
  check_moved<T>(Keramos::Star<3, 1>());
  check_moved<T>(Keramos::Star<3, 2>());
  check_moved<T>(Keramos::Box<3, 1>());
  check_moved<T>(plane_star());
  for (int axis = 0; axis < 3; ++axis) check_moved<T>(Keramos::Line<3, 1>(axis, {}));
}

TEST(MovedTaps, AreReadWhereTheyAreInFloat) { check_all_moved<float>(); }
TEST(MovedTaps, AreReadWhereTheyAreInDouble) { check_all_moved<double>(); }

} // namespace
