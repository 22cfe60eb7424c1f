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
// Eight lanes of each warp are in charge of a row: one starts its copy, and of each end every lane loads one element,
// march_ahead planes before it is needed, and stores it a plane later, when it has come. A place in the ring is written by elements
// or by bulk copies, never by both, so that these need no order among themselves.
#pragma once

#include "../BulkCopy.hpp"
#include "March.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block.
template <class T, int Radius, int Number>
struct MarchTile {
  static constexpr MarchShape shape = march_shape(Radius, sizeof(T), Number);
  static constexpr MarchLayout<T> layout = march_layout<T>(shape, Radius);
  static constexpr int pitch = layout.pitch();

  const StarArguments<T>& a;
  int columns;
  std::int64_t x, y, first, last;  ///< of its first point, its first and past its last plane
  std::int64_t stored_x, stored_y; ///< what lies before is stored by another block

  __device__ explicit MarchTile(const MarchArguments<T>& arguments) : a(arguments.star), columns(arguments.columns)
  {
    const unsigned tiles = a.tiles[0] * a.tiles[1], tile = blockIdx.x % tiles;
    stored_x = a.range[0].begin + std::int64_t(tile % a.tiles[0]) * columns;
    stored_y = a.range[1].begin + std::int64_t(tile / a.tiles[0]) * shape.height();
    x = min(stored_x, a.range[0].end - columns);
    y = min(stored_y, a.range[1].end - shape.height());
    first = a.range[2].begin + blockIdx.x / tiles * a.chunk;
    last = min(first + a.chunk, a.range[2].end);
  }

  /// Where plane `step` of the march lies, from plane 0 of the field; no_index: a value is there.
  __device__ std::int64_t plane_offset(int step) const { return a.axis[2].offset(first - Radius + step); }

  /// The first operand of a row in plane 0, Radius before the tile, from the row's own offset or its index. It need not
  /// exist.
  __device__ const T* row_at(std::int64_t offset) const { return a.in + offset + (x - Radius); }
  __device__ const T* row(std::int64_t index) const { return row_at(index * a.axis[1].stride); }
};

template <class T, int Radius, int Number>
struct MarchCopies {
  using Tile = MarchTile<T, Radius, Number>;
  static constexpr MarchShape shape = Tile::shape;
  static constexpr int lanes = march_edge_lanes, rows = shape.height() + 2 * Radius, bytes = sizeof(T);
  static constexpr int row_bytes = Tile::pitch * bytes, plane_bytes = rows * row_bytes;

  /// An element that its lane brings to every plane: from memory, or always the same value.
  struct Element {
    const T* from;           ///< in plane 0; null: `value` holds everywhere
    T value;                 ///< on its way to shared memory
    SharedAddress place = 0; ///< where to; 0: it comes with the bulk copy
  };

  const StarArguments<T>& a;
  SharedAddress ring, offsets, full, empty; ///< planes; where they lie in memory; barriers of each slot
  int lane;                                 ///< of the eight that are in charge of a row
  bool copies;                              ///< the row is in memory and in the tile
  bool at_edge;                             ///< some row wants elements; the same in all threads of the block
  const T* first;                           ///< the row's first operand in plane 0; need not exist
  SharedAddress to;                         ///< its first place in slot 0
  int begin, end, last; ///< of the bulk copy from there, and the last operand's, without the shift: bytes
  Element low, high;
  int slot = 0;
  unsigned parity = 1; ///< of `empty`: slots are free at first

  __device__ MarchCopies(const StarArguments<T>& arguments, const Tile& tile, unsigned char* shared, int planes)
      : a(arguments), ring(shared_address(shared)), offsets(ring + Tile::layout.offsets_at()),
        full(ring + Tile::layout.barriers_at()), empty(full + march_ring * barrier_bytes)
  {
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32, row = warp + threadIdx.x % 32 / lanes * warps;
    lane = threadIdx.x % lanes;
    settle_ends(tile);
    settle_row(tile, row, reinterpret_cast<T*>(shared));
    for (int step = threadIdx.x; step < planes; step += blockDim.x)
      reinterpret_cast<std::int64_t*>(shared + Tile::layout.offsets_at())[step] = tile.plane_offset(step);
    if (threadIdx.x < 2 * march_ring) init_barrier(full + threadIdx.x * barrier_bytes, blockDim.x);
    publish_barriers();
    __syncthreads();
  }

  __device__ void settle_ends(const Tile& tile)
  {
    const MarchEnds<T> ends(tile.x - Radius, tile.columns + 2 * Radius, a.axis[0].valid_begin, a.axis[0].valid_end);
    begin = ends.begin * bytes;
    end = ends.end * bytes;
    last = (ends.columns - 1) * bytes;
    at_edge = ends.elements_below || ends.elements_above;
  }

  __device__ void settle_row(const Tile& tile, int row, T* shared)
  {
    const std::int64_t left = tile.x - Radius, index = tile.y - Radius + row, offset = a.axis[1].offset(index);
    copies = row < rows && offset != core::no_index;
    if (row < rows && !copies) fill_row(shared + row * Tile::pitch, a.axis[1].value(index));
    first = kept(tile.row_at(offset));
    to = ring + row * row_bytes;
    settle_element(low, a.in + offset, left + lane);
    settle_element(high, a.in + offset, left + tile.columns + 2 * Radius - 1 - lane);
  }

  __device__ void settle_element(Element& element, const T* row, std::int64_t x) const
  {
    const std::int64_t offset = a.axis[0].offset(x);
    element.from = offset == core::no_index ? nullptr : kept(row + offset);
    element.value = a.axis[0].value(x);
  }

  /// In registers: the compiler would rather find it anew for each plane.
  __device__ static const T* kept(const T* pointer)
  {
    asm volatile("" : "+l"(pointer));
    return pointer;
  }

  /// A row beyond an edge whose rule is a value, in all planes.
  __device__ void fill_row(T* row, T value) const
  {
#pragma unroll 1
    for (int k = 0; k < march_ring; ++k)
#pragma unroll 1
      for (int x = lane; x < Tile::pitch; x += lanes) row[k * Tile::layout.plane() + x] = value;
  }

  /// Before a plane is read: all of it has come. Where it lay in memory.
  __device__ std::int64_t wait(int step, int k, unsigned phase) const
  {
    wait_for_phase(full + k * barrier_bytes, phase);
    return load_shared(offsets + step * 8);
  }

  /// After this thread has read a plane.
  __device__ void release(int k) const { arrive(empty + k * barrier_bytes); }

  /// Ends what the last step began, and begins with the step-th plane.
  __device__ void advance(int step, int planes)
  {
    if (step > planes) return;
    if (step > 0) complete(full + ((slot == 0 ? march_ring : slot) - 1) * barrier_bytes);
    if (step == planes) return;
    wait_for_phase(empty + slot * barrier_bytes, parity);
    begin_plane(load_shared(offsets + step * 8));
    if (++slot == march_ring) slot = 0, parity ^= 1;
  }

  /// The elements of the last plane that was begun have come. Every thread arrives for itself, which costs nothing that we could
  /// measure, and is what racecheck follows.
  __device__ void complete(SharedAddress barrier)
  {
    if (at_edge) {
      if (low.place) store_shared(low.place, low.value);
      if (high.place) store_shared(high.place, high.value);
    }
    arrive(barrier);
  }

  __device__ void begin_plane(std::int64_t offset)
  {
    low.place = high.place = 0;
    if (!copies || offset == core::no_index) return;
    const auto from = reinterpret_cast<std::uintptr_t>(first + offset);
    const int shift = static_cast<int>(from % 16);
    const SharedAddress row = to + slot * plane_bytes;
    if (at_edge) {
      const int low_at = shift + lane * bytes, high_at = shift + last - lane * bytes;
      begin_element(low, low_at < begin, offset, row + low_at);
      begin_element(high, high_at >= end, offset, row + high_at);
    }
    if (lane == 0)
      copy_bulk(row + begin, reinterpret_cast<const void*>(from - shift + begin), end - begin,
                full + slot * barrier_bytes);
  }

  __device__ static void begin_element(Element& element, bool is_wanted, std::int64_t offset, SharedAddress place)
  {
    element.place = is_wanted ? place : 0;
    load_if(is_wanted && element.from, element.value, element.from + offset);
  }
};

} // namespace Keramos::cuda::stencil
