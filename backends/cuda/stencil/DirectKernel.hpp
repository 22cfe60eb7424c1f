// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes, by registers: the kernel. What a thread does, and the drawing, is in DirectThread.hpp.
#pragma once

#include "DirectPlain.hpp"
#include "DirectRowsKernel.hpp"
#include "DirectThread.hpp"

namespace Keramos::cuda::stencil {

__device__ inline DirectEdges either(DirectEdges one, DirectEdges other) { return one < other ? other : one; }

/// What the indices from begin to end of an axis ask for.
template <class T>
__device__ DirectEdges edges_of(const DirectArguments<T>& a, int p, std::int64_t begin, std::int64_t end)
{
  const auto beyond = [&](bool is_read, const DirectEnd& the_end) {
    if (!is_read) return DirectEdges::none;
    return the_end.is_value ? DirectEdges::values : the_end.is_shifted ? DirectEdges::shifted : DirectEdges::any;
  };
  return either(beyond(begin < a.axis[p].valid_begin, a.beyond[p][0]),
                beyond(end > a.axis[p].valid_end, a.beyond[p][1]));
}

/// The points of `mask`. A warp goes one way.
template <int Radius, int Points, class T, class Epilogue>
__device__ void run_direct(const DirectArguments<T>& a, const Epilogue& epilogue, std::int64_t x, std::int64_t c,
                           std::int64_t o, unsigned mask)
{
  constexpr int halo = static_cast<int>(core::round_up(Radius, Points));
  const std::int64_t rows_end = min(c + direct_items, a.range[1].end);
  const DirectEdges along = edges_of(a, 0, x - halo, x + Points + halo);
  const DirectEdges across =
      either(edges_of(a, 1, c - Radius, rows_end + Radius), edges_of(a, 2, o - Radius, o + Radius + 1));
  DirectEdges edges = either(either(along, across), DirectEdges::values);
  if (mask != all_points<Points>) edges = DirectEdges::any;
  if (edges == DirectEdges::values && across == DirectEdges::none && rows_end == c + direct_items)
    edges = DirectEdges::none;
  const unsigned warp = __activemask();
  const auto all_have = [&](DirectEdges most) { return __all_sync(warp, edges <= most); };
  if (all_have(DirectEdges::none))
    return DirectThread<T, Radius, Points, DirectEdges::none>(a, x, c, o).run(epilogue, all_points<Points>);
  if constexpr (Points > 1) {
    if (all_have(DirectEdges::values))
      return DirectThread<T, Radius, Points, DirectEdges::values>(a, x, c, o).run(epilogue, all_points<Points>);
    if (all_have(DirectEdges::shifted))
      return DirectThread<T, Radius, Points, DirectEdges::shifted>(a, x, c, o).run(epilogue, all_points<Points>);
  }
  DirectThread<T, Radius, Points, DirectEdges::any>(a, x, c, o).run(epilogue, mask);
}

/// Asks the L2 for what the block's points read at their own x along the column: before this kernel may read it.
template <int Radius, class T>
__device__ void prefetch_rows(const DirectArguments<T>& a)
{
  constexpr int width = vector_width<T>;
  const int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  const int thread = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  const int rows = static_cast<int>(blockDim.y) * direct_items + 2 * Radius;
  std::int64_t x = a.origin + std::int64_t(blockIdx.x) * blockDim.x * width;
  const std::int64_t end = min(x + std::int64_t(blockDim.x) * width, a.axis[0].valid_end);
  if (x < a.axis[0].valid_begin) x += width;
  for (int n = thread; n < rows * static_cast<int>(blockDim.z); n += threads) {
    const std::int64_t c = a.range[1].begin + std::int64_t(blockIdx.y) * blockDim.y * direct_items - Radius + n % rows;
    const std::int64_t o = a.range[2].begin + std::int64_t(blockIdx.z) * blockDim.z + n / rows;
    if (x + width <= end && a.axis[1].plain(c, c + 1) && c < a.range[1].end + Radius && o < a.range[2].end)
      prefetch_bytes(a.in + x + c * a.axis[1].stride + o * a.axis[2].stride, static_cast<int>((end - x) / width) * 16);
  }
}

template <class T, int Radius, class Epilogue>
__global__ void __launch_bounds__(direct_threads, direct_blocks)
    direct_kernel(const __grid_constant__ DirectArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  constexpr int width = vector_width<T>;
  const int points = a.vectorised ? width : 1;
  const auto first = [](unsigned block, unsigned threads, unsigned thread) {
    return std::int64_t(block) * threads + thread;
  };
  if (a.prefetches) prefetch_rows<Radius>(a);
  wait_for_kernel_before();
  let_next_kernel_begin();
  const std::int64_t x = a.origin + first(blockIdx.x, blockDim.x, threadIdx.x) * points;
  const std::int64_t c = a.range[1].begin + first(blockIdx.y, blockDim.y, threadIdx.y) * direct_items;
  const std::int64_t o = a.range[2].begin + first(blockIdx.z, blockDim.z, threadIdx.z);
  if (x >= a.range[0].end || c >= a.range[1].end || o >= a.range[2].end) return;
  if (!a.vectorised) return run_direct<Radius, 1>(a, epilogue, x, c, o, 1);
  const unsigned mask = points_inside<width>(a.range[0], x, 1);
  if (a.axis[0].plain(x, x + width)) return run_direct<Radius, width>(a, epilogue, x, c, o, mask);
#pragma unroll 1
  for (int v = 0; v < width; ++v) // a vector that is not whole, one point after the other
    if (mask >> v & 1) DirectThread<T, Radius, 1, DirectEdges::any>(a, x + v, c, o).run(epilogue, 1);
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_direct_of(const Kernel& taken, const Kokkos::Cuda& space, const DirectPlan<T>& plan,
                      const Epilogue& epilogue)
{
  if constexpr (core::only_stores<Epilogue> && has_direct_plain<T>(Radius))
    if (plan.plain) return launch_kernel<direct_plain_kernel<T, Radius>>(taken, space, plan.shape, *plan.plain);
  launch_kernel<direct_kernel<T, Radius, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
}

} // namespace Keramos::cuda::stencil
