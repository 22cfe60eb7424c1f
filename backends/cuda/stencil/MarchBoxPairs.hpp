// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums by planes, see MarchPairs.hpp, of a box, of a thread that owns rows of two neighbouring columns.
#pragma once

#include "MarchPairs.hpp"

namespace Keramos::cuda::stencil {

/// Those of a thread. Rows of a plane come one after the other, and each meets all weights before the next one comes: of radius 1 these fit into
/// uniform registers, and nothing but sums and a row stays in the thread's own.
template <int Radius, class TheShape>
struct BoxPairSums {
  using Shape = TheShape;
  using Weights = MarchBox<float, Radius>;
  static constexpr MarchShape shape = Shape::value;
  static constexpr int radius = Radius, side = 2 * Radius + 1, rows = shape.rows;
  static constexpr int beyond = 0; ///< every plane of a march counts, see PairSums
  static constexpr bool stores_early = false;
  static constexpr int below = (Radius + 1) / 2 * 2, around = 2 * below + 2;
  using Row = float[around]; ///< columns -below to 1 + below

  const Weights& box;
  float sum[side][rows][2]; ///< see PartialSums.hpp

  __device__ explicit BoxPairSums(const Weights& the_box) : box(the_box), sum{} {}

  /// A plane, see PairSums.
  template <bool, bool Alternate>
  __device__ void add(const PairRows<float, Radius>& plane, bool is_odd)
  {
    if (is_odd)
      add_rows<true, !Alternate>(plane);
    else
      add_rows<false, Alternate>(plane);
  }

private:
  template <bool EvenIsOdd, bool OddIsOdd>
  __device__ void add_rows(const PairRows<float, Radius>& plane)
  {
#pragma unroll
    for (int from = -Radius; from < rows + Radius; ++from) {
      Row row;
      plane.template load<-Radius, Radius + 1, below>(row, from, from % 2 == 0 ? EvenIsOdd : OddIsOdd);
#pragma unroll
      for (int k = 0; k < side; ++k)
#pragma unroll
        for (int j = 0; j < side; ++j) {
          const int r = from - j + Radius;
          if (r >= 0 && r < rows) add_taps(k, j, r, row);
        }
    }
  }

  /// Row j of the taps of sum k to row r. The first tap finds the sum where the last plane left it. Multiply-adds by name, see PairSums.
  __device__ void add_taps(int k, int j, int r, const Row& row)
  {
#pragma unroll
    for (int i = 0; i < side; ++i)
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float before = i + j > 0 ? sum[k][r][c] : k + 1 < side ? sum[k + 1 < side ? k + 1 : 0][r][c] : 0.f;
        sum[k][r][c] = __fmaf_rn(box.weight[side - 1 - k][j][i], row[below + c + i - Radius], before);
      }
  }
};

} // namespace Keramos::cuda::stencil
