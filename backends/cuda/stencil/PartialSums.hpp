// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star summed along a march: plane z adds to the 2R + 1 outputs that it touches, whose sums a thread keeps in registers:
//
//     sum[0]    output z - R: its last terms; then it is complete
//     ...
//     sum[R]    output z: the terms of its own plane
//     ...
//     sum[2R]   output z + R: its first terms
//
// What plane z + 1 finds in sum[k] is what plane z left in sum[k + 1]: the destination of the multiply-add shifts, and no
// queue is moved, nor unrolled. Each point's sum is still one chain: its planes in order.
#pragma once

#include "Star.hpp"

namespace Keramos::cuda::stencil {

/// Those of so many points of a thread.
template <class T, int Radius, int Points, class Weights = StarWeights<T>>
struct PartialSums {
  const Weights& weights;
  T sum[2 * Radius + 1][Points];

  __device__ explicit PartialSums(const Weights& the_weights) : weights(the_weights), sum{} {}

  /// A plane, of whose points `own` are the thread's. add_in_plane(sum[R]) adds the terms of the plane itself; of a plane
  /// beyond the block's there are none.
  template <class AddInPlane>
  __device__ void add(const T (&own)[Points], const AddInPlane& add_in_plane)
  {
    for_points([&](int n) {
#pragma unroll
      for (int k = 0; k < Radius; ++k) sum[k][n] = sum[k + 1][n] + weight(Radius - k) * own[n];
      sum[Radius][n] = sum[Radius + 1][n];
    });
    add_in_plane(sum[Radius]);
    for_points([&](int n) {
#pragma unroll
      for (int k = Radius + 1; k < 2 * Radius; ++k) sum[k][n] = sum[k + 1][n] + weight(Radius - k) * own[n];
      sum[2 * Radius][n] = T(0) + weight(-Radius) * own[n];
    });
  }

private:
  __device__ T weight(int offset) const { return weights.at(Radius, 2, offset); }

  template <class F>
  __device__ static void for_points(const F& f)
  {
#pragma unroll
    for (int n = 0; n < Points; ++n) f(n);
  }
};

} // namespace Keramos::cuda::stencil
