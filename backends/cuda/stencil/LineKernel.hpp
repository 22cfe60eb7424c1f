// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines. A grid is a few microseconds of work at best, and a small one only waits: so all that a thread needs is on its way
// at once, and nothing is computed twice that the host can settle.
//
//   along (the line lies in the rows): pencils in shared memory    across: operands in registers
//
//       halo | own points of the block's threads | halo              a - R      halo       | 16 bytes of a row each
//       halo | own points                        | halo              a          own points |
//                                                                    ...        own points |
//                                                                    a + Q + R  halo       |
//
// Across, the threads of a block lie so that what one reads again another has just brought to the L1: no shared memory, no
// barrier.
#pragma once

#include "Line.hpp"

namespace Keramos::cuda::stencil {

/// The block's first point, for threads that have so many points along x and along the middle axis.
template <class T>
__device__ core::Index3 line_corner(const LineArguments<T>& a, int points_of_lanes, int points_across = 1)
{
  const unsigned x = blockIdx.x % a.blocks[0], rest = blockIdx.x / a.blocks[0];
  const unsigned y = rest % a.blocks[1], z = rest / a.blocks[1];
  return {a.origin + std::int64_t(x) * points_of_lanes,
          a.range[1].begin + (std::int64_t(y) << a.block.across) * points_across,
          a.range[2].begin + (std::int64_t(z) << a.block.deep)};
}

/// Epilogue and store of the points x, x + step, ... of `mask`.
template <bool Vectorised, class T, class Epilogue, int Points>
__device__ void finish_line(const LineArguments<T>& a, const Epilogue& epilogue, T (&sum)[Points],
                            const T (&centre)[Points], std::int64_t x, int step, std::int64_t y, std::int64_t z,
                            unsigned mask)
{
  if (!finish_points(epilogue, sum, centre, x, step, y, z, mask)) return;
  T* const to = a.out + x * a.out_stride[0] + y * a.out_stride[1] + z * a.out_stride[2];
  store_points<Vectorised>(to, a.out_stride[0], sum, step, mask);
}

// ---- Along the rows ----------------------------------------------------------------------------------------------------

/// The halo of all pencils. It moves up to the last point of the row.
template <int Radius, class T>
__device__ void prefetch_pencil_halo(const LineArguments<T>& a, const LineLayout& layout, T* pencils, const T* plane,
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
    constexpr int halo = line_layout(Radius, Points, 1, 1).halo;
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

/// A block has 2^across pencils of 2^lanes threads; a thread has `points` points of a pencil, as neighbours or the pencil's
/// threads apart.
template <class T, int Radius, bool Vectorised, class Epilogue>
__global__ void __launch_bounds__(256)
    line_along_kernel(const __grid_constant__ LineArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  constexpr int points = vector_width<T>;
  extern __shared__ __align__(16) unsigned char line_shared[];
  T* const pencils = reinterpret_cast<T*>(line_shared);
  const LineLayout layout = line_layout(Radius, points, 1 << a.block.lanes, 1 << a.block.across);
  const int lane = threadIdx.x & (layout.width - 1), row = threadIdx.x >> a.block.lanes;
  const int first_point = Vectorised ? lane * points : lane, step = Vectorised ? 1 : layout.width;
  const core::Index3 corner = line_corner(a, layout.width * points);
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
  finish_line<Vectorised>(a, epilogue, sum, centre, x, step, y, z, mask);
}

// ---- Across the rows ---------------------------------------------------------------------------------------------------

/// The sums of a thread, with what it reads at hand.
template <int Radius, class T, class Epilogue, int Length, int Points>
__device__ void finish_across(const LineArguments<T>& a, const Epilogue& epilogue, const T (&window)[Length][Points],
                              std::int64_t x, std::int64_t y0, std::int64_t z, unsigned mask)
{
#pragma unroll
  for (int item = 0; item < Length - 2 * Radius; ++item) {
    if (y0 + item >= a.range[1].end) break;
    T sum[Points];
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      sum[v] = 0;
#pragma unroll
      for (int k = 0; k <= 2 * Radius; ++k) sum[v] += a.weight[k] * window[item + k][v];
    }
    finish_line<(Points > 1)>(a, epilogue, sum, window[item + Radius], x, 1, y0 + item, z, mask);
  }
}

/// A thread has `Points` neighbours along x of `items` points each along the line.
template <class T, int Radius, int Points, class Epilogue>
__global__ void __launch_bounds__(256, Radius <= 4 ? 3 : 2)
    line_across_kernel(const __grid_constant__ LineArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  constexpr int items = line_items(Radius), length = items + 2 * Radius;
  const core::Index3 corner = line_corner(a, Points << a.block.lanes, items);
  const unsigned lane = threadIdx.x & ((1u << a.block.lanes) - 1), rest = threadIdx.x >> a.block.lanes;
  const std::int64_t x = corner[0] + lane * Points;
  const std::int64_t y0 = corner[1] + (rest & ((1u << a.block.across) - 1)) * items;
  const std::int64_t z = corner[2] + (rest >> a.block.across);
  const unsigned mask = points_inside<Points>(a.range[0], x, 1);
  if (mask == 0 || y0 >= a.range[1].end || z >= a.range[2].end) return;
  const bool full = mask == all_points<Points>;
  const T* const column = a.in + x * a.in_stride[0] + z * a.in_stride[2];
  T window[length][Points];
  if (full && a.line.plain(y0 - Radius, y0 + items + Radius)) {
    const T* from = column + (y0 - Radius) * a.line.stride;
#pragma unroll
    for (int k = 0; k < length; ++k, from += a.line.stride) load_packed(window[k], from);
  } else if (full) {
    a.line.template for_each_offset<length>(y0 - Radius, [&](int k, std::int64_t offset, T value) {
#pragma unroll
      for (int v = 0; v < Points; ++v) window[k][v] = value;
      load_if(offset != core::no_index, window[k], column + offset);
    });
  } else {
#pragma unroll 1
    for (int v = 0; v < Points; ++v) { // the end of a row, one point after the other
      if (!(mask >> v & 1)) continue;
      T single[length][1];
      a.line.template for_each_offset<length>(y0 - Radius, [&](int k, std::int64_t offset, T value) {
        single[k][0] = value;
        load_if(offset != core::no_index, single[k], column + offset + v * a.in_stride[0]);
      });
      finish_across<Radius>(a, epilogue, single, x + v, y0, z, 1);
    }
    return;
  }
  finish_across<Radius>(a, epilogue, window, x, y0, z, mask);
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_line_of(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan, const Epilogue& epilogue)
{
  if (plan.along && plan.vectorised)
    launch_kernel<line_along_kernel<T, Radius, true, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
  else if (plan.along)
    launch_kernel<line_along_kernel<T, Radius, false, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
  else if (plan.vectorised)
    launch_kernel<line_across_kernel<T, Radius, vector_width<T>, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                            epilogue);
  else
    launch_kernel<line_across_kernel<T, Radius, 1, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
}

} // namespace Keramos::cuda::stencil
