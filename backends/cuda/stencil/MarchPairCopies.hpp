// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How planes come to shared memory for MarchPairs.hpp, where there is memory or zero beyond the ends. One warp copies planes, a lane a row,
// in 16-byte units as far as one of their elements is in the field; where a tile lies at an end of rows, another warp then writes zeros over
// what came from beyond it:
//
//     ring     . .|0 0 x x x x ...    |: 16-byte boundary, x: in the field, which ends where 0 begins
//
// At the first element of the field and at the last one the allocation may end: their units come by elements.
#pragma once

#include "../BulkCopy.hpp"
#include "LockstepGroups.hpp"
#include "MarchRows.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block, where its planes and their barriers lie, and which operands of a row are in the field.
template <class T, int Radius, class Shape, int Operands = 0>
struct PairTile : MarchBlock<MarchArguments<T>> {
  using Element = T;
  using Block = MarchBlock<MarchArguments<T>>;
  using Block::a, Block::x, Block::y, Block::first, Block::last;
  static constexpr PairLayout<T> layout = pair_layout<T>(Shape::value, Radius, Operands);
  static constexpr int radius = Radius, ring = layout.ring, slots = layout.slots(), rows = layout.rows;
  static_assert(rows <= 32, "a lane a row");

  const int planes;           ///< of the march, those beyond its ends included
  int columns;                ///< of the tile
  int operands;               ///< of a row
  int begin, end;             ///< of these, what is in the field
  const SharedAddress shared; ///< the first plane
  // Barriers of each slot: a plane is complete, is not needed, lacks its zeros.
  const SharedAddress ready, empty, incomplete;

  __device__ PairTile(const MarchArguments<T>& arguments, SharedAddress the_shared)
      : Block(arguments, Shape::value.height(), false, Shape::value.has_singles()),
        planes(__shfl_sync(~0u, static_cast<int>(last - first) + 2 * Radius, 0)), // in a uniform register
        columns(a.columns), shared(the_shared), ready(shared + layout.barriers_at()),
        empty(ready + slots * barrier_bytes), incomplete(empty + slots * barrier_bytes)
  {
    if (a.leads && elements_behind(a.out + x) % 2 != 0) --x, ++columns;
    operands = columns + 2 * Radius;
    const std::int64_t left = x - Radius;
    begin = static_cast<int>(max(a.axis[0].valid_begin - left, std::int64_t(0)));
    end = static_cast<int>(min(a.axis[0].valid_end - left, std::int64_t(operands)));
  }

  __device__ bool wants_zeros() const { return begin > 0 || end < operands; }
  __device__ bool has_row(int row) const
  {
    const std::int64_t at = y - Radius + row;
    return row < rows && a.axis[1].plain(at, at + 1);
  }
  /// The first operand of a row in the march's first plane. It need not exist.
  __device__ const T* operands_of(int row) const
  {
    return a.in + (x - Radius) + (y - Radius + row) * a.axis[1].stride + (first - Radius) * a.axis[2].stride;
  }

  /// Where own rows are kept: from the first plane to a plane's own row 0, and to the first row beside its own ones.
  __device__ static unsigned own_offset(unsigned step)
  {
    if constexpr (layout.kept == 0) return step % ring * layout.plane_bytes() + Radius * layout.row_bytes();
    return layout.own_at() + step % layout.own_ring() * layout.own_bytes();
  }
  __device__ static unsigned beside_offset(unsigned step) { return step % layout.beside_ring * layout.beside_bytes(); }

  /// Of a row of a plane.
  __device__ SharedAddress place(int row, unsigned step) const
  {
    if constexpr (layout.kept == 0) {
      return shared + step % ring * layout.plane_bytes() + row * layout.row_bytes();
    } else {
      const int own = row - Radius, beside = own < 0 ? row : row - Shape::value.height();
      if (own >= 0 && own < Shape::value.height()) return shared + own_offset(step) + own * layout.row_bytes();
      return shared + beside_offset(step) + beside * layout.row_bytes();
    }
  }

  /// By all threads: barriers, and rows beyond an edge along y, which are zero in all planes.
  __device__ void prepare() const
  {
    for (int row = 0; row < rows; ++row)
      for (int step = 0; step < layout.own_ring() && !has_row(row); ++step)
        clear(place(row, step), layout.row_bytes(), threadIdx.x, blockDim.x);
    order_before_copies();
    if (threadIdx.x < layout.barriers() * slots) {
      const bool is_empty = threadIdx.x >= slots && threadIdx.x < 2 * slots;
      init_barrier(ready + threadIdx.x * barrier_bytes, is_empty ? blockDim.x - 32 * Shape::value.helpers() : 32);
    }
    publish_barriers();
    __syncthreads();
  }

  __device__ void clear_plane(unsigned step, int thread, int threads) const
  {
    if constexpr (layout.kept == 0) {
      clear(place(0, step), layout.plane_bytes(), thread, threads);
    } else {
      clear(place(Radius, step), layout.own_bytes(), thread, threads);
      clear(place(0, step), layout.beside_bytes(), thread, threads);
    }
  }
  __device__ void wait_for_rows_beside(int /*step*/) const {} // which come with the others
  /// Whether operands leave a plane before its points are stored; without those in shared memory it was slower (docs/tuning/stencil-march-functors.md).
  static constexpr bool is_left_early = false;

  /// By so many threads, of which this is one.
  __device__ static void clear(SharedAddress from, int bytes, int thread, int threads)
  {
    constexpr T zeros[vector_width<T>] = {};
    for (int at = 16 * thread; at < bytes; at += 16 * threads) store_shared(from + at, zeros);
  }
};

/// Where a plane lies in the ring, and the parity of its phase there: found from its number, so that the sums keep nothing else.
template <class Tile>
struct PairSlot {
  const unsigned slot, parity;

  __device__ explicit PairSlot(unsigned step) : slot(step % Tile::slots), parity(step / Tile::slots % 2) {}
  __device__ SharedAddress in(SharedAddress planes) const { return planes + slot * Tile::layout.plane_bytes(); }
  __device__ SharedAddress of(SharedAddress barriers) const { return barriers + slot * barrier_bytes; }
};

/// Of a row that begins there the elements [first_element, past_element). Does it begin or end the field?
template <class T>
__device__ void copy_row(const T* from, int first_element, int past_element, bool begins, bool ends, SharedAddress to,
                         SharedAddress barrier)
{
  constexpr int width = vector_width<T>, bytes = sizeof(T);
  const int shift = static_cast<int>(elements_behind(from) % PairLayout<T>::alike);
  const int first = shift + first_element, past = shift + past_element;
  const int begin = begins ? core::round_up(first, width) : first / width * width;
  const int end = ends ? past / width * width : core::round_up(past, width);
  const T* const boundary = from - shift;
  if (begin < end) copy_bulk(to + begin * bytes, boundary + begin, (end - begin) * bytes, barrier);
  if (!begins && !ends) return;
  for (int k = first; k < min(begin, past); ++k) store_shared(to + k * bytes, boundary[k]);
  for (int k = max(end, begin); k < past; ++k) store_shared(to + k * bytes, boundary[k]);
  order_before_copies();
}

/// What comes beside planes, see complete_planes(): nothing.
struct NothingBeside {
  static constexpr bool is_there = false;
  template <class Tile>
  __device__ void begin(const Tile& /*tile*/, std::int64_t /*z*/) const
  {
  }
};

/// Whether another warp has something to do for each plane that has come.
template <class Beside, class Tile>
__device__ bool is_incomplete(const Tile& tile)
{
  return Beside::is_there || tile.wants_zeros();
}

/// All planes of a block, by a warp.
template <class Tile, int Drift, class Beside>
__device__ void copy_planes(const Tile& tile)
{
  const auto& a = tile.a;
  const int row = threadIdx.x % 32;
  const std::int64_t y = tile.y - Tile::radius + row;
  const bool copies = tile.has_row(row), keeps_together = Drift > 0 && a.groups.steps > 0;
  const SharedAddress arrived = is_incomplete<Beside>(tile) ? tile.incomplete : tile.ready;
  const auto* from = tile.operands_of(row);
  Lockstep<Drift> lockstep(a.groups);
  for (int step = 0; step < tile.planes; ++step, from += a.axis[2].stride) {
    const PairSlot<Tile> at(step);
    const std::int64_t z = tile.first - Tile::radius + step;
    wait_for_phase(at.of(tile.empty), at.parity ^ 1); // slots are free at first
    if (keeps_together) lockstep.keep(step, step + 1);
    if (!a.axis[2].plain(z, z + 1)) {
      tile.clear_plane(step, row, 32);
      order_before_copies();
    } else if (copies) {
      const bool begins = z == a.axis[2].valid_begin && y == a.axis[1].valid_begin,
                 ends = z + 1 == a.axis[2].valid_end && y + 1 == a.axis[1].valid_end;
      copy_row(from, tile.begin, tile.end, begins, ends, tile.place(row, step), at.of(arrived));
    }
    arrive(at.of(arrived));
  }
  if (keeps_together) lockstep.leave(tile.planes);
}

/// The zeros of a row that lies there, so many elements behind a boundary in memory.
template <class Tile>
__device__ void complete_row(const Tile& tile, SharedAddress place, unsigned behind)
{
  using T = typename Tile::Element;
  constexpr int bytes = sizeof(T);
  const SharedAddress begin = place + behind % Tile::layout.alike * bytes;
  for (int k = 0; k < tile.begin; ++k) store_shared(begin + k * bytes, T(0));
  for (int k = tile.end; k < tile.operands; ++k) store_shared(begin + k * bytes, T(0));
  order_before_copies();
}

/// Zeros beyond the ends of rows, of all planes of a block that wants them, and what comes beside: for the plane that is finished when this
/// one is summed. By another warp, which no plane passes, so that it is neither ahead of these nor far behind.
template <class Tile, class Beside>
__device__ void complete_planes(const Tile& tile, const Beside& beside)
{
  const int row = threadIdx.x % 32;
  const unsigned first = elements_behind(tile.operands_of(row)),
                 plane_step = static_cast<unsigned>(tile.a.axis[2].stride);
  const bool completes = tile.wants_zeros() && tile.has_row(row);
  for (int step = 0; step < tile.planes; ++step) {
    const PairSlot<Tile> at(step);
    wait_for_phase(at.of(tile.incomplete), at.parity);
    if (completes) complete_row(tile, tile.place(row, step), first + step * plane_step);
    arrive(at.of(tile.ready));
    if (step >= 2 * Tile::radius) beside.begin(tile, tile.first + step - 2 * Tile::radius);
  }
}

} // namespace Keramos::cuda::stencil
