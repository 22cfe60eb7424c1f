// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tiles transposes take on which GPU, and which swaps those in place.
#include "Support.hpp"
#include "TransposePlans.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;
namespace core = Keramos::core;
using Keramos::cuda::Device;

/// Where reversed axes have a batch between them, and nowhere else.
TEST(DeviceChoice, TransposesThatGoThroughTheBatchFirst)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto goes_so = [](std::initializer_list<core::MoveAxis> axes) {
    const core::MoveAxes normalised = core::normalised(axes.begin(), static_cast<int>(axes.size()));
    const auto plan = transpose::plan_move(devices[0], normalised, 4, nullptr, nullptr);
    const auto& job = std::get<transpose::TileJob>(plan->job);
    EXPECT_EQ(plan->blocks % job.inner.d, 0u);
    return job.batch_first;
  };
  EXPECT_TRUE(goes_so({{1024, 1, 512 * 256}, {512, 1024, 256}, {256, 512 * 1024, 1}}));     // (2 1 0)
  EXPECT_FALSE(goes_so({{1024, 1, 512}, {256, 1024, 1024 * 512}, {512, 256 * 1024, 1}}));   // (1 2 0)
  EXPECT_FALSE(goes_so({{1024, 1, 512}, {512, 1024, 1}, {256, 512 * 1024, 512 * 1024}}));   // (0 2 1)
  EXPECT_FALSE(goes_so({{1024, 1, 1024}, {1024, 1024, 1}}));                                // a matrix
  EXPECT_FALSE(goes_so({{1021, 1, 511 * 1001}, {511, 1021, 1001}, {1001, 511 * 1021, 1}})); // no vectors
}

/// Boxes of accumulations that share the sectors at the ends of their runs are as long as three blocks can have them, and add up to whole
/// sectors.
TEST(DeviceChoice, TransposesThatShareWholeSectors)
{
  for (const auto& [rows, columns] : {std::pair(10001, 15013), {8191, 8193}, {9001, 9011}, {15013, 10001}}) {
    const auto sums = boxes(rows, columns, 4, 4, true);
    EXPECT_EQ(sums.cut, 0);
    EXPECT_EQ((sums.grid.axis[0].box + sums.shared) % 8, 0u);
    EXPECT_GE(sums.grid.axis[0].box, 113u);
  }
  const auto halves = boxes(3, 100000000, 4, 2); // shares none, so that there are four
  EXPECT_LT(halves.cut, 0);
  EXPECT_GE(halves.grid.axis[1].box, 4500u);
}

/// Functors that narrow elements have boxes of lines, tiles in sectors where rows begin anywhere, and boxes where these fill no tiles or
/// are added up.
TEST(DeviceChoice, TransposesThatNarrow)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns, int in_size, int out_size, bool accumulates = false) {
    const core::MoveAxis axes[] = {{rows, columns, 1}, {columns, 1, rows}};
    return transpose::plan_functor_move(devices[0], core::normalised(axes, 2), in_size, out_size, nullptr, nullptr,
                                        accumulates)
        ->kind;
  };
  EXPECT_EQ(kind(10001, 15013, 4, 2), transpose::MoveKind::tile_unaligned);
  EXPECT_EQ(kind(10001, 15013, 16, 1), transpose::MoveKind::tile_unaligned);
  EXPECT_EQ(kind(10001, 15013, 4, 2, true), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(10001, 15013, 4, 8), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(16384, 16384, 4, 2), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(33, 1000001, 4, 2), transpose::MoveKind::box_rows);
}

/// The plan of a square matrix in place that begins on a line.
Keramos::cuda::transpose::SwapPlan plan_of_swap(std::int64_t order, int size)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto plan = Keramos::cuda::transpose::plan_in_place(
      h200, {order, 1, order, {}, size, reinterpret_cast<void*>(0x1000)}, false);
  return std::get<Keramos::cuda::transpose::SwapPlan>(*plan);
}

/// In place, vectors want rows on sectors, and large ones on lines.
TEST(DeviceChoice, SwapsByVectors)
{
  using Keramos::cuda::transpose::SwapKind;
  EXPECT_EQ(plan_of_swap(15013, 4).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(1004, 4).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(2008, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(5000, 4).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(6048, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(15008, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(16384, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(2004, 8).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(3004, 8).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(10000, 8).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(10001, 2).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(10004, 2).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(10008, 2).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(10001, 1).kind, SwapKind::element);
}

/// In place, tiles come in groups where those of one line share its sectors, and one by one where rows begin on lines.
TEST(DeviceChoice, SwapsInGroups)
{
  const auto group = [&](std::int64_t order, int size) { return plan_of_swap(order, size).job.group; };
  EXPECT_EQ(group(16384, 4), 0);
  EXPECT_EQ(group(8192, 8), 0);
  EXPECT_EQ(group(6048, 4), 2);
  EXPECT_EQ(group(15008, 4), 2);
  EXPECT_EQ(group(10000, 8), 2);
  EXPECT_EQ(group(1000, 4), 0);  // few
  EXPECT_EQ(group(2008, 4), 2);  // stays in the cache
  EXPECT_EQ(group(15016, 4), 1); // on sectors, not on lines: as odd orders, by how many tiles there are
  EXPECT_EQ(group(10004, 8), 1);
  EXPECT_EQ(group(15013, 4), 1);
  EXPECT_EQ(group(8191, 4), 2);
  EXPECT_EQ(group(4001, 8), 2);
  EXPECT_EQ(group(20001, 4), 3);
  EXPECT_EQ(group(14001, 8), 3);
}

/// The plan of a transpose of rows x columns elements of so many bytes.
Keramos::cuda::transpose::MovePlan plan_of_matrix(std::int64_t rows, std::int64_t columns, int size)
{
  const core::MoveAxis axes[] = {{columns, 1, rows}, {rows, columns, 1}};
  return *Keramos::cuda::transpose::plan_move(devices[0], core::normalised(axes, 2), size, nullptr, nullptr);
}

/// Small matrices whose rows begin anywhere have tiles of few elements; boxes take those whose tiles share lines with neighbours that come
/// much later, and rows of the output that tiles of vectors fill badly.
TEST(DeviceChoice, TransposesAtOddPitches)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns, int size) {
    return plan_of_matrix(rows, columns, size).kind;
  };
  EXPECT_EQ(kind(511, 513, 4), transpose::MoveKind::tile_small);
  EXPECT_EQ(kind(2047, 2049, 4), transpose::MoveKind::tile_small);
  EXPECT_NE(kind(2047, 2049, 8), transpose::MoveKind::tile_small);
  EXPECT_EQ(kind(3001, 3003, 4), transpose::MoveKind::tile_unaligned);
  EXPECT_EQ(kind(1021, 130815, 4), transpose::MoveKind::tile_unaligned);
  for (const int size : {4, 8}) EXPECT_EQ(kind(130815, 1021, size), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(10002, 15014, 8), transpose::MoveKind::tile_unaligned); // on 16 bytes, but not on sectors
  for (const int size : {4, 8}) EXPECT_EQ(kind(10008, 15016, size), transpose::MoveKind::tile_unaligned); // on sectors
  EXPECT_EQ(kind(9984, 15040, 8), transpose::MoveKind::tile_vector);  // on 256 bytes
  EXPECT_EQ(kind(2000000, 200, 8), transpose::MoveKind::tile_vector); // unaligned ones would come late to the next
  EXPECT_EQ(kind(1002, 1504, 8), transpose::MoveKind::tile_vector);   // small
  EXPECT_EQ(kind(100, 2000000, 4), transpose::MoveKind::box_rows);
}

/// Narrow matrices whose rows lie on sectors: boxes have those with short rows of the output that tiles cut within lines, with narrow rows that fill
/// small tiles alone; and, of more axes, small tiles whose rows of the input do not lie on lines.
TEST(DeviceChoice, NarrowTransposesByBoxes)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns) { return plan_of_matrix(rows, columns, 4).kind; };
  for (const std::int64_t rows : {88, 200}) EXPECT_EQ(kind(rows, 520832), transpose::MoveKind::box_rows);
  for (const std::int64_t rows : {48, 64, 128, 384}) EXPECT_EQ(kind(rows, 520832), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(128, 520840), transpose::MoveKind::box_rows); // rows of the input not on units
  EXPECT_EQ(kind(768, 260416), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(256, 524288), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(6250000, 32), transpose::MoveKind::box_rows); // small tiles, far rows
  EXPECT_EQ(kind(1190472, 168), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(3125000, 64), transpose::MoveKind::tile_vector_wide); // large ones, not on units
  EXPECT_EQ(kind(892832, 224), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(1562496, 128), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(669632, 224), transpose::MoveKind::tile_vector);      // on units in the output
  EXPECT_EQ(kind(390624, 512), transpose::MoveKind::tile_vector_wide); // not on units, but long rows
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto stack = [&](std::int64_t matrices, std::int64_t rows, std::int64_t columns) {
    return plan_of_permutation(h200, {matrices, rows, columns}, {0, 2, 1}, 4).kind;
  };
  EXPECT_EQ(stack(40000, 96, 80), transpose::MoveKind::box_rows);
  EXPECT_EQ(stack(200000, 32, 32), transpose::MoveKind::tile_vector_small); // on lines
  EXPECT_EQ(stack(8000, 160, 160), transpose::MoveKind::tile_vector_small);
}

/// Matrices whose rows of the input an unaligned tile holds: boxes have large ones.
TEST(DeviceChoice, NarrowTransposesAtOddPitches)
{
  namespace transpose = Keramos::cuda::transpose;
  for (const std::int64_t columns : {53, 61, 64})
    for (const int size : {4, 8}) {
      EXPECT_EQ(plan_of_matrix(3124999, columns, size).kind, transpose::MoveKind::box_rows) << columns;
      EXPECT_EQ(plan_of_matrix(312499, columns, size).kind, transpose::MoveKind::tile_unaligned) << columns;
    }
}

/// Unaligned tiles that no boxes take, where their neighbours along the input would come late.
TEST(DeviceChoice, TransposesInBands)
{
  const auto bands = [](std::int64_t rows, std::int64_t columns, int size) {
    const auto plan = plan_of_matrix(rows, columns, size);
    const auto& job = std::get<Keramos::cuda::transpose::TileJob>(plan.job);
    EXPECT_EQ(plan.blocks % job.band.d, 0u);
    return plan.blocks / job.band.d;
  };
  EXPECT_EQ(bands(30001, 35013, 1), 1u);
  EXPECT_EQ(bands(523263, 1021, 1), 64u);
  EXPECT_EQ(bands(20001, 25013, 2), 1u);
  EXPECT_EQ(bands(25013, 20001, 2), 1u);
  EXPECT_EQ(bands(65535, 8193, 2), 17u);
}

/// What is told the L2 cache: rows with gaps between them in the output leave parts of sectors that nobody fills; and of what it cannot hold, data in
/// place is kept until it is written.
TEST(DeviceChoice, WhatTransposesTellTheCache)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto has_gaps = [](std::int64_t in, std::int64_t out) {
    const core::MoveAxis axes[] = {{101, 1, 1}, {3001, in, out}};
    const auto plan = transpose::plan_move(devices[0], core::normalised(axes, 2), 4, nullptr, nullptr);
    return std::get<transpose::RowsJob>(plan->job).has_gaps;
  };
  EXPECT_TRUE(has_gaps(101, 103));
  EXPECT_FALSE(has_gaps(103, 101));
  const auto keeps = [](std::int64_t order) {
    const auto plan = transpose::plan_in_place(devices[0], {order, 1, order, {}, 8, nullptr}, false);
    return std::get<transpose::SwapPlan>(*plan).job.keeps;
  };
  EXPECT_TRUE(keeps(3001));
  EXPECT_FALSE(keeps(2048));
}

/// Elements of 16 bytes: tiles that are full on both sides, and whose rows of the input go on soon.
TEST(DeviceChoice, TransposesOf16Bytes)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns) { return plan_of_matrix(rows, columns, 16).kind; };
  EXPECT_EQ(kind(8191, 8193), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(16384, 16384), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(61, 200000), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(200000, 61), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(200000, 256), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(40001, 2001), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(20001, 4001), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(40, 200000), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(8191, 40), transpose::MoveKind::tile_vector); // small
}

/// Where the rows of the output are few, or far from each other.
TEST(DeviceChoice, TransposesByWideTiles)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns) { return plan_of_matrix(rows, columns, 4).kind; };
  EXPECT_EQ(kind(3125056, 64), transpose::MoveKind::tile_vector_wide);
  EXPECT_EQ(kind(131072, 1024), transpose::MoveKind::tile_vector_wide);
  EXPECT_EQ(kind(2000000, 100), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(16384, 16384), transpose::MoveKind::tile_vector);
}

} // namespace
