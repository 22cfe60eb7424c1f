// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors of a matrix product (Product.hpp) in float: a lane computes those that it hands to the matrix units, in the wide
// tile 12 of A and 16 of B for 24 products of 16 x 8 x 8, each in three passes. Its warp shares none with others and waits for none: through shared memory a factor
// would be computed once, but then barriers and loads cost more than the factors do.
//
// What bounds it on Hopper: a product takes 6.1 cycles of a scheduler's matrix unit, and arithmetic beside it adds to that,
// 0.9 cycles an operation in float and 2.4 one on integers; the special function unit alone overlaps.
#pragma once

#include "MatrixUnits.hpp"
#include "ProductPlaces.hpp"
#include "Stage.hpp"

namespace Keramos::cuda::gather_sum {

template <class Tile>
class RegisterProduct {
public:
  struct Shared {};

  float sum[Tile::row_products][Tile::column_products][4]; ///< of a block of sources

  __device__ explicit RegisterProduct(const TilePlace<float>& tile)
  {
    const int g = static_cast<int>(threadIdx.x) % 32 / 4;
#pragma unroll
    for (int r = 0; r < 2 * Tile::row_products; ++r) {
      const core::Point<float> at = tile.at(Tile::row(r), 0);
      x_[r] = at[0];
      y_[r] = at[1];
    }
#pragma unroll
    for (int n = 0; n < Tile::column_products; ++n) z_[n] = tile.at(0, Tile::first_column() + n * 8 + g)[2];
  }

  /// sum += what a block of sources adds.
  template <class Radial>
  __device__ void add(Shared&, const Radial& radial, const StagedSources<float>& sources)
  {
#pragma unroll 1
    for (int first = 0; first < sources.count; first += 8) {
      const int t = static_cast<int>(threadIdx.x) % 4;
      const SourceRecord<float> source[2] = {source_at(sources, first + t), source_at(sources, first + t + 4)};
      float a[Tile::row_products][4], b[Tile::column_products][2];
#pragma unroll
      for (int m = 0; m < Tile::row_products; ++m)
#pragma unroll
        for (int k = 0; k < 4; ++k) a[m][k] = row_factor(radial, 2 * m + k % 2, source[k / 2]);
#pragma unroll
      for (int n = 0; n < Tile::column_products; ++n)
#pragma unroll
        for (int k = 0; k < 2; ++k) b[n][k] = column_factor(radial, n, source[k]);
      multiply_add(sum, a, b);
    }
  }

private:
  float x_[2 * Tile::row_products], y_[2 * Tile::row_products], z_[Tile::column_products];

  /// Behind the last one stands the last, without weight.
  __device__ static SourceRecord<float> source_at(const StagedSources<float>& sources, int number)
  {
    SourceRecord<float> source = sources.records[min(number, sources.count - 1)];
    if (number >= sources.count) source.weight = 0;
    return source;
  }
  template <class Radial>
  __device__ float row_factor(const Radial& radial, int r, const SourceRecord<float>& source) const
  {
    const float dx = x_[r] - source.x, dy = y_[r] - source.y;
    return source.weight * radial(fma(dx, dx, dy * dy), 1.0f).value;
  }
  template <class Radial>
  __device__ float column_factor(const Radial& radial, int n, const SourceRecord<float>& source) const
  {
    const float dz = z_[n] - source.z;
    return radial(dz * dz, 1.0f).value;
  }
};

} // namespace Keramos::cuda::gather_sum
