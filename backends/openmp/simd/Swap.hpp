// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes in place: two tiles that lie across the diagonal from each other turn in buffers and trade places. Every line that
// is written has just been read, so nothing is gained by stores past the caches.
#pragma once

#include "Fill.hpp"
#include "Transpose.hpp"

namespace Keramos::openmp {
namespace {

template <int Size>
void swap_elements(const TilePair& p)
{
  const bool diagonal = p.a == p.b;
  for (std::int64_t x = 0; x < p.x_extent; ++x)
    for (std::int64_t y = diagonal ? x + 1 : 0; y < p.y_extent; ++y) {
      Byte* const a = p.a + x * p.slow + y * p.fast;
      Byte* const b = p.b + y * p.slow + x * p.fast;
      Byte one[Size], other[Size];
      __builtin_memcpy(one, a, Size);
      __builtin_memcpy(other, b, Size);
      __builtin_memcpy(a, other, Size);
      __builtin_memcpy(b, one, Size);
    }
}

/// The columns of `from` become rows of the buffer.
template <int Size>
void turn(const Byte* from, std::int64_t pitch, std::int64_t x_extent, std::int64_t y_extent, Byte* buffer,
          std::int64_t buffer_pitch)
{
  Byte* row[swap_tile(Size)];
  for (std::int64_t y = 0; y < y_extent; ++y) row[y] = buffer + y * buffer_pitch;
  fill<Size>(from, pitch, x_extent, y_extent, row);
}

/// Rows of the buffer to rows of the matrix, while the next tile is prefetched.
inline void put(Byte* to, std::int64_t pitch, std::int64_t rows, std::int64_t bytes, const Byte* buffer,
                std::int64_t buffer_pitch, Ahead ahead)
{
  const std::int64_t share = ahead.share(rows);
  for (std::int64_t r = 0; r < rows; ++r) {
    __builtin_memcpy(to + r * pitch, buffer + r * buffer_pitch, bytes);
    ahead.prefetch(share);
  }
}

template <int Size>
void swap_one_pair(const TilePair& p)
{
  constexpr int tile = static_cast<int>(swap_tile(Size)), pitch = tile * Size + line_bytes;
  if (p.fast != Size || p.x_extent * p.y_extent < 64) return swap_elements<Size>(p);
  alignas(line_bytes) Byte from_a[tile * pitch], from_b[tile * pitch];
  const bool apart = p.a != p.b, more = p.next_a != p.a && p.matrices == 1, more_b = more && p.next_b != p.next_a;
  turn<Size>(p.a, p.slow, p.x_extent, p.y_extent, from_a, pitch);
  if (apart) turn<Size>(p.b, p.slow, p.y_extent, p.x_extent, from_b, pitch);
  Ahead ahead_b(p.next_b, p.slow, more_b ? p.next_y_extent : 0, p.next_x_extent * Size);
  put(p.b, p.slow, p.y_extent, p.x_extent * Size, from_a, pitch,
      Ahead(p.next_a, p.slow, more ? p.next_x_extent : 0, p.next_y_extent * Size));
  if (apart)
    put(p.a, p.slow, p.x_extent, p.y_extent * Size, from_b, pitch, ahead_b);
  else
    ahead_b.prefetch(ahead_b.lines());
}

template <int Size>
void swap_tiles(const TilePair& p)
{
  TilePair pair = p;
  for (std::int64_t m = 0; m < p.matrices; ++m, pair.a += p.matrix_pitch, pair.b += p.matrix_pitch)
    swap_one_pair<Size>(pair);
}

} // namespace
} // namespace Keramos::openmp
