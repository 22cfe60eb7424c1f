// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star's sums by planes, of a thread that owns rows of one column: those of MarchKernel.hpp and StridedStarKernel.hpp. A plane
// gives the thread's column of row r as plane[r], and those of the rows beside its own by load_halo().
#pragma once

#include "PartialSums.hpp"

namespace Keramos::cuda::stencil {

/// Those of a thread.
template <class T, int Radius, class TheShape>
struct StarSums : PartialSums<T, Radius, TheShape::value.rows> {
  using Shape = TheShape;
  using Weights = StarWeights<T>;
  static constexpr int radius = Radius, rows = Shape::value.rows;
  static constexpr auto shape = Shape::value;
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
    load_own(own, plane);
    plane.load_halo(halo);
    Partial::add(own, [&](T(&now)[rows]) { add_in_plane(now, own, halo, plane); });
  }

  /// Another plane, of which only the points above and below the block's count.
  template <class Plane>
  __device__ void add_beyond(const Plane& plane)
  {
    T own[rows];
    load_own(own, plane);
    Partial::add(own, [](T(&)[rows]) {});
  }

private:
  template <class Plane>
  __device__ static void load_own(T (&own)[rows], const Plane& plane)
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) own[r] = *plane[r];
  }
  __device__ T weight(int axis, int offset) const { return this->weights.at(Radius, axis, offset); }

  /// The rows below a point's own, its own from left to right, the rows above.
  template <class Plane>
  __device__ void add_in_plane(T (&now)[rows], const T (&own)[rows], const T (&halo)[2 * Radius][1],
                               const Plane& plane) const
  {
#pragma unroll
    for (int from = -Radius; from < rows + Radius; ++from) {
      const T value = from < 0      ? halo[from < 0 ? from + Radius : 0][0]
                      : from < rows ? own[from < 0 || from >= rows ? 0 : from]
                                    : halo[from < rows ? 0 : from - rows + Radius][0];
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0) add_row<Plane::column_step>(now[r], own[r], plane[r]);
        if (offset != 0 && offset >= -Radius && offset <= Radius) now[r] += weight(1, offset) * value;
      }
    }
  }

  template <int Step>
  __device__ void add_row(T& now, T own, const T* at) const
  {
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset)
      now += weight(0, offset) * (offset == 0 ? own : at[offset * Step]);
  }
};

} // namespace Keramos::cuda::stencil
