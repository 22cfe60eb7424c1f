// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars on thin Regions that have nothing to ask: whole vectors and whole columns, which reach beyond no end, and where zero is beyond the others. A thread's points are those of DirectThread.hpp. All blocks run at once, so each instruction before the first load is time in
// which memory waits: 90 of 700 where any Region takes 440 of 1200. A kernel of its own, for as a branch of the other one it gained nothing.
#pragma once

#include "Direct.hpp"

namespace Keramos::cuda::stencil {

/// A vector, in the order in which it is asked for: the compiler would have others, which are in the L2 then, wait before it.
__device__ inline void load_in_order(float (&to)[4], const float* from)
{
  asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "l"(from)
               : "memory");
}
__device__ inline void load_in_order(double (&to)[2], const double* from)
{
  asm volatile("ld.global.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "l"(from) : "memory");
}

/// A thread's column. `AtEnd`: the warp reads beyond an end of the other axis.
template <class T, int Radius, bool AtEnd>
struct DirectPlainThread {
  static constexpr int width = vector_width<T>, items = direct_items, together = direct_together<T>;
  static constexpr int halo = static_cast<int>(core::round_up(Radius, width)), rows = items + 2 * Radius;
  using Vector = T[width];

  const DirectPlainArguments<T>& a;
  const int x, first, other; ///< its first point, from the first one to compute
  const T* const own;
  Vector column[rows], sum[items];

  /// Memory has all of the column to bring, the caches what lies beside it.
  __device__ void load_column()
  {
    const T* place = own - Radius * a.stride[1];
#pragma unroll
    for (int r = 0; r < rows; ++r, place += a.stride[1]) load_in_order(column[r], place);
  }

  __device__ static void add(Vector& to, T weight, const Vector& value)
  {
#pragma unroll
    for (int v = 0; v < width; ++v) to[v] += weight * value[v];
  }

  template <int First>
  __device__ void add_others(int row)
  {
    const T* place[together];
#pragma unroll
    for (int n = 0; n < together; ++n) place[n] = own + (row + n) * a.stride[1] + First * a.stride[2];
#pragma unroll
    for (int k = First; k < First + Radius; ++k) {
      const bool is_there = !AtEnd || (k < 0 ? other + k >= a.begin[1] : other + k < a.end[1]);
#pragma unroll
      for (int n = 0; n < together; ++n) {
        Vector value;
        load_or_zero(value, is_there, place[n]);
        add(sum[row + n], a.weights.at(Radius, 2, k), value);
        place[n] += a.stride[2];
      }
    }
  }

  template <int First>
  __device__ void add_column(int row)
  {
#pragma unroll
    for (int n = row; n < row + together; ++n)
#pragma unroll
      for (int k = First; k < First + Radius; ++k) add(sum[n], a.weights.at(Radius, 1, k), column[n + Radius + k]);
  }

  __device__ void add_along(int row)
  {
#pragma unroll
    for (int n = row; n < row + together; ++n) {
      T side[halo + width + halo];
      const T* const place = own + n * a.stride[1];
#pragma unroll
      for (int k = -halo; k < width + halo; k += width) {
        Vector value;
        if (k != 0) load_or_zero(value, k < 0 ? x + k >= a.begin[0] : x + k < a.end[0], place + k);
#pragma unroll
        for (int v = 0; v < width; ++v) side[halo + k + v] = k == 0 ? column[n + Radius][v] : value[v];
      }
#pragma unroll
      for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
        for (int v = 0; v < width; ++v) sum[n][v] += a.weights.at(Radius, 0, offset) * side[halo + v + offset];
    }
  }

  __device__ static void load_or_zero(Vector& to, bool is_there, const T* place)
  {
#pragma unroll
    for (int v = 0; v < width; ++v) to[v] = 0;
    if (is_there) load_packed(to, place);
  }

  /// A point's sum goes through its operands as core::StencilProblem has the taps: the slowest axis first.
  template <bool ColumnIsSlowest>
  __device__ void run()
  {
    load_column();
#pragma unroll
    for (int n = 0; n < items; ++n)
#pragma unroll
      for (int v = 0; v < width; ++v) sum[n][v] = 0;
#pragma unroll
    for (int row = 0; row < items; row += together) {
      if constexpr (ColumnIsSlowest) {
        add_column<-Radius>(row), add_others<-Radius>(row);
        add_along(row);
        add_others<1>(row), add_column<1>(row);
      } else {
        add_others<-Radius>(row), add_column<-Radius>(row);
        add_along(row);
        add_column<1>(row), add_others<1>(row);
      }
    }
    T* to = a.out + x + first * a.out_stride[1] + other * a.out_stride[2];
#pragma unroll
    for (int n = 0; n < items; ++n, to += a.out_stride[1]) store_streaming(to, sum[n]);
  }
};

/// Asks the L2 for what a warp's columns hold, a line of 128 bytes a lane.
template <class T, int Radius>
__device__ void prefetch_column(const DirectPlainArguments<T>& a, const T* own)
{
  constexpr int rows = direct_items + 2 * Radius, lanes = 128 / 16;
#pragma unroll
  for (int r = 0; r < rows; r += lanes) {
    const int row = r + static_cast<int>(threadIdx.x % lanes);
    if (row < rows) asm volatile("prefetch.global.L2 [%0];" ::"l"(own + (row - Radius) * a.stride[1]));
  }
}

template <class T, int Radius>
__global__ void __launch_bounds__(direct_threads, direct_blocks)
    direct_plain_kernel(const __grid_constant__ DirectPlainArguments<T> a)
{
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * vector_width<T>;
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * direct_items;
  const int other = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  const bool is_point = x < a.extent[0] && row < a.extent[1] && other < a.extent[2];
  const T* const own = a.in + x + row * a.stride[1] + other * a.stride[2];
  if (direct_plain_prefetches<T, Radius> && is_point) prefetch_column<T, Radius>(a, own);
  wait_for_kernel_before();
  let_next_kernel_begin();
  if (!is_point) return;
  const bool is_inside = other - Radius >= a.begin[1] && other + Radius < a.end[1];
  const auto run =
      [&](auto at_end) { // a way's column is loaded in it: else the compiler lets sums of it wait before other loads
        using Thread = DirectPlainThread<T, Radius, at_end.value>;
        if (a.column_is_slowest)
          Thread{a, x, row, other, own}.template run<true>();
        else
          Thread{a, x, row, other, own}.template run<false>();
      };
  if (__all_sync(__activemask(), is_inside))
    run(std::false_type());
  else
    run(std::true_type());
}

} // namespace Keramos::cuda::stencil
