// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets of a matrix product (Product.hpp), as rows and columns.
#pragma once

#include "ProductTile.hpp"

namespace Keramos::cuda::gather_sum {

/// Where a thread's targets are: rows of A and columns of B, as indices of the call.
template <class T>
class ProductPlaces {
public:
  __device__ ProductPlaces(const core::GatherSumCall<T>& call, const ProductAxes& axes)
      : call_(call), axes_(axes), rows_(call.output.potential.extent[0] * call.output.potential.extent[axes.second])
  {
  }
  __device__ std::int64_t rows() const { return rows_; }
  __device__ std::int64_t columns() const { return call_.output.potential.extent[axes_.column]; }

  /// The target of a row in the first column, and from there the one in another. Beyond the last ones stand the last.
  __device__ core::Index3 in_row(std::int64_t row) const
  {
    const auto& extent = call_.output.potential.extent;
    const std::int64_t r = row < rows_ ? row : rows_ - 1, fast = extent[axes_.second_is_faster ? axes_.second : 0];
    core::Index3 i{};
    (axes_.second_is_faster ? i[axes_.second] : i[0]) = r % fast;
    (axes_.second_is_faster ? i[0] : i[axes_.second]) = r / fast;
    return i;
  }
  __device__ core::Index3 in_column(core::Index3 i, std::int64_t column) const
  {
    i[axes_.column] = column < columns() ? column : columns() - 1;
    return i;
  }
  /// x, y of a row, z of a column.
  __device__ core::Point<T> at(const core::Index3& i) const
  {
    const auto place = [&](int axis) { return static_cast<T>(call_.targets.position(axis, i[axis])); };
    return {place(0), place(axes_.second), place(axes_.column)};
  }

private:
  const core::GatherSumCall<T>& call_;
  ProductAxes axes_;
  std::int64_t rows_;
};

/// Where the targets of a thread block are.
template <class T>
struct TilePlace {
  ProductPlaces<T> places;
  std::int64_t first_row, first_column;

  __device__ core::Index3 index(int row, int column) const
  {
    return places.in_column(places.in_row(first_row + row), first_column + column);
  }
  __device__ core::Point<T> at(int row, int column) const { return places.at(index(row, column)); }
};

} // namespace Keramos::cuda::gather_sum
