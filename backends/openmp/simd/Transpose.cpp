// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transpose.hpp"
#include "Box.hpp"
#include "Fill.hpp"
#include "Stream.hpp"
#include "Swap.hpp"

namespace Keramos::openmp {
namespace {

// ---- Planes ---------------------------------------------------------------------------------------------------------

/// What is to be prefetched while a tile moves: the next one of the strip, or the first one of the strip that follows.
template <int TileX, int TileY, class AheadOf>
inline __attribute__((always_inline)) Ahead ahead_of_tile(const Plane& p, std::int64_t x, std::int64_t y,
                                                          const AheadOf& ahead_of)
{
  const bool last = x + TileX >= p.x_extent;
  const std::int64_t next_x = last ? 0 : x + TileX, next_y = last ? y + TileY : y;
  return ahead_of(next_x, next_y, next_y < p.y_extent ? smaller(p.x_extent - next_x, TileX) : 0,
                  smaller(p.y_extent - next_y, TileY));
}

/// The plane tile by tile: a strip of tile_y rows of the output at a time, along x. fill_tile(x, y, nx, ny, row) fills a
/// tile, ahead_of(x, y, nx, ny) says what to prefetch for one.
template <int Size, int TileX, int TileY, class Fill, class AheadOf>
inline __attribute__((always_inline)) void stream_plane(const Plane& p, const Fill& fill_tile, const AheadOf& ahead_of)
{
  constexpr int pitch =
      TileX * Size + line_bytes; // an odd number of lines: rows of the buffer spread over the cache's sets
  alignas(line_bytes) Byte buffer[TileY * pitch];
  Row rows[TileY];
  Byte* target[TileY];
  for (std::int64_t y = 0; y < p.y_extent; y += TileY) {
    const int ny = static_cast<int>(smaller(p.y_extent - y, TileY));
    for (int k = 0; k < ny; ++k) {
      rows[k].start(buffer + k * pitch, p.out + (y + k) * p.out_pitch);
      target[k] = rows[k].more;
    }
    for (std::int64_t x = 0; x < p.x_extent; x += TileX) {
      const int nx = static_cast<int>(smaller(p.x_extent - x, TileX));
      fill_tile(x, y, nx, ny, target);
      Ahead ahead = ahead_of_tile<TileX, TileY>(p, x, y, ahead_of);
      const std::int64_t share = ahead.share(ny);
      for (int k = 0; k < ny; ++k) {
        rows[k].flush(nx * Size);
        ahead.prefetch(share);
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

/// A tile through a functor: some rows of the input at a time, which stay in the first-level cache.
template <int Size, int TileY>
void fill_converted(const Conversion& conversion, const Byte* in, std::int64_t in_pitch, std::int64_t x_extent,
                    std::int64_t y_extent, Byte* const* row)
{
  constexpr int rows = 16, pitch = TileY * Size + line_bytes;
  alignas(line_bytes) Byte buffer[rows * pitch];
  Byte* target[TileY];
  for (std::int64_t x = 0; x < x_extent; x += rows) {
    const std::int64_t count = smaller(x_extent - x, rows);
    conversion.convert(conversion.functor, in + x * in_pitch, in_pitch, count, y_extent, buffer, pitch);
    for (std::int64_t y = 0; y < y_extent; ++y) target[y] = row[y] + x * Size;
    fill<Size>(buffer, pitch, count, y_extent, target);
  }
}

/// Tiles write rows of 256 bytes and read rows of 256 (1-byte elements: 128): enough for a page, and both sides of a
/// tile fit the 1 MiB of a second-level cache together with the tile that is prefetched.
template <int Size>
void plane_of_tiles(const Plane& p)
{
  constexpr int tile_x = 256 / Size, tile_y = Size == 1 ? 128 : Size == 2 ? 128 : 64;
  const std::int64_t in_size = p.conversion ? p.conversion->in_size : Size;
  const auto fill_tile = [&](std::int64_t x, std::int64_t y, int nx, int ny, Byte* const* row) {
    const Byte* const in = p.in + x * p.in_pitch + y * in_size;
    if (p.conversion)
      fill_converted<Size, tile_y>(*p.conversion, in, p.in_pitch, nx, ny, row);
    else
      fill<Size>(in, p.in_pitch, nx, ny, row);
  };
  const auto ahead_of = [&](std::int64_t x, std::int64_t y, std::int64_t nx, std::int64_t ny) {
    return Ahead(p.in + x * p.in_pitch + y * in_size, p.in_pitch, nx, ny * in_size);
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
  if (packed && !p.conversion &&
      with_components(p.y_extent, [&](auto k) { plane_of_components<Size, decltype(k)::value>(p); }))
    return;
  plane_of_tiles<Size>(p);
}

// ---- Interleave -----------------------------------------------------------------------------------------------------

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
    constexpr std::int64_t max_points = 1 << 20; // an int counts the points of one pass
    for (std::int64_t x = 0; x < p.extent; x += max_points)
      fill_points<Size>(p, x, static_cast<int>(smaller(p.extent - x, max_points)), p.out + x * p.components * Size);
    return;
  }
  constexpr int tile_bytes = 8192; // a fraction of the first-level cache, and at least 32 points
  alignas(line_bytes) Byte buffer[tile_bytes + line_bytes];
  const std::int64_t points = tile_bytes / (p.components * Size);
  Row row;
  row.start(buffer, p.out);
  for (std::int64_t x = 0; x < p.extent; x += points) {
    const int count = static_cast<int>(smaller(p.extent - x, points));
    fill_points<Size>(p, x, count, row.more);
    row.flush(static_cast<int>(count * p.components * Size));
  }
  row.finish();
  end_of_stream();
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

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

// ---- Hops -----------------------------------------------------------------------------------------------------------

void hops(const Hops& h)
{
  for (int i = 0; i < h.count; ++i) {
    if (h.streaming)
      stream_run(h.to[i], h.from[i], h.from[smaller(i + max_hops_ahead, h.known - 1)], h.bytes);
    else
      __builtin_memcpy(h.to[i], h.from[i], h.bytes);
  }
  if (h.streaming) end_of_stream();
}

} // namespace

namespace KERAMOS_SIMD {
extern const TransposeKernels transpose_kernels = {
    runs,
    hops,
    {plane<1>, plane<2>, plane<4>, plane<8>, plane<16>},
    {interleave<1>, interleave<2>, interleave<4>, interleave<8>, interleave<16>},
    {box<1>, box<2>, box<4>, box<8>, box<16>},
    {swap_tiles<1>, swap_tiles<2>, swap_tiles<4>, swap_tiles<8>, swap_tiles<16>}};
}

} // namespace Keramos::openmp
