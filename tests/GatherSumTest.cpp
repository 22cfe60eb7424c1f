// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums on grids.
#include "GatherSumCases.hpp"

namespace {

using namespace test;

template <class Parameter>
class GatherSumOnGrids : public GatherSumCase<Parameter> {
};
TYPED_TEST_SUITE(GatherSumOnGrids, GatherSumParameters);

constexpr std::array<double, 3> origin{-0.9, -0.4, 0.1}, spacing{0.05, 0.07, 0.11};

TYPED_TEST(GatherSumOnGrids, Grid3)
{
  const auto grid = [](const auto&, int) { return Keramos::UniformGrid<3>{origin, spacing}; };
  this->template run_all<3, 3>(grid, {{0, 3, 4}, {1, 1, 1}, {33, 2, 3}, {3, 2, 31}, {2, 32, 3}, {7, 5, 7}});
}

TYPED_TEST(GatherSumOnGrids, Grid2)
{
  const auto grid = [](const auto&, int) { return Keramos::UniformGrid<2>{{-0.9, -0.4}, {0.05, 0.07}}; };
  this->template run_all<2, 2>(grid, {{5, 0}, {1, 7}, {33, 5}, {2, 131}});
}

TYPED_TEST(GatherSumOnGrids, Plane)
{
  const auto plane = [](const auto&, int turn) {
    return Keramos::UniformGrid<3>{origin, spacing}.plane(turn % 3, turn);
  };
  this->template run_all<2, 3>(plane, {{7, 1}, {31, 4}, {3, 67}});
}

} // namespace
