// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any taps through a tile in shared memory: boxes, sparse operators, stars and lines of radius 0 or beyond 8. What the
// host decides; the kernels are in TileKernel.hpp.
#pragma once

#include "../../src/core/StencilProblem.hpp"
#include "StencilPoints.hpp"
#include "StencilTuning.hpp"

#include <optional>
#include <string>
#include <type_traits>

namespace Keramos::cuda {

/// A block computes 64 x columns x warps points (three axes), 64 x (warps * columns) (two) or (64 * warps) * columns.
/// A thread has `tile_lanes` columns of points, 32 apart along x: along y, or every (64 * warps)-th point along x.
struct TilePlan {
  int vector = 1;          ///< elements of a copy
  std::int64_t origin = 0; ///< x of the first tile's first point
  int warps = 0, columns = 0;
  int points[3] = {1, 1, 1}; ///< of the tile, along each axis
  int length[3] = {1, 1, 1}; ///< the same with what the operator reaches
  int lead = 0;              ///< elements along x before the first point
  int column_axis = 0;
  int column_step = 1; ///< from one point of a column to the next, in points
  unsigned blocks[3] = {};
  int places_bytes = 0, tile_bytes = 0; ///< of shared memory: where the edge rules send indices, and the tile
  int shared_bytes = 0;
  int box_radius = 0; ///< of a dense box whose kernel is unrolled; 0: one tap after the other

  unsigned threads() const { return 32u * warps; }
  unsigned block_count() const { return blocks[0] * blocks[1] * blocks[2]; }
};

/// Taps that fit into a kernel's parameters (32,764 bytes): each is a weight and 16 bits.
template <class T>
inline constexpr int largest_tap_capacity = sizeof(T) == 4 ? 5120 : 3072;

/// What the plan depends on, without the taps.
struct TileRequest {
  int rank, element_bytes, box_radius;
  std::optional<int> phase; ///< of the rows of the input, see vector_phase()
  std::int64_t begin[3], end[3];
  int reach_low[3], reach_high[3];
};

/// Empty if no tile fits into shared memory.
std::optional<TilePlan> plan_tile(const Device& device, const TileRequest& request);

template <class T, int Capacity>
std::optional<TilePlan> choose_tile(const Device& device, const core::StencilProblem<T, Capacity>& problem)
{
  if constexpr (Capacity > largest_tap_capacity<T>) {
    return std::nullopt;
  } else {
    const auto& call = problem.call;
    TileRequest request{call.rank, sizeof(T), 0, vector_phase(problem.in), {}, {}, {}, {}};
    bool dense =
        call.shape == Shape::box && call.rank > 1 && call.radius <= largest_box_radius && problem.taps_follow_axes;
    for (int p = 0; p < 3; ++p) {
      const auto& axis = problem.axes[p];
      request.begin[p] = problem.begin[p];
      request.end[p] = problem.end[p];
      request.reach_low[p] = axis.reach_low;
      request.reach_high[p] = axis.reach_high;
      dense = dense && axis.reach_low == axis.reach_high && axis.reach_low == (p < call.rank ? call.radius : 0);
    }
    if (dense) request.box_radius = call.radius;
    return plan_tile(device, request);
  }
}

/// "box<3,1> tile 64x8x8 v4".
std::string tile_variant(const std::string& shape, const TilePlan& plan);

} // namespace Keramos::cuda
