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
// Eight lanes of a warp are in charge of a row, or of several: one starts its copy, and of each end every lane brings one element.
// A place in the ring is written by elements or by bulk copies, never by both, so that these need no order among themselves.
// Where a shape has producers, warps of their own begin with planes, and the others have all their time for sums.
#pragma once

#include "../BulkCopy.hpp"
#include "LockstepGroups.hpp"
#include "MarchRows.hpp"

#include <climits>

namespace Keramos::cuda::stencil {

template <class T, int Radius, class Shape>
struct MarchCopies {
  using Tile = MarchTile<T, Radius, Shape>;
  static constexpr int lanes = march_edge_lanes, rows = Shape::value.height() + 2 * Radius, bytes = sizeof(T);
  static constexpr int row_bytes = Tile::pitch * bytes, plane_bytes = rows * row_bytes;
  static constexpr int column_step = Tile::column_step, step_bytes = column_step * bytes; ///< from a column to the next
  static constexpr int producers = Shape::value.producers;                                ///< the first warps
  static constexpr int together = Shape::value.beginning(); ///< warps that begin with the same plane; 0: all
  static constexpr int steps_on = Shape::value.turns();     ///< from a plane that a warp begins with to its next one
  static constexpr int turns = together == 0 ? 1 : (rows + 4 * together - 1) / (4 * together);

  // An element that its lane brings to every plane: how far it lies from the row's first operand, or which value holds everywhere.
  static constexpr int low_value = INT_MIN, high_value = INT_MIN + 1;

  /// That a lane is in charge of, with seven others.
  struct Row {
    int index;        ///< in a plane
    bool copies;      ///< it is in memory and in the tile
    const T* first;   ///< its first operand in plane 0; need not exist
    SharedAddress to; ///< its first place in slot 0
  };

  const MarchArguments<T>& a;
  const Tile& tile;
  const int planes;                         ///< of the march, those beyond its ends included
  SharedAddress ring, offsets, full, empty; ///< planes; where they lie in memory; barriers of each slot
  int lane;                                 ///< of the eight that are in charge of a row
  bool at_edge;                             ///< some row wants elements; the same in all threads of the block
  bool loads = false;                       ///< this lane may bring one from memory
  int begin, end, last; ///< of the bulk copy of a row, and the last operand's, without the shift: bytes
  int low, high;        ///< elements
  Row own[turns];
  Lockstep<Shape::value.drift> lockstep;
  int slot;            ///< of the plane that this warp begins with next
  unsigned parity = 1; ///< of `empty`: slots are free at first

  __device__ MarchCopies(const Tile& the_tile, unsigned char* shared)
      : a(the_tile.a), tile(the_tile), planes(static_cast<int>(the_tile.last - the_tile.first) + 2 * Radius),
        ring(shared_address(shared)), offsets(ring + Tile::layout.offsets_at()),
        full(ring + Tile::layout.barriers_at()), empty(full + Shape::value.ring * barrier_bytes), lockstep(a.groups)
  {
    const int warps = together > 0 ? together : blockDim.x / 32, warp = warp_of_block() % warps;
    lane = threadIdx.x % lanes;
    slot = first_step();
    settle_ends();
    low = element_at(tile.x - Radius + lane);
    high = element_at(tile.x + a.columns + Radius - 1 - lane);
    if (begins()) {
#pragma unroll
      for (int turn = 0; turn < turns; ++turn)
        settle_row(own[turn], warp + (threadIdx.x % 32 / lanes + turn * (32 / lanes)) * warps);
    }
    for (int step = threadIdx.x; step < planes; step += blockDim.x)
      reinterpret_cast<std::int64_t*>(shared + Tile::layout.offsets_at())[step] = tile.plane_offset(step);
    const int loading = __syncthreads_count(loads) / steps_on; // all that begin in turn load alike
    const int beginning = together > 0 ? 32 * together : blockDim.x, reading = blockDim.x - 32 * Shape::value.helpers();
    if (threadIdx.x < 2 * Shape::value.ring)
      init_barrier(full + threadIdx.x * barrier_bytes, threadIdx.x < Shape::value.ring ? beginning + loading : reading);
    publish_barriers();
    __syncthreads();
  }

  /// The first plane that this warp begins with.
  __device__ static int first_step() { return steps_on > 1 ? warp_of_block() : 0; }

  /// Whether this thread's warp begins with planes.
  __device__ static bool begins() { return producers == 0 || warp_of_block() < producers; }

  __device__ void settle_ends()
  {
    const std::int64_t left = tile.x - Radius;
    const MarchEnds<T> ends(left, a.columns + 2 * Radius, column_step, a.shift(a.in + left * column_step),
                            a.axis[0].valid_begin, a.axis[0].valid_end);
    begin = ends.begin * bytes;
    end = ends.end * bytes;
    last = (ends.places - 1) * bytes;
    at_edge = ends.elements_below || ends.elements_above;
  }

  __device__ void settle_row(Row& row, int index)
  {
    const std::int64_t left = tile.x - Radius, offset = a.axis[1].offset(tile.y - Radius + index);
    row.index = index;
    row.copies = index < rows && offset != core::no_index;
    row.first = kept(tile.row_at(offset));
    row.to = ring + index * row_bytes;
    const MarchShift shift = a.shift(a.in + left * column_step);
    loads = loads || (row.copies && at_edge &&
                      ((low > high_value && shift.min * bytes + lane * step_bytes < begin) ||
                       (high > high_value && shift.max * bytes + last - lane * step_bytes >= end)));
  }

  __device__ int element_at(std::int64_t x) const
  {
    const std::int64_t offset = a.axis[0].offset(x);
    int element = x < a.axis[0].valid_begin ? low_value : high_value;
    if (offset != core::no_index) element = static_cast<int>(offset - (tile.x - Radius) * column_step);
    asm volatile("" : "+r"(element)); // in a register: the compiler would rather find it anew for each plane
    return element;
  }

  /// To its place in a plane.
  __device__ void bring(int element, const T* row_begin, SharedAddress place) const
  {
    if (element > high_value)
      copy_element(place, row_begin + element);
    else
      store_shared(place, element == low_value ? a.axis[0].low_value : a.axis[0].high_value);
  }

  /// In registers, as elements.
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
  __device__ void advance(int step)
  {
    static_assert(steps_on <= Shape::value.ring);
    if (step >= planes) return;
    const SharedAddress barrier = full + slot * barrier_bytes;
    wait_for_phase(empty + slot * barrier_bytes, parity);
    if (keeps_together()) lockstep.keep(step, step + steps_on);
    const std::int64_t at = offset(step);
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) begin_row(own[turn], step, at, barrier);
    if (steps_on == 1 && keeps_together() && step + 1 == planes) lockstep.leave(planes);
    arrive(barrier);
    if (loads) arrive_after_copies(barrier);
    slot += steps_on;
    if (slot >= Shape::value.ring) slot -= Shape::value.ring, parity ^= 1;
  }

  /// With all of its planes, of a warp that does nothing else.
  __device__ void advance_all()
  {
    for (int step = first_step(); step < planes; step += steps_on) advance(step);
    if constexpr (steps_on > 1) { // no warp counts a plane after the block has left
      asm volatile("bar.sync 1, %0;" ::"n"(32 * producers) : "memory");
      if (warp_of_block() == 0 && keeps_together()) lockstep.leave(planes);
    }
  }

  /// Whether this warp counts the planes that it begins with.
  __device__ bool keeps_together() const
  {
    return Shape::value.drift > 0 && (steps_on > 1 || threadIdx.x < 32) && a.groups.steps > 0;
  }

  __device__ void begin_row(const Row& row, int step, std::int64_t offset, SharedAddress barrier)
  {
    if (!row.copies || offset == core::no_index) return fill_row(row, step, offset);
    const auto from = reinterpret_cast<std::uintptr_t>(row.first + offset);
    const int shift = static_cast<int>(from % 16);
    const SharedAddress place = row.to + slot * plane_bytes;
    if (lane == 0) copy_bulk(place + begin, reinterpret_cast<const void*>(from - shift + begin), end - begin, barrier);
    if (!at_edge) return;
    const int low_at = shift + lane * step_bytes, high_at = shift + last - lane * step_bytes;
    if (low_at < begin) bring(low, row.first + offset, place + low_at);
    if (high_at >= end) bring(high, row.first + offset, place + high_at);
  }

  /// A row of values: beyond an edge along y, where one plane is as the other and a slot keeps it, or of a plane beyond an edge
  /// along z. Bulk copies may come to its place later.
  __device__ void fill_row(const Row& row, int step, std::int64_t offset) const
  {
    if (row.index >= rows) return;
    const bool is_there =
        step >= Shape::value.ring && load_shared(offsets + (step - Shape::value.ring) * 8) != core::no_index;
    if (offset != core::no_index && is_there) return;
    fill(a, row.index, step, row.copies ? elements_behind(row.first) % vector_width<T> : 0,
         row.to + slot * plane_bytes);
    order_before_copies();
  }

  /// `shift`: of the first operand from the row's place. Rare, and so out of line; by value, for what has an address leaves the
  /// registers.
  __device__ __noinline__ static void fill(const MarchArguments<T>& a, int row, int plane, int shift,
                                           SharedAddress place)
  {
    constexpr int width = vector_width<T>;
    const Tile tile(a);
    const std::int64_t begin_x = a.axis[0].valid_begin, end_x = a.axis[0].valid_end;
    const std::int64_t y = tile.y - Radius + row, z = tile.first - Radius + plane;
    const std::int64_t left = (tile.x - Radius) * column_step - shift;
    const T below = value_beyond(a.axis, a.view_axis, {begin_x - 1, y, z});
    const T between = value_beyond(a.axis, a.view_axis, {begin_x, y, z});
    const T above = value_beyond(a.axis, a.view_axis, {end_x, y, z});
    const auto begin = static_cast<int>(max(begin_x * column_step - left, std::int64_t(0)));
    const auto end = static_cast<int>(min(end_x * column_step - left, std::int64_t(Tile::pitch)));
#pragma unroll 2
    for (int at = threadIdx.x % lanes * width; at < Tile::pitch; at += lanes * width) {
      T value[width];
#pragma unroll
      for (int k = 0; k < width; ++k) value[k] = at + k < begin ? below : at + k < end ? between : above;
      store_shared(place + at * bytes, value);
    }
  }
};

} // namespace Keramos::cuda::stencil
