// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of a gather-sum, targets or sources, wherever an application holds them.
#pragma once

#include "../core/Field.hpp"

#include <cstdint>

namespace Keramos::core {

/// A target or a source. Coordinate k belongs to View index k of a grid, or to column k of positions.
template <class T>
using Point = Kokkos::Array<T, 3>;

/// Points in memory: the rows of an array, arrays apart, members of structs. All come down to an address and a stride for each
/// coordinate.
template <class T>
struct GatherPoints {
  int dimension = 0; ///< coordinates of a point
  bool one_stride = true;
  std::int64_t count = 0;
  Kokkos::Array<const T*, 3> data{};
  Kokkos::Array<std::int64_t, 3> stride{};

  KOKKOS_FUNCTION Point<T> operator[](std::int64_t j) const
  {
    Point<T> point{};
    for (int d = 0; d < dimension; ++d) point[d] = data[d][j * stride[d]];
    return point;
  }

  /// The next coordinate. All must have one length, which is told by `count`.
  void append(const Field<const T, 1>& values)
  {
    data[dimension] = values.data;
    stride[dimension] = values.stride[0];
    one_stride = one_stride && stride[dimension] == stride[0];
    count = values.extent[0];
    ++dimension;
  }
};

/// A column of an array, which an empty one may lack.
template <class T>
Field<const T, 1> column(const Field<const T, 2>& rows, int number)
{
  return {rows.empty() ? nullptr : rows.data + number * rows.stride[1], {rows.extent[0]}, {rows.stride[0]}};
}

/// The first columns of an array as coordinates.
template <class T>
GatherPoints<T> points_of(const Field<const T, 2>& rows, int dimension)
{
  GatherPoints<T> points;
  for (int d = 0; d < dimension; ++d) points.append(column(rows, d));
  return points;
}

} // namespace Keramos::core
