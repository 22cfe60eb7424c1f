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

/// row[y] + x * Size = in + x * pitch + y * Size, in blocks; the last ones of both directions reach back over elements
/// already moved. False if the tile is smaller than a block.
template <int Size, int Bytes>
inline __attribute__((always_inline)) bool fill_blocks(const Byte* in, std::int64_t pitch, std::int64_t x_extent,
                                                       std::int64_t y_extent, Byte* const* row)
{
  using Tile = Block<Size, Bytes>;
  if (x_extent < Tile::rows || y_extent < Tile::columns) return false;
  for (std::int64_t x = 0; x < x_extent; x += Tile::rows) {
    x = smaller(x, x_extent - Tile::rows);
    for (std::int64_t y = 0; y < y_extent; y += Tile::columns) {
      y = smaller(y, y_extent - Tile::columns);
      Tile::transpose(in + x * pitch + y * Size, pitch, row + y, x * Size);
    }
  }
  return true;
}

template <int Size>
void fill(const Byte* in, std::int64_t pitch, std::int64_t x_extent, std::int64_t y_extent, Byte* const* row)
{
  if (fill_blocks<Size, vector_bytes>(in, pitch, x_extent, y_extent, row)) return;
  if constexpr (vector_bytes > 16)
    if (fill_blocks<Size, 16>(in, pitch, x_extent, y_extent, row)) return;
  for (std::int64_t y = 0; y < y_extent; ++y)
    for (std::int64_t x = 0; x < x_extent; ++x) __builtin_memcpy(row[y] + x * Size, in + x * pitch + y * Size, Size);
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
