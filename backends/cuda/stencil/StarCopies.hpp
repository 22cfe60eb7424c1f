// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread of the star kernel brings to shared memory. A plane of a block's tile:
//
//              | y halo: one row for each row of threads |
//     x halo   | own points, 16 bytes per thread and row |   x halo: one element per thread
//              | y halo                                  |
//
// A thread copies to the same elements of every plane, so where they lie is settled once, before the march; those beyond an
// edge whose rule is a value are filled once for all planes. At the end of the grid the tile is as narrow as it must be and the
// halo moves up to it, so that own points are never beyond an edge. Corners are not brought: no star reads them.
#pragma once

#include "Star.hpp"

namespace Keramos::cuda::stencil {

/// `Vectorised`: the thread's points along x are neighbours and move in 16 bytes; otherwise they are the width of the
/// block apart and move one by one, by any stride.
template <class T, int Rank, int Radius, bool Vectorised, class Epilogue>
struct StarCopies {
  static constexpr StarShape shape = star_shape(Rank, Radius, sizeof(T));
  static constexpr int rows = shape.rows, depth = shape.depth, points = vector_width<T>;
  static constexpr int halo_rows = star_halo_rows(Rank, Radius), operands = Epilogue::operands;
  static_assert(Rank == 2 || shape.min_height >= 2 * Radius, "a row of the y halo for each row of threads");
  static_assert(shape.width >= rows * 2 * Radius, "an element of the x halo for each thread");

  const StarArguments<T>& a;
  const Epilogue& epilogue;
  T* planes; ///< [depth + 1][tile_rows + 2 * halo_rows][pitch]
  T* mine;   ///< this thread's first element of the rings, see ring()
  /// x and y of the block's first point. In shared memory, because the march is short of registers and rarely asks.
  std::int64_t* tile;
  int width, tile_rows; ///< threads of the block along x, rows of the tile
  int lane, row;        ///< of this thread in the block

  unsigned mask = 0;              ///< its points along x that are to be computed
  bool inside[rows];              ///< its rows that are to be computed, if it has such points
  bool ragged = false;            ///< it has some points that are, and others where the plane holds the halo
  const T* own;                   ///< its first point in plane 0
  T* out;                         ///< its first point in the current plane
  const T* halo_row = nullptr;    ///< its points of a row of the y halo in plane 0; null: nothing to bring
  const T* halo_column = nullptr; ///< its element of the x halo, likewise
  int halo_row_offset = 0, halo_column_offset = 0; ///< in a plane of the tile

  __device__ StarCopies(const StarArguments<T>& arguments, const Epilogue& the_epilogue, std::int64_t* origin,
                        T* shared)
      : a(arguments), epilogue(the_epilogue), tile(origin)
  {
    width = Rank == 2 ? blockDim.x : shape.width;
    lane = Rank == 2 ? threadIdx.x : threadIdx.x % shape.width;
    row = Rank == 2 ? 0 : threadIdx.x / shape.width;
    tile_rows = Rank == 2 ? 1 : static_cast<int>(blockDim.x) / shape.width * rows;
    planes = shared;
    mine = shared + layout().rings() + threadIdx.x * (Vectorised ? points : 1);
  }

  __device__ StarLayout layout() const
  {
    return {points, rows, depth, shape.halo, halo_rows, width, static_cast<int>(blockDim.x), tile_rows};
  }
  __device__ int step() const { return Vectorised ? 1 : width; } ///< from one point of the thread to the next
  __device__ int first_point() const { return Vectorised ? lane * points : lane; }
  __device__ std::int64_t x() const { return tile[0] + first_point(); }
  __device__ std::int64_t y() const { return tile[1] + row * rows; }
  __device__ bool full() const { return mask == all_points<points>; }

  /// The thread's first element of row r of the tile, in a plane.
  __device__ int own_offset(int r) const
  {
    return (halo_rows + row * rows + r) * layout().pitch() + shape.halo + first_point();
  }

  /// Its row r of a slot: of the input (slots from 0) or of an operand of the epilogue (from operand_slot()). Between two
  /// elements of a thread that does not move 16 bytes lie those of the others, as banks want it.
  __device__ T* ring(int slot, int r) const { return mine + layout().ring(slot, r); }
  __device__ int ring_step() const { return Vectorised ? 1 : static_cast<int>(blockDim.x); }

  // ---- Where a thread copies from and to --------------------------------------------------------------------------------

  __device__ void settle(std::int64_t tile_x, std::int64_t tile_y, std::int64_t first_plane)
  {
    const std::int64_t x = tile_x + first_point(), y = tile_y + row * rows;
    const int filled_rows = static_cast<int>(min(std::int64_t(tile_rows), a.range[1].end - tile_y));
    mask = points_inside<points>(a.range[0], x, step());
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      inside[r] = mask != 0 && row * rows + r < filled_rows;
      ragged = ragged || !inside[r];
    }
    ragged = inside[0] && (ragged || !full());
    own = a.in + x * a.axis[0].stride + y * a.axis[1].stride;
    out = a.out + x * a.out_stride[0] + y * a.out_stride[1] + first_plane * a.out_stride[2];
    if (Rank == 3) settle_halo_row(x, tile_y, filled_rows);
    settle_halo_column(tile_x, tile_y, filled_rows);
  }

  __device__ void settle_halo_row(std::int64_t x, std::int64_t tile_y, int filled_rows)
  {
    if (row >= 2 * Radius || mask == 0) return;
    const int in_plane = row < Radius ? row : filled_rows + row;
    const std::int64_t index = tile_y - Radius + in_plane, offset = a.axis[1].offset(index);
    halo_row_offset = in_plane * layout().pitch() + shape.halo + first_point();
    if (offset != core::no_index) {
      halo_row = a.in + offset + x * a.axis[0].stride;
      return;
    }
    for (int slot = 0; slot <= depth; ++slot)
      fill(planes + slot * layout().plane() + halo_row_offset, step(), a.axis[1].value(index));
  }

  __device__ void settle_halo_column(std::int64_t tile_x, std::int64_t tile_y, int filled_rows)
  {
    const int column = threadIdx.x % (2 * Radius), in_tile = threadIdx.x / (2 * Radius);
    if (in_tile >= filled_rows) return;
    const std::int64_t low = max(tile_x, a.range[0].begin), high = min(tile_x + width * points, a.range[0].end);
    const std::int64_t index = column < Radius ? low + column - Radius : high + column - Radius;
    const std::int64_t offset = a.axis[0].offset(index);
    halo_column_offset = (halo_rows + in_tile) * layout().pitch() + shape.halo + static_cast<int>(index - tile_x);
    if (offset != core::no_index) {
      halo_column = a.in + offset + (tile_y + in_tile) * a.axis[1].stride;
      return;
    }
    for (int slot = 0; slot <= depth; ++slot)
      planes[slot * layout().plane() + halo_column_offset] = a.axis[0].value(index);
  }

  // ---- Planes on their way --------------------------------------------------------------------------------------------

  __device__ void fill(T* to, int to_step, T value) const
  {
#pragma unroll
    for (int v = 0; v < points; ++v)
      if (mask >> v & 1) to[v * to_step] = value;
  }

  /// The thread's points of a row that starts at `from`, where they are `stride` apart.
  __device__ void copy(T* to, int to_step, const T* from, std::int64_t stride) const
  {
    if (Vectorised && full()) return copy_async<16>(to, from);
#pragma unroll
    for (int v = 0; v < points; ++v)
      if (mask >> v & 1) copy_async<sizeof(T)>(to + v * to_step, from + v * step() * stride);
  }

  __device__ void prefetch_own(std::int64_t z, int slot) const
  {
    const std::int64_t offset = a.axis[2].offset(z);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!inside[r]) continue;
      if (offset != core::no_index)
        copy(ring(slot, r), ring_step(), own + r * a.axis[1].stride + offset, a.axis[0].stride);
      else
        fill(ring(slot, r), ring_step(), a.axis[2].value(z));
    }
  }

  __device__ void prefetch_halo(std::int64_t z, int slot) const
  {
    T* const plane = planes + slot * layout().plane();
    const std::int64_t offset = z * a.axis[2].stride;
    if (halo_row) copy(plane + halo_row_offset, step(), halo_row + offset, a.axis[0].stride);
    if (halo_column) copy_async<sizeof(T)>(plane + halo_column_offset, halo_column + offset);
  }

  /// A field that the epilogue reads, at the points to compute.
  __device__ void prefetch_operand(const core::Field<const T, 3>& field, std::int64_t z, int slot) const
  {
    const T* const first = field.data + x() * field.stride[0] + y() * field.stride[1] + z * field.stride[2];
#pragma unroll
    for (int r = 0; r < rows; ++r)
      if (inside[r]) copy(ring(slot, r), ring_step(), first + r * field.stride[1], field.stride[0]);
  }

  /// All that plane z, and plane z + Radius for the queue, need.
  __device__ void prefetch(std::int64_t z, int ring_slot, int plane_slot) const
  {
    prefetch_own(z + Radius, ring_slot);
    prefetch_halo(z, plane_slot);
    if constexpr (operands > 0) {
#pragma unroll
      for (int n = 0; n < operands; ++n)
        if (epilogue.operand[n].is_field())
          prefetch_operand(epilogue.operand[n].field, z, layout().operand_slot(n) + plane_slot);
    }
  }

  /// Own points of a plane straight into registers: the queue before the march, all planes at once.
  __device__ void load_first(T (&to)[rows][points], std::int64_t z) const
  {
    const std::int64_t offset = a.axis[2].offset(z);
    const bool is_index = offset != core::no_index;
    const T value = a.axis[2].value(z);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const T* const from = own + r * a.axis[1].stride + (is_index ? offset : 0);
#pragma unroll
      for (int v = 0; v < points; ++v) to[r][v] = value;
      if constexpr (Vectorised) load_if(is_index && inside[r] && full(), to[r], from);
#pragma unroll
      for (int v = 0; v < points; ++v)
        load_if(is_index && inside[r] && !(Vectorised && full()) && (mask >> v & 1), to[r][v],
                from + v * step() * a.axis[0].stride);
    }
  }
};

} // namespace Keramos::cuda::stencil
