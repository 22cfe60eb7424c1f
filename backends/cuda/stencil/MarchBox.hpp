// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums by planes, see MarchKernel.hpp and NarrowMarchKernel.hpp, of a box, and of an operator that has some of a box's taps. Planes as in
// MarchStar.hpp.
#pragma once

#include "MarchOperator.hpp"

namespace Keramos::cuda::stencil {

/// What the points of a thread's rows in a plane have around them.
template <class T, int Radius, int Rows>
struct Neighbourhood {
  static constexpr int side = 2 * Radius + 1;
  T value[Rows + 2 * Radius][side];

  template <class Plane>
  __device__ explicit Neighbourhood(const Plane& plane)
  {
    T halo[2 * Radius][side];
    plane.load_halo(halo);
#pragma unroll
    for (int from = 0; from < Rows + 2 * Radius; ++from)
#pragma unroll
      for (int i = 0; i < side; ++i) {
        const int row = from - Radius;
        value[from][i] = row < 0      ? halo[row < 0 ? from : 0][i]
                         : row < Rows ? plane[row][i - Radius]
                                      : halo[row < Rows ? 0 : from - Rows][i];
      }
  }
};

/// Those of a thread. Its neighbourhood in a plane is read once and stays in registers; a weight, which stands in a uniform
/// register, then meets all rows of the thread before the next one comes. (A row of the plane that meets all weights would ask
/// for all of them at once: of radius 2 these fill the registers, half of the speed.) What is not `Dense` lacks some taps: nothing
/// is added for these, not even zero.
template <class T, int Radius, bool Dense, class TheShape>
struct BoxSums {
  using Shape = TheShape;
  using Weights = MarchBox<T, Radius>;
  static constexpr int radius = Radius, side = 2 * Radius + 1, rows = Shape::value.rows;
  static constexpr auto shape = Shape::value;
  static constexpr bool has_corners = true;
  /// Those of a thread whose points have another shape.
  template <class OtherShape>
  using Of = BoxSums<T, Radius, Dense, OtherShape>;

  const Weights& box;
  T sum[side][rows];

  __device__ explicit BoxSums(const Weights& the_box) : box(the_box), sum{} {}

  /// A plane of the block.
  template <class Plane>
  __device__ void add(const Plane& plane)
  {
    const Neighbourhood<T, Radius, rows> around(plane);
#pragma unroll
    for (int j = 0; j < side; ++j)
#pragma unroll
      for (int k = 0; k < side; ++k) add_row(j, k, around.value);
  }

  /// Row j of the taps of sum k. The first one finds the sum where the last plane left it.
  __device__ void add_row(int j, int k, const T (&value)[rows + 2 * Radius][side])
  {
    if (!Dense && j == 0) take_over(k);
    const unsigned present = Dense ? 0 : box.present[side - 1 - k] >> j * side & ((1u << side) - 1);
    if (!Dense && present == 0) return;
#pragma unroll
    for (int i = 0; i < side; ++i) {
      if (!Dense && !(present >> i & 1)) continue;
      const T weight = box.weight[side - 1 - k][j][i];
#pragma unroll
      for (int r = 0; r < rows; ++r)
        sum[k][r] = (Dense && i == 0 && j == 0 ? before(k, r) : sum[k][r]) + weight * value[r + j][i];
    }
  }

  __device__ T before(int k, int r) const { return k + 1 < side ? sum[k + 1 < side ? k + 1 : 0][r] : T(0); }
  __device__ void take_over(int k)
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) sum[k][r] = before(k, r);
  }
};

} // namespace Keramos::cuda::stencil
