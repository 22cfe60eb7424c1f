// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils with any taps: a block brings its tile and what the operator reaches around it to shared memory, then every
// thread sums its column of points. Blocks at an edge ask the rules for every place of the tile, corners included; others
// copy. Taps are kernel parameters, so that all threads read a weight from the constant bank at once.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "Launch.hpp"
#include "StencilCopy.hpp"
#include "StencilPoints.hpp"
#include "Tile.hpp"

namespace Keramos::cuda {

template <class T, class Epilogue>
struct TileArguments {
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  Range range[3];
  TilePlan plan;
  Epilogue epilogue;

  __device__ int row_pitch() const { return plan.length[0]; }
  __device__ int plane_pitch() const { return plan.length[0] * plan.length[1]; }
  __device__ int column_pitch() const { return plan.column_axis == 0 ? plan.column_step : row_pitch(); }

  /// The block's first point.
  __device__ core::Index3 corner() const
  {
    const unsigned x = blockIdx.x % plan.blocks[0], rest = blockIdx.x / plan.blocks[0];
    const unsigned y = rest % plan.blocks[1], z = rest / plan.blocks[1];
    return {plan.origin + std::int64_t(x) * plan.points[0], range[1].begin + std::int64_t(y) * plan.points[1],
            range[2].begin + std::int64_t(z) * plan.points[2]};
  }

  /// The thread's first point, from the corner.
  __device__ int first_x() const
  {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return lane + (plan.column_axis == 0 ? 32 * tile_lanes * warp : 0);
  }
  __device__ int first_y() const
  {
    const int warp = threadIdx.x / 32;
    return plan.column_axis == 1 && plan.points[2] == 1 ? warp * plan.columns : 0;
  }
  __device__ int first_z() const { return plan.points[2] == 1 ? 0 : threadIdx.x / 32; }
  /// The same as a place in the tile: the operand with the lowest offset along every axis.
  __device__ int first_place() const
  {
    return first_z() * plane_pitch() + first_y() * row_pitch() + first_x() + plan.lead - axes[0].reach_low;
  }
  /// From there to the operand at the centre.
  __device__ int centre_place() const
  {
    return axes[0].reach_low + axes[1].reach_low * row_pitch() + axes[2].reach_low * plane_pitch();
  }

  // ---- The tile -----------------------------------------------------------------------------------------------------------

  __device__ int view_axis(int p) const { return axes.position[0] == p ? 0 : axes.position[1] == p ? 1 : 2; }

  /// Brings the tile to shared memory. The rules are asked once for every index along every axis: `places` holds the
  /// answers, in elements from index 0, or no_index for a value; first those along x, then y, then z.
  __device__ void load(T* tile, std::int64_t* places, const core::Index3& corner_point) const
  {
    const int x_end = plan.length[0], y_end = x_end + plan.length[1], z_end = y_end + plan.length[2];
    const core::Index3 low{corner_point[0] - plan.lead, corner_point[1] - axes[1].reach_low,
                           corner_point[2] - axes[2].reach_low};
    for (int i = threadIdx.x; i < z_end; i += blockDim.x) {
      const int p = i < x_end ? 0 : i < y_end ? 1 : 2;
      T value{};
      const std::int64_t index = p == 0 ? low[0] + i : p == 1 ? low[1] + i - x_end : low[2] + i - y_end;
      const std::int64_t place = axes[p].resolve(index, value);
      places[i] = place == core::no_index ? place : place * in.stride[p];
    }
    __syncthreads();
    if (plan.vector > 1)
      copy_rows<vector_width<T>>(tile, places, low);
    else
      copy_rows<1>(tile, places, low);
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
  }

  /// A thread copies the same piece of every so many-th row, so that the instructions between two copies are few (with a
  /// warp for each row they were more than half of all instructions of a box of radius 1).
  template <int Piece>
  __device__ void copy_rows(T* tile, const std::int64_t* places, const core::Index3& low) const
  {
    const int pieces_of_row = plan.length[0] / Piece, threads = blockDim.x, rows = plan.length[1] * plan.length[2];
    const int abreast = max(threads / pieces_of_row, 1), first = threadIdx.x / pieces_of_row;
    if (pieces_of_row <= threads && first >= abreast) return;
    const int step_y = abreast % plan.length[1], step_z = abreast / plan.length[1];
    const int row0 = pieces_of_row <= threads ? first : 0;
    for (int piece = static_cast<int>(threadIdx.x) - row0 * pieces_of_row; piece < pieces_of_row; piece += threads) {
      const int x = piece * Piece;
      const bool plain = low[0] + x >= axes[0].valid_begin && low[0] + x + Piece <= axes[0].valid_end;
      const T* const data = in.data + (low[0] + x) * in.stride[0];
      int y = row0 % plan.length[1], z = row0 / plan.length[1];
      for (int row = row0; row < rows; row += abreast) {
        const std::int64_t along_y = places[plan.length[0] + y];
        const std::int64_t along_z = places[plan.length[0] + plan.length[1] + z];
        T* const to = tile + row * row_pitch() + x;
        if (plain && along_y != core::no_index && along_z != core::no_index)
          copy_async<Piece * sizeof(T)>(to, data + along_y + along_z);
        else
          copy_at_edge<Piece>(to, places + x, along_y, along_z, {low[0] + x, low[1] + y, low[2] + z});
        y += step_y;
        z += step_z;
        if (y >= plan.length[1]) y -= plan.length[1], ++z;
      }
    }
  }

  /// A piece beyond an end, element by element.
  template <int Piece>
  __device__ void copy_at_edge(T* to, const std::int64_t* along_x, std::int64_t along_y, std::int64_t along_z,
                               core::Index3 point) const
  {
    const bool is_row = along_y != core::no_index && along_z != core::no_index;
#pragma unroll 1
    for (int v = 0; v < Piece; ++v, ++point[0]) {
      if (is_row && along_x[v] != core::no_index)
        copy_async<sizeof(T)>(to + v, in.data + along_x[v] + along_y + along_z);
      else
        to[v] = value_at({along_x[v], along_y, along_z}, point);
    }
  }

  /// The value of the rules at a point where at least one axis has no place. Where several do, the last View index
  /// decides, as in numpy.pad.
  __device__ T value_at(const core::Index3& place, const core::Index3& point) const
  {
    T value{};
    int decides = -1;
#pragma unroll
    for (int p = 0; p < 3; ++p) {
      if (place[p] != core::no_index || view_axis(p) < decides) continue;
      decides = view_axis(p);
      value = point[p] < axes[p].valid_begin ? axes[p].low_value : axes[p].high_value;
    }
    return value;
  }

  // ---- The points -----------------------------------------------------------------------------------------------------------

  /// Points of the tile along axis p that are to be computed: [first, last) from the corner.
  __device__ int first_inside(int p, const core::Index3& corner_point) const
  {
    return static_cast<int>(max(range[p].begin - corner_point[p], std::int64_t(0)));
  }
  __device__ int last_inside(int p, const core::Index3& corner_point) const
  {
    return static_cast<int>(min(range[p].end - corner_point[p], std::int64_t(plan.points[p])));
  }

  /// Epilogue and store of the thread's columns.
  __device__ void finish(const T (&sum)[tile_columns][tile_lanes], const T* column, const core::Index3& corner) const
  {
    const int dx = plan.column_axis == 0 ? plan.column_step : 0, dy = plan.column_axis == 1, z = first_z();
    const int first = first_inside(0, corner), last = last_inside(0, corner), last_y = last_inside(1, corner);
    if (z >= last_inside(2, corner)) return;
    const std::int64_t step = dx * out.stride[0] + dy * out.stride[1];
    T* to = out.data + (corner[0] + first_x()) * out.stride[0] + (corner[1] + first_y()) * out.stride[1] +
            (corner[2] + z) * out.stride[2];
#pragma unroll
    for (int c = 0; c < tile_columns; ++c, to += step) {
      const int y = first_y() + c * dy;
      if (c >= plan.columns || y >= last_y) break;
#pragma unroll
      for (int l = 0; l < tile_lanes; ++l) {
        const int x = first_x() + c * dx + 32 * l;
        if (x < first || x >= last) continue;
        T value[1] = {sum[c][l]};
        const T centre[1] = {column[c * column_pitch() + 32 * l + centre_place()]};
        if (finish_points(epilogue, value, centre, corner[0] + x, 1, corner[1] + y, corner[2] + z, 1))
          to[32 * l * out.stride[0]] = value[0];
      }
    }
  }
};

/// Any taps, one after the other for the whole column.
template <class T, int Capacity, class Epilogue>
struct TapArguments {
  TileArguments<T, Epilogue> tile;
  int taps;
  T weight[Capacity];
  std::uint16_t place[Capacity]; ///< of the operand in the tile, from first_place()
};

template <class T, int Capacity, class Epilogue>
__global__ void __launch_bounds__(256, 4) tap_kernel(const __grid_constant__ TapArguments<T, Capacity, Epilogue> a)
{
  extern __shared__ __align__(16) unsigned char tap_shared[];
  T* const tile = reinterpret_cast<T*>(tap_shared + a.tile.plan.places_bytes);
  const core::Index3 corner = a.tile.corner();
  a.tile.load(tile, reinterpret_cast<std::int64_t*>(tap_shared), corner);
  const T* const column = tile + a.tile.first_place();
  T sum[tile_columns][tile_lanes] = {};
  int from[tile_columns];
#pragma unroll
  for (int c = 0; c < tile_columns; ++c) from[c] = c < a.tile.plan.columns ? c * a.tile.column_pitch() : 0;
  for (int t = 0; t < a.taps; ++t) {
    const T weight = a.weight[t];
    const T* const operand = column + a.place[t];
#pragma unroll
    for (int c = 0; c < tile_columns; ++c)
#pragma unroll
      for (int l = 0; l < tile_lanes; ++l) sum[c][l] += weight * operand[from[c] + 32 * l];
  }
  a.tile.finish(sum, column, corner);
}

/// A dense box: every value of the tile is read once for the column, and meets all weights along it from there. The column
/// lies along y, so that each point meets its operands in the order of the taps: z, y, x.
template <class T, int Rank, int Radius, class Epilogue>
struct BoxArguments {
  static constexpr int side = 2 * Radius + 1;
  TileArguments<T, Epilogue> tile;
  T weight[Rank == 3 ? side : 1][side][side]; ///< along z, y, x
};

template <class T, int Rank, int Radius, class Epilogue>
__global__ void __launch_bounds__(256, 4) box_kernel(const __grid_constant__ BoxArguments<T, Rank, Radius, Epilogue> a)
{
  constexpr int side = 2 * Radius + 1, planes = Rank == 3 ? side : 1;
  extern __shared__ __align__(16) unsigned char box_shared[];
  T* const tile = reinterpret_cast<T*>(box_shared + a.tile.plan.places_bytes);
  const core::Index3 corner = a.tile.corner();
  a.tile.load(tile, reinterpret_cast<std::int64_t*>(box_shared), corner);
  const T* const column = tile + a.tile.first_place();
  T sum[tile_columns][tile_lanes] = {};
  // Unrolled over the planes as well, the code of radius 2 would not fit into the instruction caches (a fifth of the
  // speed, H200).
#pragma unroll 1
  for (int z = 0; z < planes; ++z) {
    const T* row = column + z * a.tile.plane_pitch();
#pragma unroll
    for (int k = 0; k < tile_columns + 2 * Radius; ++k, row += a.tile.row_pitch())
#pragma unroll
      for (int i = 0; i < side; ++i)
#pragma unroll
        for (int l = 0; l < tile_lanes; ++l) {
          const T value = row[i + 32 * l];
#pragma unroll
          for (int c = 0; c < tile_columns; ++c)
            if (k - c >= 0 && k - c < side) sum[c][l] += a.weight[z][k - c >= 0 && k - c < side ? k - c : 0][i] * value;
        }
  }
  a.tile.finish(sum, column, corner);
}

template <class T, int Capacity, class Epilogue>
TileArguments<T, Epilogue> tile_arguments(const core::StencilProblem<T, Capacity>& problem, const TilePlan& plan,
                                          const Epilogue& epilogue)
{
  TileArguments<T, Epilogue> arguments{problem.in, problem.out, problem.axes, {}, plan, epilogue};
  for (int p = 0; p < 3; ++p) arguments.range[p] = {problem.begin[p], problem.end[p]};
  return arguments;
}

template <class T, int Capacity, class Epilogue>
void launch_taps(const std::string& name, const Kokkos::Cuda& space, const TilePlan& plan,
                 const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  using Arguments = TapArguments<T, Capacity, Epilogue>;
  static_assert(sizeof(Arguments) <= 32764);
  Arguments arguments{tile_arguments(problem, plan, epilogue), problem.taps.count, {}, {}};
  const int pitch[3] = {1, plan.length[0], plan.length[0] * plan.length[1]};
  for (int t = 0; t < problem.taps.count; ++t) {
    int place = 0;
    for (int p = 0; p < 3; ++p) place += (problem.taps.offset[t][p] + problem.axes[p].reach_low) * pitch[p];
    arguments.weight[t] = problem.taps.weight[t];
    arguments.place[t] = static_cast<std::uint16_t>(place);
  }
  const LaunchShape shape{plan.block_count(), plan.threads(), static_cast<unsigned>(plan.shared_bytes)};
  launch_kernel(name, space, tap_kernel<T, Capacity, Epilogue>, shape, arguments);
}

template <int Rank, int Radius, class T, int Capacity, class Epilogue>
void launch_box_of(const std::string& name, const Kokkos::Cuda& space, const TilePlan& plan,
                   const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  BoxArguments<T, Rank, Radius, Epilogue> arguments{tile_arguments(problem, plan, epilogue), {}};
  for (int t = 0; t < problem.taps.count; ++t) {
    const auto& offset = problem.taps.offset[t];
    const int z = Rank == 3 ? offset[2] + Radius : 0;
    arguments.weight[z][offset[1] + Radius][offset[0] + Radius] = problem.taps.weight[t];
  }
  const LaunchShape shape{plan.block_count(), plan.threads(), static_cast<unsigned>(plan.shared_bytes)};
  launch_kernel(name, space, box_kernel<T, Rank, Radius, Epilogue>, shape, arguments);
}

} // namespace Keramos::cuda
