// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes whose rows begin anywhere, by tensor copies. A block owns a tile in xy and marches along z, a thread rows of
// one column, whose sums by planes it keeps in registers (MarchStar.hpp). Of a plane one copy brings every w-th row, w elements being
// 16 bytes:
//
//     rows in memory             maps            in shared memory, w = 4
//     y      ..|.abcdefg|..      y % 4 = 0       rows y, y + 4, ...
//     y + 1  ..|bcdefg..|..      y % 4 = 1       rows y + 1, y + 5, ...
//     y + 2  .a|bcdefg..|..      ...             each from the same column on
//
// A copy can begin on 16 bytes only; so a row lies in shared memory as far behind a boundary as it does in memory. What lies
// beyond the field is zero, as copies leave it, but for what is between the boundary where the map's rows begin and the field: the warp
// that reads there makes it zero.
#pragma once

#include "MarchStar.hpp"
#include "MarchTile.hpp"
#include "StridedStar.hpp"
#include "TensorRing.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block.
template <class T, int Radius, class Shape>
struct StridedStarTile : MarchBlock<StridedStarArguments<T>> {
  using Element = T;
  static constexpr int radius = Radius;
  static constexpr StridedStarShape shape = Shape::value;
  static constexpr StridedStarLayout layout = strided_star_layout<T>(shape, Radius);
  using Block = MarchBlock<StridedStarArguments<T>>;
  using Block::first, Block::last;

  __device__ explicit StridedStarTile(const StridedStarArguments<T>& arguments)
      : Block(arguments, shape.height(), false, true)
  {
  }
  __device__ int steps() const { return static_cast<int>(last - first) + 2 * Radius; }
};

/// Brings a plane of the tile.
template <class T, int Radius, class Shape>
struct StridedStarCopy {
  using Tile = StridedStarTile<T, Radius, Shape>;
  static constexpr StridedStarLayout layout = Tile::layout;
  static constexpr int classes = layout.classes, bytes = layout.plane_bytes();

  const StridedStarArguments<T>& a;
  const StridedStarMaps<T>& maps;
  int column, row; ///< of the tile's first operand, from the field's first
  unsigned behind; ///< of the field's first column in the tile's first row and the field's first plane

  __device__ StridedStarCopy(const Tile& tile, const StridedStarMaps<T>& the_maps)
      : a(tile.a), maps(the_maps), column(static_cast<int>(tile.x - a.axis[0].valid_begin) - Radius),
        row(static_cast<int>(tile.y - a.axis[1].valid_begin) - Radius),
        behind(a.behind(a.axis[0].valid_begin) +
               static_cast<unsigned>((tile.y - Radius) * a.axis[1].stride + a.axis[2].valid_begin * a.axis[2].stride))
  {
  }

  /// `depth`: the plane, from the field's first.
  __device__ void operator()(SharedAddress to, int depth, SharedAddress full) const
  {
    const unsigned plane_behind = behind + static_cast<unsigned>(depth) * static_cast<unsigned>(a.axis[2].stride);
#pragma unroll
    for (int k = 0; k < classes; ++k) {
      const CUtensorMap& map = maps.of[depth & (classes - 1)][(row + k) & (classes - 1)];
      const unsigned row_behind = (plane_behind + k * static_cast<unsigned>(a.axis[1].stride)) % classes;
      const int begin = (column + static_cast<int>(row_behind)) & -classes;
      copy_box(to + k * layout.place(), map, begin, (row + k) >> log2_classes, depth >> log2_classes, full);
    }
  }

private:
  static constexpr int log2_classes = classes == 4 ? 2 : 1;
  static_assert(1 << log2_classes == classes);
};

/// A plane as a thread sees it: its own rows, [0, rows), and those beside them.
template <class T, int Radius, class Shape>
class StridedStarPlane {
public:
  static constexpr int rows = Shape::value.rows, column_step = 1;

  /// Threads behind the tile's last column read that one.
  template <class Tile>
  __device__ StridedStarPlane(const Tile& tile, int column, int first_row)
      : at(first_row / classes * pitch + Radius + min(column, tile.a.columns - 1)),
        odd(rows % classes == 0 ? 0 : first_row % classes),
        behind(tile.a.behind(tile.x - Radius) +
               static_cast<unsigned>((tile.y - Radius + first_row) * tile.a.axis[1].stride)),
        row_step(static_cast<unsigned>(tile.a.axis[1].stride))
  {
    const std::int64_t columns = tile.a.axis[0].valid_begin - (tile.x - Radius);
    outside = column < 32 && columns > 0 ? static_cast<int>(columns) : 0;
    const int row = Radius + static_cast<int>(threadIdx.x % 32);
    cleared = row % classes * place + (first_row / classes + row / classes) * pitch + outside - 1;
  }

  /// To a plane that lay at `offset` in memory.
  __device__ void enter(T* plane, std::int64_t offset)
  {
    const unsigned plane_behind = behind + static_cast<unsigned>(offset);
    if (outside > 0) clear(plane + cleared + (plane_behind + (Radius + threadIdx.x % 32) * row_step) % classes);
#pragma unroll
    for (int k = 0; k < classes; ++k) {
      const int row = k + odd;
      begin[k] = plane + at + row % classes * place + row / classes * pitch + (plane_behind + k * row_step) % classes;
    }
  }

  /// The thread's column of a row.
  __device__ const T* operator[](int row) const
  {
    return begin[(Radius + row) % classes] + (Radius + row) / classes * pitch;
  }

  __device__ void load_halo(T (&halo)[2 * Radius][1]) const
  {
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) halo[k][0] = *(*this)[k < Radius ? k - Radius : rows + k - Radius];
  }

private:
  static constexpr StridedStarLayout layout = strided_star_layout<T>(Shape::value, Radius);
  static constexpr int classes = layout.classes, pitch = layout.pitch(),
                       place = layout.place() / static_cast<int>(sizeof(T));

  /// What is before the field in a row, `last` being the last of it: a row of the warp's own for each lane. Rows beside them are read
  /// in the columns of the tile alone.
  __device__ void clear(T* last) const
  {
    if (threadIdx.x % 32 < rows) {
#pragma unroll
      for (int k = 0; k < classes - 1; ++k)
        if (k < outside) last[-k] = 0;
    }
    order_before_copies();
    __syncwarp();
  }

  int at;          ///< the thread's column, from a plane, in the first row of the interleaved fields that it reads
  int odd;         ///< which of them its first row is in
  unsigned behind; ///< how far the tile's first operand in that row is behind a boundary in plane 0
  unsigned row_step;
  int outside;             ///< columns before the field that the warp reads
  int cleared;             ///< the last of them in the lane's row
  const T* begin[classes]; ///< of the current plane: rows k - Radius, k - Radius + classes, ...
};

/// Points of a thread: rows of a column.
template <class T, class TheSums>
struct StridedStarPoints {
  using Sums = TheSums;
  using Shape = typename Sums::Shape;

  StridedStarPlane<T, Sums::radius, Shape> plane;
  MarchOutput<T, Shape::value.rows, true> output;
  Sums sums;

  template <class Tile>
  __device__ StridedStarPoints(const Tile& tile, int column, int first_row)
      : plane(tile, column, first_row), output(tile, 0, column, first_row), sums(tile.a.weights)
  {
  }
};

/// The planes of a block as they come, of a thread that owns these points.
template <class Tile, class Ring, class Planes, class... Points>
__device__ void add_strided_planes(const Tile& tile, const Ring& ring, Planes& planes, unsigned char* shared,
                                   Points&... points)
{
  using T = typename Tile::Element;
  constexpr int radius = Tile::radius;
  int slot = 0;
  unsigned parity = 0;
  const auto add_planes = [&](int begin, int end, auto add) {
    for (int step = begin; step < end; ++step) {
      planes.advance(step);
      ring.wait(slot, parity);
      T* const plane = reinterpret_cast<T*>(shared + slot * Tile::layout.plane());
      const std::int64_t offset = tile.a.axis[2].offset(tile.first - radius + step);
      ((points.plane.enter(plane, offset), add(points)), ...);
      ring.release(slot);
      if (step >= 2 * radius) (points.output.store(points.sums.sum[0]), ...);
      if (++slot == Tile::layout.ring) slot = 0, parity ^= 1;
    }
  };
  const auto add = [](auto& of) { of.sums.add(of.plane); };
  const auto add_beyond = [](auto& of) { of.sums.add_beyond(of.plane); };
  const int steps = tile.steps();
  add_planes(0, radius, add_beyond);
  add_planes(radius, steps - radius, add);
  add_planes(steps - radius, steps, add_beyond);
}

template <class T, class Sums>
__device__ void march_strided(const StridedStarArguments<T>& arguments, const StridedStarMaps<T>& maps,
                              unsigned char* shared)
{
  using Shape = typename Sums::Shape;
  constexpr StridedStarShape shape = Sums::shape;
  using Tile = StridedStarTile<T, Sums::radius, Shape>;
  const Tile tile(arguments);
  const TensorRing<Tile> ring(shared);
  TensorPlanes<Sums::radius, Tile, StridedStarCopy<T, Sums::radius, Shape>> planes(tile, ring, maps);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32, across = warps / shape.groups;
  StridedStarPoints<T, Sums> own(tile, warp % across * 32 + lane, warp / across * shape.rows);
  if constexpr (shape.beside > 0) {
    static_assert(shape.beside * shape.height() <= 32);
    if (warp == warps - 1 && arguments.columns > shape.own_columns()) {
      StridedStarPoints<T, typename Sums::template Of<ShapeBeside<Shape>>> beside(
          tile, shape.own_columns() + lane / shape.height(), lane % shape.height());
      return add_strided_planes(tile, ring, planes, shared, own, beside);
    }
  }
  add_strided_planes(tile, ring, planes, shared, own);
}

template <class T, class Sums>
__global__ void __launch_bounds__(Sums::shape.max_threads(), 1)
    strided_star_kernel(const __grid_constant__ StridedStarMaps<T> maps,
                        const __grid_constant__ StridedStarArguments<T> arguments)
{
#if __CUDA_ARCH__ >= 900 // choose_strided_star() takes it for no other
  extern __shared__ __align__(128) unsigned char strided_star_shared[];
  march_strided<T, Sums>(arguments, maps, strided_star_shared);
#endif
}

} // namespace Keramos::cuda::stencil
