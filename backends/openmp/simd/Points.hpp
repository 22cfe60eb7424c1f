// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums of a vector, or of a few of them, and the ends of a run. As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Finished.hpp"
#include "Line.hpp"
#include "Stencil.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

/// Where the vectors of a sum lie: one behind the other in a row, or in as many rows that lie `pitch` apart.
template <int Lanes>
struct InRow {
  static constexpr std::int64_t offset(int v) { return v * Lanes; }
  template <int Radius, class V, int Vectors, class T, class Access>
  [[gnu::always_inline]] void add_taps_of_line(V (&sum)[Vectors], const T* first, const T* weight, const Access&) const
  {
    if constexpr (Radius > 0) add_line<Radius>(sum, first, weight);
  }
};
struct InRows {
  std::int64_t pitch;

  std::int64_t offset(int v) const { return v * pitch; }
  template <int Radius, class V, int Vectors, class T, class Access>
  [[gnu::always_inline]] void add_taps_of_line(V (&sum)[Vectors], const T* first, const T* weight,
                                               const Access& access) const
  {
    if constexpr (Radius > 0)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v)
        sum[v] = with_line<Radius>(sum[v], first + Radius + offset(v), weight, access,
                                   typename MakeLanes<2 * Radius + 1>::type());
  }
};

/// Adds the taps to `Vectors` vectors of sums, which stay in registers. Radius: of the lines among them, 0 if none are shifted.
template <int Radius, class V, int Vectors, class T, class Places, class Access>
[[gnu::always_inline]] inline void add_taps(V (&sum)[Vectors], const StencilTaps<T>& taps, std::int64_t x,
                                            const Places& places, const Access& access)
{
  for (int s = 0, t = 0; s < taps.segments; ++s) {
    const std::int64_t at = x + taps.shift + taps.segment[s].shift;
    const int end = taps.segment[s].end;
    if constexpr (Radius > 0)
      if (taps.segment[s].is_line) {
        places.template add_taps_of_line<Radius>(sum, taps.tap[t] + at, taps.weight + t, access);
        t = end;
      }
    for (; t < end; ++t)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v)
        sum[v] = multiply_add(sum[v], taps.weight[t], access.template get<V>(taps.tap[t] + at + places.offset(v)));
  }
}

template <bool LeapFrog, int Radius, int Lanes, int Vectors, class T, class Access = Whole>
[[gnu::always_inline]] inline void points(const StencilRow<T>& row, std::int64_t x, bool streaming,
                                          const Access& access = {})
{
  using V = Vector<T, Lanes>;
  V sum[Vectors] = {};
  add_taps<Radius>(sum, row.taps, x, InRow<Lanes>(), access);
  for (int v = 0; v < Vectors; ++v) sum[v] = finished<LeapFrog>(row.operands, x + v * Lanes, sum[v], access);
  store_all<Lanes>(row.out + x, sum, streaming, access);
}

/// The same for the planes of a block.
template <class V, int Lanes, int Vectors, class T, class Access>
[[gnu::always_inline]] inline void add_block_taps(V (&sum)[block_planes][Vectors], const StencilBlock<T>& block,
                                                  std::int64_t x, const Access& access)
{
  for (int s = 0, t = 0; s < block.taps.segments; ++s) {
    const TapSegment segment = block.taps.segment[s];
    const std::int64_t at = x + block.taps.shift + segment.shift;
    for (; t < segment.end; ++t) {
      const T* const tap = block.taps.tap[t] + at;
#pragma GCC unroll 4
      for (int p = 0; p < block_planes; ++p)
        for (int v = 0; v < Vectors; ++v)
          sum[p][v] = multiply_add(sum[p][v], block.taps.weight[t],
                                   access.template get<V>(tap + p * segment.pitch + v * Lanes));
    }
  }
}

/// Adds the half of the column whose offsets are Begin ... Begin + Radius - 1; its rows are loaded once for all planes.
template <int Radius, int Begin, class V, int Lanes, int Vectors, class T, class Access>
[[gnu::always_inline]] inline void add_column(V (&sum)[block_planes][Vectors], const StencilBlock<T>& block,
                                              std::int64_t x, const Access& access)
{
#pragma GCC unroll 20
  for (int s = Begin; s < Begin + Radius + block_planes - 1; ++s) {
    const T* const row = block.column[Radius + s] + block.column_shift + x;
    V value[Vectors];
    for (int v = 0; v < Vectors; ++v) value[v] = access.template get<V>(row + v * Lanes);
#pragma GCC unroll 4
    for (int p = 0; p < block_planes; ++p)
      if (s - p >= Begin && s - p < Begin + Radius)
        for (int v = 0; v < Vectors; ++v)
          sum[p][v] = multiply_add(sum[p][v], block.column_weight[Radius + s - p], value[v]);
  }
}

template <bool LeapFrog, int Radius, int Lanes, int Vectors, class T, class Access = Whole>
[[gnu::always_inline]] inline void points(const StencilBlock<T>& block, std::int64_t x, bool streaming,
                                          const Access& access = {})
{
  using V = Vector<T, Lanes>;
  V sum[block_planes][Vectors] = {};
  if constexpr (Radius > 0) add_column<Radius, -Radius, V, Lanes>(sum, block, x, access);
  add_block_taps<V, Lanes>(sum, block, x, access);
  if constexpr (Radius > 0) add_column<Radius, 1, V, Lanes>(sum, block, x, access);
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p) {
    for (int v = 0; v < Vectors; ++v)
      sum[p][v] = finished<LeapFrog>(block.operands[p], x + v * Lanes, sum[p][v], access);
    store_all<Lanes>(block.out[p] + x, sum[p], streaming, access);
  }
}

/// Points that smaller vectors would take several of: 8, 4 or 1 are one, and cost less. Rows of 62 and 94 points (star<3,1>
/// and box<3,1>, 64^3 and 96^3, Zen 4) by a mask: 1.14 to 1.22 times the speed; rows of 56 and 88 (star<3,4>): 0.9 times.
constexpr bool is_worth_a_mask(std::int64_t points) { return points == 2 || (points & (points - 1)) != 0; }

/// The points [x, end), fewer than a kernel takes at once, by whole vectors and then by a part of one, or by smaller ones.
template <bool LeapFrog, int Lanes, class T>
[[gnu::always_inline]] inline void few_points(const StencilRow<T>& row, std::int64_t x, std::int64_t end)
{
  for (; x + Lanes <= end; x += Lanes) points<LeapFrog, 0, Lanes, 1>(row, x, false);
  if constexpr (masks_vectors && Lanes == native_lanes<T>)
    if (is_worth_a_mask(end - x)) return points<LeapFrog, 0, Lanes, 1>(row, x, false, First{static_cast<int>(end - x)});
  if constexpr (Lanes > 1) few_points<LeapFrog, (Lanes > 4 ? Lanes / 2 : 1)>(row, x, end);
}
template <bool LeapFrog, int Radius, int Lanes, class T>
[[gnu::always_inline]] inline void few_points(const StencilBlock<T>& block, std::int64_t x, std::int64_t end)
{
  for (; x + Lanes <= end; x += Lanes) points<LeapFrog, Radius, Lanes, 1>(block, x, false);
  if constexpr (masks_vectors && Lanes == native_lanes<T>)
    if (is_worth_a_mask(end - x))
      return points<LeapFrog, Radius, Lanes, 1>(block, x, false, First{static_cast<int>(end - x)});
  if constexpr (Lanes > 1) few_points<LeapFrog, Radius, (Lanes > 4 ? Lanes / 2 : 1)>(block, x, end);
}

// The ends of a run, compiled once a kernel.
template <bool LeapFrog, class T>
[[gnu::noinline]] void row_ends(const StencilRow<T>& row, std::int64_t x, std::int64_t end)
{
  few_points<LeapFrog, native_lanes<T>>(row, x, end);
}
template <bool LeapFrog, int Radius, class T>
[[gnu::noinline]] void block_ends(const StencilBlock<T>& block, std::int64_t x, std::int64_t end)
{
  few_points<LeapFrog, Radius, native_lanes<T>>(block, x, end);
}

} // namespace
} // namespace Keramos::openmp
