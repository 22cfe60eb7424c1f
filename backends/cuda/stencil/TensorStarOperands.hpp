// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue's operands at the points of a thread of TensorStarKernel.hpp: copied, while a plane is summed, to places in shared
// memory that are the thread's own. Registers would hold them as long.
#pragma once

#include "../BulkCopy.hpp"
#include "Points.hpp"
#include "TensorStar.hpp"

namespace Keramos::cuda::stencil {

/// The points of a thread.
template <class T>
struct TensorStarPoints {
  std::int64_t x, y;
  unsigned mask; ///< of its points along x those that are to be computed
  int inside;    ///< its rows that are to be computed

  template <class Tile>
  __device__ explicit TensorStarPoints(const Tile& tile)
      : x(tile.x + threadIdx.x % 32 * Tile::points), y(tile.y + threadIdx.x / 32 * Tile::shape.rows),
        mask(points_inside<Tile::points>({max(tile.a.range[0].begin, tile.own_x), tile.a.range[0].end}, x, 1)),
        inside(
            mask == 0 || y < tile.own_y
                ? 0
                : static_cast<int>(max(min(tile.a.range[1].end - y, std::int64_t(Tile::shape.rows)), std::int64_t(0))))
  {
  }
};

template <class T, class Tile, class Epilogue>
class TensorStarOperands {
public:
  static constexpr int count = Epilogue::operands, rows = Tile::shape.rows, points = Tile::points;
  static constexpr int row_step = 16 * Tile::shape.threads(); ///< of a row the threads' vectors lie together
  using Row = T[points];

  __device__ TensorStarOperands(const Tile& tile, const TensorStarPoints<T>& the_points, const Epilogue& the_epilogue,
                                SharedAddress shared)
      : epilogue(the_epilogue), at(the_points), first(tile.first), last(tile.last),
        own(shared + Tile::layout.operands_at() + threadIdx.x * 16)
  {
  }

  /// Those of this plane, when those before have been loaded.
  __device__ void begin(std::int64_t plane) const
  {
    if constexpr (count > 0) {
#pragma unroll
      for (int n = 0; n < count; ++n)
        if (plane >= first && plane < last && epilogue.operand[n].is_field())
          begin(epilogue.operand[n].field, plane, own + n * rows * row_step);
      commit_copies();
    }
  }

  __device__ void wait() const
  {
    if constexpr (count > 0) wait_for_copies<Tile::edge_groups>();
  }

  /// Of row r. Points that are not to be computed have anything.
  __device__ void load(Row (&to)[count + 1], int r) const
  {
    if constexpr (count > 0) {
#pragma unroll
      for (int n = 0; n < count; ++n) {
#pragma unroll
        for (int v = 0; v < points; ++v) to[n][v] = epilogue.operand[n].number;
        if (epilogue.operand[n].is_field()) load_shared(to[n], own + (n * rows + r) * row_step);
      }
    }
  }

private:
  /// Whole vectors but for the last of a row, so that lanes stay together; where points begin within a vector, element by element.
  __device__ void begin(const core::Field<const T, 3>& field, std::int64_t plane, SharedAddress to) const
  {
    const T* const from = field.data + at.x + at.y * field.stride[1] + plane * field.stride[2];
    const bool begins_within = at.mask != 0 && !(at.mask & 1);
    if (!begins_within) {
      const int bytes = __popc(at.mask) * static_cast<int>(sizeof(T));
#pragma unroll
      for (int r = 0; r < rows; ++r)
        copy_vector_of_line(to + r * row_step, from + r * field.stride[1], r < at.inside ? bytes : 0);
      return;
    }
    for (int r = 0; r < at.inside; ++r)
      for (int v = 1; v < points; ++v)
        if (at.mask >> v & 1)
          copy_element(to + r * row_step + v * static_cast<int>(sizeof(T)), from + r * field.stride[1] + v);
  }

  const Epilogue& epilogue;
  const TensorStarPoints<T>& at;
  std::int64_t first, last; ///< planes
  SharedAddress own;        ///< the thread's first vector
};

} // namespace Keramos::cuda::stencil
