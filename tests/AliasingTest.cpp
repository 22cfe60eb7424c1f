// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do two strided arrays share a byte, does one array repeat an element: both answers against enumeration for small
// arrays and against ranges, axis by axis, for parts of one large array.
#include "Support.hpp"

#include "keramos/core/Aliasing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>

namespace {

using namespace test;
using Keramos::core::Answer, Keramos::core::Footprint, Keramos::core::repeats_an_element, Keramos::core::share_a_byte;

constexpr std::int64_t base = 1 << 12; // where arrays begin: strides may be negative

Answer answer(bool yes) { return yes ? Answer::yes : Answer::no; }

std::string print(const Footprint& array)
{
  std::string result =
      Keramos::core::text("address ", static_cast<std::int64_t>(array.address), " element ", array.element);
  for (const auto [extent, stride] : array.axes) result += Keramos::core::text(" (", extent, ", ", stride, ")");
  return result;
}

// ---- Small arrays, by enumeration -----------------------------------------------------------------------------------

/// The bytes of an array.
class Bytes {
public:
  explicit Bytes(const Footprint& array) { add(array, 0, static_cast<std::int64_t>(array.address)); }

  bool repeats() const { return repeats_; }
  bool shares(const Bytes& other) const { return (taken_ & other.taken_).any(); }

private:
  void add(const Footprint& array, std::size_t axis, std::int64_t address)
  {
    if (axis < array.axes.size()) {
      const auto [extent, stride] = array.axes[axis];
      for (std::int64_t i = 0; i < extent; ++i) add(array, axis + 1, address + i * stride);
      return;
    }
    for (std::int64_t byte = address; byte < address + array.element; ++byte) {
      repeats_ = repeats_ || taken_.test(static_cast<std::size_t>(byte));
      taken_.set(static_cast<std::size_t>(byte));
    }
  }

  std::bitset<2 * base> taken_;
  bool repeats_ = false;
};

class SmallArrays {
public:
  explicit SmallArrays(unsigned seed) : engine_(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution(low, high)(engine_); }

  /// Rank 0 to 3; strides nest with gaps between, or are any numbers of bytes.
  Footprint draw()
  {
    Footprint array{base, std::int64_t{1} << number(0, 3), {}};
    const bool nested = number(0, 1);
    std::int64_t step = array.element * number(1, 3);
    for (std::int64_t rank = number(0, 3), axis = 0; axis < rank; ++axis) {
      const std::int64_t extent = number(0, 15) ? number(1, 4) : 0;
      const std::int64_t stride = nested ? step * (number(0, 7) ? 1 : -1) : number(-20, 20);
      array.axes.push_back({extent, stride});
      step *= std::max<std::int64_t>(extent, 1);
      if (number(0, 2) == 0) step += array.element * number(1, 3);
    }
    std::shuffle(array.axes.begin(), array.axes.end(), engine_);
    return array;
  }

  /// Somewhere near: of its own kind, or with the strides of `array`, as another part of the same memory.
  Footprint draw_near(const Footprint& array)
  {
    Footprint other = draw();
    if (number(0, 1)) {
      other = array;
      for (auto& axis : other.axes) axis.extent = number(1, 4);
    }
    other.address += number(-60, 60);
    return other;
  }

private:
  std::mt19937 engine_;
};

TEST(Aliasing, AgreesWithEnumeration)
{
  SmallArrays arrays(1);
  int sharing = 0, repeating = 0;
  for (int pair = 0; pair < 100000; ++pair) {
    const Footprint a = arrays.draw(), b = arrays.draw_near(a);
    const Bytes bytes(a), others(b);
    sharing += bytes.shares(others);
    repeating += bytes.repeats();
    ASSERT_EQ(share_a_byte(a, b), answer(bytes.shares(others))) << pair << ": " << print(a) << " and " << print(b);
    ASSERT_EQ(share_a_byte(b, a), answer(bytes.shares(others))) << pair << ": " << print(b) << " and " << print(a);
    ASSERT_EQ(repeats_an_element(a), answer(bytes.repeats())) << pair << ": " << print(a);
  }
  EXPECT_GT(std::min(sharing, 100000 - sharing), 20000);
  EXPECT_GT(std::min(repeating, 100000 - repeating), 10000);
}

// ---- Parts of one large array, axis by axis -------------------------------------------------------------------------

/// Along one axis of the array: every step-th index of [begin, begin + extent * step).
struct Range {
  std::int64_t begin, extent, step;
};

/// Ranges of equal or dividing steps.
bool meet(const Range& a, const Range& b)
{
  const Range& fine = a.step < b.step ? a : b;
  const Range& coarse = a.step < b.step ? b : a;
  for (std::int64_t k = 0; k < coarse.extent; ++k) {
    const std::int64_t distance = coarse.begin + k * coarse.step - fine.begin;
    if (distance >= 0 && distance % fine.step == 0 && distance / fine.step < fine.extent) return true;
  }
  return false;
}

TEST(Aliasing, IsExactForPartsOfOneLargeArray)
{
  SmallArrays draw(2);
  int sharing = 0;
  for (int pair = 0; pair < 20000; ++pair) {
    std::int64_t step = std::int64_t{4} << draw.number(0, 1);
    Footprint a{1 << 20, step, {}}, b = a;
    bool meets = true;
    for (std::int64_t rank = draw.number(1, 4), axis = 0; axis < rank; ++axis) {
      const std::int64_t extent = draw.number(0, 2) ? draw.number(100, 2000) : draw.number(2, 5);
      const auto range = [&] {
        const std::int64_t begin = draw.number(0, extent - 1);
        const std::int64_t stride = std::int64_t{1} << draw.number(0, 2);
        return Range{begin, draw.number(1, (extent - 1 - begin) / stride + 1), stride};
      };
      const Range of_a = range(), of_b = range();
      meets = meets && meet(of_a, of_b);
      a.address += of_a.begin * step;
      b.address += of_b.begin * step;
      a.axes.push_back({of_a.extent, of_a.step * step});
      b.axes.push_back({of_b.extent, of_b.step * step});
      step *= extent;
      step += a.element * draw.number(0, 3); // odd pitches
    }
    std::reverse(b.axes.begin(), b.axes.end());
    sharing += meets;
    ASSERT_EQ(share_a_byte(a, b), answer(meets)) << pair << ": " << print(a) << " and " << print(b);
    ASSERT_EQ(repeats_an_element(a), Answer::no) << pair << ": " << print(a);
  }
  EXPECT_GT(std::min(sharing, 20000 - sharing), 2000);
}

/// Component `first` and up of an array of `components`, last index fastest; `rows` rows further on.
Footprint part(const std::vector<std::int64_t>& extents, std::int64_t components, std::int64_t first,
               std::int64_t count, std::int64_t element, std::int64_t rows = 0)
{
  Footprint array{1 << 20, element, {}};
  array.address += first * element;
  std::int64_t step = components * element;
  for (std::size_t axis = extents.size(); axis-- > 0; step *= extents[axis])
    array.axes.push_back({extents[axis], step});
  array.address += rows * step / extents[0];
  array.axes.push_back({count, element});
  return array;
}

TEST(Aliasing, ComponentsAreApartAtAnySize)
{
  for (const std::int64_t n : {std::int64_t{47}, std::int64_t{64}, std::int64_t{2048}, std::int64_t{5000}}) {
    EXPECT_EQ(share_a_byte(part({n, n, n}, 2, 0, 1, 8), part({n, n, n}, 2, 1, 1, 8)), Answer::no) << n;
    EXPECT_EQ(share_a_byte(part({n, n, n}, 4, 0, 1, 4), part({n, n, n}, 4, 1, 3, 4)), Answer::no) << n;
    EXPECT_EQ(share_a_byte(part({n, n, n}, 4, 0, 2, 4), part({n, n, n}, 4, 1, 3, 4)), Answer::yes) << n;
    EXPECT_EQ(share_a_byte(part({n, n, n}, 2, 0, 1, 8), part({n, n, n}, 2, 0, 1, 8, 1)), Answer::yes) << n;
    EXPECT_EQ(share_a_byte(part({n, n, n}, 2, 0, 1, 8), part({n, n, n}, 2, 0, 1, 8, n - 1)), Answer::yes) << n;
    EXPECT_EQ(share_a_byte(part({n, n, n}, 2, 0, 1, 8), part({n, n, n}, 2, 0, 1, 8, n)), Answer::no) << n;
    EXPECT_EQ(repeats_an_element(part({n, n, n}, 4, 1, 3, 4)), Answer::no) << n;
  }
}

TEST(Aliasing, ParticlesAreApartAtAnySize)
{
  for (const std::int64_t n : {101000, 100000000}) {
    EXPECT_EQ(share_a_byte(part({n}, 4, 0, 3, 4), part({n}, 4, 3, 1, 4)), Answer::no) << n;
    EXPECT_EQ(share_a_byte(part({n}, 4, 0, 3, 4), part({n}, 4, 2, 1, 4, n - 1)), Answer::yes) << n;
    EXPECT_EQ(share_a_byte(part({n}, 4, 0, 3, 4), part({n}, 4, 3, 1, 4, n - 1)), Answer::no) << n;
  }
}

TEST(Aliasing, ATransposedImaginaryPartIsApartAtAnySize)
{
  for (const std::int64_t n : {316, 100000}) {
    Footprint imaginary = part({n, n}, 2, 1, 1, 8);
    std::swap(imaginary.axes[0], imaginary.axes[1]);
    EXPECT_EQ(share_a_byte(part({n, n}, 2, 0, 1, 8), imaginary), Answer::no) << n;
    // The same memory as a matrix of n + 1 columns.
    EXPECT_EQ(share_a_byte(part({n, n}, 2, 0, 1, 8), part({n - 1, n + 1}, 2, 1, 1, 8)), Answer::no) << n;
    EXPECT_EQ(share_a_byte(part({n, n}, 2, 0, 1, 8), part({n - 1, n + 1}, 2, 0, 1, 8)), Answer::yes) << n;
  }
}

TEST(Aliasing, StridesNeedNotNestToBeUnique)
{
  const auto repeats = [](const decltype(Footprint::axes)& axes) { return repeats_an_element({base, 1, axes}); };
  EXPECT_EQ(repeats({{3, 2}, {2, 3}}), Answer::no);
  EXPECT_EQ(repeats({{4, 2}, {2, 3}}), Answer::no); // 0 2 4 6, 3 5 7 9
  EXPECT_EQ(repeats({{4, 2}, {3, 3}}), Answer::yes);
  EXPECT_EQ(repeats({{1000, 1001}, {1001, 1000}}), Answer::no);
  EXPECT_EQ(repeats({{1001, 1001}, {1002, 1000}}), Answer::yes);
  EXPECT_EQ(repeats({{5, 0}}), Answer::yes);
  EXPECT_EQ(repeats({{1, 0}, {5, -1}}), Answer::no);
}

/// A bounded search may end without an answer, but never in a wrong one.
TEST(Aliasing, ContrivedStridesMayStayUndecided)
{
  const Footprint a{base, 1, {{3000000, 1000000007}, {3000000, 998244353}}};
  const Footprint b{base + 1, 1, {{3000000, 1000000009}, {3000000, 999999937}}};
  EXPECT_EQ(share_a_byte(a, b), Answer::unknown);
  EXPECT_EQ(share_a_byte(a, a), Answer::yes);
  Footprint lower = a;
  lower.address += std::int64_t{1000000007} * 100;
  EXPECT_EQ(share_a_byte(a, lower), Answer::yes);
  EXPECT_EQ(share_a_byte(lower, a), Answer::yes);
  EXPECT_EQ(repeats_an_element({base, 1, {{3000000, 1000000007}, {3000000, 998244353}, {3000000, 999999937}}}),
            Answer::unknown);
}

} // namespace
