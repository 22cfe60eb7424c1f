// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies beyond the edges of x and y in a plane of TensorStarKernel.hpp, where it is not the zero that copies leave. A star has no
// corners, and tiles end with the field (set_edges() in TensorStar.cpp): so a warp reads there for its own rows alone, and has them in
// strips, rows of a plane's pitch, to which they are copied while planes before are summed:
//
//        the first warp's rows below the field
//        the last warp's rows above it
//        beside the rows of each warp, warp by warp: vectors left of the tile | right of it
//
// Lanes then read their operands there and not in the plane, which stays as the copies brought it: what a warp writes to a place that
// they fill anew, it must put before them by a fence.
#pragma once

#include "../Memory.hpp"
#include "PlaneTerms.hpp"
#include "TensorStar.hpp"

#include <type_traits>

namespace Keramos::cuda::stencil {

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
        strips(shared + layout.edges_at())
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
    // A row that is not to be computed may lie behind the field's last one, and so behind the allocation.
    if (row >= rows || y + row >= a.range[1].end || !(sides & (lane < 16 ? left : right))) return;
    const std::int64_t column = lane < 16 ? tile.x - beside * points + element : end + element;
    column_at =
        columns_at() + row * layout.pitch() + (lane < 16 ? 0 : right_at) + element * static_cast<int>(sizeof(T));
    column_from = static_cast<int>((y + row) * a.axis[1].stride);
    has_column = set_source(column_from, a.axis[0], column, column_at);
  }

  __device__ bool any() const { return sides != 0; }

  /// Starts to copy what belongs to the next plane, if there is one, to strips that are not read.
  __device__ void begin(bool is_plane)
  {
    if (is_plane) {
      const SharedAddress at = strips + next;
      if (has_column) copy_element(at + column_at, plane + column_from);
      if (sides & (low | high)) {
        const SharedAddress to = at + rows_at(sides & low);
#pragma unroll
        for (int k = 0; k < Radius; ++k)
          if (has_row >> k & 1) copy_vector(to + k * layout.pitch(), plane + row_from[k]);
      }
    }
    plane += plane_stride;
    next = after(next);
  }

  /// Each step once, so that groups of copies count planes.
  __device__ static void commit() { commit_copies(); }

  /// The plane's strips, which have come: of the groups of copies, one a plane, those of planes behind it may be on their way. `others`
  /// tells how many groups a plane has beside. Nobody reads the strips before any longer, to which begin() then copies.
  template <int others>
  __device__ SharedAddress turn() const
  {
    wait_for_copies<layout.settled - 1 + layout.settled * others>();
    __syncwarp();
    return strips + after(next);
  }

  __device__ void set_places(PlanePlaces<beside>& places, SharedAddress at) const
  {
    const int lane = threadIdx.x % 32;
    if (sides & low) places.below = at + rows_at(true) + Radius * layout.pitch();
    if (sides & high) places.above = at + rows_at(false) - rows * layout.pitch();
#pragma unroll
    for (int k = 0; k < beside; ++k) {
      if (sides & left && lane + k < beside) places.left[k] = at + columns_at() + (lane + k) * 16;
      if (sides & right && lane + k >= 31) places.right[k] = at + columns_at() + right_at + (lane + k - 31) * 16;
    }
  }

private:
  static constexpr int right_at = beside * 16; ///< from those on the left
  static_assert(Tile::shape.warps * 2 * right_at <= layout.pitch());
  static constexpr unsigned low = 1, high = 2, left = 4, right = 8; ///< bits of `sides`

  __device__ static int rows_at(bool is_low) { return (is_low ? 0 : layout.strip()) + threadIdx.x % 32 * 16; }
  __device__ static int columns_at() { return 2 * layout.strip() + threadIdx.x / 32 * 2 * right_at; }

  /// `first` ... are the rows beyond the side, of which some may lie in the field. Columns behind the end of a row nobody needs.
  __device__ void set_rows(const TensorStarArguments<T>& a, std::int64_t x, std::int64_t first, unsigned side)
  {
    sides |= side;
    const bool is_inside = x >= a.first_column && x + points <= a.axis[0].valid_end;
#pragma unroll
    for (int k = 0; k < Radius; ++k) {
      const int at = rows_at(side == low) + k * layout.pitch();
      for (int v = 0; v < points; ++v) {
        row_from[k] = static_cast<int>(x);
        if (set_source(row_from[k], a.axis[1], first + k, at + v * static_cast<int>(sizeof(T))) && is_inside)
          has_row |= 1u << k;
      }
    }
  }

  __device__ static int after(int at) { return at == layout.all_strips() - layout.strips() ? 0 : at + layout.strips(); }

  /// Whether the element at this index of the axis is copied; what is not is the same for all planes.
  __device__ bool set_source(int& from, const EdgeAxis<T>& axis, std::int64_t index, int at) const
  {
    const std::int64_t offset = axis.offset(index);
    if (offset == core::no_index) {
      for (int plane = 0; plane < layout.all_strips(); plane += layout.strips())
        store_shared(strips + plane + at, axis.value(index));
      return false;
    }
    from += static_cast<int>(offset);
    return true;
  }

  const T* plane;
  std::int64_t plane_stride;
  SharedAddress strips;
  int next = 0; ///< those to copy to, in bytes from the first
  unsigned sides = 0, has_row = 0;
  bool has_column = false;
  int column_from, column_at, row_from[Radius]; ///< elements from the plane, and bytes from the strips
};

/// Where none is settled.
template <int Beside>
struct NoTensorStarEdges {
  __device__ NoTensorStarEdges(const auto& /*tile*/, SharedAddress) {}
  __device__ bool any() const { return false; }
  __device__ void begin(bool) {}
  __device__ static void commit() {}
  template <int others>
  __device__ SharedAddress turn() const
  {
    return 0;
  }
  __device__ void set_places(PlanePlaces<Beside>&, SharedAddress) const {}
};

template <bool Settles, class T, int Radius, class Tile>
using TensorStarEdgesOf =
    std::conditional_t<Settles, TensorStarEdges<T, Radius, Tile>, NoTensorStarEdges<Tile::beside>>;

} // namespace Keramos::cuda::stencil
