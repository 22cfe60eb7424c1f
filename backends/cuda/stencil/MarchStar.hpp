// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star's sums by planes, see MarchKernel.hpp.
#pragma once

#include "MarchRows.hpp"

namespace Keramos::cuda::stencil {

/// Those of a thread.
template <class T, int Radius, class TheShape>
struct StarSums {
  using Shape = TheShape;
  using Weights = StarWeights<T>;
  using Rows = MarchRows<T, Radius, Shape>;
  static constexpr int radius = Radius, rows = Shape::value.rows;
  static constexpr MarchShape shape = Shape::value;

  const Weights& weights;
  T sum[2 * Radius + 1][rows];

  __device__ explicit StarSums(const Weights& the_weights) : weights(the_weights), sum{} {}

  __device__ T weight(int axis, int offset) const
  {
    return offset == 0 ? weights.centre : weights.weight[axis][offset < 0 ? offset + Radius : offset + Radius - 1];
  }

  /// A plane of the block.
  __device__ void add(const Rows& plane)
  {
    T own[rows], halo[2 * Radius][1];
    load_own(own, plane);
    plane.load_halo(halo);
    add_above(own);
    move_middle();
    add_in_plane(sum[Radius], own, halo, plane);
    add_below(own);
  }

  /// Another plane, of which only the points above and below the block's count.
  __device__ void add_beyond(const Rows& plane)
  {
    T own[rows];
    load_own(own, plane);
    add_above(own);
    move_middle();
    add_below(own);
  }

  __device__ void load_own(T (&own)[rows], const Rows& plane) const
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) own[r] = *plane[r];
  }
  __device__ void move_middle()
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) sum[Radius][r] = sum[Radius + 1][r];
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
  __device__ void add_in_plane(T (&now)[rows], const T (&own)[rows], const T (&halo)[2 * Radius][1],
                               const Rows& plane) const
  {
#pragma unroll
    for (int from = -Radius; from < rows + Radius; ++from) {
      const T value = from < 0      ? halo[from < 0 ? from + Radius : 0][0]
                      : from < rows ? own[from < 0 || from >= rows ? 0 : from]
                                    : halo[from < rows ? 0 : from - rows + Radius][0];
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0) add_row(now[r], own[r], plane[r]);
        if (offset != 0 && offset >= -Radius && offset <= Radius) now[r] += weight(1, offset) * value;
      }
    }
  }

  __device__ void add_row(T& now, T own, const T* at) const
  {
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset) now += weight(0, offset) * (offset == 0 ? own : at[offset]);
  }
};

} // namespace Keramos::cuda::stencil
