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

#include "Launch.hpp"
#include "Line.hpp"
#include "StencilCopy.hpp"
#include "StencilEdges.hpp"
#include "StencilPoints.hpp"

namespace Keramos::cuda {

template <class T, int Radius, class Epilogue>
struct LineArguments {
  const T* in;
  T* out;
  std::int64_t in_stride[3], out_stride[3];
  Range range[3];
  LinePlan plan;
  T weight[2 * Radius + 1];
  EdgeAxis<T, Radius> line; ///< the line's axis
  Epilogue epilogue;

  /// The block's first point, for threads that have so many points along x and along the middle axis.
  __device__ core::Index3 corner(int points_of_lanes, int points_across = 1) const
  {
    const unsigned x = blockIdx.x % plan.blocks[0], rest = blockIdx.x / plan.blocks[0];
    const unsigned y = rest % plan.blocks[1], z = rest / plan.blocks[1];
    return {plan.origin + std::int64_t(x) * points_of_lanes,
            range[1].begin + (std::int64_t(y) << plan.across) * points_across,
            range[2].begin + (std::int64_t(z) << plan.deep)};
  }

  /// Epilogue and store of the points x, x + step, ... of `mask`.
  template <bool Vectorised, int Points>
  __device__ void finish(T (&sum)[Points], const T (&centre)[Points], std::int64_t x, int step, std::int64_t y,
                         std::int64_t z, unsigned mask) const
  {
    if (!finish_points(epilogue, sum, centre, x, step, y, z, mask)) return;
    T* const to = out + x * out_stride[0] + y * out_stride[1] + z * out_stride[2];
    store_points<Vectorised>(to, out_stride[0], sum, step, mask);
  }
};

/// Along the rows. A block has 2^across pencils of 2^lanes threads; a thread has `points` points of a pencil, as
/// neighbours or the pencil's threads apart.
template <class T, int Radius, bool Vectorised, class Epilogue>
__global__ void __launch_bounds__(256) line_along_kernel(const __grid_constant__ LineArguments<T, Radius, Epilogue> a)
{
  constexpr int points = vector_width<T>, halo = rounded_up(Radius, points);
  extern __shared__ __align__(16) unsigned char line_shared[];
  const int width = 1 << a.plan.lanes, rows = 1 << a.plan.across, pitch = width * points + 2 * halo;
  const int lane = threadIdx.x & (width - 1), row = threadIdx.x >> a.plan.lanes, step = Vectorised ? 1 : width;
  T* const pencils = reinterpret_cast<T*>(line_shared);
  const core::Index3 corner = a.corner(width * points);
  const std::int64_t x = corner[0] + (Vectorised ? lane * points : lane), y = corner[1] + row, z = corner[2];
  const unsigned mask = a.range[1].has(y) ? points_inside<points>(a.range[0], x, step) : 0;

  T* const mine = pencils + row * pitch + halo + (Vectorised ? lane * points : lane);
  const T* const plane = a.in + z * a.in_stride[2];
  const T* const own = plane + x * a.in_stride[0] + y * a.in_stride[1];
  if (Vectorised && mask == all_points<points>) {
    copy_async<16>(mine, own);
  } else {
#pragma unroll
    for (int v = 0; v < points; ++v)
      if (mask >> v & 1) copy_async<sizeof(T)>(mine + v * step, own + v * step * a.in_stride[0]);
  }
  // The halo moves up to the last point of the row.
  const std::int64_t low = max(corner[0], a.range[0].begin), high = min(corner[0] + width * points, a.range[0].end);
  for (int slot = threadIdx.x; slot < rows * 2 * Radius; slot += blockDim.x) {
    const int column = slot % (2 * Radius), pencil = slot / (2 * Radius);
    const std::int64_t index = column < Radius ? low + column - Radius : high + column - Radius;
    const std::int64_t offset = a.line.offset(index);
    T* const to = pencils + pencil * pitch + halo + static_cast<int>(index - corner[0]);
    if (!a.range[1].has(corner[1] + pencil)) break;
    if (offset == core::no_index)
      *to = a.line.value(index);
    else
      copy_async<sizeof(T)>(to, plane + offset + (corner[1] + pencil) * a.in_stride[1]);
  }
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
  if (mask == 0) return;

  T sum[points], centre[points];
  if constexpr (Vectorised) {
    T window[halo + points + halo];
#pragma unroll
    for (int part = 0; part < halo + points + halo; part += points) {
      T values[points];
      load_packed(values, mine - halo + part);
#pragma unroll
      for (int v = 0; v < points; ++v) window[part + v] = values[v];
    }
#pragma unroll
    for (int v = 0; v < points; ++v) {
      centre[v] = window[halo + v];
      sum[v] = 0;
#pragma unroll
      for (int k = -Radius; k <= Radius; ++k) sum[v] += a.weight[k + Radius] * window[halo + v + k];
    }
  } else {
#pragma unroll
    for (int v = 0; v < points; ++v) {
      centre[v] = mine[v * width];
      sum[v] = 0;
#pragma unroll
      for (int k = -Radius; k <= Radius; ++k) sum[v] += a.weight[k + Radius] * mine[v * width + k];
    }
  }
  a.template finish<Vectorised>(sum, centre, x, step, y, z, mask);
}

/// The sums of a thread across the rows, with its operands at hand.
template <class T, int Radius, class Epilogue, int Length, int Points>
__device__ void finish_across(const LineArguments<T, Radius, Epilogue>& a, const T (&window)[Length][Points],
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
    a.template finish<(Points > 1)>(sum, window[item + Radius], x, 1, y0 + item, z, mask);
  }
}

/// Across the rows. A thread has `Points` neighbours along x of `items` points each along the line.
template <class T, int Radius, int Points, class Epilogue>
__global__ void __launch_bounds__(256, Radius <= 4 ? 3 : 2)
    line_across_kernel(const __grid_constant__ LineArguments<T, Radius, Epilogue> a)
{
  constexpr int items = line_items(Radius), length = items + 2 * Radius;
  const core::Index3 corner = a.corner(Points << a.plan.lanes, items);
  const unsigned lane = threadIdx.x & ((1u << a.plan.lanes) - 1), rest = threadIdx.x >> a.plan.lanes;
  const std::int64_t x = corner[0] + lane * Points;
  const std::int64_t y0 = corner[1] + (rest & ((1u << a.plan.across) - 1)) * items;
  const std::int64_t z = corner[2] + (rest >> a.plan.across);
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
    for (int v = 0; v < Points; ++v) { // a piece of a row's end, one point after the other
      if (!(mask >> v & 1)) continue;
      T part[length][1];
      a.line.template for_each_offset<length>(y0 - Radius, [&](int k, std::int64_t offset, T value) {
        part[k][0] = value;
        load_if(offset != core::no_index, part[k], column + offset + v * a.in_stride[0]);
      });
      finish_across(a, part, x + v, y0, z, 1);
    }
    return;
  }
  finish_across(a, window, x, y0, z, mask);
}

template <int Radius, class T, class Epilogue>
void launch_line_of(const std::string& name, const Kokkos::Cuda& space, const LinePlan& plan,
                    const LineProblem<T>& line, const Epilogue& epilogue)
{
  constexpr int wide = vector_width<T>;
  using Arguments = LineArguments<T, Radius, Epilogue>;
  Arguments arguments{line.in.data,
                      line.out.data,
                      {},
                      {},
                      {},
                      plan,
                      {},
                      edge_axis<Radius>(line.edges, line.in.stride[line.axis]),
                      reordered(epilogue, line.order)};
  for (int p = 0; p < 3; ++p) {
    arguments.in_stride[p] = line.in.stride[p];
    arguments.out_stride[p] = line.out.stride[p];
    arguments.range[p] = {line.begin[p], line.end[p]};
  }
  std::copy_n(line.weight, 2 * Radius + 1, arguments.weight);
  const LaunchShape shape{plan.blocks[0] * plan.blocks[1] * plan.blocks[2], plan.threads(),
                          static_cast<unsigned>(plan.shared_bytes)};
  if (line.axis == 0)
    launch_kernel(name, space,
                  plan.vector > 1 ? line_along_kernel<T, Radius, true, Epilogue>
                                  : line_along_kernel<T, Radius, false, Epilogue>,
                  shape, arguments);
  else
    launch_kernel(name, space,
                  plan.vector > 1 ? line_across_kernel<T, Radius, wide, Epilogue>
                                  : line_across_kernel<T, Radius, 1, Epilogue>,
                  shape, arguments);
}

} // namespace Keramos::cuda
