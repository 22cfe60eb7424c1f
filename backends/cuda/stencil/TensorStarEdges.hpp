// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies beyond the edges of x and y in a plane of TensorStarKernel.hpp, where it is not the zero that copies leave. A star has no
// corners, and tiles end with the field (set_edges() in TensorStar.cpp): so a warp reads there for its own rows alone, and has them in
// a strip of its own, rows of a plane's pitch, to which they are copied while planes before are summed:
//
//        16 bytes a lane of a row beyond an edge of y | beside a row of the warp: vectors left of the tile | right of it
//
// Lanes then read their operands there and not in the plane, which stays as the copies brought it: what a warp writes to a place that
// they fill anew, it must put before them by a fence.
#pragma once

#include "../Memory.hpp"
#include "TensorStar.hpp"

#include <type_traits>

namespace Keramos::cuda::stencil {

/// From where a thread reads operands in a plane: rows, as multiples of the pitch, and the vectors beside its own, nearest to the
/// tile's edges last on the left and first on the right.
template <int Beside>
struct TensorStarPlaces {
  SharedAddress below, above, left[Beside], right[Beside];

  __device__ explicit TensorStarPlaces(SharedAddress own) : below(own), above(own)
  {
#pragma unroll
    for (int k = 0; k < Beside; ++k) left[k] = own + (k - Beside) * 16, right[k] = own + (k + 1) * 16;
  }
};

/// One warp's; Tile is a TensorStarTile. A plane costs the warp a few copies: where from is found once, relative to the plane, for
/// with two warps a scheduler nothing hides what is computed in between.
template <class T, int Radius, class Tile>
class TensorStarEdges {
public:
  static constexpr int rows = Tile::shape.rows, points = Tile::points, beside = Tile::beside;
  static constexpr TensorStarLayout layout = Tile::layout;
  static_assert(Radius <= rows && rows * beside * points <= 16);

  __device__ TensorStarEdges(const Tile& tile, SharedAddress shared)
      : plane(tile.a.in + tile.first * tile.a.axis[2].stride), plane_stride(tile.a.axis[2].stride),
        strips(shared + layout.edges_at() + threadIdx.x / 32 * layout.strips())
  {
    const TensorStarArguments<T>& a = tile.a;
    const int lane = threadIdx.x % 32;
    const std::int64_t y = tile.y + threadIdx.x / 32 * rows, end = tile.x + 32 * points;
    if (y >= a.range[1].end) return;
    const bool is_low = y - Radius < a.axis[1].valid_begin;
    if (is_low ? a.settles[1][0] : a.settles[1][1] && y + rows + Radius > a.axis[1].valid_end)
      set_rows(a, tile.x + lane * points, is_low ? y - Radius : y + rows, is_low ? low : high);
    if (a.settles[0][0] && tile.x - Radius < a.axis[0].valid_begin) sides |= left;
    if (a.settles[0][1] && end + Radius > a.axis[0].valid_end) sides |= right;
    const int slot = lane % 16, element = slot % (beside * points), row = slot / (beside * points);
    if (row >= rows || !(sides & (lane < 16 ? left : right))) return;
    const std::int64_t column = lane < 16 ? tile.x - beside * points + element : end + element;
    column_at = row * layout.pitch() + (lane < 16 ? left_at : right_at) + element * static_cast<int>(sizeof(T));
    column_from = static_cast<int>((y + row) * a.axis[1].stride);
    has_column = set_source(column_from, a.axis[0], column, column_at);
  }

  __device__ bool any() const { return sides != 0; }

  /// Starts to copy what belongs to the next plane, if there is one, to a strip that is not read.
  __device__ void begin(bool is_plane)
  {
    if (is_plane) {
      const SharedAddress strip = strips + next;
      if (has_column) copy_element(strip + column_at, plane + column_from);
      if (sides & (low | high)) {
        const SharedAddress to = strip + threadIdx.x % 32 * 16;
#pragma unroll
        for (int k = 0; k < Radius; ++k)
          if (has_row >> k & 1) copy_vector(to + k * layout.pitch(), plane + row_from[k]);
      }
    }
    commit_copies();
    plane += plane_stride;
    next = after(next);
  }

  /// The plane's strip, which has come; nobody reads the one before any longer, to which begin() then copies.
  __device__ SharedAddress turn() const
  {
    wait_for_copies<layout.settled - 1>();
    __syncwarp();
    return strips + after(next);
  }

  __device__ void set_places(TensorStarPlaces<beside>& places, SharedAddress at) const
  {
    const int lane = threadIdx.x % 32;
    if (sides & low) places.below = at + lane * 16 + Radius * layout.pitch();
    if (sides & high) places.above = at + lane * 16 - rows * layout.pitch();
#pragma unroll
    for (int k = 0; k < beside; ++k) {
      if (sides & left && lane + k < beside) places.left[k] = at + left_at + (lane + k) * 16;
      if (sides & right && lane + k >= 31) places.right[k] = at + right_at + (lane + k - 31) * 16;
    }
  }

private:
  static constexpr int left_at = 32 * 16, right_at = left_at + beside * 16;
  static_assert(right_at + beside * 16 <= layout.pitch());
  static constexpr unsigned low = 1, high = 2, left = 4, right = 8; ///< bits of `sides`

  /// `first` ... are the rows beyond the side, of which some may lie in the field. Columns behind the end of a row nobody needs.
  __device__ void set_rows(const TensorStarArguments<T>& a, std::int64_t x, std::int64_t first, unsigned side)
  {
    sides |= side;
    const bool is_inside = x >= a.first_column && x + points <= a.axis[0].valid_end;
#pragma unroll
    for (int k = 0; k < Radius; ++k) {
      const int at = k * layout.pitch() + threadIdx.x % 32 * 16;
      for (int v = 0; v < points; ++v) {
        row_from[k] = static_cast<int>(x);
        if (set_source(row_from[k], a.axis[1], first + k, at + v * static_cast<int>(sizeof(T))) && is_inside)
          has_row |= 1u << k;
      }
    }
  }

  __device__ static int after(int strip)
  {
    return strip == layout.strips() - layout.strip() ? 0 : strip + layout.strip();
  }

  /// Whether the element at this index of the axis is copied; what is not is the same in all strips for good.
  __device__ bool set_source(int& from, const EdgeAxis<T>& axis, std::int64_t index, int at) const
  {
    const std::int64_t offset = axis.offset(index);
    if (offset == core::no_index) {
      for (int strip = 0; strip < layout.strips(); strip += layout.strip())
        store_shared(strips + strip + at, axis.value(index));
      return false;
    }
    from += static_cast<int>(offset);
    return true;
  }

  const T* plane;
  std::int64_t plane_stride;
  SharedAddress strips;
  int next = 0; ///< the strip to copy to, in bytes from the first
  unsigned sides = 0, has_row = 0;
  bool has_column = false;
  int column_from, column_at, row_from[Radius]; ///< elements from the plane, and bytes from the strip
};

/// Where none is settled.
template <int Beside>
struct NoTensorStarEdges {
  __device__ NoTensorStarEdges(const auto& /*tile*/, SharedAddress) {}
  __device__ bool any() const { return false; }
  __device__ void begin(bool) {}
  __device__ SharedAddress turn() const { return 0; }
  __device__ void set_places(TensorStarPlaces<Beside>&, SharedAddress) const {}
};

template <bool Settles, class T, int Radius, class Tile>
using TensorStarEdgesOf =
    std::conditional_t<Settles, TensorStarEdges<T, Radius, Tile>, NoTensorStarEdges<Tile::beside>>;

} // namespace Keramos::cuda::stencil
