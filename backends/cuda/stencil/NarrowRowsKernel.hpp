// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars and small boxes over two axes whose rows are short. A block goes down a column of tiles, most often of whole rows, and while one is summed the
// next one comes to shared memory and that behind it sets out, as in NarrowMarchKernel.hpp; tiles share nothing but their halos.
#pragma once

#include "NarrowOutput.hpp"
#include "NarrowRows.hpp"

namespace Keramos::cuda::stencil {

template <class T, bool IsStar, int Radius>
struct NarrowRowsShapeOf {
  static constexpr NarrowMarchShape value = narrow_rows_shape<T>;
};

/// A star's sums of a thread.
template <class T, int Radius, class Shape>
struct RowStarSums {
  using Weights = StarWeights<T>;
  static constexpr int radius = Radius;
  static constexpr auto shape = Shape::value;
  static constexpr bool has_corners = false;

  const Weights& weights;

  template <class Plane>
  __device__ void add(T (&sum)[shape.rows], const Plane& plane) const
  {
    T own[shape.rows], halo[2 * Radius][1];
    load_column(own, plane);
    plane.load_halo(halo);
    add_in_plane<Radius>(sum, weights, own, halo, plane);
  }
};

/// A box's.
template <class T, int Radius, class Shape>
struct RowBoxSums {
  using Weights = BoxWeights<T, 2, Radius>;
  static constexpr int radius = Radius, side = 2 * Radius + 1;
  static constexpr auto shape = Shape::value;
  static constexpr bool has_corners = true;

  const Weights& box;

  template <class Plane>
  __device__ void add(T (&sum)[shape.rows], const Plane& plane) const
  {
    const Neighbourhood<T, Radius, shape.rows> around(plane);
#pragma unroll
    for (int j = 0; j < side; ++j)
#pragma unroll
      for (int i = 0; i < side; ++i)
#pragma unroll
        for (int r = 0; r < shape.rows; ++r) sum[r] += box.weight[0][j][i] * around.value[r + j][i];
  }
};

template <class T, bool IsStar, int Radius, class Shape = NarrowRowsShapeOf<T, IsStar, Radius>>
using NarrowRowSums = std::conditional_t<IsStar, RowStarSums<T, Radius, Shape>, RowBoxSums<T, Radius, Shape>>;

/// The tiles of a block as they come.
template <class T, class Sums>
struct NarrowTiles : NarrowCells<T, Sums, 2> {
  static constexpr int radius = Sums::radius;
  using Cells = NarrowCells<T, Sums, 2>;
  using Cells::a, Cells::from, Cells::rows;

  std::int64_t x;
  bool is_within; ///< the tile on its way: the rules of y have no say

  /// Where cells of a tile within the field come from, and what stays.
  __device__ NarrowTiles(const NarrowMarchArguments<T>& arguments, T* shared, std::int64_t tile_x)
      : Cells(arguments, shared), x(tile_x)
  {
    Cells::for_each([&](int k, int row, int column) {
      if (x + column >= a.range[0].end + radius) return;
      const std::int64_t along_x = a.axis[0].offset(x + column);
      if (along_x != core::no_index)
        from[k] = static_cast<int>((along_x + row * a.axis[1].stride) * static_cast<int>(sizeof(T)));
      else
        Cells::keep(k, a.axis[0].value(x + column));
    });
  }

  /// The tile from row y on sets out, unless it is at an end.
  __device__ void fetch(std::int64_t y)
  {
    is_within = a.axis[1].plain(y - radius, y + a.groups * rows + radius);
    if (is_within) Cells::fetch(a.in + y * a.axis[1].stride);
  }
  /// And arrives; or is brought, cell by cell.
  __device__ void put(std::int64_t y, int slot) const
  {
    if (is_within) return Cells::put(slot);
    Cells::for_each([&](int k, int row, int column) {
      const std::int64_t along_x = a.axis[0].offset(x + column), along_y = a.axis[1].offset(y + row);
      T value = along_y == core::no_index ? a.axis[1].value(y + row) : a.axis[0].value(x + column);
      load_if(along_x != core::no_index && along_y != core::no_index, value, a.in + along_x + along_y);
      Cells::plane(slot)[Cells::cell(k)] = value;
    });
  }
};

/// One thread of a block.
template <class Sums, class T, class Epilogue>
__device__ void sum_narrow_rows(const NarrowMarchArguments<T>& a, const typename Sums::Weights& weights,
                                const Epilogue& epilogue, T* shared)
{
  using Tiles = NarrowTiles<T, Sums>;
  constexpr int radius = Sums::radius, rows = Tiles::rows;
  const int height = a.groups * rows;
  const std::int64_t first = blockIdx.x / a.tiles[0] * a.chunk;
  const int tiles = static_cast<int>(min(a.chunk, a.tiles[1] - first));
  const std::int64_t tile_x = a.range[0].begin + std::int64_t(blockIdx.x % a.tiles[0]) * a.columns;
  std::int64_t y = a.range[1].begin + first * height;
  const NarrowThread<rows> thread(a);
  const int own = (radius + thread.row) * a.pitch + radius + thread.column;
  NarrowOutput<T, rows, Epilogue> output(a, epilogue, thread, tile_x, y, a.range[2].begin);
  const Sums sums{weights};
  Tiles coming(a, shared, tile_x);
  coming.fetch(y);
  coming.put(y, 0);
  coming.fetch(y + height);
  for (int tile = 0; tile < tiles; ++tile, y += height) {
    const int slot = tile % 2;
    __syncthreads(); // all have brought it, and are done with the one before
    if (tile + 1 < tiles) coming.put(y + height, 1 - slot);
    if (tile + 2 < tiles) coming.fetch(y + 2 * height);
    output.load_operands();
    T sum[rows] = {};
    const NarrowPlane<T, radius, rows> plane{coming.plane(slot) + own, a.pitch};
    sums.add(sum, plane);
    output.finish(sum, plane.at, a.pitch);
    output.advance(height, a.range[1].end);
  }
}

template <class T, class Sums, class Epilogue>
__global__ void __launch_bounds__(Sums::shape.threads, Sums::shape.blocks)
    narrow_rows_kernel(const __grid_constant__ NarrowMarchArguments<T> arguments,
                       const __grid_constant__ typename Sums::Weights weights,
                       const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char narrow_rows_shared[];
  sum_narrow_rows<Sums>(arguments, weights, epilogue, reinterpret_cast<T*>(narrow_rows_shared));
}

/// The plan's kind and radius are these.
template <bool IsStar, int Radius, class T, class Epilogue>
void launch_narrow_rows_of(const Kernel& taken, const Kokkos::Cuda& space, const NarrowRowsPlan<T>& plan,
                           const Epilogue& epilogue)
{
  using Sums = NarrowRowSums<T, IsStar, Radius>;
  launch_kernel<narrow_rows_kernel<T, Sums, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                       std::get<typename Sums::Weights>(plan.weights), epilogue);
}

} // namespace Keramos::cuda::stencil
