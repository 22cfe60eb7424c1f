// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums at arbitrary points.
#include "GatherSumCases.hpp"

namespace {

using namespace test;

template <class Parameter>
class GatherSumAtPoints : public GatherSumCase<Parameter> {
};
TYPED_TEST_SUITE(GatherSumAtPoints, GatherSumParameters);

TYPED_TEST(GatherSumAtPoints, Points3)
{
  const auto points = [](const auto& extents, int turn) {
    Array<typename TestFixture::T, 2> result({extents[0], 3}, memories[turn % 6]);
    result.randomise(turn);
    return result;
  };
  this->template run_all<1, 3>(points, {{0}, {1}, {7}, {31}, {32}, {33}, {131}, {64}});
}

TYPED_TEST(GatherSumAtPoints, Points2)
{
  const auto points = [](const auto& extents, int turn) {
    Array<typename TestFixture::T, 2> result({extents[0], 2}, memories[turn % 6]);
    result.randomise(turn);
    return result;
  };
  this->template run_all<1, 2>(points, {{65}, {17}});
}

} // namespace
