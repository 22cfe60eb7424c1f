// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the choice of a matrix product needs to know of its kernels (Product.hpp): their tiles, and which axes are rows.
#pragma once

#include "Partition.hpp"
#include "PowerTable.hpp"

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

/// Warps of a thread block along rows and columns, and products of 16 x 8 that a warp has along each. Steps: of 8 sources, between
/// two barriers, where factors go through shared memory.
template <int WarpRows, int WarpColumns, int RowProducts, int ColumnProducts, int Steps = 1>
struct ProductTile {
  static constexpr int row_products = RowProducts, column_products = ColumnProducts, steps = Steps;
  static constexpr int threads = 32 * WarpRows * WarpColumns;
  static constexpr int rows = WarpRows * RowProducts * 16, columns = WarpColumns * ColumnProducts * 8;
  static constexpr int targets = 4 * RowProducts * ColumnProducts; ///< of a thread
  static constexpr ProductTileSize size(double block_cycles, double lost_tiles = 0)
  {
    return {rows, columns, targets, threads, block_cycles, lost_tiles};
  }

  /// Of this thread's warp.
  __device__ static int first_row() { return warp() / WarpColumns * RowProducts * 16; }
  __device__ static int first_column() { return warp() % WarpColumns * ColumnProducts * 8; }

  /// Of the targets of this thread, which have 2 row_products rows and 2 column_products columns.
  __device__ static int row(int r) { return first_row() + static_cast<int>(threadIdx.x) % 32 / 4 + r * 8; }
  __device__ static int column(int c)
  {
    return first_column() + c / 2 * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + c % 2;
  }

private:
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
};
/// H200, Gpairs/s with 4000 sources. In float 256^3 and 384^3 targets: 22900 and 25700; 12 warps with 2 x 8 products each 21900 and
/// 24600, 16 warps with 2 x 4 21300 and 21600, with 3 x 4 20700 and 23200. In double 256^3 targets: 14240; 4 x 4 products
/// 14060, 16 warps with 2 x 4 13900; a step between two barriers 12900.
template <class T>
using WideTile = std::conditional_t<std::is_same_v<T, float>, ProductTile<4, 2, 3, 8>, ProductTile<4, 2, 2, 8, 2>>;
/// For few columns.
using NarrowTile = ProductTile<8, 1, 2, 1>;

/// With the cycles that a block of sources takes a tile: 29.3 and 5.3 us in float, 33 and 25 in double, fitted to 143 products on an H200.
/// Two narrow ones in float are on a multiprocessor (102 registers). What one takes alone was not measured: it is taken for half as long
/// again, about what 32^3 targets with 500 sources, 20 us, leave for it.
template <class T>
inline constexpr ProductTileSize wide_size = WideTile<T>::size(sizeof(T) == 4 ? 58'000 : 65'000);
template <class T>
inline constexpr ProductTileSize narrow_size = sizeof(T) == 4 ? NarrowTile::size(10'500, 0.5)
                                                              : NarrowTile::size(49'500);

/// Of shared memory, but for the sources: totals, and in double two times `steps` of factors in lines with gaps.
template <class T, class Tile>
inline constexpr int product_shared_bytes =
    8 * (Tile::targets * Tile::threads +
         (std::is_same_v<T, float> ? 0 : 2 * Tile::steps * 8 * (Tile::rows + 4 + Tile::columns + 4)));

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
  constexpr int powers = std::is_same_v<T, double> ? power_steps * static_cast<int>(sizeof(double)) : 0;
  constexpr int bytes = product_shared_bytes<T, WideTile<T>>;
  static_assert(bytes >= product_shared_bytes<T, NarrowTile>);
  return device.architecture >= matrix_unit_architecture && device.shared_per_block >= bytes + staged + powers;
}

/// The partition of a call; its sources are staged as x and y of rows and z of columns.
template <class T>
GatherPartition partition_product(const Device& device, const core::GatherSumCall<T>& call, std::int64_t sources)
{
  const ProductAxes axes(call);
  const core::Index3& extent = call.output.potential.extent;
  GatherPartition partition = partition_product(device, extent[0] * extent[axes.second], extent[axes.column], sources,
                                                wide_size<T>, narrow_size<T>);
  const auto& coordinate = call.targets.coordinate;
  partition.order = {coordinate[0], coordinate[axes.second], coordinate[axes.column]};
  return partition;
}

} // namespace Keramos::cuda::gather_sum
