// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which boxes permutations, copies and accumulations take on which GPU, and what goes by other kernels instead.
#include "Support.hpp"
#include "TransposePlans.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;
namespace core = Keramos::core;
using Keramos::cuda::Device;

/// Whole lines of 256 bytes, wherever the arrays begin, where the pitches keep to them.
TEST(DeviceChoice, TransposesByBoxesOfLines)
{
  const auto expect = [](int in_size, int out_size, bool accumulates, unsigned a, unsigned b) {
    const auto aligned = boxes(16384, 16384, in_size, out_size, accumulates).grid;
    EXPECT_EQ(aligned.axis[0].box, a);
    EXPECT_EQ(aligned.axis[1].box, b);
    EXPECT_EQ(aligned.axis[0].peel + aligned.axis[1].peel, 0u);
    const auto behind = boxes(16384, 16384, in_size, out_size, accumulates, 0x1080, 0x1040).grid;
    EXPECT_EQ(behind.axis[0].peel, 64u / out_size);
    EXPECT_EQ(behind.axis[1].peel, 128u / in_size);
    EXPECT_EQ(behind.axis[0].blocks.d, aligned.axis[0].blocks.d + 1);
    EXPECT_EQ(behind.axis[1].blocks.d, aligned.axis[1].blocks.d + 1);
  };
  expect(4, 4, false, 128, 64);
  expect(4, 4, true, 128, 64);
  expect(8, 8, false, 64, 32);
  expect(4, 8, false, 64, 64);
  expect(4, 2, false, 128, 64);
  EXPECT_EQ(boxes(16384 + 8, 16384 + 8, 4, 4).grid.axis[0].peel, 0u); // other pitches
}

/// Accumulations have boxes of lines where these are full, however few they are.
TEST(DeviceChoice, AccumulationsOverSeveralAxes)
{
  using Keramos::cuda::transpose::BoxRowsJob;
  const auto lines = computed_move({{1024, 1, 512 * 256}, {512, 1024, 256}, {256, 512 * 1024, 1}}, 4, 4, true);
  const auto& grid = std::get<BoxRowsJob>(lines.job).grid; // (2 1 0)
  EXPECT_EQ(grid.axis[0].box, 128u);
  EXPECT_EQ(grid.axis[1].box, 1u);
  EXPECT_EQ(grid.axis[2].box, 64u);
  EXPECT_EQ(lines.threads, 384u);
  const auto many_banks =
      computed_move({{96, 128, 1}, {64, 128 * 96 * 128, 96}, {128, 1, 64 * 96}, {128, 96 * 128, 128 * 64 * 96}}, 4, 4,
                    true); // (1 3 0 2)
  const auto& job = std::get<BoxRowsJob>(many_banks.job);
  EXPECT_TRUE(job.in.run_axes < job.inner || job.out.axis[0].slot % 128 != 0);
}

/// Floats over short axes have joined tiles, unless pieces of the input's rows fill them badly, and doubles boxes.
TEST(DeviceChoice, AccumulationsOverJoinedAxes)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t columns, int size) { // (3 1 0 2)
    return computed_move({{96, columns, 1},
                          {65, 128 * 96 * columns, 96},
                          {128, 96 * columns, 65 * 96},
                          {columns, 1, 128 * 65 * 96}},
                         size, size, true)
        .kind;
  };
  EXPECT_EQ(kind(111, 4), transpose::MoveKind::tile_joined);
  EXPECT_EQ(kind(61, 4), transpose::MoveKind::tile_joined);
  EXPECT_EQ(kind(70, 4), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(111, 8), transpose::MoveKind::box_rows);
}

/// Boxes of a transpose that accumulates cost the same where they would lie half behind the ends of its rows.
TEST(DeviceChoice, AccumulationsOfShortRows)
{
  for (const std::int64_t rows : {257, 130}) {
    const auto& axis = boxes(rows, 400000, 4, 4, true).grid.axis[0];
    EXPECT_LE(axis.blocks.d * axis.box, 1.05 * rows);
  }
}

/// Copies by a functor have small boxes, unless they narrow elements; the threads are those of the larger side.
TEST(DeviceChoice, CopiesThatCompute)
{
  const auto expect = [](int in_size, int out_size, bool accumulates, unsigned least, unsigned most, unsigned threads) {
    const auto plan = computed_move({{150145013, 1, 1}}, in_size, out_size, accumulates);
    const auto& axis = std::get<Keramos::cuda::transpose::BoxRowsJob>(plan.job).grid.axis[0];
    EXPECT_GE(axis.box, least);
    EXPECT_LE(axis.box, most);
    EXPECT_EQ(plan.threads, threads);
  };
  expect(4, 4, false, 1900, 2048, 64);
  expect(8, 8, false, 950, 1024, 64);
  expect(4, 8, false, 950, 1024, 64);
  expect(4, 2, false, 10000, 16384, 256);
  expect(4, 4, true, 7000, 10000, 256);
}

/// Threads are so few that a multiprocessor holds as many boxes as its shared memory does, or eight, one less where they are single runs:
/// all permutations of an array.
TEST(DeviceChoice, PermutationsFillSharedMemory)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  std::vector<int> order{0, 1, 2, 3};
  int boxes = 0;
  do {
    const auto plan = plan_of_permutation(h200, {65, 128, 96, 111}, order, 4);
    if (plan.kind != transpose::MoveKind::box_rows) continue;
    const int by_memory = h200.shared_per_multiprocessor / (plan.shared_bytes + 1024);
    const auto& job = std::get<transpose::BoxRowsJob>(plan.job);
    const bool single_run = job.in.run_axes == job.inner;
    EXPECT_GE(2048 / static_cast<int>(plan.threads), std::min(by_memory, 8) - single_run) << plan.shared_bytes;
    ++boxes;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_GT(boxes, 5);
}

/// Short axes of the output are joined where boxes would cost much: not where these share no sector, nor where joined tiles would be partly
/// empty or come late to the next row of the input, or read what lies on sectors.
TEST(DeviceChoice, JoinedAxes)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  using Keramos::cuda::transpose::MoveKind;
  const auto joins = [&](const std::vector<std::int64_t>& extent, const std::vector<int>& order, int size = 4) {
    return plan_of_permutation(h200, extent, order, size).kind == MoveKind::tile_joined;
  };
  for (const std::vector<int>& order : {std::vector{3, 2, 1, 0}, {3, 0, 2, 1}, {0, 3, 2, 1}, {2, 3, 1, 0}})
    EXPECT_TRUE(joins({63, 129, 94, 114}, order)) << testing::PrintToString(order);
  EXPECT_FALSE(joins({63, 129, 94, 114}, {3, 2, 1, 0}, 8));   // no kernel
  EXPECT_FALSE(joins({65, 128, 96, 111}, {3, 0, 2, 1}));      // rows of 128 lie on sectors
  EXPECT_FALSE(joins({33, 37, 23, 30, 73}, {4, 3, 0, 1, 2})); // late, and boxes share sectors
  EXPECT_TRUE(joins({33, 37, 23, 30, 73}, {4, 3, 1, 2, 0}));
  EXPECT_FALSE(joins({14, 19, 13, 21, 16, 60}, {5, 4, 0, 1, 3, 2}));
  EXPECT_FALSE(joins({13, 20, 14, 19, 17, 61}, {1, 2, 3, 5, 0, 4})); // rows of 221
  EXPECT_TRUE(joins({33, 37, 23, 30, 73}, {1, 3, 4, 0, 2}));
  EXPECT_FALSE(joins({32, 37, 25, 32, 69}, {1, 3, 4, 0, 2})); // on sectors
}

/// Matrices that are contiguous on both sides move whole, and so do runs that stay, where boxes would cost much: not where tiles are full, where
/// blocks would be few or elements of a matrix, where narrow boxes have vectors, or where short ones come late to the next one of the input.
TEST(DeviceChoice, SmallMatrices)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto whole = [&](const std::vector<std::int64_t>& extent, const std::vector<int>& order, int size = 4) {
    return plan_of_permutation(h200, extent, order, size).kind == Keramos::cuda::transpose::MoveKind::matrices;
  };
  for (const int size : {1, 2, 4, 8}) {
    EXPECT_EQ(whole({29, 39, 22, 31, 71}, {1, 0, 2, 4, 3}, size), size < 8) << size;
    EXPECT_EQ(whole({33, 37, 23, 30, 73}, {0, 1, 2, 4, 3}, size), size < 8) << size;
    EXPECT_EQ(whole({1000000, 16, 16}, {0, 2, 1}, size), size >= 4) << size;
    EXPECT_EQ(whole({29, 39, 22, 31, 71}, {1, 0, 3, 2, 4}, size), size >= 4) << size;
    EXPECT_FALSE(whole({30000, 32, 32}, {0, 2, 1}, size)) << size;
    EXPECT_FALSE(whole({100, 31, 71}, {0, 2, 1}, size)) << size;
  }
  EXPECT_TRUE(whole({3000, 140, 140}, {0, 2, 1}));
  EXPECT_FALSE(whole({3000, 163, 167}, {0, 2, 1}));
  EXPECT_FALSE(whole({1000000, 6, 6}, {0, 2, 1}));
  EXPECT_FALSE(whole({29, 39, 22, 31, 71}, {3, 2, 1, 0, 4}));
  EXPECT_TRUE(whole({40, 50000, 9, 9}, {1, 0, 3, 2}));
  EXPECT_FALSE(whole({50000, 40, 9, 9}, {1, 0, 3, 2}));
}

/// Narrow elements have boxes by runs where tiles would be largely empty, single bytes where there are none; not where boxes by elements have
/// vectors on both sides, nor small matrices. Neighbouring rows are gathered together where they lie beside each other in shared memory.
TEST(DeviceChoice, NarrowElementsByBoxes)
{
  namespace transpose = Keramos::cuda::transpose;
  using transpose::MoveKind;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto plan = [&](const std::vector<std::int64_t>& extent, const std::vector<int>& order, int size = 2) {
    return plan_of_permutation(h200, extent, order, size);
  };
  const auto by_patches = [&](const std::vector<std::int64_t>& extent, const std::vector<int>& order) {
    return std::get<transpose::BoxRowsJob>(plan(extent, order).job).by_patches;
  };
  EXPECT_TRUE(by_patches({22, 139, 32252}, {2, 1, 0}));
  EXPECT_TRUE(by_patches({641482, 31}, {1, 0}));
  EXPECT_TRUE(by_patches({281797, 7, 9, 4}, {1, 3, 0, 2}));
  EXPECT_FALSE(by_patches({31, 3139550}, {1, 0}));           // a single row
  EXPECT_FALSE(by_patches({883, 44, 87, 29}, {2, 0, 3, 1})); // 29 elements apart
  for (const int size : {1, 2}) {
    EXPECT_EQ(plan({641482, 31}, {1, 0}, size).kind, MoveKind::box_rows) << size;
    EXPECT_EQ(plan({10000, 99, 99}, {0, 2, 1}, size).kind, MoveKind::matrices) << size;
    EXPECT_EQ(plan({10001, 15013}, {1, 0}, size).kind, MoveKind::tile_unaligned) << size;
  }
  EXPECT_EQ(plan({150, 10001, 85}, {2, 1, 0}).kind, MoveKind::box_rows);
  EXPECT_EQ(plan({135236, 147}, {1, 0}).kind, MoveKind::tile_unaligned); // more than half full
  EXPECT_EQ(plan({9, 8753, 8, 141}, {2, 0, 3, 1}).kind, MoveKind::tile_unaligned);
  EXPECT_EQ(plan({240, 10001, 150}, {2, 1, 0}, 1).kind, MoveKind::tile_unaligned);
  const core::MoveAxis vectors[] = {{641472, 32, 1}, {32, 1, 641472}};
  const auto* const line = reinterpret_cast<const void*>(0x1000);
  EXPECT_EQ(transpose::plan_move(h200, core::normalised(vectors, 2), 2, line, line)->kind, MoveKind::box);
  for (const bool accumulates : {false, true}) { // and functors
    const auto kind = [&](std::int64_t stride, int size) {
      return computed_move({{10001, 15013 * stride, 1}, {15013, stride, 10001}}, size, size, accumulates).kind;
    };
    EXPECT_EQ(kind(1, 2), MoveKind::box_rows);
    EXPECT_EQ(kind(2, 2), MoveKind::tile);
    EXPECT_EQ(kind(1, 1), MoveKind::tile);
  }
}

/// Whole rows of the input, and so many of what follows them in the output that its runs are long; where rows of the input are long, parts:
/// with functors, for which no axes are joined.
TEST(DeviceChoice, PermutationsByWholeRows)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto box = [&](std::initializer_list<core::MoveAxis> list, int size, int axis) {
    const auto axes = core::normalised(list.begin(), static_cast<int>(list.size()));
    const auto plan = transpose::plan_functor_move(h200, axes, size, size, nullptr, nullptr, false);
    return std::get<transpose::BoxRowsJob>(plan->job).grid.axis[axis].box;
  };
  const std::initializer_list<core::MoveAxis> three{{65, 12288 * 111, 1}, {12288, 111, 65}, {111, 1, 65 * 12288}};
  EXPECT_EQ(box(three, 4, 0), 65u);
  EXPECT_EQ(box(three, 4, 1), 3u);
  EXPECT_EQ(box(three, 4, 2), 111u);
  EXPECT_LT(box(three, 8, 2), 111u);
  const std::initializer_list<core::MoveAxis> four{
      {97, 113, 1}, {66, 1392047, 97}, {127, 10961, 6402}, {113, 1, 813054}}; // 66x127x97x113 (3, 1, 0, 2)
  EXPECT_EQ(box(four, 4, 0), 97u);
  EXPECT_EQ(box(four, 4, 1), 2u);
  EXPECT_EQ(box(four, 4, 3), 113u);
}

/// Long runs of the output are cut in whole sectors, for which boxes share elements; of short axes they would share too many.
TEST(DeviceChoice, PermutationsByWhatBoxesCost)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto cut = [&](std::initializer_list<core::MoveAxis> list) {
    const auto axes = core::normalised(list.begin(), static_cast<int>(list.size()));
    return std::get<transpose::BoxRowsJob>(transpose::plan_move(h200, axes, 4, nullptr, nullptr)->job).cut;
  };
  EXPECT_EQ(cut({{813054, 113, 1}, {113, 1, 813054}}), 0);
  EXPECT_LT(cut({{19, 3549 * 960, 1}, {3549, 960, 19}, {960, 1, 19 * 3549}}), 0);
  EXPECT_LT(cut({{19, 2 * 960, 1}, {2, 960, 19}, {960, 1, 19 * 2}}), 0); // there are few boxes
}

/// Boxes with short runs of the input go along it first where their neighbours would come late: 31x40x24x33x70 (4 3 0 1 2).
TEST(DeviceChoice, PermutationsThatGoAlongTheInputFirst)
{
  const auto goes_so = [](std::initializer_list<core::MoveAxis> list, int axis) {
    const auto axes = core::normalised(list.begin(), static_cast<int>(list.size()));
    const auto plan = Keramos::cuda::transpose::plan_move(devices[0], axes, 4, nullptr, nullptr);
    return std::get<Keramos::cuda::transpose::BoxRowsJob>(plan->job).grid.axis[axis].before.d == 1;
  };
  EXPECT_TRUE(goes_so({{29760, 2310, 1}, {33, 70, 29760}, {70, 1, 982080}}, 1));
}

/// Short rows that follow each other in the input are copied one after the other, where they would come late.
TEST(DeviceChoice, CopiesOfShortRows)
{
  const auto first = [](std::int64_t between) { // of 16 groups of 60 floats, which become the slowest axis
    const core::MoveAxis axes[] = {{60, 1, 1}, {between, 960, 60}, {16, 60, 60 * between}};
    const auto plan = Keramos::cuda::transpose::plan_move(devices[0], core::normalised(axes, 3), 4, nullptr, nullptr);
    return std::get<Keramos::cuda::transpose::RowsJob>(plan->job).rows.axis[0].extent.d;
  };
  EXPECT_EQ(first(20000), 20000u);
  EXPECT_EQ(first(30000), 16u);
}

/// Runs that both sides share change places in boxes while they are short.
TEST(DeviceChoice, CopiesOfLongerRuns)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto copies = [](std::int64_t run, int size) {
    const core::MoveAxis axes[] = {{run, 1, 1}, {3000, 2000 * run, run}, {2000, run, 3000 * run}};
    const auto plan = transpose::plan_move(devices[0], core::normalised(axes, 3), size, nullptr, nullptr);
    EXPECT_TRUE(plan->kind == transpose::MoveKind::rows || plan->kind == transpose::MoveKind::box_rows);
    return plan->kind == transpose::MoveKind::rows;
  };
  for (const auto& [size, longest_in_boxes] : {std::pair(1, 223), {2, 159}, {4, 255}, {8, 127}, {16, 7}}) {
    EXPECT_FALSE(copies(longest_in_boxes, size)) << size;
    EXPECT_TRUE(copies(longest_in_boxes + 2, size)) << size;
  }
}

/// Rows of a sub-view that become columns have boxes by runs however short they are, down to a sector.
TEST(DeviceChoice, ShortRowsOfSubviews)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t row, int size) {
    const core::MoveAxis axes[] = {{226, 15471 * (row + 2), 1}, {15469, row + 2, 226}, {row, 1, 226 * 15469}};
    return transpose::plan_move(devices[0], core::normalised(axes, 3), size, nullptr, nullptr)->kind;
  };
  for (const int size : {2, 4, 8}) {
    EXPECT_EQ(kind(32 / size, size), transpose::MoveKind::box_rows) << size;
    EXPECT_EQ(kind(32 / size - 1, size), transpose::MoveKind::box) << size;
    EXPECT_EQ(kind(88 / size, size), transpose::MoveKind::box_rows) << size;
  }
}

/// Short rows of two bytes that follow each other in the output are gathered.
TEST(DeviceChoice, CopiesThatPackRows)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t row, std::int64_t gap, int size) {
    const core::MoveAxis axes[] = {{row, 1, 1}, {8603, row + 2, row + gap}};
    return transpose::plan_move(devices[0], core::normalised(axes, 2), size, nullptr, nullptr)->kind;
  };
  EXPECT_EQ(kind(39, 0, 2), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(39, 1, 2), transpose::MoveKind::rows);
  EXPECT_EQ(kind(81, 0, 2), transpose::MoveKind::rows);
  const core::MoveAxis table[] = {{44, 1, 1}, {140, 46, 44}, {12771, 6445, 6160}}; // of columns
  EXPECT_EQ(transpose::plan_move(devices[0], core::normalised(table, 3), 2, nullptr, nullptr)->kind,
            transpose::MoveKind::rows);
  EXPECT_EQ(kind(77, 0, 1), transpose::MoveKind::rows);
  EXPECT_EQ(kind(19, 0, 4), transpose::MoveKind::rows);
}

/// A sub-view's rows are copied unless they are shorter than two sectors, or one of elements of 4 bytes and more.
TEST(DeviceChoice, CopiesOfSubviews)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t row, int size) {
    const core::MoveAxis axes[] = {{row, 1, 1}, {3001, row, row + 1}};
    return transpose::plan_move(devices[0], core::normalised(axes, 2), size, nullptr, nullptr)->kind;
  };
  for (const int size : {1, 2, 4, 8}) {
    const int least = size >= 4 ? 32 : 64;
    EXPECT_EQ(kind(least / size + 1, size), transpose::MoveKind::rows) << size;
    EXPECT_EQ(kind(least / size - 1, size), transpose::MoveKind::box) << size;
  }
}

} // namespace
