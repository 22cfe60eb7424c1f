// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils with any taps: a block brings its tile and what the operator reaches around it to shared memory, then every
// thread sums its column of points. Blocks at an edge ask the rules for every element of the tile, corners included; others
// copy. Taps are kernel parameters, so that all threads read a weight from the constant bank at once.
#pragma once

#include "Tile.hpp"

#include <cstring>
#include <utility>

namespace Keramos::cuda::stencil {

/// One thread of a block.
template <class T, class Epilogue>
struct TileThread {
  const TileArguments<T>& a;
  const TileLayout& layout;
  const Epilogue& epilogue;

  __device__ TileThread(const TileArguments<T>& arguments, const Epilogue& the_epilogue)
      : a(arguments), layout(arguments.layout), epilogue(the_epilogue)
  {
  }

  /// The block's first point.
  __device__ core::Index3 corner() const
  {
    const unsigned x = blockIdx.x % a.blocks[0], rest = blockIdx.x / a.blocks[0];
    const unsigned y = rest % a.blocks[1], z = rest / a.blocks[1];
    return {a.origin + std::int64_t(x) * layout.points[0], a.range[1].begin + std::int64_t(y) * layout.points[1],
            a.range[2].begin + std::int64_t(z) * layout.points[2]};
  }

  /// The thread's first point, from the corner.
  __device__ int first_x() const
  {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return lane + (layout.column_axis == 0 ? 32 * tile_lanes * warp : 0);
  }
  __device__ int first_y() const
  {
    const int warp = threadIdx.x / 32;
    return layout.column_axis == 1 && layout.points[2] == 1 ? warp * layout.columns : 0;
  }
  __device__ int first_z() const { return layout.points[2] == 1 ? 0 : threadIdx.x / 32; }
  /// The offset in the tile of what its first sum reads with the lowest offsets along every axis.
  __device__ int first_offset() const
  {
    return first_z() * layout.plane_pitch() + first_y() * layout.row_pitch() + first_x() + layout.halo_low -
           a.axes[0].reach_low;
  }
  /// From there to the centre.
  __device__ int centre_offset() const
  {
    return a.axes[0].reach_low + a.axes[1].reach_low * layout.row_pitch() + a.axes[2].reach_low * layout.plane_pitch();
  }

  // ---- The tile -----------------------------------------------------------------------------------------------------

  __device__ int view_axis(int p) const { return a.axes.position[0] == p ? 0 : a.axes.position[1] == p ? 1 : 2; }

  /// Brings the tile to shared memory. The rules are asked once for every index along every axis: `table` holds the
  /// answers, in elements from index 0, or no_index for a value; first those along x, then y, then z.
  __device__ void load(T* tile, std::int64_t* table, const core::Index3& corner_point) const
  {
    const int x_end = layout.length[0], y_end = x_end + layout.length[1], z_end = y_end + layout.length[2];
    const core::Index3 low{corner_point[0] - layout.halo_low, corner_point[1] - a.axes[1].reach_low,
                           corner_point[2] - a.axes[2].reach_low};
    for (int i = threadIdx.x; i < z_end; i += blockDim.x) {
      const int p = i < x_end ? 0 : i < y_end ? 1 : 2;
      T value{};
      const std::int64_t index = p == 0 ? low[0] + i : p == 1 ? low[1] + i - x_end : low[2] + i - y_end;
      const std::int64_t from = a.axes[p].resolve(index, value);
      table[i] = from == core::no_index ? from : from * a.in.stride[p];
    }
    __syncthreads();
    if (layout.vector > 1)
      copy_rows<vector_width<T>>(tile, table, low);
    else
      copy_rows<1>(tile, table, low);
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
  }

  /// A thread copies the same vector of every so many-th row, so that the instructions between two copies are few (with a
  /// warp for each row they were more than half of all instructions of a box of radius 1).
  template <int Width>
  __device__ void copy_rows(T* tile, const std::int64_t* table, const core::Index3& low) const
  {
    const int vectors_of_row = layout.length[0] / Width, threads = blockDim.x,
              rows = layout.length[1] * layout.length[2];
    const int at_once = max(threads / vectors_of_row, 1), first = threadIdx.x / vectors_of_row;
    if (vectors_of_row <= threads && first >= at_once) return;
    const int step_y = at_once % layout.length[1], step_z = at_once / layout.length[1];
    const int row0 = vectors_of_row <= threads ? first : 0;
    for (int vector = static_cast<int>(threadIdx.x) - row0 * vectors_of_row; vector < vectors_of_row;
         vector += threads) {
      const int x = vector * Width;
      const bool plain = low[0] + x >= a.axes[0].valid_begin && low[0] + x + Width <= a.axes[0].valid_end;
      const T* const data = a.in.data + (low[0] + x) * a.in.stride[0];
      int y = row0 % layout.length[1], z = row0 / layout.length[1];
      for (int row = row0; row < rows; row += at_once) {
        const std::int64_t along_y = table[layout.length[0] + y];
        const std::int64_t along_z = table[layout.length[0] + layout.length[1] + z];
        T* const to = tile + row * layout.row_pitch() + x;
        if (plain && along_y != core::no_index && along_z != core::no_index)
          copy_async<Width * sizeof(T)>(to, data + along_y + along_z);
        else
          copy_at_edge<Width>(to, table + x, along_y, along_z, {low[0] + x, low[1] + y, low[2] + z});
        y += step_y;
        z += step_z;
        if (y >= layout.length[1]) y -= layout.length[1], ++z;
      }
    }
  }

  /// A vector beyond an end, element by element.
  template <int Width>
  __device__ void copy_at_edge(T* to, const std::int64_t* along_x, std::int64_t along_y, std::int64_t along_z,
                               core::Index3 point) const
  {
    const bool is_row = along_y != core::no_index && along_z != core::no_index;
#pragma unroll 1
    for (int v = 0; v < Width; ++v, ++point[0]) {
      if (is_row && along_x[v] != core::no_index)
        copy_async<sizeof(T)>(to + v, a.in.data + along_x[v] + along_y + along_z);
      else
        to[v] = value_at({along_x[v], along_y, along_z}, point);
    }
  }

  /// The value of the rules at a point where at least one axis has nothing to read. Where several have not, the last View
  /// index decides, as in numpy.pad.
  __device__ T value_at(const core::Index3& offset, const core::Index3& point) const
  {
    T value{};
    int decides = -1;
#pragma unroll
    for (int p = 0; p < 3; ++p) {
      if (offset[p] != core::no_index || view_axis(p) < decides) continue;
      decides = view_axis(p);
      value = point[p] < a.axes[p].valid_begin ? a.axes[p].low_value : a.axes[p].high_value;
    }
    return value;
  }

  // ---- The points ---------------------------------------------------------------------------------------------------

  /// Points of the tile along axis p that are to be computed: [first, last) from the corner.
  __device__ int first_inside(int p, const core::Index3& corner_point) const
  {
    return static_cast<int>(max(a.range[p].begin - corner_point[p], std::int64_t(0)));
  }
  __device__ int last_inside(int p, const core::Index3& corner_point) const
  {
    return static_cast<int>(min(a.range[p].end - corner_point[p], std::int64_t(layout.points[p])));
  }

  /// Epilogue and store of the thread's columns.
  __device__ void finish(T (&sum)[tile_columns][tile_lanes], const T* column, const core::Index3& corner) const
  {
    const Columns at(*this, corner);
    if (at.z >= last_inside(2, corner)) return;
    if constexpr (core::only_stores<Epilogue>) {
      store<false, 0, tile_columns>(sum, at, corner);
    } else {
      constexpr int together = tile_columns_together(Epilogue::operands, sizeof(T));
      const std::make_integer_sequence<int, tile_columns / together> groups;
      // Lanes would go both ways, one after the other; operands are asked for by themselves.
      if (Epilogue::operands == 0 && __all_sync(__activemask(), at.are_whole()))
        finish<true, together>(sum, column, at, corner, groups);
      else
        finish<false, together>(sum, column, at, corner, groups);
    }
  }

private:
  /// Where the thread's points are, from the corner, and which of them are to be computed.
  struct Columns {
    int x, y, z, dx, dy, first, last, columns;

    __device__ Columns(const TileThread& thread, const core::Index3& corner)
        : x(thread.first_x()), y(thread.first_y()), z(thread.first_z()),
          dx(thread.layout.column_axis == 0 ? thread.layout.column_step : 0), dy(thread.layout.column_axis == 1),
          first(thread.first_inside(0, corner)), last(thread.last_inside(0, corner)), columns(thread.layout.columns)
    {
      if (dy != 0) columns = min(columns, thread.last_inside(1, corner) - y);
    }
    __device__ bool has(int c, int l) const
    {
      const int at = x + c * dx + 32 * l;
      return c < columns && at >= first && at < last;
    }
    __device__ bool are_whole() const { return has(0, 0) && has(tile_columns - 1, tile_lanes - 1); }
  };

  template <bool Whole, int Together, int... N>
  __device__ void finish(T (&sum)[tile_columns][tile_lanes], const T* column, const Columns& at,
                         const core::Index3& corner, std::integer_sequence<int, N...>) const
  {
    static_cast<void>((finish_columns<Whole, N * Together, Together>(sum, column, at, corner) && ...));
  }

  /// Some columns, all before the first of them is stored: no load passes a store. Their operands are on their way together. False behind the last one.
  template <bool Whole, int First, int Count>
  __device__ bool finish_columns(T (&sum)[tile_columns][tile_lanes], const T* column, const Columns& at,
                                 const core::Index3& corner) const
  {
    if (!Whole && First >= at.columns) return false;
    const auto has = [&](int c, int l) { return Whole || at.has(First + c, l); };
    const auto x = [&](int c, int l) { return corner[0] + at.x + (First + c) * at.dx + 32 * l; };
    const auto y = [&](int c) { return corner[1] + at.y + (First + c) * at.dy; };
    const std::int64_t z = corner[2] + at.z;
    constexpr int operands = Epilogue::operands;
    Kokkos::Array<T, operands> operand[Count][tile_lanes];
    if constexpr (operands > 0) {
#pragma unroll
      for (int c = 0; c < Count; ++c)
#pragma unroll
        for (int l = 0; l < tile_lanes; ++l)
#pragma unroll
          for (int k = 0; k < operands; ++k) {
            const core::EpilogueOperand<T>& from = epilogue.operand[k];
            operand[c][l][k] = from.number;
            load_if(from.is_field() && has(c, l), operand[c][l][k], &from.field[{x(c, l), y(c), z}]);
          }
    }
#pragma unroll
    for (int c = 0; c < Count; ++c)
#pragma unroll
      for (int l = 0; l < tile_lanes; ++l) {
        if (!has(c, l)) continue;
        T value[1] = {sum[First + c][l]};
        const T centre[1] = {column[(First + c) * layout.column_pitch() + 32 * l + centre_offset()]};
        finish_points(
            epilogue, value, centre, [&](int) { return operand[c][l]; }, x(c, l), 1, y(c), z, 1);
        sum[First + c][l] = value[0];
      }
    if constexpr (core::returns_value<Epilogue, T>) store<Whole, First, Count>(sum, at, corner);
    return true;
  }

  template <bool Whole, int First, int Count>
  __device__ void store(const T (&sum)[tile_columns][tile_lanes], const Columns& at, const core::Index3& corner) const
  {
    const std::int64_t step = at.dx * a.out.stride[0] + at.dy * a.out.stride[1];
    T* to = &a.out[{corner[0] + at.x, corner[1] + at.y, corner[2] + at.z}] + First * step;
#pragma unroll
    for (int c = First; c < First + Count; ++c, to += step) {
      if (!Whole && c >= at.columns) break;
#pragma unroll
      for (int l = 0; l < tile_lanes; ++l)
        if (Whole || at.has(c, l)) to[32 * l * a.out.stride[0]] = sum[c][l];
    }
  }
};

/// Any taps, one after the other for the whole column.
template <class T, int Capacity, class Epilogue>
__global__ void __launch_bounds__(256, 4)
    tap_kernel(const __grid_constant__ TileArguments<T> a, const __grid_constant__ TileTaps<T, Capacity> taps,
               const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char tap_shared[];
  T* const tile = reinterpret_cast<T*>(tap_shared + a.layout.table_bytes);
  const TileThread<T, Epilogue> thread(a, epilogue);
  const core::Index3 corner = thread.corner();
  thread.load(tile, reinterpret_cast<std::int64_t*>(tap_shared), corner);
  const T* const column = tile + thread.first_offset();
  T sum[tile_columns][tile_lanes] = {};
  int from[tile_columns];
#pragma unroll
  for (int c = 0; c < tile_columns; ++c) from[c] = c < a.layout.columns ? c * a.layout.column_pitch() : 0;
  for (int t = 0; t < taps.count; ++t) {
    const T weight = taps.weight[t];
    const T* const first = column + taps.offset[t];
#pragma unroll
    for (int c = 0; c < tile_columns; ++c)
#pragma unroll
      for (int l = 0; l < tile_lanes; ++l) sum[c][l] += weight * first[from[c] + 32 * l];
  }
  thread.finish(sum, column, corner);
}

/// A dense box: every value of the tile is read once for the column, and meets all weights along it from there. The column
/// lies along y, so that each point meets what it reads in the order of the taps: z, y, x.
template <class T, int Rank, int Radius, class Epilogue>
__global__ void __launch_bounds__(256, box_tile_blocks(Radius, sizeof(T), Epilogue::operands))
    box_kernel(const __grid_constant__ TileArguments<T> a, const __grid_constant__ BoxWeights<T, Rank, Radius> box,
               const __grid_constant__ Epilogue epilogue)
{
  constexpr int side = 2 * Radius + 1, planes = Rank == 3 ? side : 1;
  extern __shared__ __align__(16) unsigned char box_shared[];
  T* const tile = reinterpret_cast<T*>(box_shared + a.layout.table_bytes);
  const TileThread<T, Epilogue> thread(a, epilogue);
  const core::Index3 corner = thread.corner();
  thread.load(tile, reinterpret_cast<std::int64_t*>(box_shared), corner);
  const T* const column = tile + thread.first_offset();
  T sum[tile_columns][tile_lanes] = {};
  // Unrolled over the planes as well, the code of radius 2 would not fit into the instruction caches (a fifth of the
  // speed, H200).
#pragma unroll 1
  for (int z = 0; z < planes; ++z) {
    const T* row = column + z * a.layout.plane_pitch();
#pragma unroll
    for (int k = 0; k < tile_columns + 2 * Radius; ++k, row += a.layout.row_pitch())
#pragma unroll
      for (int i = 0; i < side; ++i)
#pragma unroll
        for (int l = 0; l < tile_lanes; ++l) {
          const T value = row[i + 32 * l];
#pragma unroll
          for (int c = 0; c < tile_columns; ++c)
            if (k - c >= 0 && k - c < side)
              sum[c][l] += box.weight[z][k - c >= 0 && k - c < side ? k - c : 0][i] * value;
        }
  }
  thread.finish(sum, column, corner);
}

template <class T, int Capacity, class Epilogue>
void launch_taps(const Kernel& taken, const Kokkos::Cuda& space, const TilePlan<T, Capacity>& plan,
                 const Epilogue& epilogue)
{
  static_assert(has_tiles<T, Capacity, Epilogue>);
  launch_kernel<tap_kernel<T, Capacity, Epilogue>>(taken, space, plan.shape, plan.arguments, plan.taps, epilogue);
}

/// The plan's rank and radius are these.
template <int Rank, int Radius, class T, int Capacity, class Epilogue>
void launch_box_of(const Kernel& taken, const Kokkos::Cuda& space, const TilePlan<T, Capacity>& plan,
                   const Epilogue& epilogue)
{
  BoxWeights<T, Rank, Radius> box;
  static_assert(sizeof(box) <= sizeof(plan.taps.weight));
  std::memcpy(&box, plan.taps.weight, sizeof(box));
  launch_kernel<box_kernel<T, Rank, Radius, Epilogue>>(taken, space, plan.shape, plan.arguments, box, epilogue);
}

} // namespace Keramos::cuda::stencil
