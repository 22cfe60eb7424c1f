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
  __device__ int column_pitch() const
  {
    return plan.column_axis == 0 ? plan.column_step : plan.column_axis == 1 ? row_pitch() : plane_pitch();
  }

  /// The block's first point.
  __device__ core::Index3 corner() const
  {
    const unsigned block[3] = {blockIdx.x % plan.blocks[0], blockIdx.x / plan.blocks[0] % plan.blocks[1],
                               blockIdx.x / plan.blocks[0] / plan.blocks[1]};
    core::Index3 first;
    for (int p = 0; p < 3; ++p) first[p] = range[p].begin + std::int64_t(block[p]) * plan.points[p];
    return first;
  }

  /// The thread's first point, from the corner.
  __device__ int first_point(int p) const
  {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (p == 0) return plan.column_axis == 0 ? static_cast<int>(threadIdx.x) : lane;
    return p == 1 && plan.column_axis > 0 ? warp * (plan.column_axis == 1 ? plan.columns : 1) : 0;
  }
  /// The same as a place in the tile: the operand with the lowest offset along every axis.
  __device__ int first_place() const { return first_point(1) * row_pitch() + first_point(0); }
  /// From there to the operand at the centre.
  __device__ int centre_place() const
  {
    return axes[0].reach_low + axes[1].reach_low * row_pitch() + axes[2].reach_low * plane_pitch();
  }

  /// Brings the tile to shared memory, row by row of a warp.
  __device__ void load(T* tile, const core::Index3& corner_point) const
  {
    bool plain = true;
    core::Index3 low;
    for (int p = 0; p < 3; ++p) {
      low[p] = corner_point[p] - axes[p].reach_low;
      plain = plain && low[p] >= axes[p].valid_begin && low[p] + plan.length[p] <= axes[p].valid_end;
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, rows = plan.length[1] * plan.length[2];
    for (int row = warp; row < rows; row += plan.warps) {
      const std::int64_t y = low[1] + row % plan.length[1], z = low[2] + row / plan.length[1];
      T* const to = tile + row * row_pitch();
      const T* const from = in.data + low[0] * in.stride[0] + y * in.stride[1] + z * in.stride[2];
      for (int i = lane; i < plan.length[0]; i += 32) {
        if (plain) {
          copy_async<sizeof(T)>(to + i, from + i * in.stride[0]);
        } else {
          core::Index3 place{low[0] + i, y, z};
          T value{};
          to[i] = axes.resolve(place, value) ? in[place] : value;
        }
      }
    }
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
  }

  /// Epilogue and store of the thread's column.
  __device__ void finish(const T (&sum)[tile_columns], const T* column, const core::Index3& corner_point) const
  {
    core::Index3 point{corner_point[0] + first_point(0), corner_point[1] + first_point(1), corner_point[2]};
#pragma unroll
    for (int c = 0; c < tile_columns; ++c) {
      if (c < plan.columns && range[0].has(point[0]) && range[1].has(point[1]) && range[2].has(point[2])) {
        T value[1] = {sum[c]};
        const T centre[1] = {column[c * column_pitch() + centre_place()]};
        if (finish_points(epilogue, value, centre, point[0], 1, point[1], point[2], range[0])) out[point] = value[0];
      }
      point[plan.column_axis] += plan.column_step;
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
__global__ void __launch_bounds__(256) tap_kernel(const __grid_constant__ TapArguments<T, Capacity, Epilogue> a)
{
  extern __shared__ __align__(16) unsigned char tap_shared[];
  T* const tile = reinterpret_cast<T*>(tap_shared);
  const core::Index3 corner = a.tile.corner();
  a.tile.load(tile, corner);
  const T* const column = tile + a.tile.first_place();
  T sum[tile_columns] = {};
  int from[tile_columns];
#pragma unroll
  for (int c = 0; c < tile_columns; ++c) from[c] = c < a.tile.plan.columns ? c * a.tile.column_pitch() : 0;
  for (int t = 0; t < a.taps; ++t) {
    const T weight = a.weight[t];
    const T* const operand = column + a.place[t];
#pragma unroll
    for (int c = 0; c < tile_columns; ++c) sum[c] += weight * operand[from[c]];
  }
  a.tile.finish(sum, column, corner);
}

/// A dense box: every value of the tile is read once for the column, and meets all weights along it from there.
template <class T, int Rank, int Radius, class Epilogue>
struct BoxArguments {
  static constexpr int side = 2 * Radius + 1;
  TileArguments<T, Epilogue> tile;
  T weight[side][Rank == 3 ? side : 1][side]; ///< along the column, along the middle axis, along x
};

template <class T, int Rank, int Radius, class Epilogue>
__global__ void __launch_bounds__(256) box_kernel(const __grid_constant__ BoxArguments<T, Rank, Radius, Epilogue> a)
{
  constexpr int side = 2 * Radius + 1, middle = Rank == 3 ? side : 1;
  extern __shared__ __align__(16) unsigned char box_shared[];
  T* const tile = reinterpret_cast<T*>(box_shared);
  const core::Index3 corner = a.tile.corner();
  a.tile.load(tile, corner);
  const T* const column = tile + a.tile.first_place();
  const T* level = column;
  T sum[tile_columns] = {};
#pragma unroll
  for (int k = 0; k < tile_columns + 2 * Radius; ++k, level += a.tile.column_pitch())
#pragma unroll
    for (int j = 0; j < middle; ++j)
#pragma unroll
      for (int i = 0; i < side; ++i) {
        const T value = level[j * a.tile.row_pitch() + i];
#pragma unroll
        for (int o = 0; o < side; ++o)
          if (k - o >= 0 && k - o < tile_columns)
            sum[k - o >= 0 && k - o < tile_columns ? k - o : 0] += a.weight[o][j][i] * value;
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
    const int middle = Rank == 3 ? offset[1] + Radius : 0;
    arguments.weight[offset[Rank - 1] + Radius][middle][offset[0] + Radius] += problem.taps.weight[t];
  }
  const LaunchShape shape{plan.block_count(), plan.threads(), static_cast<unsigned>(plan.shared_bytes)};
  launch_kernel(name, space, box_kernel<T, Rank, Radius, Epilogue>, shape, arguments);
}

} // namespace Keramos::cuda
