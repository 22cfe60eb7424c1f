// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the choice of a matrix product needs to know of its kernels (Product.hpp): their tiles, and which axes are rows.
#pragma once

#include "Partition.hpp"

#include <cstdlib>
#include <limits>
#include <type_traits>

namespace Keramos::cuda::gather_sum {

/// From this compute capability on GPUs have matrix units for both types, if code for it is compiled.
#if defined(KOKKOS_ARCH_VOLTA) || defined(KOKKOS_ARCH_TURING75)
inline constexpr int matrix_unit_architecture = std::numeric_limits<int>::max();
#else
inline constexpr int matrix_unit_architecture = 80;
#endif

/// Warps of a thread block along rows and columns, and products of 16 x 8 that a warp has along each.
template <int WarpRows, int WarpColumns, int RowProducts, int ColumnProducts, int Steps>
struct ProductTile {
  static constexpr int row_products = RowProducts, column_products = ColumnProducts, warp_columns = WarpColumns;
  static constexpr int threads = 32 * WarpRows * WarpColumns;
  static constexpr int rows = WarpRows * RowProducts * 16, columns = WarpColumns * ColumnProducts * 8;
  static constexpr int targets = 4 * RowProducts * ColumnProducts; ///< of a thread
  static constexpr ProductTileSize size{rows, columns, targets, threads};
  static constexpr int steps = Steps, slice = 8 * steps; ///< sources between two barriers; 8 are multiplied at once
  /// Rows and columns, whose factors threads compute: one or two of them each, or several threads a share of the slice.
  static constexpr int lines = rows + columns, lines_a_thread = (lines + threads - 1) / threads;
  static constexpr int shares = lines <= threads ? threads / lines : 1;
  static_assert(slice % shares == 0 && (shares == 1 || shares * lines == threads));
  /// Of shared memory, but for the sources: totals, and two slices of factors in lines with gaps.
  template <class T>
  static constexpr int shared_bytes = 8 * targets* threads +
                                      2 * slice*(rows + 4 + columns + 4) * static_cast<int>(sizeof(T));
};
/// 16 warps, and 16 sources between two barriers, in double 8. H200, 256^3 targets, Gpairs/s in float and double: 8 warps and 8
/// sources 13900 and 5500; 16 warps and 8 sources 16600 and 10900; 16 sources 19100 and 9300; 32 in float 16700.
template <class T>
using WideTile = ProductTile<4, 4, 2, 4, sizeof(T) == 4 ? 2 : 1>;
/// For few columns.
using NarrowTile = ProductTile<8, 1, 2, 1, 1>;

/// The axes of the user's call: rows are `first` and `second`, whichever is the faster one.
struct ProductAxes {
  int second, column; ///< the first is 0
  bool second_is_faster;

  template <class T>
  explicit ProductAxes(const core::GatherSumCall<T>& call)
      : second(call.targets.axes == 3 ? 1 : 2), column(call.targets.axes == 3 ? 2 : 1)
  {
    const core::Field<T, 3>& out = call.output.potential;
    second_is_faster =
        out.extent[0] == 1 || (out.extent[second] != 1 && std::abs(out.stride[second]) < std::abs(out.stride[0]));
  }
};

/// Has the GPU what all tiles take?
template <class T>
bool has_product_tiles(const Device& device)
{
  constexpr int staged = 2 * static_cast<int>(core::source_block * 4 * sizeof(T));
  constexpr int bytes = WideTile<T>::template shared_bytes<T>;
  static_assert(bytes >= NarrowTile::shared_bytes<T>);
  return device.architecture >= matrix_unit_architecture && device.shared_per_block >= bytes + staged;
}

/// The partition of a call; its sources are staged as x and y of rows and z of columns.
template <class T>
GatherPartition partition_product(const Device& device, const core::GatherSumCall<T>& call, std::int64_t sources)
{
  const ProductAxes axes(call);
  const core::Index3& extent = call.output.potential.extent;
  GatherPartition partition = partition_product(device, extent[0] * extent[axes.second], extent[axes.column], sources,
                                                WideTile<T>::size, NarrowTile::size);
  const auto& coordinate = call.targets.coordinate;
  partition.order = {coordinate[0], coordinate[axes.second], coordinate[axes.column]};
  return partition;
}

} // namespace Keramos::cuda::gather_sum
