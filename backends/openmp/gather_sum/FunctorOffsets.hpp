// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// r^2 and target minus source for a user's functor, at single points and along a row of a grid, with the same bits: as in
// simd/GatherSum.cpp, where the tile's parameter is added for the softening. Here it is 0, of which compilers know nothing, and so
// there is one product that they can fuse with each sum.
#pragma once

#include "../../../src/keramos/gather_sum/Lanes.hpp"
#include "Tasks.hpp"

#include <utility>

namespace Keramos::openmp::gather_sum {

/// f(k) for k = 0 ... count - 1, constants: compilers keep no array in registers that a loop goes through.
template <int count, class F>
void unrolled(const F& f)
{
  [&]<int... k>(std::integer_sequence<int, k...>) { (f(std::integral_constant<int, k>{}), ...); }
  (std::make_integer_sequence<int, count>{});
}

/// Targets anywhere: three coordinates each.
template <class V>
struct PointOffsets;
template <class T, int N>
struct PointOffsets<core::Lanes<T, N>> {
  using V = core::Lanes<T, N>;
  static constexpr int coordinates = 3;
  const GatherTile<T>& tile;
  V zero;

  explicit PointOffsets(const GatherTile<T>& the_tile) : tile(the_tile), zero(the_tile.parameter) {}

  V squared(const V* target, int j, V* d) const
  {
    unrolled<3>([&](auto k) { d[k] = target[k] - tile.source[k][j]; });
    return V::multiply_add(d[0], d[0], V::multiply_add(d[1], d[1], V::multiply_add(d[2], d[2], zero)));
  }
};

/// Targets in a row: what is across it is one number per source.
template <class V>
struct RowOffsets;
template <class T, int N>
struct RowOffsets<core::Lanes<T, N>> {
  using V = core::Lanes<T, N>;
  static constexpr int coordinates = 1;
  const GatherTile<T>& tile;
  T first[gather_sources], second[gather_sources], across[gather_sources];

  explicit RowOffsets(const GatherTile<T>& the_tile) : tile(the_tile)
  {
    const V zero = tile.parameter, a = *tile.target[1], b = *tile.target[2];
    for (int j = 0; j < tile.sources; j += N) { // a block has whole vectors
      const V d1 = a - V::load(tile.source[1] + j), d2 = b - V::load(tile.source[2] + j);
      d1.store(first + j);
      d2.store(second + j);
      V::multiply_add(d1, d1, V::multiply_add(d2, d2, zero)).store(across + j);
    }
  }

  V squared(const V* target, int j, V* d) const
  {
    d[0] = target[0] - tile.source[0][j];
    d[1] = first[j];
    d[2] = second[j];
    return V::multiply_add(d[0], d[0], across[j]);
  }
};

} // namespace Keramos::openmp::gather_sum
