// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes that an exchange copies, in the parts that threads of a GPU copy: chunks of 16 bytes where a box allows it.
#include "../../src/keramos/distributed/BoxCopies.hpp"
#include "DistributedCases.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace Keramos::core;

namespace {

template <class T>
struct Memory {
  alignas(16) T from[4096], to[4096];

  Memory()
  {
    std::iota(from, from + 4096, T(1));
    std::fill(to, to + 4096, T(0));
  }
};

/// All parts of the box, and nothing else, hold what is asked for.
template <class T>
void check(BoxCopy<T> box, Memory<T>& memory)
{
  for (std::int64_t part = 0; part < box.parts(); ++part) box.copy_part(part);
  std::vector<T> expected(4096, T(0));
  for (std::int64_t k = 0; k < box.extent[2]; ++k)
    for (std::int64_t j = 0; j < box.extent[1]; ++j)
      for (std::int64_t i = 0; i < box.extent[0]; ++i) {
        const auto at = [&](const Index3& stride) { return i * stride[0] + j * stride[1] + k * stride[2]; };
        expected[static_cast<std::size_t>(box.to - memory.to + at(box.to_stride))] =
            box.from ? box.from[at(box.from_stride)] : box.value;
      }
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(memory.to[i], expected[i]) << i;
}

template <class T>
BoxCopy<T> box_of(Memory<T>& memory, const Index3& extent, const Index3& from_stride, const Index3& to_stride,
                  std::int64_t from, std::int64_t to)
{
  BoxCopy<T> box{memory.from + from, memory.to + to, T(7), extent, from_stride, to_stride};
  box.is_short = true;
  box.in_chunks = box.has_chunks();
  return box;
}

template <class T>
void check_type()
{
  constexpr std::int64_t v = 16 / sizeof(T);
  test::Dice dice(11);
  int in_chunks = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const auto whole = [&](std::int64_t count) { return dice.between(0, 2) > 0 ? count * v : count * v + 1; };
    const Index3 extent{whole(dice.between(1, 4)), dice.between(1, 4), dice.between(1, 3)};
    const auto strides = [&]() -> Index3 { return {1, whole(9), whole(60)}; };
    Memory<T> memory;
    const auto box = box_of(memory, extent, strides(), strides(), whole(dice.between(0, 3)), whole(dice.between(0, 3)));
    in_chunks += box.in_chunks;
    EXPECT_EQ(box.parts(), box.in_chunks ? box.elements() / v : box.elements());
    check(box, memory);
  }
  EXPECT_GT(in_chunks, 10);
  EXPECT_LT(in_chunks, 290);
}

TEST(BoxCopies, PartsAreWholeInFloat) { check_type<float>(); }
TEST(BoxCopies, PartsAreWholeInDouble) { check_type<double>(); }

/// What looks aligned from one side only, mirrored and repeated rows, and values go element by element.
TEST(BoxCopies, ChunksAreOnlyWhereBothSidesAllow)
{
  Memory<float> memory;
  const Index3 extent{8, 2, 2}, dense{1, 8, 16};
  EXPECT_TRUE(box_of(memory, extent, dense, dense, 0, 0).in_chunks);
  EXPECT_FALSE(box_of(memory, extent, dense, dense, 1, 0).in_chunks);
  EXPECT_FALSE(box_of(memory, extent, dense, dense, 0, 2).in_chunks);
  EXPECT_FALSE(box_of(memory, {7, 2, 2}, dense, dense, 0, 0).in_chunks);
  EXPECT_FALSE(box_of(memory, extent, {1, 9, 16}, dense, 0, 0).in_chunks);
  EXPECT_FALSE(box_of(memory, extent, dense, {1, 8, 18}, 0, 0).in_chunks);
  for (const std::int64_t step : {-1, 0}) {
    const auto box = box_of(memory, extent, {step, 8, 16}, dense, 8, 0);
    EXPECT_FALSE(box.in_chunks);
    Memory<float> other;
    check(box_of(other, extent, {step, 8, 16}, dense, 8, 0), other);
  }
  auto value = box_of(memory, extent, dense, dense, 0, 0);
  value.from = nullptr;
  EXPECT_FALSE(value.has_chunks());
  value.in_chunks = false;
  check(value, memory);
}

} // namespace
