// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines along the middle axis, wherever rows begin. A plane is elements in a row, and those that a point reads lie multiples of a row before
// and behind it. A block has some that follow each other, a slab, and what it reads:
//
//     | R rows |  own points, from line to line of the output  | R rows |    one bulk copy; zeros beyond the plane
//
// So what is stored are whole lines of memory but for the ends of planes, and lanes read neighbouring elements, which meet no bank twice. The
// elements lie as far behind a line of 128 bytes in shared memory as in memory: a copy between places that differ by less than 32 bytes takes
// longer (513x513x509 on an H200, of the copy: as far behind 16 bytes 82%, 32 bytes 94%, a line 95%).
#pragma once

#include "../BulkCopy.hpp"
#include "LineSlab.hpp"
#include "Points.hpp"

namespace Keramos::cuda::stencil {

/// A block's slab, and what a thread does for it.
template <class T, int Radius>
struct LineSlab {
  using Tile = LineSlabTile<T>;
  static constexpr int threads = Tile::shape.threads, elements = Tile::shape.elements, width = vector_width<T>,
                       bytes = static_cast<int>(sizeof(T));
  static_assert(elements % threads == 0 && elements % Tile::boundary == 0);

  const LineSlabArguments<T>& a;
  const T* in; ///< of the plane
  T* out;
  int start, begin, end; ///< of the slab; of its points
  int first, low, high;  ///< of what they read; of what is there of it
  T* tile;               ///< its place for `first`, as far behind a line as in memory

  __device__ LineSlab(const LineSlabArguments<T>& arguments, unsigned char* shared) : a(arguments)
  {
    const unsigned plane = blockIdx.x / a.slabs, slab = blockIdx.x - plane * a.slabs;
    in = a.in + plane * a.in_step;
    out = a.out + plane * a.out_step;
    start = static_cast<int>(slab) * elements - behind_line(out);
    begin = max(start, 0);
    end = min(start + elements, a.points);
    first = start - Radius * a.row;
    low = max(first, a.valid_begin);
    high = min(end + Radius * a.row, a.valid_end);
    tile = reinterpret_cast<T*>(shared + Tile::tile_at) + behind_line(in + first);
  }

  __device__ static int behind_line(const T* element)
  {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(element) / bytes % Tile::boundary);
  }

  /// All that the slab reads; the copy arrives at the barrier. What lies between a boundary and the first or last element comes with it, but
  /// for the ends of a plane, where the allocation may end: there elements come one by one.
  __device__ void bring(SharedAddress barrier) const
  {
    const int below = elements_from_boundary(in + low), above = elements_from_boundary(in + high);
    const int from = low - a.valid_begin < width ? low + (width - below) % width : low - below;
    const int to = a.valid_end - high < width ? high - above : high + (width - above) % width;
    if (threadIdx.x == 0) {
      if (from < to) copy_bulk(shared_address(tile + (from - first)), in + from, (to - from) * bytes, barrier);
      arrive(barrier);
    }
    set(first, low, [](int) { return T(0); });
    set(low, min(from, high), [&](int i) { return in[i]; });
    set(max(from, to), high, [&](int i) { return in[i]; });
    set(high, end + Radius * a.row, [](int) { return T(0); });
  }

  template <class Value>
  __device__ void set(int i, int stop, Value value) const
  {
    for (i += threadIdx.x; i < stop; i += threads) tile[i - first] = value(i);
  }

  /// The points of the thread.
  __device__ void sum() const
  {
    const T* const from = tile + threadIdx.x;
    T* const to = out + start + threadIdx.x;
    if (begin == start && end == start + elements) {
#pragma unroll 4
      for (int n = 0; n < elements; n += threads) to[n] = sum(from + n);
    } else {
      for (int n = 0; n < elements; n += threads) {
        const int i = start + n + static_cast<int>(threadIdx.x);
        if (i >= begin && i < end) to[n] = sum(from + n);
      }
    }
  }

  __device__ T sum(const T* from) const
  {
    T result = 0;
#pragma unroll
    for (int k = 0; k <= 2 * Radius; ++k) result += a.weights.weight[k] * from[k * a.row];
    return result;
  }
};

template <class T, int Radius>
__global__ void __launch_bounds__(LineSlabTile<T>::shape.threads, LineSlabTile<T>::shape.blocks)
    line_slab_kernel(const __grid_constant__ LineSlabArguments<T> a)
{
#if __CUDA_ARCH__ >= 900 // choose_line_slab() takes it for no other
  extern __shared__ __align__(128) unsigned char slab_shared[];
  const LineSlab<T, Radius> slab(a, slab_shared);
  if (slab.begin >= slab.end) return;
  const SharedAddress barrier = shared_address(slab_shared);
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    publish_barriers();
  }
  slab.bring(barrier);
  __syncthreads();
  wait_for_phase(barrier, 0);
  slab.sum();
#endif
}

} // namespace Keramos::cuda::stencil
