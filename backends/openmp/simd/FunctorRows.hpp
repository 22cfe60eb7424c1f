// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose sums go through an application's functor: a piece of a row, or of the rows of a StarBlock, is summed into a buffer in the
// first-level cache, the functor makes results of it, and these are stored, past the caches where the run is streamed. So a functor has the
// walks, the rows at once and the alignment of a plain store (what that gave: docs/tuning/hosts.md).
//
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Pieces.hpp"
#include "Rows.hpp"
#include "StarBlock.hpp"

namespace Keramos::openmp {
namespace {

/// Of a piece, in each of its rows. Behind star<3,1> f32 512^3 (one Zen 4 core, not quiet, an application compiled for it) pieces of 256 and 512
/// bytes made 1.22 and 1.56 Gpoint/s, in another run those of 1024 and 2048 1.69 and 1.78. 256 or 512 bytes of 16 rows made no clear difference
/// behind star<3,4> (0.61 and 0.66 with the leap-frog's formula, 0.77 and 0.74 with `centre + s * value`).
constexpr int piece_bytes = max_piece_bytes, star_piece_bytes = 512;

/// The points of the piece at x: up to the first whole line of the output, or as many as there may be.
inline std::int64_t points_of_piece(std::int64_t x, std::int64_t before_line, std::int64_t left, std::int64_t most)
{
  if (x == 0 && before_line > 0) return before_line;
  return left < most ? left : most;
}

template <int Radius, class T>
[[gnu::always_inline]] inline void functor_row(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>, vectors = 8, most = piece_bytes / static_cast<int>(sizeof(T));
  alignas(line_bytes) T sum[most];
  const bool is_long = row.length * static_cast<int>(sizeof(T)) >= long_run_bytes, streaming = is_long && row.streaming;
  const std::int64_t before_line = points_before_line(row.out, is_long);
  StencilRow<T> piece = row;
  piece.out = sum;
  for (std::int64_t x = 0, count; x < row.length; x += count) {
    count = points_of_piece(x, before_line, row.length - x, most);
    prefetch_ahead<false>(row, x, x + count);
    piece.taps.shift = row.taps.shift + x;
    std::int64_t at = 0;
    for (; at + vectors * lanes <= count; at += vectors * lanes)
      points<false, Radius, lanes, vectors>(piece, at, false);
    for (; at + 2 * lanes <= count; at += 2 * lanes) points<false, Radius, lanes, 2>(piece, at, false);
    if (at < count) row_ends<false>(piece, at, count);
    finish(*row.operands.functor, {sum, sum, 0, 0, row.operands.x + x, count, row.operands.row, row.operands.plane, 1},
           moved(row.out, x), 0, streaming && x >= before_line);
  }
}

/// Short rows, of which there are enough.
template <int Radius, class T>
[[gnu::noinline]] void functor_row_groups(StencilRow<T>& row)
{
  constexpr int pitch = (long_run_bytes + line_bytes) / static_cast<int>(sizeof(T));
  alignas(line_bytes) T sum[rows_of_group * pitch];
  for (; row.rows >= rows_of_group; advance(row, rows_of_group)) {
    StencilRow<T> group = row;
    group.out = sum;
    group.out_pitch = pitch;
    row_group<false, Radius>(group);
    finish(*row.operands.functor,
           {sum, sum, pitch, pitch, row.operands.x, row.length, row.operands.row, row.operands.plane, rows_of_group},
           row.out, row.out_pitch, false);
  }
}

template <int Radius, class T>
void functor_row_kernel(const StencilRow<T>& rows)
{
  StencilRow<T> row = rows;
  const bool is_short = rows.length * static_cast<int>(sizeof(T)) < long_run_bytes;
  if (is_short && !rows.ahead && sums_in_groups<false, T>(rows.length)) functor_row_groups<Radius>(row);
  for (; row.rows > 0; advance(row, 1)) {
    if (row.streaming && row.rows > 1) prefetch_ends(row.out + row.out_pitch, row.length);
    functor_row<Radius>(row);
  }
}

template <int Radius, class T>
[[gnu::always_inline]] inline void functor_row(const StencilBlock<T>& block)
{
  constexpr int lanes = native_lanes<T>, vectors = vector_bytes == 64 ? 4 : 2;
  constexpr int most = piece_bytes / static_cast<int>(sizeof(T));
  alignas(line_bytes) T sum[block_planes][most];
  const bool is_long = block.length * static_cast<int>(sizeof(T)) >= long_run_bytes,
             streaming = is_long && block.streaming;
  const std::int64_t before_line = points_before_line(block.out[0], is_long);
  StencilBlock<T> piece = block;
  for (int p = 0; p < block_planes; ++p) piece.out[p] = sum[p];
  for (std::int64_t x = 0, count; x < block.length; x += count) {
    count = points_of_piece(x, before_line, block.length - x, most);
    prefetch_ahead<false>(block, x, x + count);
    piece.taps.shift = block.taps.shift + x;
    piece.column_shift = block.column_shift + x;
    std::int64_t at = 0;
    for (; at + vectors * lanes <= count; at += vectors * lanes)
      points<false, Radius, lanes, vectors>(piece, at, false);
    if (at < count) block_ends<false, Radius>(piece, at, count);
    for (int p = 0; p < block_planes; ++p)
      finish(*block.operands[p].functor,
             {sum[p], sum[p], 0, 0, block.operands[p].x + x, count, block.operands[p].row, block.operands[p].plane, 1},
             moved(block.out[p], x), 0, streaming && x >= before_line);
  }
}

template <int Radius, class T>
void functor_block_kernel(const StencilBlock<T>& rows)
{
  StencilBlock<T> block = rows;
  for (; block.rows > 0; advance(block)) {
    for (int p = 0; block.streaming && block.rows > 1 && p < block_planes; ++p)
      prefetch_ends(block.out[p] + block.out_pitch, block.length);
    functor_row<Radius>(block);
  }
}

#if defined(__AVX512F__)
/// Sums begin in their lines as the results do, so that vectors stand on the lines of both and only the first and the last of a row overlap
/// others, as behind a plain store. Points in front of the first line that goes past the caches are a piece by themselves, which the functor
/// stores: stored from the buffer, between the lines, they took 1.05 to 1.1 times the time (f32 256^3 to 512^3, two Zen 4 cores).
template <int Radius, class T>
void functor_star_kernel(const StarBlock<T>& block)
{
  constexpr int line = line_bytes / static_cast<int>(sizeof(T)), most = star_piece_bytes / static_cast<int>(sizeof(T)),
                pitch = most + line;
  alignas(line_bytes) T sums[block_planes * star_rows * pitch];
  const bool streaming = block.length >= std::int64_t{4} * native_lanes<T> && block.streaming;
  std::int64_t place = block.out.data ? (line - points_before_line(block.out.data, true)) % line : 0;
  StarBlock<T> piece = block;
  piece.streaming = false;
  for (std::int64_t x = 0; x < block.length; x += piece.length, place = 0) {
    piece.length = (streaming && place > 0 ? line : most) - place;
    if (const std::int64_t left = block.length - x; left < piece.length + line) piece.length = left;
    piece.in.data = block.in.data + x;
    piece.out = {sums + place, pitch, star_rows * pitch};
    star_block_kernel<false, Radius>(piece);
    T* const sum = piece.out.data;
    finish(*block.functor, {sum, sum, pitch, pitch, x, piece.length, 0, 0, star_rows, block_planes, piece.out.plane},
           moved(block.out.data, x), block.out.row, streaming && place == 0, block.out.plane);
  }
}

template <int Radius, class T>
constexpr auto functor_star() -> void (*)(const StarBlock<T>&)
{
  return functor_star_kernel<Radius, T>;
}
#else
template <int Radius, class T>
constexpr auto functor_star() -> void (*)(const StarBlock<T>&)
{
  return nullptr;
}
#endif

} // namespace
} // namespace Keramos::openmp
