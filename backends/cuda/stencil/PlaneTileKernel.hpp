// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over two axes whose rows lie more than whole vectors apart, on Hopper and later: a block's tile comes to shared memory with its
// halo, each row by one bulk copy that begins with a line of 128 bytes, where memory is asked for no part of one:
//
//     line |             |                       row y - R    left | points ... | right
//     line |    a copy: #####################################################
//     line |             | row y - R + 1, whose points lie that much further before x
//
// The rows of a tile lie so that points of a vector follow each other from a boundary of 16 bytes in all of them, in memory and in shared
// memory, as those of a thread of PlaneKernel.hpp do. Where a tile has an end, copies keep to what is between the ends, and elements do the rest.
#pragma once

#include "../BulkCopy.hpp"
#include "PlaneFinish.hpp"
#include "PlaneThread.hpp"

#include <utility>

namespace Keramos::cuda::stencil {

template <class T, int Radius, int Step>
struct PlaneTile {
  static constexpr int points = vector_width<T>, items = plane_items;
  static constexpr int rows = plane_tile.height() + 2 * Radius, row_bytes = plane_tile.row_bytes(Radius, sizeof(T));
  static constexpr int halo = plane_tile.halo(Radius, sizeof(T));

  using Thread = PlaneThread<T, true, Radius, PlaneRows::alike, Step, true, false>;
  static_assert(!Thread::in_order, "loads whose order is kept are from global memory");

  const PlaneArguments<T>& a;
  unsigned char* memory;
  std::int64_t x, y; ///< of its first point
  bool is_plain;     ///< it reaches nothing beyond the ends

  __device__ PlaneTile(const PlaneArguments<T>& arguments, unsigned char* shared) : a(arguments), memory(shared)
  {
    const unsigned block_y = quotient(blockIdx.x, a.blocks_along_x),
                   block_x = blockIdx.x - block_y * a.blocks_along_x.d;
    x = a.origin + std::int64_t(block_x) * plane_tile.width(sizeof(T));
    y = a.range[1].begin + std::int64_t(block_y) * plane_tile.height();
    is_plain = a.plain[0].has(x) && a.plain[1].has(y);
  }

  /// Bytes from a line's begin to what lies `halo` elements before the first point in row r, of which shared memory has as many.
  __device__ unsigned behind(int r) const
  {
    return (low_bits(a.in) +
            (low_bits(y - Radius + r) * low_bits(a.axis[1].stride) + low_bits(x - halo - Thread::back(r))) *
                sizeof(T)) %
           PlaneTileShape::line_bytes;
  }
  __device__ T* place_of(int r) const { return reinterpret_cast<T*>(memory + r * row_bytes + behind(r)); }

  /// A row of the tile: its first element, where that would be in memory if its row is there, and which elements a copy brings.
  struct Row {
    std::int64_t x, y, offset; ///< of the field's row, from its element 0; or no_index: there is a value
    int begin, end, last;      ///< nothing is read from `last` on
  };
  __device__ Row row_at(int r) const
  {
    Row row{x - Thread::back(r) - halo, y - Radius + r, 0, 0, 0, 0};
    if (row.y >= a.range[1].end + Radius) return row;
    const auto within = [&](std::int64_t at) {
      return static_cast<int>(
          min(max(at - row.x, std::int64_t(0)), std::int64_t(plane_tile.width(sizeof(T)) + 2 * halo)));
    };
    row.last = within(a.range[0].end + Radius);
    row.offset = a.axis[1].offset(row.y);
    if (!a.axis[1].plain(row.y, row.y + 1)) return row; // another row lies otherwise
    row.begin = (within(a.axis[0].valid_begin) + points - 1) / points * points;
    row.end = max(min(within(a.axis[0].valid_end), row.last + points - 1) / points * points, row.begin);
    return row;
  }

  /// By one warp; the barrier is for itself until the block has met.
  __device__ void copy(SharedAddress barrier) const
  {
    if (threadIdx.x == 0) init_barrier(barrier, 1), publish_barriers();
    __syncwarp();
    for (int r = threadIdx.x; r < rows; r += 32) {
      if (is_plain) {
        const auto from =
            reinterpret_cast<std::uintptr_t>(a.in + (y - Radius + r) * a.axis[1].stride + (x - Thread::back(r) - halo));
        const unsigned more = from % PlaneTileShape::line_bytes;
        copy_bulk(shared_address(memory) + r * row_bytes, reinterpret_cast<const void*>(from - more),
                  copied_bytes + more, barrier);
        continue;
      }
      const Row row = row_at(r);
      const auto bytes = static_cast<unsigned>((row.end - row.begin) * static_cast<int>(sizeof(T)));
      if (bytes == 0) continue;
      copy_bulk(shared_address(place_of(r) + row.begin), a.in + row.offset + row.x + row.begin, bytes, barrier);
    }
    __syncwarp();
    if (threadIdx.x == 0) arrive(barrier);
  }

  /// What copies do not bring, by a warp a row.
  __device__ void fill_ends() const
  {
    for (int r = threadIdx.x / 32; r < rows; r += blockDim.x / 32) {
      const Row row = row_at(r);
      T* const to = place_of(r);
      for (int e = threadIdx.x % 32; e < min(row.begin, row.last); e += 32) to[e] = element(row, row.x + e);
      for (int e = row.end + threadIdx.x % 32; e < row.last; e += 32) to[e] = element(row, row.x + e);
    }
  }
  __device__ T element(const Row& row, std::int64_t at) const
  {
    const std::int64_t along = a.axis[0].offset(at);
    const bool is_place = along != core::no_index, is_row = row.offset != core::no_index;
    T value = is_place || (!is_row && a.y_decides) ? a.axis[1].value(row.y) : a.axis[0].value(at);
    load_if(is_row && is_place && at >= a.range[0].begin - Radius, value, a.in + row.offset + along);
    return value;
  }

  /// Row R, from shared memory, where the first row's points of this thread's column lie `first`, but for what they are behind a line.
  template <int R>
  __device__ void add_row(T (&sum)[items][points], T (&centre)[items][points], const Thread& thread, const T* first,
                          unsigned behind_first) const
  {
    typename Thread::template Window<R> row;
    const unsigned more =
        (behind_first + (R * low_bits(a.axis[1].stride) - Thread::back(R)) * sizeof(T)) % PlaneTileShape::line_bytes;
    Thread::load_vectors(row.element, first + R * (row_bytes / sizeof(T)) + more / sizeof(T) - row.before);
    thread.template add_row<R>(sum, centre, row);
  }
  template <int... R>
  __device__ void add_rows(T (&sum)[items][points], const Thread& thread, const T* first, unsigned behind_first,
                           std::integer_sequence<int, R...>) const
  {
    T centre[items][points];
    (add_row<R>(sum, centre, thread, first, behind_first), ...);
  }

  __device__ void sum_and_store() const
  {
    const int lane = threadIdx.x % (1 << plane_tile.lanes), across = (threadIdx.x >> plane_tile.lanes) * items;
    const std::int64_t own_x = x + lane * points, own_y = y + across;
    if (own_x - (points - 1) >= a.range[0].end || own_y >= a.range[1].end) return;
    T sum[items][points];
#pragma unroll
    for (int n = 0; n < items; ++n) fill(sum[n], T(0));
    const T* const first = reinterpret_cast<const T*>(memory + across * row_bytes) + halo + lane * points;
    add_rows(sum, Thread(a, own_x, own_y), first, behind(across) + Thread::back(0) * sizeof(T),
             std::make_integer_sequence<int, items + 2 * Radius>());
    if (is_plain)
      PlaneFinish<T, PlaneRows::alike, true>{a, own_x, own_y, Step}.store(sum, false);
    else
      PlaneFinish<T, PlaneRows::alike, false>{a, own_x, own_y, Step}.store(sum, false);
  }

private:
  /// All that places within a line depend on.
  template <class Number>
  __device__ static unsigned low_bits(Number number)
  {
    return static_cast<unsigned>((std::uint64_t)(number));
  }
  static constexpr unsigned copied_bytes = (plane_tile.width(sizeof(T)) + 2 * halo) * sizeof(T);
};

template <class T, int Radius, int Step>
__device__ __forceinline__ void run_plane_tile(const PlaneArguments<T>& a, unsigned char* shared, SharedAddress barrier)
{
  const PlaneTile<T, Radius, Step> tile(a, shared);
  if (threadIdx.x < 32) tile.copy(barrier);
  if (!tile.is_plain) tile.fill_ends();
  __syncthreads();
  wait_for_phase(barrier, 0);
  tile.sum_and_store();
}

template <class T, int Radius>
__global__ void __launch_bounds__(plane_tile.threads(), plane_tile.blocks)
    plane_tile_kernel(const __grid_constant__ PlaneArguments<T> a)
{
#if __CUDA_ARCH__ >= 900 // choose_plane() takes it for no other
  extern __shared__ __align__(128) unsigned char tile_memory[];
  __shared__ alignas(barrier_bytes) unsigned char barrier[barrier_bytes];
  const SharedAddress at = shared_address(barrier);
  if (a.step == 1) return run_plane_tile<T, Radius, 1>(a, tile_memory, at);
  if constexpr (vector_width<T> == 4) {
    if (a.step == 2) return run_plane_tile<T, Radius, 2>(a, tile_memory, at);
    run_plane_tile<T, Radius, 3>(a, tile_memory, at);
  }
#endif
}

} // namespace Keramos::cuda::stencil
