// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taps that reach farther than the vector kernels care for: right, whoever takes them.
#include "Support.hpp"

#include <Keramos_Stencil.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace {

using namespace test;

/// The farthest taps there are, on the backend that Keramos takes and on those that cover everything: along both axes,
/// which the vector kernels leave to others, and along the slow one only, to both sides: twice as far as an int goes.
TEST(StencilFarTaps, TheFarthestAreLegal)
{
  const auto place = [](std::int64_t i, std::int64_t offset, std::int64_t extent) {
    return ((i + offset) % extent + extent) % extent;
  };
  const int far = std::numeric_limits<int>::max();
  for (const std::array<int, 2> distance : {std::array{far, -far}, std::array{far, 1}})
    for (const auto request : {std::optional<Keramos::Backend>(), std::optional(Keramos::Backend::portable),
                               std::optional(Keramos::Backend::reference)}) {
      const Keramos::SparseStencil<2, 3> op({{{distance[0], 0}, {-distance[0], 0}, {0, distance[1]}}}, {1, 10000, 100});
      const Array<float, 2> from({8, 9}, Memory::right), to({8, 9}, Memory::right);
      const auto value = [](std::int64_t i, std::int64_t j) { return static_cast<float>(10 * i + j); };
      from.for_each([&](const auto& i) { from.at(i) = value(i[0], i[1]); });
      const auto apply = [&](const auto& exec) {
        return Keramos::apply_stencil(exec, op, from.view, to.view, Keramos::periodic);
      };
      const Keramos::Kernel kernel = request ? run(*request, apply) : run(apply);
      to.for_each([&](const auto& i) {
        const float expected = value(place(i[0], distance[0], 8), i[1]) +
                               10000 * value(place(i[0], -distance[0], 8), i[1]) +
                               100 * value(i[0], place(i[1], distance[1], 9));
        ASSERT_EQ(to.at(i), expected) << kernel << " at " << testing::PrintToString(i);
      });
      if (!request && !has_cuda) {
        EXPECT_EQ(kernel.backend, distance[1] == 1 ? Keramos::Backend::openmp : Keramos::Backend::portable);
      }
    }
}

/// Many rows with far taps: copied for a run near an edge, all of them together would take gigabytes.
TEST(StencilFarTaps, InManyRowsAreLegal)
{
  constexpr int count = 100, far = 60000, rows = 4, columns = 50;
  std::array<std::array<int, 2>, count> offsets;
  std::array<double, count> weights;
  for (int t = 0; t < count; ++t) {
    offsets[t] = {t - count / 2, t % 2 == 0 ? far + t : -far};
    weights[t] = t % 7;
  }
  const Kokkos::View<float**, Host> from("from", rows, columns), to("to", rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) from(i, j) = static_cast<float>((3 * i + j) % 11);
  const auto kernel =
      Keramos::apply_stencil(Host(), Keramos::SparseStencil<2, count>(offsets, weights), from, to, Keramos::periodic);
  EXPECT_EQ(kernel.backend, Keramos::Backend::portable);
  const auto place = [](int index, int extent) { return (index % extent + extent) % extent; };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0;
      for (int t = 0; t < count; ++t)
        sum += weights[t] * from(place(i + offsets[t][0], rows), place(j + offsets[t][1], columns));
      EXPECT_EQ(to(i, j), sum);
    }
}

/// More taps than a stack holds arrays for.
TEST(StencilFarTaps, OfABoxOfFiftyPointsASideAreLegal)
{
  if (in_graphs()) GTEST_SKIP() << "a GPU's call allocates and waits, which no capture allows";
  constexpr int radius = 25;
  static Keramos::Box<3, radius> op;
  for (int i = -radius; i <= radius; ++i)
    for (int j = -radius; j <= radius; ++j)
      for (int k = -radius; k <= radius; ++k) op.at({i, j, k}) = (i + 2 * j + 3 * k) % 5;
  const std::array<std::int64_t, 3> extents{2, 3, 4};
  const auto value = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<float>(7 * i + 3 * j + k);
  };
  for (const auto request : {std::optional<Keramos::Backend>(), std::optional(Keramos::Backend::portable),
                             std::optional(Keramos::Backend::reference)}) {
    const Array<float, 3> from({2, 3, 4}, Memory::right), to({2, 3, 4}, Memory::left);
    from.for_each([&](const auto& i) { from.at(i) = value(i[0], i[1], i[2]); });
    const auto apply = [&](const auto& exec) {
      return Keramos::apply_stencil(exec, op, from.view, to.view, Keramos::nearest);
    };
    const Keramos::Kernel kernel = request ? run(*request, apply) : run(apply);
    to.for_each([&](const auto& i) {
      const auto place = [&](int axis, int offset) {
        return std::clamp<std::int64_t>(i[axis] + offset, 0, extents[axis] - 1);
      };
      double sum = 0; // of whole numbers that float holds
      for (int t = 0; t < op.tap_count; ++t) {
        const auto offset = op.offset(t);
        sum += op.weight(t) * value(place(0, offset[0]), place(1, offset[1]), place(2, offset[2]));
      }
      ASSERT_EQ(to.at(i), sum) << kernel << " at " << testing::PrintToString(i);
    });
  }
}

} // namespace
