// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star's points in star_rows rows of block_planes planes at once, one vector of each row: 16 sums, which fill half of the registers
// of AVX-512. A row of the input is loaded once for all planes or rows that its column or its plane has on either side of it, so that
// a vector takes 5 loads across and 3 along the run instead of the 20 of StencilBlock (radius 4), and a line comes to the first-level
// cache half as often. What that gave on two Zen 4 cores: docs/tuning/hosts.md.
//
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Finished.hpp"
#include "Line.hpp"

namespace Keramos::openmp {
namespace {

#if defined(__AVX512F__)
template <class V>
using StarSums = V[block_planes][star_rows]; // NOLINT(modernize-avoid-c-arrays)
static_assert(block_planes == star_rows);

/// Adds the taps of one axis at the offsets Begin ... Begin + Radius - 1, whose rows lie `along` apart, to the sums of the points that
/// lie `along` and `across` apart. `ahead`: how far on the rows that no sum before has read are prefetched.
template <int Radius, int Begin, bool IsColumn, class V, class T, class Access>
[[gnu::always_inline]] inline void add_half_axis(StarSums<V>& sum, const T* in, std::int64_t along, std::int64_t across,
                                                 const T* weight, std::int64_t ahead, const Access& access)
{
  constexpr int end = Begin + Radius + star_rows - 1;
#pragma GCC unroll 8
  for (int s = Begin; s < end; ++s)
#pragma GCC unroll 4
    for (int other = 0; other < star_rows; ++other) {
      const T* const row = in + s * along + other * across;
      if (IsColumn && (Begin < 0 ? s < Begin + star_rows : s >= end - star_rows)) __builtin_prefetch(row + ahead, 0, 2);
      const V value = access.template get<V>(row);
#pragma GCC unroll 4
      for (int n = 0; n < star_rows; ++n)
        if (s - n >= Begin && s - n < Begin + Radius) {
          V& to = IsColumn ? sum[n][other] : sum[other][n];
          to = multiply_add(to, weight[s - n - Begin], value);
        }
    }
}

/// What an epilogue reads at row r of plane p.
template <class T>
[[gnu::always_inline]] inline OperandRows<T> operands_at(const StarBlock<T>& block, int p, int r)
{
  OperandRows<T> rows{block.in.data + p * block.in.plane + r * block.in.row, {}, {}};
  for (int n = 0; n < kernel_operands; ++n) {
    const auto& operand = block.operand[n];
    if (operand.data) rows.operand[n] = operand.data + p * operand.plane + r * operand.row;
    rows.number[n] = block.number[n];
  }
  return rows;
}

/// Brings what an epilogue reads there, in the rows to come, to the second-level cache: with two operands that is 32 rows, more than the
/// hardware's prefetches follow (wave update f32 512^3 and 256^3, one Zen 4 core: 0.57 and 0.46 Gpoint/s without, 0.72 and 0.76 with it).
template <class T>
[[gnu::always_inline]] inline void prefetch_operands(const StarBlock<T>& block, int p, int r, std::int64_t x)
{
  if (block.ahead == 0) return;
  for (const auto& operand : block.operand)
    if (operand.data) __builtin_prefetch(operand.data + p * operand.plane + (r + star_rows) * operand.row + x, 0, 2);
}

template <bool LeapFrog, int Radius, class T, class Access>
[[gnu::always_inline]] inline void star_points(const StarBlock<T>& block, std::int64_t x, bool streaming,
                                               const Access& access)
{
  constexpr int lanes = native_lanes<T>;
  using V = Vector<T, lanes>;
  const T* const in = block.in.data + x;
  const std::int64_t row = block.in.row, plane = block.in.plane;
  const T* weight = block.weight;
  asm(""
      : "+r"(weight)); // or all weights of a run are made vectors at its begin, which are more than the registers hold
  StarSums<V> sum = {};
  add_half_axis<Radius, -Radius, true>(sum, in, plane, row, weight, block.ahead, access);
  add_half_axis<Radius, -Radius, false>(sum, in, row, plane, weight + Radius, 0, access);
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p)
#pragma GCC unroll 4
    for (int r = 0; r < star_rows; ++r)
      sum[p][r] = with_line<Radius>(sum[p][r], in + p * plane + r * row, weight + 2 * Radius, access,
                                    typename MakeLanes<2 * Radius + 1>::type());
  add_half_axis<Radius, 1, false>(sum, in, row, plane, weight + 4 * Radius + 1, 0, access);
  add_half_axis<Radius, 1, true>(sum, in, plane, row, weight + 5 * Radius + 1, block.ahead, access);
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p)
#pragma GCC unroll 4
    for (int r = 0; r < star_rows; ++r) {
      if constexpr (LeapFrog) prefetch_operands(block, p, r, x);
      const V value[] = {finished<LeapFrog>(operands_at(block, p, r), x, sum[p][r], access)};
      store_all<lanes>(block.out.data + p * block.out.plane + r * block.out.row + x, value, streaming, access);
    }
}

// The ends of a run, compiled once a kernel.
template <bool LeapFrog, int Radius, class T>
[[gnu::noinline]] void star_ends(const StarBlock<T>& block, std::int64_t x, const SomeLanes& lanes)
{
  star_points<LeapFrog, Radius>(block, x, false, lanes);
}

/// Sums alone may be computed twice: in the caches the first and the last vector overlap their neighbours, where others are masked.
template <bool LeapFrog, int Radius, class T>
void star_block_kernel(const StarBlock<T>& block)
{
  constexpr int lanes = native_lanes<T>;
  const std::int64_t length = block.length, before = points_before_vectors(block.out.data, length);
  const bool streaming = length >= std::int64_t{4} * lanes && block.streaming;
  const bool overlaps = !LeapFrog && !streaming && length >= lanes;
  std::int64_t x = overlaps ? 0 : before;
  if (x > 0) { // points before a line
    const auto first = static_cast<int>(lanes - x);
    star_ends<LeapFrog, Radius>(block, -first, {first, static_cast<int>(length < x ? first + length : lanes)});
  }
  while (x + lanes <= length) {
    star_points<LeapFrog, Radius>(block, x, streaming, Whole());
    x = x == 0 && before > 0 ? before : x + lanes;
    if (overlaps && x < length && x + lanes > length) x = length - lanes;
  }
  if (x < length) star_ends<LeapFrog, Radius>(block, x, {0, static_cast<int>(length - x)});
}

template <bool LeapFrog, int Radius, class T>
constexpr auto star_kernel() -> void (*)(const StarBlock<T>&)
{
  return star_block_kernel<LeapFrog, Radius, T>;
}
#else
template <bool LeapFrog, int Radius, class T>
constexpr auto star_kernel() -> void (*)(const StarBlock<T>&)
{
  return nullptr;
}
#endif

} // namespace
} // namespace Keramos::openmp
