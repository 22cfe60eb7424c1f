// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star's sums by planes, of a thread that owns rows of one column: those of MarchKernel.hpp and StridedStarKernel.hpp. A plane
// gives the thread's column of row r as plane[r], and those of the rows beside its own by load_halo().
#pragma once

#include "PartialSums.hpp"

namespace Keramos::cuda::stencil {

template <class T, int Rows, class Plane>
__device__ void load_column(T (&own)[Rows], const Plane& plane)
{
#pragma unroll
  for (int r = 0; r < Rows; ++r) own[r] = *plane[r];
}

/// The terms of a plane itself: the rows below a point's own, its own from left to right, the rows above.
template <int Radius, class T, int Rows, class Plane>
__device__ void add_in_plane(T (&now)[Rows], const StarWeights<T>& weights, const T (&own)[Rows],
                             const T (&halo)[2 * Radius][1], const Plane& plane)
{
#pragma unroll
  for (int from = -Radius; from < Rows + Radius; ++from) {
    const T value = from < 0      ? halo[from < 0 ? from + Radius : 0][0]
                    : from < Rows ? own[from < 0 || from >= Rows ? 0 : from]
                                  : halo[from < Rows ? 0 : from - Rows + Radius][0];
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const int offset = from - r;
      if (offset == 0) {
#pragma unroll
        for (int k = -Radius; k <= Radius; ++k)
          now[r] += weights.at(Radius, 0, k) * (k == 0 ? own[r] : plane[r][k * Plane::column_step]);
      } else if (offset >= -Radius && offset <= Radius) {
        now[r] += weights.at(Radius, 1, offset) * value;
      }
    }
  }
}

/// Those of a thread.
template <class T, int Radius, class TheShape>
struct StarSums : PartialSums<T, Radius, TheShape::value.rows> {
  using Shape = TheShape;
  using Weights = StarWeights<T>;
  static constexpr int radius = Radius, rows = Shape::value.rows;
  static constexpr auto shape = Shape::value;
  static constexpr bool has_corners = false; ///< reads none of a tile
  using Partial = PartialSums<T, Radius, rows>;
  /// Those of a thread whose points have another shape.
  template <class OtherShape>
  using Of = StarSums<T, Radius, OtherShape>;

  using Partial::Partial;

  /// A plane of the block.
  template <class Plane>
  __device__ void add(const Plane& plane)
  {
    T own[rows], halo[2 * Radius][1];
    load_column(own, plane);
    plane.load_halo(halo);
    Partial::add(own, [&](T(&now)[rows]) { add_in_plane<Radius>(now, this->weights, own, halo, plane); });
  }

  /// Another plane, of which only the points above and below the block's count.
  template <class Plane>
  __device__ void add_beyond(const Plane& plane)
  {
    T own[rows];
    load_column(own, plane);
    Partial::add(own, [](T(&)[rows]) {});
  }
};

} // namespace Keramos::cuda::stencil
