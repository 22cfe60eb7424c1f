// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a run, and those below, vector by vector; short ones several at once. As Vector.hpp: unnamed namespace, no C++ library header
// with functions.
#pragma once

#include "Points.hpp"

namespace Keramos::openmp {
namespace {

/// Brings the points [begin, end) of a row to come to the second-level cache: those at the ends of a run as well, which are a quarter of
/// one of 512 in float (star<3,1> f32 500^3, derivative along axis 1 512^3, one Zen 4 core: 1.82 and 2.50, 2.27 and 3.07 Gpoint/s).
template <class T>
[[gnu::always_inline]] inline void prefetch_points(const T* ahead, std::int64_t begin, std::int64_t end)
{
  constexpr int line = line_bytes / static_cast<int>(sizeof(T));
  for (std::int64_t at = begin; at < end; at += line) __builtin_prefetch(ahead + at, 0, 2);
}

/// The same for what the leap-frog reads in the row below: nothing else brings it in time (behind star<3,1> f32 512^3, one Zen 4
/// core: 1.03 and 1.48 Gpoint/s).
template <class T>
[[gnu::always_inline]] inline void prefetch_operands(const OperandRows<T>& rows, const std::int64_t* pitch,
                                                     std::int64_t begin, std::int64_t end)
{
  for (int n = 0; n < kernel_operands; ++n)
    if (rows.operand[n]) prefetch_points(rows.operand[n] + pitch[n], begin, end);
}

/// Moves what an epilogue reads on to the row `count` rows below.
template <class T>
[[gnu::always_inline]] inline void advance(OperandRows<T>& rows, std::int64_t pitch, const std::int64_t* operand_pitch,
                                           int count)
{
  if (rows.centre) rows.centre += count * pitch;
  for (int n = 0; n < kernel_operands; ++n)
    if (rows.operand[n]) rows.operand[n] += count * operand_pitch[n];
  rows.row += count;
}

/// The row `count` rows below becomes the first one.
template <class T>
[[gnu::always_inline]] inline void advance(StencilRow<T>& row, int count)
{
  row.rows -= count;
  row.rows_ahead -= count;
  row.ahead = row.ahead && row.rows_ahead > 0 ? row.ahead + count * row.pitch : nullptr;
  row.taps.shift += count * row.pitch;
  row.out += count * row.out_pitch;
  advance(row.operands, row.pitch, row.operand_pitch, count);
}
template <class T>
[[gnu::always_inline]] inline void advance(StencilBlock<T>& block)
{
  block.rows -= 1;
  block.rows_ahead -= 1;
  block.ahead = block.ahead && block.rows_ahead > 0 ? block.ahead + block.row_pitch : nullptr;
  block.taps.shift += block.row_pitch;
  block.column_shift += block.row_pitch;
  for (int p = 0; p < block_planes; ++p) {
    block.out[p] += block.out_pitch;
    advance(block.operands[p], block.row_pitch, block.operand_pitch, 1);
  }
}

/// Of short rows so many are summed at once, a vector of each: as many independent sums as a long row has.
constexpr int rows_of_group = 8;

/// The points at x of the first rows.
template <bool LeapFrog, int Radius, class T, class Access>
[[gnu::always_inline]] inline void group_points(const StencilRow<T>& first, std::int64_t x, const Access& access)
{
  Vector<T, native_lanes<T>> sum[rows_of_group] = {};
  add_taps<Radius>(sum, first.taps, x, InRows{first.pitch}, access);
  StencilRow<T> row = first;
#pragma GCC unroll 8
  for (int r = 0; r < rows_of_group; ++r) {
    access.put(row.out + x, finished<LeapFrog>(row.operands, x, sum[r], access));
    if constexpr (LeapFrog)
      advance(row, 1);
    else
      row.out += row.out_pitch;
  }
}

/// Whether rows of so many points are summed in groups.
template <bool LeapFrog, class T>
constexpr bool sums_in_groups(std::int64_t length)
{
  return masks_vectors || (!LeapFrog && length >= native_lanes<T>);
}

/// The first rows. Sums alone may be computed twice, and so the last vector of a row overlaps the one before.
template <bool LeapFrog, int Radius, class T>
[[gnu::always_inline]] inline void row_group(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>;
  std::int64_t x = 0;
  for (; x + lanes <= row.length; x += lanes) group_points<LeapFrog, Radius>(row, x, Whole());
  if (x == row.length) return;
  if (!LeapFrog && x > 0) return group_points<LeapFrog, Radius>(row, row.length - lanes, Whole());
  if constexpr (masks_vectors) group_points<LeapFrog, Radius>(row, x, First{static_cast<int>(row.length - x)});
}

/// Short rows, of which there are enough.
template <bool LeapFrog, int Radius, class T>
[[gnu::noinline]] void row_groups(StencilRow<T>& row)
{
  for (; row.rows >= rows_of_group; advance(row, rows_of_group)) row_group<LeapFrog, Radius>(row);
  if (LeapFrog || row.rows == 0) return;
  advance(row, row.rows - rows_of_group);
  row_group<LeapFrog, Radius>(row);
  row.rows = 0;
}

/// What comes to the caches while a row is computed.
template <bool LeapFrog, class T>
[[gnu::always_inline]] inline void prefetch_ahead(const StencilRow<T>& row, std::int64_t begin, std::int64_t end)
{
  if (!row.ahead) return;
  prefetch_points(row.ahead, begin, end);
  if constexpr (LeapFrog) prefetch_operands(row.operands, row.operand_pitch, begin, end);
}

/// Whole vectors, then what is left by smaller ones: no point is computed twice, because `out` may be an operand.
template <bool LeapFrog, int Radius, class T>
[[gnu::always_inline]] inline void one_row(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = 8; // independent sums: enough to hide the latency of two FMA pipes
  const bool is_long = row.length * static_cast<int>(sizeof(T)) >= long_run_bytes, streaming = is_long && row.streaming;
  std::int64_t x = points_before_line(row.out, is_long);
  prefetch_ahead<LeapFrog>(row, 0, x);
  prefetch_ahead<LeapFrog>(row, row.length - (row.length - x) % (vectors * lanes), row.length);
  if (x > 0) row_ends<LeapFrog>(row, 0, x);
  for (; x + vectors * lanes <= row.length; x += vectors * lanes) {
    prefetch_ahead<LeapFrog>(row, x, x + vectors * lanes);
    points<LeapFrog, Radius, lanes, vectors>(row, x, streaming);
  }
  for (; x + 2 * lanes <= row.length; x += 2 * lanes) points<LeapFrog, Radius, lanes, 2>(row, x, streaming);
  if (x < row.length) row_ends<LeapFrog>(row, x, row.length);
}

/// The same for those of a block.
template <bool LeapFrog, class T>
[[gnu::always_inline]] inline void prefetch_ahead(const StencilBlock<T>& block, std::int64_t begin, std::int64_t end)
{
  if (!block.ahead) return;
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p) {
    prefetch_points(block.ahead + p * block.pitch, begin, end);
    if constexpr (LeapFrog) prefetch_operands(block.operands[p], block.operand_pitch, begin, end);
  }
}

template <bool LeapFrog, int Radius, class T>
[[gnu::always_inline]] inline void one_row(const StencilBlock<T>& block)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = vector_bytes == 64 ? 4 : 2; // block_planes * vectors sums, within 32 or 16 registers
  const bool is_long = block.length * static_cast<int>(sizeof(T)) >= long_run_bytes,
             streaming = is_long && block.streaming;
  std::int64_t x = points_before_line(block.out[0], is_long);
  prefetch_ahead<LeapFrog>(block, 0, x);
  prefetch_ahead<LeapFrog>(block, block.length - (block.length - x) % (vectors * lanes), block.length);
  if (x > 0) block_ends<LeapFrog, Radius>(block, 0, x);
  for (; x + vectors * lanes <= block.length; x += vectors * lanes) {
    prefetch_ahead<LeapFrog>(block, x, x + vectors * lanes);
    points<LeapFrog, Radius, lanes, vectors>(block, x, streaming);
  }
  if constexpr (vectors > 2)
    for (; x + 2 * lanes <= block.length; x += 2 * lanes) points<LeapFrog, Radius, lanes, 2>(block, x, streaming);
  if (x < block.length) block_ends<LeapFrog, Radius>(block, x, block.length);
}

} // namespace
} // namespace Keramos::openmp
