// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines without shared memory. A thread asks for all operands of its points at once, in 16-byte accesses, and keeps them
// in registers; the threads of a block lie so that what one of them reads again another has just brought to the L1. So
// there is no barrier and one trip to memory, which is what a small grid waits for.
//
//     along (the line lies in the rows)                  across (the line lies across the rows)
//
//       | halo | own points | halo |   row 0               a - R      | halo       |   16 bytes of a row each
//       | halo | own points | halo |   row 1               a          | own points |
//                                                          ...        | own points |
//                                                          a + Q + R  | halo       |
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
  EdgeAxis<T, Radius> line; ///< the line's axis
  std::int64_t in_stride[3], out_stride[3];
  Range range[3];
  LinePlan plan;
  T weight[2 * Radius + 1];
  Epilogue epilogue;

  /// Index of the thread along axis p, in pieces.
  __device__ std::int64_t piece(int p) const
  {
    const unsigned thread = p == 0   ? threadIdx.x & ((1u << plan.lanes) - 1)
                            : p == 1 ? threadIdx.x >> plan.lanes & ((1u << plan.across) - 1)
                                     : threadIdx.x >> (plan.lanes + plan.across);
    const unsigned block = p == 0   ? blockIdx.x % plan.blocks[0]
                           : p == 1 ? blockIdx.x / plan.blocks[0] % plan.blocks[1]
                                    : blockIdx.x / plan.blocks[0] / plan.blocks[1];
    return (std::int64_t(block) << (p == 0 ? plan.lanes : p == 1 ? plan.across : plan.deep)) + thread;
  }

  /// Epilogue and store of `Points` neighbours.
  template <int Points>
  __device__ void finish(T (&sum)[Points], const T (&centre)[Points], std::int64_t x, std::int64_t y,
                         std::int64_t z) const
  {
    if (!finish_points(epilogue, sum, centre, x, 1, y, z, range[0])) return;
    T* const to = out + x * out_stride[0] + y * out_stride[1] + z * out_stride[2];
    store_points<(Points > 1)>(to, out_stride[0], sum, x, 1, range[0]);
  }
};

template <class T, int Radius, int Points, class Epilogue>
__global__ void __launch_bounds__(256) line_along_kernel(const __grid_constant__ LineArguments<T, Radius, Epilogue> a)
{
  constexpr int items = line_shape(0, Radius).items, halo = rounded_up(Radius, Points);
  T window[items][halo + Points + halo];
  const std::int64_t along = a.plan.items_along ? std::int64_t(Points) << a.plan.lanes : 0;
  const std::int64_t lane = a.piece(0);
  const std::int64_t block = (lane >> a.plan.lanes) * along * items;
  const std::int64_t x0 = a.plan.origin + (along ? block + (lane & ((1 << a.plan.lanes) - 1)) * Points : lane * Points);
  const std::int64_t y0 = a.range[1].begin + a.piece(1) * (along ? 1 : items);
  const std::int64_t z = a.range[2].begin + a.piece(2);
  if (z >= a.range[2].end) return;
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t x = x0 + item * along, y = y0 + (along ? 0 : item);
    if (x >= a.range[0].end || y >= a.range[1].end) continue;
    const T* const row = a.in + y * a.in_stride[1] + z * a.in_stride[2];
    if (Points > 1 && a.line.plain(x - halo, x + Points + halo)) {
#pragma unroll
      for (int part = 0; part < halo + Points + halo; part += Points) {
        T values[Points];
        load_packed(values, row + x - halo + part);
#pragma unroll
        for (int v = 0; v < Points; ++v) window[item][part + v] = values[v];
      }
    } else {
#pragma unroll
      for (int k = halo - Radius; k < halo + Points + Radius; ++k) {
        const std::int64_t offset = a.line.offset(x - halo + k);
        window[item][k] = offset == core::no_index ? a.line.value(x - halo + k) : row[offset];
      }
    }
  }
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t x = x0 + item * along, y = y0 + (along ? 0 : item);
    if (x >= a.range[0].end || y >= a.range[1].end) continue;
    T sum[Points], centre[Points];
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      centre[v] = window[item][halo + v];
      sum[v] = 0;
#pragma unroll
      for (int k = -Radius; k <= Radius; ++k) sum[v] += a.weight[k + Radius] * window[item][halo + v + k];
    }
    a.finish(sum, centre, x, y, z);
  }
}

template <class T, int Radius, int Points, class Epilogue>
__global__ void __launch_bounds__(256) line_across_kernel(const __grid_constant__ LineArguments<T, Radius, Epilogue> a)
{
  constexpr int items = line_shape(1, Radius).items, length = items + 2 * Radius;
  T window[length][Points];
  const std::int64_t x = a.plan.origin + a.piece(0) * Points;
  const std::int64_t y0 = a.range[1].begin + a.piece(1) * items;
  const std::int64_t z = a.range[2].begin + a.piece(2);
  if (x >= a.range[0].end || y0 >= a.range[1].end || z >= a.range[2].end) return;
  const T* const column = a.in + x * a.in_stride[0] + z * a.in_stride[2];
  const bool whole = Points == 1 || (x >= a.range[0].begin && x + Points <= a.range[0].end);
  if (whole && a.line.plain(y0 - Radius, y0 + items + Radius)) {
    const T* from = column + (y0 - Radius) * a.line.stride;
#pragma unroll
    for (int k = 0; k < length; ++k, from += a.line.stride) load_packed(window[k], from);
  } else {
#pragma unroll
    for (int k = 0; k < length; ++k) {
      const std::int64_t y = y0 - Radius + k, offset = a.line.offset(y);
#pragma unroll
      for (int v = 0; v < Points; ++v) {
        window[k][v] = a.line.value(y);
        if (offset != core::no_index && a.range[0].has(x + v)) window[k][v] = column[offset + v * a.in_stride[0]];
      }
    }
  }
#pragma unroll
  for (int item = 0; item < items; ++item) {
    if (y0 + item >= a.range[1].end) break;
    T sum[Points];
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      sum[v] = 0;
#pragma unroll
      for (int k = 0; k <= 2 * Radius; ++k) sum[v] += a.weight[k] * window[item + k][v];
    }
    a.finish(sum, window[item + Radius], x, y0 + item, z);
  }
}

template <int Radius, class T, class Epilogue>
void launch_line_of(const std::string& name, const Kokkos::Cuda& space, const LinePlan& plan,
                    const LineProblem<T>& line, const Epilogue& epilogue)
{
  constexpr int wide = vector_width<T>;
  using Arguments = LineArguments<T, Radius, Epilogue>;
  Arguments arguments{line.in.data,
                      line.out.data,
                      edge_axis<Radius>(line.edges, line.in.stride[line.axis]),
                      {},
                      {},
                      {},
                      plan,
                      {},
                      reordered(epilogue, line.order)};
  for (int p = 0; p < 3; ++p) {
    arguments.in_stride[p] = line.in.stride[p];
    arguments.out_stride[p] = line.out.stride[p];
    arguments.range[p] = {line.begin[p], line.end[p]};
  }
  std::copy_n(line.weight, 2 * Radius + 1, arguments.weight);
  void (*kernel)(Arguments) = nullptr;
  if (line.axis == 0)
    kernel = plan.vector > 1 ? line_along_kernel<T, Radius, wide, Epilogue> : line_along_kernel<T, Radius, 1, Epilogue>;
  else
    kernel =
        plan.vector > 1 ? line_across_kernel<T, Radius, wide, Epilogue> : line_across_kernel<T, Radius, 1, Epilogue>;
  launch_kernel(name, space, kernel, {plan.blocks[0] * plan.blocks[1] * plan.blocks[2], plan.threads()}, arguments);
}

} // namespace Keramos::cuda
