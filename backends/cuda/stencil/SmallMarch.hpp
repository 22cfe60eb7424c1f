// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes on small grids, by planes in shared memory, where zero is beyond all ends and nothing is behind the sum. A block
// owns a tile in xy and marches along z through a chunk; plane z adds to the 2R + 1 outputs that it touches (PartialSums.hpp):
//
//        z + R + ahead   on its way, by asynchronous copies of 16 bytes
//        z + R           comes: the last terms of output z, the first ones of output z + 2R
//
// What a thread reads so is 9 or 10 vectors for each that it stores, 13 by registers, where the L1 is what binds. Of the planes below and
// above the chunk only the tile's own points are brought. There is one barrier a plane.
#pragma once

#include "../Memory.hpp"
#include "PartialSums.hpp"
#include "PlaneTerms.hpp"
#include "SmallStar.hpp"

namespace Keramos::cuda::stencil {

/// The planes of a block on their way.
template <class T, int Radius>
class SmallMarchPlanes {
public:
  using Tile = SmallMarchTile<T, Radius>;
  static constexpr SmallMarchShape shape = Tile::shape;

  /// The chunk begins with plane z.
  __device__ SmallMarchPlanes(const SmallStarArguments<T>& arguments, SharedAddress shared, int the_z, int the_planes)
      : a(arguments), x(static_cast<int>(blockIdx.x) * shape.lanes * Tile::width),
        y(static_cast<int>(blockIdx.y) * Tile::height), z(the_z - Radius), planes(the_planes), ring(shared),
        from(a.in + (x + y * a.axis[1].stride + z * a.axis[2].stride)), column(threadIdx.x * Tile::width)
  {
  }

  /// The next one, if there is one; in any case a group of copies.
  __device__ void bring()
  {
    if (step < planes + 2 * Radius) {
      const bool is_there = is_inside(2, z + step);
#pragma unroll
      for (int n = 0; n < Tile::rows; ++n) bring(threadIdx.y + n * shape.across, column, is_there);
      if (step >= Radius && step < planes + Radius) bring_halo();
      from += a.axis[2].stride;
      ++step;
      if (++slot == Tile::ring) slot = 0;
    }
    commit_copies();
  }

private:
  __device__ bool is_inside(int axis, int index) const
  {
    return index >= a.axis[axis].begin && index < a.axis[axis].end;
  }
  /// A vector, from the tile's first point.
  __device__ void bring(int row, int first, bool is_there) const
  {
    const SharedAddress to = ring + slot * Tile::plane + (row + Radius) * Tile::pitch + Tile::beside * 16;
    copy_vector(to + first * static_cast<int>(sizeof(T)), from + row * a.axis[1].stride + first,
                is_there && is_inside(0, x + first) && is_inside(1, y + row));
  }
  __device__ void bring_halo() const
  {
    static_assert(2 * Radius <= shape.across);
    const int row = threadIdx.y, side = row < Radius ? row - Radius : Tile::height + row - Radius;
    if (row < 2 * Radius) bring(side, column, true);
    constexpr int vectors = 2 * Tile::beside;
#pragma unroll
    for (int n = threadIdx.y * shape.lanes + threadIdx.x; n < Tile::height * vectors; n += shape.threads()) {
      const int k = n % vectors - Tile::beside;
      bring(n / vectors, (k < 0 ? k : k + shape.lanes) * Tile::width, true);
    }
  }

  const SmallStarArguments<T>& a;
  int x, y, z; ///< of the tile's first point, in the first plane
  int planes;
  SharedAddress ring;
  const T* from; ///< that point in the next plane
  int column, step = 0, slot = 0;
};

template <int Radius, class T>
__device__ void march_small_star_of(const SmallStarArguments<T>& a, SharedAddress ring)
{
  using Tile = SmallMarchTile<T, Radius>;
  constexpr int width = Tile::width, rows = Tile::rows;
  const int z = static_cast<int>(blockIdx.z) * a.planes, planes = min(a.planes, a.points[2] - z);
  const int x = static_cast<int>(blockIdx.x * Tile::shape.lanes + threadIdx.x) * width;
  const int y = static_cast<int>(blockIdx.y * Tile::shape.across + threadIdx.y) * rows;
  SmallMarchPlanes<T, Radius> next(a, ring, z, planes);
#pragma unroll
  for (int n = 0; n < Tile::shape.ahead; ++n) next.bring();
  PartialSums<T, Radius, rows * width, StarWeights<T, max_small_star_radius>> sums(a.weights);
  T* out = a.out + (x + y * a.out_stride[1] + z * a.out_stride[2]);
  SharedAddress at = ring + (threadIdx.y * rows + Radius) * Tile::pitch + (threadIdx.x + Tile::beside) * 16;
  const SharedAddress end = at + Tile::bytes;
  const bool stores = x < a.points[0] && y < a.points[1]; // rows come in whole threads
  const auto add_planes = [&](int count, auto add_in_plane, auto store) {
    for (int n = 0; n < count; ++n) {
      wait_for_copies<Tile::shape.ahead - 1>();
      __syncthreads(); // all have it, and are done with the one before, whose place is filled anew
      next.bring();
      T own[rows * width];
      load_rows<width, Tile::pitch>(own, at);
      sums.add(own, [&](auto& sum) { add_in_plane(sum, own); });
      store();
      at += Tile::plane;
      if (at == end) at -= Tile::bytes;
    }
  };
  const auto add_nothing = [](auto&, const auto&) {};
  const auto add_terms = [&](auto& sum, const auto& own) {
    add_plane<T, Radius, rows, Tile::pitch>(sum, own, a.weights, PlanePlaces<Tile::beside>(at));
  };
  const auto store_nothing = [] {};
  const auto store = [&] {
    if (stores) {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        T row[width];
        get_row(row, sums.sum[0], r);
        store_packed(out + r * a.out_stride[1], row);
      }
    }
    out += a.out_stride[2];
  };
  const int first = min(Radius, planes); // planes of the chunk that come before its first output ends
  add_planes(Radius, add_nothing, store_nothing);
  add_planes(first, add_terms, store_nothing);
  add_planes(planes - first, add_terms, store);
  add_planes(Radius - first, add_nothing, store_nothing);
  add_planes(first, add_nothing, store);
}

/// The radius is this one, or less and min_small_march_radius or more.
template <int Radius, class T>
__device__ void march_small_star(const SmallStarArguments<T>& a)
{
  extern __shared__ __align__(16) unsigned char small_march_shared[];
  if constexpr (Radius > min_small_march_radius)
    if (a.radius < Radius) return march_small_star<Radius - 1>(a);
  march_small_star_of<Radius>(a, shared_address(small_march_shared));
}

} // namespace Keramos::cuda::stencil
