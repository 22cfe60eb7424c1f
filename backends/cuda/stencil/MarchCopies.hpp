// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How planes come to shared memory for MarchKernel.hpp. Each row of a plane, halo included, is one bulk copy from 16-byte
// boundary to 16-byte boundary, and what lies between an end of the tile and a boundary comes with it. At the ends of the field
// nothing may come with it, for there the allocation may end, and the halo may lie elsewhere or be a value: there the
// copy keeps to boundaries inside, whatever the row's alignment, and single elements do the rest:
//
//       halo |  the row, as far as it is in the field
//     e e e e|e e e|################################...   e: elements, #: bulk copy
//                  ^ 16-byte boundary
//
// Eight lanes of each warp are in charge of a row: one starts its copy, and of each end every lane brings one element. A place
// in the ring is written by elements or by bulk copies, never by both, so that these need no order among themselves.
#pragma once

#include "../BulkCopy.hpp"
#include "LockstepGroups.hpp"
#include "MarchRows.hpp"

namespace Keramos::cuda::stencil {

template <class T, int Radius, class Shape>
struct MarchCopies {
  using Tile = MarchTile<T, Radius, Shape>;
  static constexpr int lanes = march_edge_lanes, rows = Shape::value.height() + 2 * Radius, bytes = sizeof(T);
  static constexpr int row_bytes = Tile::pitch * bytes, plane_bytes = rows * row_bytes;

  /// An element that its lane brings to every plane.
  struct Element {
    const T* from; ///< in plane 0; null: `value` holds everywhere
    T value;

    __device__ void bring(std::int64_t offset, SharedAddress place) const
    {
      if (from)
        copy_element(place, from + offset);
      else
        store_shared(place, value);
    }
  };

  const MarchArguments<T>& a;
  const Tile& tile;
  SharedAddress ring, offsets, full, empty; ///< planes; where they lie in memory; barriers of each slot
  int lane, row;                            ///< of the eight that are in charge of a row
  bool copies;                              ///< the row is in memory and in the tile
  bool at_edge;                             ///< some row wants elements; the same in all threads of the block
  bool loads;                               ///< this lane may bring one from memory
  const T* first;                           ///< the row's first operand in plane 0; need not exist
  SharedAddress to;                         ///< its first place in slot 0
  int begin, end, last; ///< of the bulk copy from there, and the last operand's, without the shift: bytes
  Element low, high;
  Lockstep<Shape::value.drift> lockstep;
  int slot = 0;
  unsigned parity = 1; ///< of `empty`: slots are free at first

  __device__ MarchCopies(const Tile& the_tile, unsigned char* shared, int planes)
      : a(the_tile.a), tile(the_tile), ring(shared_address(shared)), offsets(ring + Tile::layout.offsets_at()),
        full(ring + Tile::layout.barriers_at()), empty(full + Shape::value.ring * barrier_bytes), lockstep(a.groups)
  {
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    row = warp + threadIdx.x % 32 / lanes * warps;
    lane = threadIdx.x % lanes;
    settle_ends();
    settle_row();
    for (int step = threadIdx.x; step < planes; step += blockDim.x)
      reinterpret_cast<std::int64_t*>(shared + Tile::layout.offsets_at())[step] = tile.plane_offset(step);
    const int loading = __syncthreads_count(loads);
    if (threadIdx.x < 2 * Shape::value.ring)
      init_barrier(full + threadIdx.x * barrier_bytes, blockDim.x + (threadIdx.x < Shape::value.ring ? loading : 0));
    publish_barriers();
    __syncthreads();
  }

  __device__ void settle_ends()
  {
    const std::int64_t left = tile.x - Radius;
    const MarchEnds<T> ends(left, a.columns + 2 * Radius, a.shift(a.in + left), a.axis[0].valid_begin,
                            a.axis[0].valid_end);
    begin = ends.begin * bytes;
    end = ends.end * bytes;
    last = (ends.columns - 1) * bytes;
    at_edge = ends.elements_below || ends.elements_above;
  }

  __device__ void settle_row()
  {
    const std::int64_t left = tile.x - Radius, offset = a.axis[1].offset(tile.y - Radius + row);
    copies = row < rows && offset != core::no_index;
    first = kept(tile.row_at(offset));
    to = ring + row * row_bytes;
    settle_element(low, a.in + offset, left + lane);
    settle_element(high, a.in + offset, left + a.columns + 2 * Radius - 1 - lane);
    const MarchShift shift = a.shift(a.in + left);
    loads = copies && at_edge &&
            ((low.from && (shift.min + lane) * bytes < begin) ||
             (high.from && shift.max * bytes + last - lane * bytes >= end));
  }

  __device__ void settle_element(Element& element, const T* row_begin, std::int64_t x) const
  {
    const std::int64_t offset = a.axis[0].offset(x);
    element.from = offset == core::no_index ? nullptr : kept(row_begin + offset);
    element.value = a.axis[0].value(x);
  }

  /// In registers: the compiler would rather find it anew for each plane.
  __device__ static const T* kept(const T* pointer)
  {
    asm volatile("" : "+l"(pointer));
    return pointer;
  }

  /// Before a plane is read: all of it has come. Where it lay in memory.
  __device__ std::int64_t wait(int step, int k, unsigned phase) const
  {
    wait_for_phase(full + k * barrier_bytes, phase);
    return offset(step);
  }

  __device__ std::int64_t offset(int step) const { return load_shared(offsets + step * 8); }

  /// After this thread has read a plane.
  __device__ void release(int k) const { arrive(empty + k * barrier_bytes); }

  /// Begins with the step-th plane. Every thread arrives for itself, which costs nothing that we could measure, and is what
  /// racecheck follows.
  __device__ void advance(int step, int planes)
  {
    if (step >= planes) return;
    const SharedAddress barrier = full + slot * barrier_bytes;
    wait_for_phase(empty + slot * barrier_bytes, parity);
    const bool keeps_together = Shape::value.drift > 0 && threadIdx.x < 32 && a.groups.steps > 0;
    if (keeps_together) lockstep.keep(step);
    begin_plane(step, offset(step), barrier);
    if (keeps_together && step + 1 == planes) lockstep.leave(planes);
    arrive(barrier);
    if (loads) arrive_after_copies(barrier);
    if (++slot == Shape::value.ring) slot = 0, parity ^= 1;
  }

  __device__ void begin_plane(int step, std::int64_t offset, SharedAddress barrier)
  {
    if (!copies || offset == core::no_index) return fill_row(step, offset);
    const auto from = reinterpret_cast<std::uintptr_t>(first + offset);
    const int shift = static_cast<int>(from % 16);
    const SharedAddress place = to + slot * plane_bytes;
    if (lane == 0) copy_bulk(place + begin, reinterpret_cast<const void*>(from - shift + begin), end - begin, barrier);
    if (!at_edge) return;
    const int low_at = shift + lane * bytes, high_at = shift + last - lane * bytes;
    if (low_at < begin) low.bring(offset, place + low_at);
    if (high_at >= end) high.bring(offset, place + high_at);
  }

  /// A row of values: beyond an edge along y, where one plane is as the other and a slot keeps it, or of a plane beyond an edge
  /// along z. Bulk copies may come to its place later.
  __device__ void fill_row(int step, std::int64_t offset) const
  {
    if (row >= rows) return;
    const bool is_there =
        step >= Shape::value.ring && load_shared(offsets + (step - Shape::value.ring) * 8) != core::no_index;
    if (offset != core::no_index && is_there) return;
    const int shift = copies ? elements_behind(first) % vector_width<T> : 0;
    const std::int64_t begin_x = a.axis[0].valid_begin, end_x = a.axis[0].valid_end;
    const std::int64_t y = tile.y - Radius + row, z = tile.first - Radius + step, left = tile.x - Radius - shift;
    const T below = value_beyond(a.axis, a.view_axis, {begin_x - 1, y, z});
    const T between = value_beyond(a.axis, a.view_axis, {begin_x, y, z});
    const T above = value_beyond(a.axis, a.view_axis, {end_x, y, z});
#pragma unroll 1
    for (int at = lane; at < Tile::pitch; at += lanes) {
      const T value = left + at < begin_x ? below : left + at < end_x ? between : above;
      store_shared(to + slot * plane_bytes + at * bytes, value);
    }
    order_before_copies();
  }
};

} // namespace Keramos::cuda::stencil
