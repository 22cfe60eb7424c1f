// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every backend plans transposes with (src/keramos/transpose/Layout.hpp), against enumeration: widened axes move the same
// bytes, the order of the input is that of its strides, and a box keeps its limits.
#include "keramos/transpose/Layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

namespace core = Keramos::core;
using core::MoveAxes;
using core::MoveAxis;

/// Problems of up to four axes, with extents and strides around those that come in pairs.
std::vector<MoveAxes> problems()
{
  std::vector<MoveAxes> result{MoveAxes{}};
  for (const std::int64_t fast : {1, 2, 3, 4, 8, 16})
    for (const std::int64_t unit : {1, 2, -1})
      for (const std::int64_t in : {16, 17, 18, 24})
        for (const std::int64_t out : {16, 17, 20})
          for (const std::int64_t repeated : {0, 640})
            result.push_back(
                {4, {MoveAxis{fast, unit, 1}, MoveAxis{3, 160, out}, MoveAxis{4, in, 64}, MoveAxis{2, repeated, 256}}});
  return result;
}

/// Every byte that moves, as its offset in the input and in the output.
std::vector<std::pair<std::int64_t, std::int64_t>> bytes_of(const MoveAxes& axes, int size)
{
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  for (std::int64_t i = 0; i < axes.size(); ++i) {
    const MoveAxis at = axes.offset(i);
    for (int byte = 0; byte < size; ++byte) result.emplace_back(at.in * size + byte, at.out * size + byte);
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST(TransposeLayout, WidenedElementsMoveTheSameBytes)
{
  int widened = 0;
  for (const MoveAxes& axes : problems())
    for (const int size : {1, 2, 4, 8, 16})
      for (const int max_size : {size, 4, 16}) {
        if (max_size < size) continue;
        MoveAxes wide = axes;
        const int wide_size = core::widen(wide, size, max_size);
        ASSERT_LE(wide_size, max_size);
        ASSERT_EQ(bytes_of(wide, wide_size), bytes_of(axes, size)) << size << " to " << wide_size;
        widened += wide_size > size;
        if (2 * wide_size > max_size || wide.count == 0 || wide[0].in != 1 || wide[0].out != 1) continue;
        bool pairs = wide[0].extent % 2 == 0; // and nothing is left that could be wider
        for (int k = 1; k < wide.count; ++k) pairs = pairs && wide[k].in % 2 == 0 && wide[k].out % 2 == 0;
        ASSERT_FALSE(pairs) << size << " to " << wide_size;
      }
  EXPECT_GT(widened, 100);
}

TEST(TransposeLayout, InputOrderIsThatOfItsStrides)
{
  for (const MoveAxes& axes : problems()) {
    const auto order = core::input_order(axes);
    for (int p = 0; p < core::max_rank; ++p) ASSERT_EQ(std::count(order.begin(), order.end(), p), 1);
    for (int p = 1; p < axes.count; ++p) {
      const std::int64_t fast = std::abs(axes[order[p - 1]].in), slow = std::abs(axes[order[p]].in);
      ASSERT_TRUE(slow == 0 || (fast != 0 && fast <= slow));
      ASSERT_TRUE(fast != slow || order[p - 1] < order[p]) << "equal strides keep the order of the output";
    }
  }
}

TEST(TransposeLayout, BoxesKeepTheirLimits)
{
  for (const MoveAxes& axes : problems())
    for (const std::int64_t elements : {1, 7, 64, 100, 4096})
      for (const int max_axes : {2, core::max_rank})
        for (const int lanes : {1, 32})
          for (const std::int64_t run : {1, 5, 64}) {
            core::BoxShape box(axes, {elements, max_axes, lanes});
            box.cover(run);
            std::int64_t volume = 1, partial = axes.count;
            int long_axes = 0;
            for (int k = 0; k < axes.count; ++k) {
              ASSERT_GE(box.extent(k), 1);
              ASSERT_LE(box.extent(k), axes[k].extent);
              volume *= box.extent(k);
              long_axes += box.extent(k) > 1;
              partial -= box.extent(k) == axes[k].extent;
            }
            ASSERT_EQ(volume, box.volume());
            ASSERT_LE(volume, elements);
            ASSERT_LE(long_axes, max_axes);
            const bool unlimited = max_axes == core::max_rank && lanes == 1 && axes.size() <= elements;
            ASSERT_TRUE(!unlimited || partial == 0);
          }
}

} // namespace
