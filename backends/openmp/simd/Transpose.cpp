// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transpose.hpp"
#include "Shuffle.hpp"
#include "Stream.hpp"

namespace Keramos::openmp {
namespace {

inline std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// ---- Filling rows with transposed elements
// ------------------------------------------------------------------------------

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
template <class Body>
inline bool with_components(std::int64_t components, const Body& body)
{
  switch (components) {
  case 2:
    body(Constant<2>());
    return true;
  case 3:
    body(Constant<3>());
    return true;
  case 4:
    body(Constant<4>());
    return true;
  case 6:
    body(Constant<6>());
    return true;
  case 8:
    body(Constant<8>());
    return true;
  default:
    return false;
  }
}

// ---- Planes
// -------------------------------------------------------------------------------------------------------------

/// The plane tile by tile: a strip of tile_y rows of the output at a time, along x. fill(x, y, nx, ny, row) fills a
/// tile, ahead(x, y, nx, ny) says what to call for the next one.
template <int Size, int TileX, int TileY, class Fill, class AheadOf>
inline __attribute__((always_inline)) void stream_plane(const Plane& p, const Fill& fill_tile, const AheadOf& ahead_of)
{
  constexpr int pitch =
      TileX * Size + line_bytes; // an odd number of lines: rows of the buffer spread over the cache's sets
  alignas(line_bytes) Byte buffer[TileY * pitch + line_bytes];
  Row rows[TileY];
  Byte* target[TileY];
  for (std::int64_t y = 0; y < p.y_extent; y += TileY) {
    const int ny = static_cast<int>(smaller(p.y_extent - y, TileY));
    for (int k = 0; k < ny; ++k) rows[k].start(buffer + k * pitch, p.out + (y + k) * p.out_pitch);
    for (std::int64_t x = 0; x < p.x_extent; x += TileX) {
      const int nx = static_cast<int>(smaller(p.x_extent - x, TileX));
      for (int k = 0; k < ny; ++k) target[k] = rows[k].grow(nx * Size);
      fill_tile(x, y, nx, ny, target);
      Ahead ahead = ahead_of(x + TileX, y, smaller(p.x_extent - x - TileX, TileX), ny);
      const std::int64_t share = (ahead.lines() + ny - 1) / ny;
      for (int k = 0; k < ny; ++k) {
        rows[k].flush();
        ahead.fetch(share);
      }
    }
    for (int k = 0; k < ny; ++k) rows[k].finish();
  }
  end_of_stream();
}

/// The same with plain stores.
template <int Size, int TileX, int TileY, class Fill>
inline __attribute__((always_inline)) void store_plane(const Plane& p, const Fill& fill_tile)
{
  Byte* target[TileY];
  for (std::int64_t y = 0; y < p.y_extent; y += TileY) {
    const int ny = static_cast<int>(smaller(p.y_extent - y, TileY));
    for (std::int64_t x = 0; x < p.x_extent; x += TileX) {
      for (int k = 0; k < ny; ++k) target[k] = p.out + (y + k) * p.out_pitch + x * Size;
      fill_tile(x, y, static_cast<int>(smaller(p.x_extent - x, TileX)), ny, target);
    }
  }
}

/// Tiles write rows of 256 bytes and read rows of 256 (1-byte elements: 128): enough for a page, and both sides of a
/// tile fit the 1 MiB of a second-level cache together with the tile that is called ahead.
template <int Size>
void plane_of_tiles(const Plane& p)
{
  constexpr int tile_x = 256 / Size, tile_y = Size == 1 ? 128 : Size == 2 ? 128 : 64;
  const auto fill_tile = [&](std::int64_t x, std::int64_t y, int nx, int ny, Byte* const* row) {
    fill<Size>(p.in + x * p.in_pitch + y * Size, p.in_pitch, nx, ny, row);
  };
  const auto ahead_of = [&](std::int64_t x, std::int64_t y, std::int64_t nx, std::int64_t ny) {
    return Ahead(p.in + x * p.in_pitch + y * Size, p.in_pitch, nx, ny * Size);
  };
  if (p.streaming)
    stream_plane<Size, tile_x, tile_y>(p, fill_tile, ahead_of);
  else
    store_plane<Size, tile_x, tile_y>(p, fill_tile);
}

/// K components packed side by side in, K planes out: `in` is one contiguous run.
template <int Size, int K>
void plane_of_components(const Plane& p)
{
  constexpr int tile_x = 2048 / Size; // the buffer of up to 8 planes stays in the first-level cache
  const auto fill_tile = [&](std::int64_t x, std::int64_t, int nx, int, Byte* const* row) {
    fill_components<Size, K>(p.in + x * K * Size, nx, row);
  };
  const auto ahead_of = [&](std::int64_t x, std::int64_t, std::int64_t nx, std::int64_t) {
    return Ahead(p.in + x * K * Size, 0, nx > 0, nx * K * Size);
  };
  if (p.streaming)
    stream_plane<Size, tile_x, K>(p, fill_tile, ahead_of);
  else
    store_plane<Size, tile_x, K>(p, fill_tile);
}

template <int Size>
void plane(const Plane& p)
{
  const bool packed = p.in_pitch == p.y_extent * Size;
  if (packed && with_components(p.y_extent, [&](auto k) { plane_of_components<Size, decltype(k)::value>(p); })) return;
  plane_of_tiles<Size>(p);
}

// ---- Interleave
// ---------------------------------------------------------------------------------------------------------

/// Components [0, components) of the points from x on, to `out`, where these points begin.
template <int Size>
void fill_points(const Interleave& p, std::int64_t x, int extent, Byte* out)
{
  const Byte* const in = p.in + x * Size;
  const auto known = [&](auto k) { fill_interleaved<Size, decltype(k)::value>(in, p.in_pitch, extent, out); };
  if (with_components(p.components, known)) return;
  constexpr int points = 64;
  Byte* row[points];
  for (int first = 0; first < extent; first += points) {
    const int count = static_cast<int>(smaller(extent - first, points));
    for (int k = 0; k < count; ++k) row[k] = out + (first + k) * p.components * Size;
    fill<Size>(in + first * Size, p.in_pitch, p.components, count, row);
  }
}

template <int Size>
void interleave(const Interleave& p)
{
  if (!p.streaming) {
    constexpr std::int64_t most = 1 << 20; // an int counts the points of one pass
    for (std::int64_t x = 0; x < p.extent; x += most)
      fill_points<Size>(p, x, static_cast<int>(smaller(p.extent - x, most)), p.out + x * p.components * Size);
    return;
  }
  constexpr int tile_bytes = 8192; // a fraction of the first-level cache, and at least 32 points
  alignas(line_bytes) Byte buffer[tile_bytes + 2 * line_bytes];
  const std::int64_t points = tile_bytes / (p.components * Size);
  Row row;
  row.start(buffer, p.out);
  for (std::int64_t x = 0; x < p.extent; x += points) {
    const int count = static_cast<int>(smaller(p.extent - x, points));
    fill_points<Size>(p, x, count, row.grow(static_cast<int>(count * p.components * Size)));
    row.flush();
  }
  row.finish();
  end_of_stream();
}

// ---- Runs
// ---------------------------------------------------------------------------------------------------------------

/// One run past the caches, while `next` is called into them.
inline void stream_run(Byte* out, const Byte* in, const Byte* next, std::int64_t bytes)
{
  const std::int64_t head = smaller((line_bytes - place_in_line(out)) % line_bytes, bytes);
  __builtin_memcpy(out, in, head);
  std::int64_t at = head;
  for (; at + line_bytes <= bytes; at += line_bytes) {
    __builtin_prefetch(next + at, 0, 3);
    stream_line(out + at, in + at);
  }
  __builtin_memcpy(out + at, in + at, bytes - at);
}

void runs(const Runs& p)
{
  if (!p.streaming) {
    for (std::int64_t r = 0; r < p.rows; ++r) __builtin_memcpy(p.out + r * p.out_pitch, p.in + r * p.in_pitch, p.bytes);
    return;
  }
  constexpr std::int64_t distance = 2048; // long runs: ahead in the run itself; shorter ones: in the next run
  for (std::int64_t r = 0; r < p.rows; ++r) {
    const Byte* const in = p.in + r * p.in_pitch;
    stream_run(p.out + r * p.out_pitch, in, in + (p.bytes > 2 * distance ? distance : p.in_pitch), p.bytes);
  }
  end_of_stream();
}

// ---- Any strides
// --------------------------------------------------------------------------------------------------------

template <int Size>
void box(const Box& b)
{
  for (std::int64_t k = 0; k < b.extent[3]; ++k)
    for (std::int64_t j = 0; j < b.extent[2]; ++j)
      for (std::int64_t i = 0; i < b.extent[1]; ++i) {
        const Byte* from = b.in + k * b.in_pitch[3] + j * b.in_pitch[2] + i * b.in_pitch[1];
        Byte* to = b.out + k * b.out_pitch[3] + j * b.out_pitch[2] + i * b.out_pitch[1];
        const std::int64_t in_pitch = b.in_pitch[0], out_pitch = b.out_pitch[0];
        for (std::int64_t x = 0; x < b.extent[0]; ++x, from += in_pitch, to += out_pitch)
          __builtin_memcpy(to, from, Size);
      }
}

// ---- In place
// -----------------------------------------------------------------------------------------------------------

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

/// Both tiles turn in buffers, then each goes where the other was.
template <int Size>
void swap_tiles(const TilePair& p)
{
  constexpr int tile = static_cast<int>(swap_tile(Size)), pitch = tile * Size + line_bytes;
  if (p.fast != Size || p.x_extent * p.y_extent < 64) return swap_elements<Size>(p);
  alignas(line_bytes) Byte from_a[tile * pitch], from_b[tile * pitch];
  Byte* row[tile];
  const auto turn = [&](const Byte* from, std::int64_t x_extent, std::int64_t y_extent, Byte* buffer) {
    for (std::int64_t y = 0; y < y_extent; ++y) row[y] = buffer + y * pitch;
    fill<Size>(from, p.slow, x_extent, y_extent, row);
  };
  const auto put = [&](Byte* to, std::int64_t rows, std::int64_t columns, const Byte* buffer) {
    for (std::int64_t r = 0; r < rows; ++r) __builtin_memcpy(to + r * p.slow, buffer + r * pitch, columns * Size);
  };
  turn(p.a, p.x_extent, p.y_extent, from_a);
  if (p.a != p.b) turn(p.b, p.y_extent, p.x_extent, from_b);
  put(p.b, p.y_extent, p.x_extent, from_a);
  if (p.a != p.b) put(p.a, p.x_extent, p.y_extent, from_b);
}

} // namespace

namespace KERAMOS_SIMD {
extern const TransposeKernels transpose_kernels = {
    runs,
    {plane<1>, plane<2>, plane<4>, plane<8>, plane<16>},
    {interleave<1>, interleave<2>, interleave<4>, interleave<8>, interleave<16>},
    {box<1>, box<2>, box<4>, box<8>, box<16>},
    {swap_tiles<1>, swap_tiles<2>, swap_tiles<4>, swap_tiles<8>, swap_tiles<16>}};
}

} // namespace Keramos::openmp
