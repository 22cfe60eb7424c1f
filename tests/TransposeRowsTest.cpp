// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of contiguous elements wherever they begin: rows that are copied, and runs that stay together or that a permutation builds anew,
// around the extents at which pieces, boxes and 16 bytes end. Every residue of an address on either side.
#include "TransposeSupport.hpp"

using namespace test;

namespace {

/// The kernel that took a call, by the first words of its variant. Only GPUs have these.
void expect_kind(const std::string& variant, const std::string& kind)
{
  if (has_cuda) {
    EXPECT_EQ(variant.substr(0, kind.size()), kind) << variant;
  }
}

template <int Size>
std::string kind_of(const std::string& what)
{
  return what + " " + std::to_string(Size) + " B";
}

TEST(TransposeRows, CopiesAtEveryResidue)
{
  for_each_size([](auto size) {
    constexpr std::int64_t v = 16 / size;
    for (std::int64_t from = 0; from < v; ++from)
      for (std::int64_t to = 0; to < v; ++to) {
        if (size <= 2 && (from * 5 + to) % 3) continue; // some of the many
        for (const std::int64_t n : {32 * v - 1, 33 * v + 2})
          check_permute<size, 2>(Shape({5, n}, right(2), 1, 3, from), {0, 1}, right(2), 1, 2, to);
      }
  });
}

TEST(TransposeRows, CopiesOfEveryLength)
{
  for_each_size([](auto size) {
    for (const std::int64_t n :
         {0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 127, 128, 129, 255, 257, 4099}) {
      const auto variant = check_permute<size, 3>(Shape({3, 33, n}, right(3), 1, 1, 1), {0, 1, 2}, right(3), 1, 0, 3);
      const int least = size == 2 ? 160 : 64; // bytes: shorter ones go through boxes
      if (size * n >= least && n % 2) expect_kind(variant, kind_of<size>("copy"));
      check_permute<size, 3>(Shape({3, 33, n}, right(3), 1, 0, 2), {0, 1, 2}, right(3), 1, 3, 1);
      check_permute<size, 2>(Shape({1, 33 * n}, right(2), 1, 0, 1), {0, 1}, right(2), 1, 0, 2); // a single row
    }
  });
}

/// A GPU's block copies 4 KiB of a single row, which begin with a vector of the output: two blocks and four, and an element beside.
TEST(TransposeRows, CopiesThatEndWithABlock)
{
  for_each_size([](auto size) {
    for (const std::int64_t blocks : {1, 2})
      for (const std::int64_t more : {-1, 0, 1})
        for (const std::int64_t to : {0, 3})
          check_permute<size, 2>(Shape({1, (blocks << 13) / size + more}, right(2), 1, 0, 1), {0, 1}, right(2), 1, 0,
                                 to);
  });
}

/// More axes than nest, in both orders of the slow ones.
TEST(TransposeRows, RowsOfManyAxes)
{
  for_each_size([](auto size) {
    for (const std::int64_t n : {65, 301}) {
      check_permute<size, 5>(Shape({3, 2, 4, 3, n}, right(5), 1, 1, 1), {0, 1, 2, 3, 4}, right(5), 1, 2, 1);
      check_permute<size, 5>(Shape({3, 2, 4, 3, n}, right(5), 1, 1, 1), {3, 1, 0, 2, 4}, right(5), 1, 0, 3);
    }
  });
}

/// Rows that follow each other in the input, and would be read long after each other in the order of the output.
TEST(TransposeRows, ShortRowsWithTheirNeighbours)
{
  const auto variant = check_permute<16, 3>(Shape({56300, 2, 8}, right(3)), {1, 0, 2}, right(3));
  expect_kind(variant, kind_of<16>("copy"));
}

/// Groups that change places: boxes that end within a tile on both sides, of one group, and of several pieces a run.
TEST(TransposeRows, GroupsThatChangePlaces)
{
  for_each_size([](auto size) {
    for (const std::int64_t group : {3, 5, 20, 21, 37}) {
      if (size * group >= 192) continue;
      for (const std::int64_t m : {1, 2, 31, 32, 33, 121, 131})
        for (const std::int64_t n : {32, 33, 127}) {
          const auto variant =
              check_permute<size, 3>(Shape({m, n, group}, right(3), 1, 0, 1), {1, 0, 2}, right(3), 1, 0, 3);
          if (m > 120 && n > 120 && group % 2) expect_kind(variant, kind_of<size>("box rows"));
          check_permute<size, 3>(Shape({m, n, group}, right(3), 1, 2, 2), {1, 0, 2}, right(3), 1, 1, 1);
        }
      check_permute<size, 4>(Shape({3, 41, 43, group}, right(4), 1, 0, 1), {0, 2, 1, 3}, right(4), 1, 0, 2);
      check_permute<size, 4>(Shape({3, 41, 43, group}, right(4), 1, 1, 1), {2, 0, 1, 3}, right(4), 1, 1, 2);
    }
  });
  expect_kind(check_permute<4, 4>(Shape({2, 33, 31, 111}, right(4), 1, 0, 1), {0, 2, 1, 3}, right(4), 1, 0, 2),
              kind_of<4>("box rows"));
}

/// Runs that a permutation of five or six short axes builds anew.
TEST(TransposeRows, RunsOverSeveralAxes)
{
  for_each_size([](auto size) {
    for (const Numbers& axes :
         {Numbers{1, 3, 0, 4, 2}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}, {0, 3, 2, 1, 4}, {3, 0, 1, 4, 2}})
      for (const std::int64_t pad : {0, 1})
        check_permute<size, 5>(Shape({13, 9, 11, 7, 37}, right(5), 1, pad, 1), axes, right(5), 1, 0, 3);
    for (const Numbers& axes : {Numbers{5, 4, 3, 2, 1, 0}, {2, 5, 0, 3, 1, 4}, {1, 4, 2, 0, 5, 3}, {4, 1, 3, 2, 0, 5}})
      check_permute<size, 6>(Shape({5, 6, 3, 7, 4, 11}, right(6), 1, 0, 1), axes, right(6), 1, 0, 3);
  });
  expect_kind(check_permute<4, 5>(Shape({13, 9, 11, 7, 37}, right(5)), {4, 3, 2, 1, 0}, right(5)),
              kind_of<4>("box rows"));
}

/// Points of some components and planes of them, where blocks cut the runs of the planes: every alignment of a plane's rows, and boxes
/// that end within a sector, with it and behind it.
TEST(TransposeRows, CutRunsAtEveryAlignment)
{
  for_each_size([](auto size) {
    for (const std::int64_t k : {5, 6, 31, 33, 67})
      for (const std::int64_t n : {2048, 2049, 2050, 2052, 2055})
        for (const std::int64_t start : {0, 1, 6}) {
          const auto variant = check_permute<size, 2>(Shape({n, k}, right(2), 1, 0, start), {1, 0}, right(2), 1, 0, 1);
          const bool fills_small_tiles = size == 4 && k == 31;
          if (size * n % 16 && size >= 4)
            expect_kind(variant, fills_small_tiles ? "tile 64x32" : kind_of<size>("box rows"));
          check_permute<size, 2>(Shape({k, n}, right(2), 1, 0, start), {1, 0}, right(2), 1, 0, 3);
          check_permute<size, 3>(Shape({n / 5, 5, k}, right(3), 1, 1, start), {2, 0, 1}, right(3), 1, 0, 2);
        }
  });
}

/// Narrow elements, of which a warp gathers eight vectors of four rows: rows that end within these, boxes that begin and end anywhere in a sector,
/// periods of fewer elements than a vector has and of more.
TEST(TransposeRows, NarrowElementsInPatches)
{
  const auto check = [](auto size) {
    for (const std::int64_t k : {4, 5, 7, 9, 17, 22})
      for (const std::int64_t m : {3, 4, 6, 33})
        for (const std::int64_t n : {131, 517})
          for (const std::int64_t start : {0, 1, 5}) {
            const auto variant =
                check_permute<size, 3>(Shape({k, m, n}, right(3), 1, start, start), {2, 1, 0}, right(3), 1, 0, 3);
            if (size == 2 && k * m >= 64) expect_kind(variant, kind_of<size>("box rows"));
            check_permute<size, 3>(Shape({k, m, n}, right(3), 1, 0, start), {2, 0, 1}, right(3), 1, 0, 1);
            check_permute<size, 3>(Shape({n, m, k}, right(3), 1, 1, start), {2, 1, 0}, right(3), 1, 0, 1);
          }
    check_permute<size, 4>(Shape({1003, 7, 9, 4}, right(4), 1, 0, 1), {1, 3, 0, 2}, right(4), 1, 0, 3);
    check_permute<size, 4>(Shape({47, 13, 19, 151}, right(4), 1, 0, 1), {3, 1, 2, 0}, right(4), 1, 0, 3);
    check_permute<size, 4>(Shape({23, 44, 37, 29}, right(4), 1, 0, 1), {2, 0, 3, 1}, right(4), 1, 0, 3);
  };
  check(std::integral_constant<int, 1>());
  check(std::integral_constant<int, 2>());
}

/// Rows of sub-views that are shorter than a line, which become columns, or follow each other in the output.
TEST(TransposeRows, ShortRowsOfSubviews)
{
  for_each_size([](auto size) {
    for (const std::int64_t bytes : {32, 40, 44, 78, 88, 112, 124})
      for (const std::int64_t start : {0, 1, 3}) {
        const std::int64_t n = bytes / size;
        const auto variant =
            check_permute<size, 3>(Shape({131, 37, n}, right(3), 1, 1, start), {2, 1, 0}, right(3), 1, 0, start / 3);
        if (size < 16 && bytes > 32) expect_kind(variant, kind_of<size>("box rows"));
        check_permute<size, 3>(Shape({131, 37, n}, right(3), 1, 2, start), {1, 2, 0}, right(3), 1, 1, 1);
        check_permute<size, 3>(Shape({n, 37, 131}, right(3), 1, 0, start), {2, 1, 0}, right(3), 1, 3, 1);
        const auto packed =
            check_permute<size, 3>(Shape({7, 131, n}, right(3), 1, 1, start), {0, 1, 2}, right(3), 1, 0, start / 3);
        if (size == 2) expect_kind(packed, kind_of<size>("box rows"));
      }
  });
}

/// Boxes that lie whole in memory on both sides.
TEST(TransposeRows, StacksOfSmallMatrices)
{
  for_each_size([](auto size) {
    for (const Numbers& extent : {Numbers{1001, 8, 8}, {1003, 5, 7}, {333, 16, 16}, {97, 33, 31}, {11, 100, 100}})
      for (const std::int64_t start : {0, 3})
        check_permute<size, 3>(Shape(extent, right(3), 1, 0, start), {0, 2, 1}, right(3), 1, 0, start / 3);
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Tiles over joined axes, which small arrays have on a small GPU alone: rows of the input whole and in pieces, tiles of 64 and of 96 rows, a
/// batch, at several alignments.
TEST(TransposeRows, JoinedAxes)
{
  const auto check = [](auto count, const Numbers& extent, const Numbers& axes, std::int64_t start, const char* tile) {
    constexpr int rank = decltype(count)::value;
    const Shape in(extent, right(rank), 1, start > 0, start),
        out(picked(extent, axes), right(rank), 1, 0, (start + 3) % 8);
    const auto kernel = check_move<4, rank>(
        in, axes, out, [&](const auto& from, const auto& to) { return permute_on_small_gpu<rank>(axes, from, to); });
    EXPECT_EQ(kernel.variant, tile);
  };
  constexpr std::integral_constant<int, 3> three;
  constexpr std::integral_constant<int, 4> four;
  for (const std::int64_t start : {0, 1, 6}) {
    check(four, {13, 9, 11, 37}, {3, 2, 1, 0}, start, "tile 64x37 joined");
    check(four, {13, 9, 11, 111}, {3, 0, 2, 1}, start, "tile 96x111 joined");
    check(four, {13, 9, 11, 131}, {3, 2, 1, 0}, start, "tile 64x72 joined");
    check(four, {41, 17, 33, 131}, {3, 1, 2, 0}, start, "tile 64x72 joined"); // along the input first
    check(three, {23, 29, 37}, {2, 1, 0}, start, "tile 64x37 joined");
    check(std::integral_constant<int, 5>(), {13, 11, 9, 7, 37}, {0, 4, 3, 2, 1}, start, "tile 64x37 joined");
  }
}

/// Small matrices that are contiguous on both sides, and runs that stay, on a small GPU: many to a block, few and one, that end within words
/// and sectors, at several alignments, and where the output does not go on from one of them to the next.
TEST(TransposeRows, SmallMatrices)
{
  const auto check = [](auto size, const Numbers& extent, const Numbers& axes, std::int64_t start, const char* kind) {
    const Shape in(extent, right(4), 1, 0, start);
    Shape out(picked(extent, axes), right(4), 1, 0, (start + 3) % 8);
    out.stride[0] += start;
    out.span += out.extent[0] * start;
    const auto kernel = check_move<size, 4>(
        in, axes, out, [&](const auto& from, const auto& to) { return permute_on_small_gpu<4>(axes, from, to); });
    EXPECT_EQ(kernel.variant, kind);
  };
  for_each_size([&](auto size) {
    for (const std::int64_t start : {0, 1, 6}) {
      if (size == 16) continue;
      check(size, {90, 7, 13, 17}, {1, 0, 3, 2}, start, "matrices 13x17");
      if (size != 4) check(size, {5, 11, 99, 101}, {1, 0, 3, 2}, start, "matrices 99x101");
      if (size == 4) check(size, {5, 11, 127, 151}, {1, 0, 3, 2}, start, "matrices 127x151");
      if (size == 4) check(size, {9, 31, 22, 71}, {0, 2, 1, 3}, start, "matrices 1x71");
    }
  });
}

/// The largest boxes, which small arrays have on a small GPU alone.
TEST(TransposeRows, LargestBoxes)
{
  for_each_size([](auto size) {
    for (const Numbers& extent :
         {Numbers{2501, 31}, {31, 2501}, {9001, 6}, {6, 9001}, {263, 261}, {41, 43, 3}, {9, 101, 97}})
      for (const std::int64_t start : {0, 1}) {
        const Shape in(extent, right(static_cast<int>(extent.size())), 1, 0, start);
        if (extent.size() == 2)
          check_move<size, 2>(in, {1, 0}, Shape(picked(extent, {1, 0}), right(2), 1, 0, 3),
                              [](const auto& from, const auto& to) {
                                return permute_on_small_gpu<2>({1, 0}, from, to);
                              });
        else
          check_move<size, 3>(in, {1, 0, 2}, Shape(picked(extent, {1, 0, 2}), right(3), 1, 0, 3),
                              [](const auto& from, const auto& to) {
                                return permute_on_small_gpu<3>({1, 0, 2}, from, to);
                              });
      }
  });
}
#endif

} // namespace
