// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of exchanges, point by point: every halo point comes from the image that the rules name, and from its owner.
#include "../../src/keramos/distributed/HaloPlan.hpp"
#include "../../src/keramos/core/Error.hpp"
#include "../../src/keramos/distributed/Partition.hpp"
#include "../../src/keramos/distributed/StencilSplit.hpp"
#include "DistributedCases.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <tuple>

using namespace Keramos::core;
using Keramos::Edge;
using Keramos::EdgeRule;
using test::Dice;

namespace {

HaloAxis random_axis(Dice& dice)
{
  HaloAxis axis;
  const std::int64_t extent = dice.between(1, 12);
  const int parts = static_cast<int>(dice.between(1, 5));
  axis.cuts = {0};
  for (int part = 1; part < parts; ++part) axis.cuts.push_back(dice.between(0, extent));
  axis.cuts.push_back(extent);
  std::sort(axis.cuts.begin(), axis.cuts.end());
  axis.rule = test::random_rule(dice);
  axis.low = dice.between(0, 5);
  axis.high = dice.between(0, 5);
  return axis;
}

/// What the point with this global index reads along one axis: an index, perhaps beyond an end under ghost, or a constant,
/// or nothing.
struct Image {
  std::optional<std::int64_t> index;
  std::optional<double> constant;
};
Image image(const HaloAxis& axis, std::int64_t index)
{
  const std::int64_t extent = axis.extent();
  if (index >= 0 && index < extent) return {index, {}};
  const bool is_low = index < 0;
  const EdgeRule rule = is_low ? axis.rule.low : axis.rule.high;
  const bool beside_ghost = axis.rule.low.kind == Edge::ghost || axis.rule.high.kind == Edge::ghost;
  if (rule.kind == Edge::constant) return {{}, rule.value};
  if (rule.kind == Edge::interior) return {};
  if (rule.kind == Edge::ghost) return {index, {}};
  return {beside_ghost ? edge_index_beside_ghost(rule.kind, is_low, index, extent)
                       : edge_index(rule.kind, index, extent),
          {}};
}

/// The part that has a point, with the application's own points beyond the ends.
int owner(const HaloAxis& axis, std::int64_t index)
{
  for (int part = 0; part < axis.parts(); ++part) {
    const auto p = static_cast<std::size_t>(part);
    const std::int64_t inside = std::clamp<std::int64_t>(index, 0, axis.extent() - 1);
    if (inside >= axis.cuts[p] && inside < axis.cuts[p + 1]) return part;
  }
  return -1;
}

TEST(HaloPlan, EveryPointOfAnAxisComesFromItsImage)
{
  Dice dice(1);
  for (int round = 0; round < 3000; ++round) {
    const HaloAxis axis = random_axis(dice);
    for (int part = 0; part < axis.parts(); ++part) {
      const std::int64_t first = axis.cuts[static_cast<std::size_t>(part)],
                         last = axis.cuts[static_cast<std::size_t>(part) + 1];
      std::map<std::int64_t, HaloRun> at;
      for (const HaloRun& run : halo_runs(axis, part))
        for (std::int64_t local = run.begin; local < run.end; ++local)
          ASSERT_TRUE(at.emplace(local, run).second) << "a point twice";
      if (first == last) {
        EXPECT_TRUE(at.empty());
        continue;
      }
      for (std::int64_t local = -axis.low; local < last - first + axis.high; ++local) {
        const Image expected = image(axis, first + local);
        ASSERT_EQ(at.count(local) == 1, expected.index || expected.constant);
        if (at.count(local) == 0) continue;
        const HaloRun& run = at[local];
        EXPECT_EQ(run.kind == HaloRun::Kind::constant, expected.constant.has_value());
        if (expected.constant) {
          EXPECT_EQ(run.value, *expected.constant);
          continue;
        }
        EXPECT_EQ(run.source + run.step * (local - run.begin), *expected.index);
        EXPECT_EQ(run.part, owner(axis, *expected.index));
        if (run.kind == HaloRun::Kind::own) {
          EXPECT_EQ(run.part, part);
        }
        at.erase(local);
      }
    }
  }
}

TEST(HaloPlan, NeighboursAreOnePiece)
{
  const HaloAxis axis{{0, 10, 20}, 4, 4, Keramos::mirror};
  const auto runs = halo_runs(axis, 0); // mirrored, own, the neighbour's
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].step, -1);
  EXPECT_EQ(runs[0].source, 4);
  EXPECT_EQ(runs[2].part, 1);
}

/// What a point of rank 3 reads: the images of all axes; the last constant wins; nothing where an axis reads nothing.
TEST(HaloPlan, CornersAreProductsOfAxes)
{
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const std::array<HaloAxis, 3> axes{random_axis(dice), random_axis(dice), random_axis(dice)};
    Kokkos::Array<int, 3> part{};
    for (int k = 0; k < 3; ++k)
      part[k] = static_cast<int>(dice.between(0, axes[static_cast<std::size_t>(k)].parts() - 1));
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> seen;
    for (const HaloPiece& piece : halo_pieces(axes, part, true))
      for (std::int64_t i = 0; i < piece.extent[0]; ++i)
        for (std::int64_t j = 0; j < piece.extent[1]; ++j)
          for (std::int64_t k = 0; k < piece.extent[2]; ++k) {
            const Index3 step{i, j, k};
            std::optional<double> constant;
            bool is_own = true;
            for (int a = 0; a < 3; ++a) {
              const HaloAxis& axis = axes[static_cast<std::size_t>(a)];
              const std::int64_t local = piece.begin[a] + step[a];
              const std::int64_t global = axis.cuts[static_cast<std::size_t>(part[a])] + local;
              const Image expected = image(axis, global);
              ASSERT_TRUE(expected.index || expected.constant);
              if (expected.constant) constant = expected.constant;
              if (!piece.is_constant && expected.index) {
                EXPECT_EQ(piece.source[a] + piece.step[a] * step[a], *expected.index);
                EXPECT_EQ(piece.part[a], owner(axis, *expected.index));
              }
              is_own = is_own && expected.index == global && owner(axis, global) == part[a];
            }
            EXPECT_FALSE(is_own);
            EXPECT_EQ(piece.is_constant, constant.has_value());
            if (constant) {
              EXPECT_EQ(piece.value, *constant);
            }
            ++seen[{piece.begin[0] + i, piece.begin[1] + j, piece.begin[2] + k}];
          }
    for (const auto& [at, times] : seen) EXPECT_EQ(times, 1);
  }
}

TEST(Partition, ShapesAreBalanced)
{
  const auto shape = [](int ranks, std::vector<int> wanted) { return grid_shape(ranks, wanted); };
  EXPECT_EQ(shape(8, {0, 0, 0}), (std::vector{2, 2, 2}));
  EXPECT_EQ(shape(12, {0, 0, 0}), (std::vector{3, 2, 2}));
  EXPECT_EQ(shape(7, {0, 0}), (std::vector{7, 1}));
  EXPECT_EQ(shape(12, {0, 1, 0}), (std::vector{4, 1, 3}));
  EXPECT_EQ(shape(6, {1, 6, 1}), (std::vector{1, 6, 1}));
  EXPECT_EQ(shape(4096, {0, 0, 0}), (std::vector{16, 16, 16}));
  EXPECT_THROW(shape(6, {4, 0}), Keramos::Error);
  EXPECT_THROW(shape(6, {2, 2}), Keramos::Error);
  EXPECT_THROW(shape(6, {-1, 0}), Keramos::Error);
}

TEST(Partition, CutsAreEvenToOnePoint)
{
  EXPECT_EQ(even_cuts(10, 3), (std::vector<std::int64_t>{0, 4, 7, 10}));
  EXPECT_EQ(even_cuts(2, 4), (std::vector<std::int64_t>{0, 1, 2, 2, 2}));
  EXPECT_EQ(even_cuts(0, 2), (std::vector<std::int64_t>{0, 0, 0}));
  const auto cuts = even_cuts(2, 4);
  EXPECT_EQ(part_of(cuts, 0), 0);
  EXPECT_EQ(part_of(cuts, 1), 1);
}

/// Each list breaks one condition alone.
TEST(Partition, CutsGoFromTheFirstPointToTheLast)
{
  const auto check = [](std::vector<std::int64_t> cuts) { check_cuts(0, cuts, 4, 2); };
  EXPECT_NO_THROW(check({0, 2, 4}));
  EXPECT_NO_THROW(check({0, 0, 4}));
  EXPECT_THROW(check({1, 2, 4}), Keramos::Error);
  EXPECT_THROW(check({-1, 2, 4}), Keramos::Error);
  EXPECT_THROW(check({0, 2, 3}), Keramos::Error);
  EXPECT_THROW(check({0, 5, 4}), Keramos::Error);
  EXPECT_THROW(check({0, 4}), Keramos::Error);
}

/// Every point is in the interior or in one slab; points of the interior are far enough from what comes in messages.
TEST(StencilSplit, EveryPointOnce)
{
  Dice dice(3);
  for (int round = 0; round < 2000; ++round) {
    std::array<std::int64_t, 3> own;
    LocalBox points;
    std::array<std::array<std::int64_t, 2>, 3> margin;
    for (std::size_t k = 0; k < 3; ++k) {
      own[k] = dice.between(0, 7);
      points.begin[k] = dice.between(0, own[k]);
      points.end[k] = dice.between(points.begin[k], own[k]);
      margin[k] = {dice.between(0, 4), dice.between(0, 4)};
    }
    const auto shuffled = dice.permutation(3);
    const std::array<int, 3> order{static_cast<int>(shuffled[0]), static_cast<int>(shuffled[1]),
                                   static_cast<int>(shuffled[2])};
    const Split parts = split(points, own, margin, order);
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, int> seen;
    const auto visit = [&](const LocalBox& box, bool is_interior) {
      for (std::int64_t i = box.begin[0]; i < box.end[0]; ++i)
        for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j)
          for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k) {
            ++seen[{i, j, k}];
            const std::array<std::int64_t, 3> at{i, j, k};
            bool waits = false;
            for (std::size_t a = 0; a < 3; ++a) {
              EXPECT_TRUE(at[a] >= points.begin[a] && at[a] < points.end[a]);
              waits = waits || at[a] < margin[a][0] || at[a] >= own[a] - margin[a][1];
            }
            EXPECT_EQ(waits, !is_interior);
          }
    };
    visit(parts.interior, true);
    for (const LocalBox& slab : parts.boundary) visit(slab, false);
    std::int64_t points_in_all = 1;
    for (std::size_t k = 0; k < 3; ++k) points_in_all *= points.end[k] - points.begin[k];
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), points_in_all);
    for (const auto& [at, times] : seen) EXPECT_EQ(times, 1);
  }
}

} // namespace
