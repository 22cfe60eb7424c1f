// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines that lie in the rows of small grids, and in rows of elements that lie apart: pencils in shared memory, a vector a thread. There is
// no loop, because a small grid only waits (64^3 in f32 in a graph, H200: 2.28 us; by LineAlong.hpp 2.44).
//
//     halo | own points of the block's threads | halo
//     halo | own points                        | halo
#pragma once

#include "LineVectors.hpp"

namespace Keramos::cuda::stencil {

/// The halo of all pencils. It moves up to the last point of the row.
template <int Radius, class T>
__device__ void prefetch_pencil_halo(const LineArguments<T>& a, const PencilLayout& layout, T* pencils, const T* plane,
                                     const core::Index3& corner)
{
  const std::int64_t low = max(corner[0], a.range[0].begin);
  const std::int64_t high = min(corner[0] + layout.width * layout.points, a.range[0].end);
  for (int slot = threadIdx.x; slot < layout.pencils * 2 * Radius; slot += blockDim.x) {
    const int column = slot % (2 * Radius), pencil = slot / (2 * Radius);
    const std::int64_t index = column < Radius ? low + column - Radius : high + column - Radius;
    const std::int64_t offset = a.line.offset(index);
    T* const to = pencils + pencil * layout.pitch() + layout.halo + static_cast<int>(index - corner[0]);
    if (!a.range[1].has(corner[1] + pencil)) break;
    if (offset == core::no_index)
      *to = a.line.value(index);
    else
      copy_async<sizeof(T)>(to, plane + offset + (corner[1] + pencil) * a.in_stride[1]);
  }
}

/// The sums of a thread's points from its pencil; `mine` is the first point, the others are `step` apart.
template <int Radius, bool Vectorised, class T, int Points>
__device__ void sum_along(const T* weight, const T* mine, int step, T (&sum)[Points], T (&centre)[Points])
{
  if constexpr (Vectorised) {
    constexpr int halo = pencil_layout(Radius, Points, 1, 1).halo;
    T window[halo + Points + halo];
#pragma unroll
    for (int first = 0; first < halo + Points + halo; first += Points) {
      T values[Points];
      load_packed(values, mine - halo + first);
#pragma unroll
      for (int v = 0; v < Points; ++v) window[first + v] = values[v];
    }
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      centre[v] = window[halo + v];
      sum[v] = 0;
#pragma unroll
      for (int k = -Radius; k <= Radius; ++k) sum[v] += weight[k + Radius] * window[halo + v + k];
    }
  } else {
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      centre[v] = mine[v * step];
      sum[v] = 0;
#pragma unroll
      for (int k = -Radius; k <= Radius; ++k) sum[v] += weight[k + Radius] * mine[v * step + k];
    }
  }
}

/// The thread's points, as neighbours (`Vectorised`) or the pencil's threads apart.
template <int Radius, bool Vectorised, class T, class Epilogue>
__device__ void run_small_line(const LineArguments<T>& a, const Epilogue& epilogue, T* pencils)
{
  constexpr int points = vector_width<T>;
  const PencilLayout layout = pencil_layout(Radius, points, 1 << a.block.lanes, 1 << a.block.across);
  const int lane = threadIdx.x & (layout.width - 1), row = threadIdx.x >> a.block.lanes;
  const int first_point = Vectorised ? lane * points : lane, step = Vectorised ? 1 : layout.width;
  const core::Index3 corner = a.corner({layout.width * points, layout.pencils, 1});
  const std::int64_t x = corner[0] + first_point, y = corner[1] + row, z = corner[2];
  const unsigned mask = a.range[1].has(y) ? points_inside<points>(a.range[0], x, step) : 0;

  T* const mine = pencils + row * layout.pitch() + layout.halo + first_point;
  const T* const plane = a.in + z * a.in_stride[2];
  const T* const own = plane + x * a.in_stride[0] + y * a.in_stride[1];
  if (Vectorised && mask == all_points<points>) {
    copy_async<16>(mine, own);
  } else {
#pragma unroll
    for (int v = 0; v < points; ++v)
      if (mask >> v & 1) copy_async<sizeof(T)>(mine + v * step, own + v * step * a.in_stride[0]);
  }
  prefetch_pencil_halo<Radius>(a, layout, pencils, plane, corner);
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
  if (mask == 0) return;
  T sum[points], centre[points];
  sum_along<Radius, Vectorised>(a.weight, mine, step, sum, centre);
  if (!finish_points(epilogue, sum, centre, x, step, y, z, mask)) return;
  T* const to = a.out + x * a.out_stride[0] + y * a.out_stride[1] + z * a.out_stride[2];
  store_points<Vectorised>(to, a.out_stride[0], sum, step, mask);
}

/// A block has 2^across pencils of 2^lanes threads.
template <class T, int Radius, class Epilogue>
__global__ void __launch_bounds__(256)
    line_small_kernel(const __grid_constant__ LineArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  if (a.small.is_taken) return run_line_vectors<Radius, 1, true>(a, epilogue);
  extern __shared__ __align__(16) unsigned char line_shared[];
  T* const pencils = reinterpret_cast<T*>(line_shared);
  a.vectorised ? run_small_line<Radius, true>(a, epilogue, pencils)
               : run_small_line<Radius, false>(a, epilogue, pencils);
}

} // namespace Keramos::cuda::stencil
