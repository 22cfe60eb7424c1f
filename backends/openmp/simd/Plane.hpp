// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planes tile by tile: rows of the input become columns of the output, elements in register blocks, longer groups as they are.
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Fill.hpp"
#include "Groups.hpp"
#include "Joined.hpp"
#include "Stream.hpp"
#include "Transpose.hpp"

namespace Keramos::openmp {
namespace {

/// Bytes from row 0 to this one.
inline std::int64_t offset_of(const PlaneRows& rows, std::int64_t index)
{
  if (index < rows.inner) return index * rows.pitch;
  return index % rows.inner * rows.pitch + index / rows.inner * rows.outer_pitch;
}

/// body(first row, rows, the input there) for each stretch of rows of a tile that lie one pitch apart.
template <class Body>
inline __attribute__((always_inline)) void for_each_stretch(const PlaneRows& rows, const Byte* in, std::int64_t x,
                                                            std::int64_t count, const Body& body)
{
  for (std::int64_t done = 0, some; done < count; done += some) {
    const std::int64_t rest = count - done;
    some = rows.inner == no_inner ? rest : smaller(rest, rows.inner - (x + done) % rows.inner);
    body(done, some, in + offset_of(rows, x + done));
  }
}

/// What is to be prefetched for a tile, of whose elements the input has so many bytes each.
inline Ahead ahead_of_tile(const PlaneRows& rows, std::int64_t bytes, const Byte* in, std::int64_t x, std::int64_t y,
                           std::int64_t nx, std::int64_t ny)
{
  Ahead ahead(in + offset_of(rows, x) + y * bytes, rows.pitch, nx, ny * bytes);
  if (rows.inner != no_inner) ahead.in_stretches(rows.inner - x % rows.inner, rows.inner, rows.outer_pitch);
  return ahead;
}

/// A tile of elements, whose size is known when it is compiled, and one of groups. Rows of the buffer are an odd number of
/// lines, so that they spread over the cache's sets.
template <int Size, int X, int Y>
struct ElementTile {
  static constexpr int size = Size, x = X, y = Y, max_y = Y;
  static constexpr int pitch = X * Size + line_bytes, buffer_bytes = Y * pitch;
};
struct GroupTile {
  std::int64_t size;
  static constexpr int max_y = 32, buffer_bytes = max_y * (group_tile_bytes + 2 * line_bytes);
  std::int64_t x, y, pitch;

  explicit GroupTile(std::int64_t group) : size(group)
  {
    const std::int64_t across = group_tile_bytes / group;
    x = across > 0 ? across : 1;
    y = smaller(x < 4 ? 8 : 2 * x, max_y);
    pitch = (x * group + line_bytes - 1) / line_bytes * line_bytes + line_bytes;
  }
};

/// The plane tile by tile: a strip of tile.y rows of the output at a time, along x. fill_tile(x, y, nx, ny, row) fills a
/// tile, ahead_of(in, x, y, nx, ny) says what to prefetch for one of a plane at `in`.
template <class Tile, class Fill, class AheadOf>
inline __attribute__((always_inline)) void stream_plane(const Plane& p, const Tile& tile, const Fill& fill_tile,
                                                        const AheadOf& ahead_of)
{
  alignas(line_bytes) Byte buffer[Tile::buffer_bytes];
  Row rows[Tile::max_y];
  Byte* target[Tile::max_y];
  for (std::int64_t y = 0; y < p.y_extent; y += tile.y) {
    const int ny = static_cast<int>(smaller(p.y_extent - y, tile.y));
    for (int k = 0; k < ny; ++k) {
      rows[k].start(buffer + k * tile.pitch, p.out + offset_of(p.out_rows, y + k));
      target[k] = rows[k].more;
    }
    for (std::int64_t x = 0, nx; x < p.x_extent; x += nx) {
      nx = smaller(p.x_extent - x, tile.x);
      fill_tile(x, y, nx, ny, target);
      // The next tile of the strip, or the first one of the strip that follows or of the next plane.
      const bool last = x + nx >= p.x_extent, next_plane = last && y + tile.y >= p.y_extent;
      const std::int64_t next_x = last ? 0 : x + nx, next_y = next_plane ? 0 : last ? y + tile.y : y;
      Ahead ahead = ahead_of(next_plane ? p.next : p.in, next_x, next_y,
                             next_plane && !p.next ? 0 : smaller(p.x_extent - next_x, tile.x),
                             smaller(p.y_extent - next_y, tile.y));
      const std::int64_t share = ahead.share(ny);
      for (int k = 0; k < ny; ++k) {
        rows[k].flush(static_cast<int>(nx * tile.size));
        ahead.prefetch(share);
      }
    }
    for (int k = 0; k < ny; ++k) rows[k].finish();
  }
  end_of_stream();
}

/// The same with plain stores.
template <class Tile, class Fill>
inline __attribute__((always_inline)) void store_plane(const Plane& p, const Tile& tile, const Fill& fill_tile)
{
  Byte* target[Tile::max_y];
  for (std::int64_t y = 0; y < p.y_extent; y += tile.y) {
    const int ny = static_cast<int>(smaller(p.y_extent - y, tile.y));
    for (std::int64_t x = 0, nx; x < p.x_extent; x += nx) {
      nx = smaller(p.x_extent - x, tile.x);
      for (int k = 0; k < ny; ++k) target[k] = p.out + offset_of(p.out_rows, y + k) + x * tile.size;
      fill_tile(x, y, nx, ny, target);
    }
  }
}

template <class Tile, class Fill, class AheadOf>
inline __attribute__((always_inline)) void move_plane(const Plane& p, const Tile& tile, const Fill& fill_tile,
                                                      const AheadOf& ahead_of)
{
  if (p.streaming)
    stream_plane(p, tile, fill_tile, ahead_of);
  else
    store_plane(p, tile, fill_tile);
}

/// A tile through a functor: some rows of the input at a time, which stay in the first-level cache.
template <int Size, int TileY>
void fill_converted(const Plane& p, std::int64_t x_begin, std::int64_t y_begin, std::int64_t x_extent,
                    std::int64_t y_extent, Byte* const* row)
{
  constexpr int rows = 16, pitch = TileY * Size + line_bytes;
  alignas(line_bytes) Byte buffer[rows * pitch];
  Byte* target[TileY];
  const Conversion& conversion = *p.conversion;
  const Byte* const column = p.in + y_begin * conversion.in_size;
  for (std::int64_t x = 0; x < x_extent; x += rows) {
    const std::int64_t count = smaller(x_extent - x, rows);
    for_each_stretch(p.in_rows, column, x_begin + x, count, [&](std::int64_t first, std::int64_t some, const Byte* in) {
      conversion.convert(conversion.functor, in, p.in_rows.pitch, some, y_extent, buffer + first * pitch, pitch);
    });
    for (std::int64_t y = 0; y < y_extent; ++y) target[y] = row[y] + x * Size;
    fill<Size>(buffer, pitch, count, y_extent, target);
  }
}

/// A tile of rows in stretches: blocks of registers go on from one to the next.
template <int Size, int TileX>
void fill_listed(const Plane& p, std::int64_t x, std::int64_t y, std::int64_t nx, std::int64_t ny, Byte* const* row)
{
  const Byte* list[TileX];
  for_each_stretch(p.in_rows, p.in, x, nx, [&](std::int64_t first, std::int64_t count, const Byte* in) {
    for (std::int64_t k = 0; k < count; ++k) list[first + k] = in + k * p.in_rows.pitch;
  });
  fill<Size>(ListedRows{list, y * Size}, nx, ny, row);
}

/// Tiles write rows of 256 bytes and read rows of 256 (1-byte elements: 128): enough for a page, and both sides of a
/// tile fit the 1 MiB of a second-level cache together with the tile that is prefetched.
template <int Size>
void plane_of_tiles(const Plane& p)
{
  using Tile = ElementTile<Size, 256 / Size, Size <= 2 ? 128 : 64>;
  const std::int64_t in_size = p.conversion ? p.conversion->in_size : Size;
  const auto fill_tile = [&](std::int64_t x, std::int64_t y, std::int64_t nx, int ny, Byte* const* row) {
    if (p.conversion)
      fill_converted<Size, Tile::max_y>(p, x, y, nx, ny, row);
    else if (p.in_rows.inner == no_inner)
      fill<Size>(p.in + x * p.in_rows.pitch + y * Size, p.in_rows.pitch, nx, ny, row);
    else
      fill_listed<Size, Tile::x>(p, x, y, nx, ny, row);
  };
  move_plane(p, Tile{}, fill_tile, [&](auto... place) { return ahead_of_tile(p.in_rows, in_size, place...); });
}

/// K components packed side by side in, K planes out: `in` is one contiguous run.
template <int Size, int K>
void plane_of_components(const Plane& p)
{
  // 2048 bytes: the buffer of up to 8 planes stays in the first-level cache
  const auto fill_tile = [&](std::int64_t x, std::int64_t, std::int64_t nx, int, Byte* const* row) {
    fill_components<Size, K>(p.in + x * K * Size, nx, row);
  };
  const auto ahead_of = [&](const Byte* in, std::int64_t x, std::int64_t, std::int64_t nx, std::int64_t) {
    return Ahead(in + x * K * Size, 0, nx > 0, nx * K * Size);
  };
  move_plane(p, ElementTile<Size, 2048 / Size, K>{}, fill_tile, ahead_of);
}

/// The same past the caches, straight from registers; false where that is not possible.
template <int Size, int K>
bool joined_components([[maybe_unused]] const Plane& p)
{
#if defined(__AVX512F__)
  if constexpr (joins_lines<Size>()) {
    Byte* row[K];
    std::uintptr_t addresses = 0;
    for (int k = 0; k < K; ++k) {
      row[k] = p.out + offset_of(p.out_rows, k);
      addresses |= reinterpret_cast<std::uintptr_t>(row[k]);
    }
    const bool aligned = addresses % line_bytes == 0;
    if (p.x_extent < line_bytes / Size || addresses % 4 != 0 || (K > 8 && !aligned)) return false;
    if (aligned)
      join_components<AlignedRow, Size, K>(p.in, p.x_extent, row);
    else if constexpr (K <= 8)
      join_components<JoinedRow, Size, K>(p.in, p.x_extent, row);
    end_of_stream();
    return true;
  }
#endif
  return false;
}

template <int Size>
void plane(const Plane& p)
{
  const bool packed = p.in_rows.inner == no_inner && p.in_rows.pitch == p.y_extent * Size;
  if (packed && !p.conversion) {
    bool joined = false;
    const auto join = [&](auto k) { joined = joined_components<Size, decltype(k)::value>(p); };
    if (p.streaming && with_joined_components<Size>(p.y_extent, join) && joined) return;
    if (with_components(p.y_extent, [&](auto k) { plane_of_components<Size, decltype(k)::value>(p); })) return;
  }
  plane_of_tiles<Size>(p);
}

/// Elements of any size, which travel as they are.
inline void plane_of_groups(const Plane& p, std::int64_t group)
{
  const GroupTile tile(group);
  const auto fill_tile = [&](std::int64_t x, std::int64_t y, std::int64_t nx, int ny, Byte* const* row) {
    const Byte* const in = p.in + x * p.in_rows.pitch + y * group;
    for (int k = 0; k < ny; ++k) copy_groups(in + k * group, p.in_rows.pitch, row[k], group, nx, group);
  };
  move_plane(p, tile, fill_tile, [&](auto... place) { return ahead_of_tile(p.in_rows, group, place...); });
}

} // namespace
} // namespace Keramos::openmp
