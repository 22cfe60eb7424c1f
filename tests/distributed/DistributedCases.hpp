// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random distributed fields and what one process has of them: what the tests of several ranks compare. All ranks draw the
// same numbers from the same seed.
#pragma once

#include "../../src/Keramos_Distributed.hpp"

#include "RandomPartition.hpp"
#include "RankSpace.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

namespace test {

/// A rule of one side that is not one of a whole axis.
inline Keramos::EdgeRule random_side(Dice& dice)
{
  const Keramos::EdgeRule rules[] = {Keramos::constant(static_cast<double>(dice.between(1, 3))),
                                     Keramos::nearest,
                                     Keramos::reflect,
                                     Keramos::mirror,
                                     Keramos::ghost,
                                     Keramos::interior};
  return rules[dice.between(0, 5)];
}
inline Keramos::AxisRule random_rule(Dice& dice)
{
  switch (dice.between(0, 4)) {
  case 0:
    return Keramos::periodic;
  case 1:
    return Keramos::periodic_closed;
  case 2:
    return random_side(dice);
  default:
    return Keramos::sides(random_side(dice), random_side(dice));
  }
}

/// view(i...) = a value of the global indices i + first and of a seed, the same on every rank.
template <class View, std::size_t Rank>
void fill_global(const View& view, const std::array<std::int64_t, Rank>& first, unsigned seed)
{
  settle();
  std::array<std::size_t, 3> extent{1, 1, 1};
  std::array<std::int64_t, 3> begin{};
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    extent[axis] = view.extent(axis);
    begin[axis] = first[axis];
  }
  for (std::size_t i = 0; i < extent[0]; ++i)
    for (std::size_t j = 0; j < extent[1]; ++j)
      for (std::size_t k = 0; k < extent[2]; ++k) {
        std::uint64_t bits = seed;
        for (const std::uint64_t index : {begin[0] + i, begin[1] + j, begin[2] + k})
          bits = (bits ^ (index + 1)) * 0x9E3779B97F4A7C15u, bits ^= bits >> 29;
        const auto value = static_cast<typename View::value_type>(static_cast<double>(bits % 2000001) / 1e6 - 1);
        if constexpr (Rank == 1)
          view(i) = value;
        else if constexpr (Rank == 2)
          view(i, j) = value;
        else
          view(i, j, k) = value;
      }
}

/// A field whose owned points are those of fill_global; the halo, where anything may stand, is NaN.
template <class View>
void fill_field(const Keramos::Distributed<View>& field, unsigned seed)
{
  settle();
  Kokkos::deep_copy(field.local(), std::numeric_limits<typename View::value_type>::quiet_NaN());
  fill_global(field.owned(), field.box().begin, seed);
}

/// The owned points of a field are those of the whole, bit for bit.
template <class View, class Whole>
testing::AssertionResult is_part_of(const Keramos::Distributed<View>& field, const Whole& whole)
{
  using T = typename View::value_type;
  settle();
  const auto owned = field.owned();
  const auto box = field.box();
  std::array<std::int64_t, 3> extent{1, 1, 1}, begin{};
  for (std::size_t axis = 0; axis < View::rank; ++axis) {
    extent[axis] = box.extent(static_cast<int>(axis));
    begin[axis] = box.begin[axis];
  }
  for (std::int64_t i = 0; i < extent[0]; ++i)
    for (std::int64_t j = 0; j < extent[1]; ++j)
      for (std::int64_t k = 0; k < extent[2]; ++k) {
        T got, expected;
        if constexpr (View::rank == 1)
          got = owned(i), expected = whole(i + begin[0]);
        else if constexpr (View::rank == 2)
          got = owned(i, j), expected = whole(i + begin[0], j + begin[1]);
        else
          got = owned(i, j, k), expected = whole(i + begin[0], j + begin[1], k + begin[2]);
        if (std::memcmp(&got, &expected, sizeof(T)) != 0)
          return testing::AssertionFailure() << "at (" << i + begin[0] << ", " << j + begin[1] << ", " << k + begin[2]
                                             << "): " << got << " instead of " << expected;
      }
  return testing::AssertionSuccess();
}

} // namespace test
