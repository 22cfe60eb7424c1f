// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of few elements, where the sides are not aligned to 16 bytes: an element per lane, whatever lines it lies in. For small
// matrices, which would be too few larger tiles, and whose time is that of one block from its launch to its last store: a thread has
// all its loads on their way at once, and what places them is little.
#pragma once

#include "../Launch.hpp"
#include "Tile.hpp"

namespace Keramos::cuda::transpose {

/// in_b == out_a == 1, all other strides any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    tile_small_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ TileJob job)
{
  constexpr int count = Shape::a * Shape::b / Shape::threads; ///< of a thread
  constexpr int a_step = Shape::threads / Shape::b, b_step = Shape::threads / Shape::a;
  static_assert(count == Shape::in_flight && count * a_step == Shape::a && count * b_step == Shape::b);
  __shared__ Word<Size> tile[Shape::b][Shape::a + 1];
  const TilePosition position = position_of<Shape::a, Shape::b, false>(job);
  const int read_a = threadIdx.x / Shape::b, read_b = threadIdx.x % Shape::b;
  const int write_a = threadIdx.x % Shape::a, write_b = threadIdx.x / Shape::a;
  const Word<Size>* const in = in_data + position.at.in + read_a * job.in_a + read_b;
  Word<Size>* const out = out_data + position.at.out + write_b * job.out_b + write_a;
  wait_for_kernel_before();

  Word<Size> value[count];
#pragma unroll
  for (int k = 0; k < count; ++k)
    if (read_b < position.nb && read_a + k * a_step < position.na) value[k] = in[k * a_step * job.in_a];
#pragma unroll
  for (int k = 0; k < count; ++k) tile[read_b][read_a + k * a_step] = value[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < count; ++k)
    if (write_a < position.na && write_b + k * b_step < position.nb)
      out[k * b_step * job.out_b] = tile[write_b + k * b_step][write_a];
}

} // namespace Keramos::cuda::transpose
