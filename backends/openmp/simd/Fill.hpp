// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposed elements from memory to memory through the registers: rows of columns, and components taken apart or put together.
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Shuffle.hpp"
#include "Stream.hpp"

namespace Keramos::openmp {
namespace {

inline std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// ---- Filling rows with transposed elements --------------------------------------------------------------------------

/// Rows of the input that lie a pitch apart, and rows that lie anywhere; at(x, y): those from row x on, y bytes further.
struct PitchedRows {
  const Byte* first;
  std::int64_t pitch;
  PitchedRows at(std::int64_t x, std::int64_t y) const { return {first + x * pitch + y, pitch}; }
  const Byte* operator[](std::int64_t r) const { return first + r * pitch; }
};
struct ListedRows {
  const Byte* const* row;
  std::int64_t offset;
  ListedRows at(std::int64_t x, std::int64_t y) const { return {row + x, offset + y}; }
  const Byte* operator[](std::int64_t r) const { return row[r] + offset; }
};

/// row[y] + x * Size = in[x] + y * Size, in blocks; the last ones of both directions reach back over elements already moved. False
/// if the tile is smaller than a block.
template <int Size, int Bytes, class Rows>
inline __attribute__((always_inline)) bool fill_blocks(const Rows& in, std::int64_t x_extent, std::int64_t y_extent,
                                                       Byte* const* row)
{
  using Tile = Block<Size, Bytes>;
  if (x_extent < Tile::rows || y_extent < Tile::columns) return false;
  for (std::int64_t x = 0; x < x_extent; x += Tile::rows) {
    x = smaller(x, x_extent - Tile::rows);
    for (std::int64_t y = 0; y < y_extent; y += Tile::columns) {
      y = smaller(y, y_extent - Tile::columns);
      Tile::transpose(in.at(x, y * Size), row + y, x * Size);
    }
  }
  return true;
}

#if defined(__AVX512BW__)
/// 16 bytes of each of four rows that lie 16 rows apart, a 128-bit lane each.
inline __attribute__((always_inline)) Vector<Word, 8> lanes_of_rows(const Byte* in, std::int64_t pitch)
{
  const auto piece = [&](int row) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + row * pitch)); };
  __m512i v = _mm512_castsi128_si512(piece(0));
  v = _mm512_mask_broadcast_i32x4(v, 0x00f0, piece(16)); // a load and no shuffle
  v = _mm512_mask_broadcast_i32x4(v, 0x0f00, piece(32));
  return (Vector<Word, 8>)_mm512_mask_broadcast_i32x4(v, 0xf000, piece(48));
}

/// The same for bytes, squares of 64, whose columns are whole registers: 1.10 to 1.14 times the speed of blocks that store lanes (16384 x 16384 and
/// 15001 x 17013, two Zen 4 cores). The square is copied first, for rows that lie a power of two apart share a set of the cache.
template <class Rows>
bool fill_squares(const Rows& in, std::int64_t x_extent, std::int64_t y_extent, Byte* const* row)
{
  constexpr int side = line_bytes, columns = 16;
  if (x_extent < side || y_extent < side) return false;
  alignas(line_bytes) Byte square[side * side];
  for (std::int64_t x = 0; x < x_extent; x += side) {
    x = smaller(x, x_extent - side);
    for (std::int64_t y = 0; y < y_extent; y += side) {
      y = smaller(y, y_extent - side);
      const Rows from = in.at(x, y);
#pragma GCC unroll 8
      for (int r = 0; r < side; ++r) store(square + r * side, load<Vector<Word, 8>>(from[r]));
      for (int first = 0; first < side; first += columns) {
        Vector<Word, 8> v[columns];
#pragma GCC unroll 16
        for (int r = 0; r < columns; ++r) v[r] = lanes_of_rows(square + r * side + first, side);
        transpose_within_lanes<unsigned char, columns>(v);
#pragma GCC unroll 16
        for (int c = 0; c < columns; ++c) store(row[y + first + c] + x, v[c]);
      }
    }
  }
  return true;
}
#endif

template <int Size, class Rows>
void fill(const Rows& in, std::int64_t x_extent, std::int64_t y_extent, Byte* const* row)
{
#if defined(__AVX512BW__)
  if constexpr (Size == 1)
    if (fill_squares(in, x_extent, y_extent, row)) return;
#endif
  if (fill_blocks<Size, vector_bytes>(in, x_extent, y_extent, row)) return;
  if constexpr (vector_bytes > 16)
    if (fill_blocks<Size, 16>(in, x_extent, y_extent, row)) return;
  for (std::int64_t y = 0; y < y_extent; ++y)
    for (std::int64_t x = 0; x < x_extent; ++x) __builtin_memcpy(row[y] + x * Size, in[x] + y * Size, Size);
}
template <int Size>
void fill(const Byte* in, std::int64_t pitch, std::int64_t x_extent, std::int64_t y_extent, Byte* const* row)
{
  fill<Size>(PitchedRows{in, pitch}, x_extent, y_extent, row);
}

/// Registers for take_apart and put_together: as wide as one instruction of this set shuffles elements of this size
/// across; 0 where none does, and then the compiler's own loop is better.
template <int Size>
constexpr int component_bytes()
{
#if defined(__AVX512BW__)
  return Size == 16 ? 0 : Size == 1 ? 16 : 64;
#elif defined(__AVX2__)
  return Size == 16 ? 0 : Size < 4 ? 16 : 32;
#else
  return Size == 16 || Size < 4 ? 0 : 16;
#endif
}

/// row[c] + x * Size = in + (x * K + c) * Size
template <int Size, int K>
void fill_components(const Byte* in, std::int64_t extent, Byte* const* row)
{
  constexpr int bytes = component_bytes<Size>();
  std::int64_t x = 0;
  if constexpr (bytes != 0) {
    using V = Vector<typename UnsignedOf<Size>::type, bytes / Size>;
    for (; x + bytes / Size <= extent; x += bytes / Size) {
      V v[K];
#pragma GCC unroll 8
      for (int j = 0; j < K; ++j) v[j] = load<V>(in + x * K * Size + j * bytes);
      take_apart<K>(v);
#pragma GCC unroll 8
      for (int c = 0; c < K; ++c) store(row[c] + x * Size, v[c]);
    }
  }
  for (; x < extent; ++x)
    for (int c = 0; c < K; ++c) __builtin_memcpy(row[c] + x * Size, in + (x * K + c) * Size, Size);
}

/// out + (x * K + c) * Size = in + c * pitch + x * Size
template <int Size, int K>
void fill_interleaved(const Byte* in, std::int64_t pitch, std::int64_t extent, Byte* out)
{
  constexpr int bytes = component_bytes<Size>();
  std::int64_t x = 0;
  if constexpr (bytes != 0) {
    using V = Vector<typename UnsignedOf<Size>::type, bytes / Size>;
    for (; x + bytes / Size <= extent; x += bytes / Size) {
      V v[K];
#pragma GCC unroll 8
      for (int c = 0; c < K; ++c) v[c] = load<V>(in + c * pitch + x * Size);
      put_together<K>(v);
#pragma GCC unroll 8
      for (int j = 0; j < K; ++j) store(out + x * K * Size + j * bytes, v[j]);
    }
  }
  for (; x < extent; ++x)
    for (int c = 0; c < K; ++c) __builtin_memcpy(out + (x * K + c) * Size, in + c * pitch + x * Size, Size);
}

/// Calls body(Constant<K>) if there is a kernel for this number of components.
template <int K>
struct Constant {
  static constexpr int value = K;
};
template <class Body, int... K>
inline bool with_components(std::int64_t components, const Body& body, Lanes<K...>)
{
  return ((components == K && (body(Constant<K>()), true)) || ...);
}
template <class Body>
inline bool with_components(std::int64_t components, const Body& body)
{
  return with_components(components, body, Lanes<2, 3, 4, 5, 6, 7, 8>());
}

} // namespace
} // namespace Keramos::openmp
