// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes by partial sums. A block owns a tile in xy and marches along z; plane z adds to the 2R + 1 outputs
// that it touches, whose sums a thread keeps in registers:
//
//     sum[0]    output z - R: its last term; it is stored
//     ...
//     sum[R]    output z: the terms along y and x, which come from the plane
//     ...
//     sum[2R]   output z + R: its first term
//
// What plane z + 1 finds in sum[k] is what plane z left in sum[k + 1]: the destination of the multiply-add shifts, and no
// queue is moved. Each point's sum is still one chain: its planes in order, and within its own plane row by row.
//
// Planes come to a ring in shared memory by MarchCopies.hpp; whatever the alignment, neighbouring lanes read neighbouring
// columns, each by itself. A row lies in the ring as far behind a 16-byte boundary as it does in memory, which for own rows
// has a period of `vector_width` rows.
#pragma once

#include "MarchCopies.hpp"

namespace Keramos::cuda::stencil {

template <class T, int Radius, int Number>
struct MarchThread {
  using Tile = MarchTile<T, Radius, Number>;
  static constexpr MarchShape shape = Tile::shape;
  static constexpr int rows = shape.rows, period = vector_width<T>, pitch = Tile::pitch;

  const StarArguments<T>& a;
  const Tile& tile;
  int column, first_row; ///< of this thread in the tile
  unsigned own_shift;    ///< of its row 0 in plane 0, in elements behind a 16-byte boundary, modulo the period
  unsigned halo_shift;   ///< of the R rows below and the R rows above its own in plane 0, two bits each
  bool halo_follows;     ///< the same in all threads of the block: halo rows lie in memory as own rows do
  unsigned stored;       ///< its rows that are to be stored, a bit each
  T* out;
  T sum[2 * Radius + 1][rows];

  __device__ MarchThread(const StarArguments<T>& arguments, const Tile& the_tile) : a(arguments), tile(the_tile)
  {
    const int warp = threadIdx.x / 32, warps_across = blockDim.x / (32 * shape.groups);
    column = warp % warps_across * 32 + threadIdx.x % 32;
    first_row = warp / warps_across * rows;
    const std::int64_t x = tile.x + column, y = tile.y + first_row;
    own_shift = elements_behind(tile.row(y));
    halo_shift = 0;
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) {
      const std::int64_t offset = a.axis[1].offset(y - Radius + k + (k < Radius ? 0 : rows));
      if (offset != core::no_index) halo_shift |= elements_behind(tile.row_at(offset)) % period << 2 * k;
    }
    halo_follows = a.axis[1].plain(tile.y - Radius, tile.y + shape.height() + Radius);
    stored = 0;
    if (column < tile.columns && x >= tile.stored_x) {
#pragma unroll
      for (int r = 0; r < rows; ++r) stored |= static_cast<unsigned>(y + r >= tile.stored_y) << r;
    }
    out = a.out + x + y * a.out_stride[1] + tile.first * a.out_stride[2];
#pragma unroll
    for (int k = 0; k <= 2 * Radius; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r) sum[k][r] = 0;
  }

  /// In 32 bits, which is enough modulo the period.
  __device__ static unsigned elements_behind(const T* address)
  {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) / sizeof(T));
  }

  __device__ T weight(int axis, int offset) const
  {
    return offset == 0 ? a.centre : a.weight[axis][offset < 0 ? offset + Radius : offset + Radius - 1];
  }

  /// The own points of a plane that lay at `offset` in memory, and where rows r, r + period, ... would begin as row 0.
  __device__ void load_own(T (&own)[rows], const T* (&begin)[period], const T* plane, std::int64_t offset) const
  {
    const unsigned plane_shift = static_cast<unsigned>(offset), row_step = static_cast<unsigned>(a.axis[1].stride);
#pragma unroll
    for (int k = 0; k < period; ++k)
      begin[k] =
          plane + (Radius + first_row) * pitch + Radius + column + (own_shift + plane_shift + k * row_step) % period;
#pragma unroll
    for (int r = 0; r < rows; ++r) own[r] = begin[r % period][r * pitch];
  }

  /// A plane beyond those of the block; no_index: one beyond an edge whose rule is `value`.
  __device__ void add_plane_beyond(const T* plane, std::int64_t offset, T value)
  {
    const T* begin[period];
    T own[rows];
    load_own(own, begin, plane, offset);
    if (offset == core::no_index) {
#pragma unroll
      for (int r = 0; r < rows; ++r) own[r] = value;
    }
    add_above(own);
#pragma unroll
    for (int r = 0; r < rows; ++r) sum[Radius][r] = sum[Radius + 1][r];
    add_below(own);
  }

  /// A plane of the block.
  __device__ void add_own_plane(const T* plane, std::int64_t offset)
  {
    const T* begin[period];
    T own[rows], halo[2 * Radius];
    load_own(own, begin, plane, offset);
    load_halo(halo, begin, plane, offset);
    add_above(own);
#pragma unroll
    for (int r = 0; r < rows; ++r) sum[Radius][r] = sum[Radius + 1][r];
    add_in_plane(sum[Radius], own, halo, begin);
    add_below(own);
  }

  /// The rows below the own ones, and those above.
  __device__ void load_halo(T (&halo)[2 * Radius], const T* const (&begin)[period], const T* plane,
                            std::int64_t offset) const
  {
    if (halo_follows) {
#pragma unroll
      for (int k = 0; k < 2 * Radius; ++k) {
        const int r = k < Radius ? k - Radius : rows + k - Radius;
        halo[k] = begin[(r + 2 * Radius * period) % period][r * pitch];
      }
      return;
    }
    const T* const at = plane + (Radius + first_row) * pitch + Radius + column;
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) {
      const int r = k < Radius ? k - Radius : rows + k - Radius;
      halo[k] = at[r * pitch + ((halo_shift >> 2 * k) + static_cast<unsigned>(offset)) % period];
    }
  }

  // sum[k] of this plane from sum[k + 1] of the last one

  __device__ void add_above(const T (&own)[rows])
  {
#pragma unroll
    for (int k = 0; k < Radius; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r) sum[k][r] = sum[k + 1][r] + weight(2, Radius - k) * own[r];
  }
  __device__ void add_below(const T (&own)[rows])
  {
#pragma unroll
    for (int k = Radius + 1; k < 2 * Radius; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r) sum[k][r] = sum[k + 1][r] + weight(2, Radius - k) * own[r];
#pragma unroll
    for (int r = 0; r < rows; ++r) sum[2 * Radius][r] = T(0) + weight(2, -Radius) * own[r];
  }

  /// The rows below a point's own, its own from left to right, the rows above.
  __device__ void add_in_plane(T (&now)[rows], const T (&own)[rows], const T (&halo)[2 * Radius],
                               const T* const (&begin)[period]) const
  {
#pragma unroll
    for (int from = -Radius; from < rows + Radius; ++from) {
      const T value = from < 0      ? halo[from < 0 ? from + Radius : 0]
                      : from < rows ? own[from < 0 || from >= rows ? 0 : from]
                                    : halo[from < rows ? 0 : from - rows + Radius];
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0) add_row(now[r], own[r], begin[r % period] + r * pitch);
        if (offset != 0 && offset >= -Radius && offset <= Radius) now[r] += weight(1, offset) * value;
      }
    }
  }

  __device__ void add_row(T& now, T own, const T* at) const
  {
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset) now += weight(0, offset) * (offset == 0 ? own : at[offset]);
  }

  __device__ void store()
  {
    if (stored == all_points<rows>) { // with nothing to ask, a third of the instructions
#pragma unroll
      for (int r = 0; r < rows; ++r) __stcs(out + r * a.out_stride[1], sum[0][r]);
    } else if (stored != 0) {
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (stored >> r & 1) __stcs(out + r * a.out_stride[1], sum[0][r]);
    }
    out += a.out_stride[2];
  }
};

/// One thread of a block. Warps run as far apart as the ring allows; none waits for a block's barrier.
template <class T, int Radius, int Number>
__device__ void march(const MarchArguments<T>& arguments, unsigned char* shared)
{
  using Copies = MarchCopies<T, Radius, Number>;
  const MarchTile<T, Radius, Number> tile(arguments);
  const int planes = static_cast<int>(tile.last - tile.first) + 2 * Radius;
  Copies copies(arguments.star, tile, shared, planes);
  MarchThread<T, Radius, Number> thread(arguments.star, tile);
  int slot = 0;
  unsigned parity = 0;
  const auto plane = [&](int step, auto add) {
    copies.advance(step + march_ahead, planes);
    const std::int64_t offset = copies.wait(step, slot, parity);
    add(reinterpret_cast<const T*>(shared) + slot * Copies::Tile::layout.plane(), offset);
    copies.release(slot);
    if (step >= 2 * Radius) thread.store();
    if (++slot == march_ring) slot = 0, parity ^= 1;
  };
  const auto beyond = [&](int begin, int end, T value) {
    for (int step = begin; step < end; ++step)
      plane(step, [&](const T* at, std::int64_t offset) { thread.add_plane_beyond(at, offset, value); });
  };
  for (int step = 0; step < march_ahead; ++step) copies.advance(step, planes);
  beyond(0, Radius, arguments.star.axis[2].low_value);
  for (int step = Radius; step < planes - Radius; ++step)
    plane(step, [&](const T* at, std::int64_t offset) { thread.add_own_plane(at, offset); });
  beyond(planes - Radius, planes, arguments.star.axis[2].high_value);
}

template <class T, int Radius, int Number>
__global__ void __launch_bounds__(march_shape(Radius, sizeof(T), Number).threads(),
                                  march_shape(Radius, sizeof(T), Number).blocks)
    march_kernel(const __grid_constant__ MarchArguments<T> arguments)
{
#if __CUDA_ARCH__ >= 900 // choose_march() takes it for no other
  extern __shared__ __align__(16) unsigned char march_shared[];
  march<T, Radius, Number>(arguments, march_shared);
#endif
}

} // namespace Keramos::cuda::stencil
