// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over two and three axes. A block owns a tile in xy and marches along z. A thread owns `rows` x `vector` points of
// the tile and holds their operands along z in registers; operands along x and y come from the current plane in shared
// memory.
//
//        z + R + depth   own points on their way           (ring in shared memory, private to the thread)
//        z + R           own points enter the queue        |  queue of 2R + 1 values a point, in registers;
//        z               own points go into the plane, around them its halo, which was on its way for `depth` steps
//        z - R           own points leave the queue        |  which moves on once in `turns` planes
//
// One barrier a plane. The halo of a plane is only asked for when the march reaches it, R planes after the blocks beside
// have read the same lines as their own points: it comes from the L2.
//
// What a thread brings, and what edges make of it, is in StarCopies.hpp.
#pragma once

#include "Launch.hpp"
#include "StarCopies.hpp"

namespace Keramos::cuda {

/// One thread of a block.
template <class T, int Rank, int Radius, bool Vectorised, class Epilogue>
struct StarThread : StarCopies<T, Rank, Radius, Vectorised, Epilogue> {
  using Copies = StarCopies<T, Rank, Radius, Vectorised, Epilogue>;
  using Copies::a, Copies::ring, Copies::ring_step, Copies::step, Copies::pitch, Copies::place, Copies::planes;
  using Copies::inside, Copies::mask, Copies::plane_size, Copies::width, Copies::ask_for;
  static constexpr StarShape shape = Copies::shape;
  static constexpr int rows = shape.rows, depth = shape.depth, turns = shape.turns, points = Copies::points;

  __device__ StarThread(const StarArguments<T, Radius, Epilogue>& arguments, std::int64_t* block_place, T* shared)
      : Copies(arguments, block_place, shared)
  {
  }

  __device__ static void load(T (&to)[points], const T* from, int from_step)
  {
    if constexpr (Vectorised) {
      load_packed(to, from);
    } else {
#pragma unroll
      for (int v = 0; v < points; ++v) to[v] = from[v * from_step];
    }
  }

  /// The centre's own points into the plane, among their halo.
  __device__ void store_centre(T* plane, const T (&centre)[rows][points]) const
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!inside[r]) continue;
      if (Vectorised && this->full()) {
        store_packed(plane + place(r), centre[r]);
        continue;
      }
#pragma unroll
      for (int v = 0; v < points; ++v)
        if (mask >> v & 1) plane[place(r) + v * step()] = centre[r][v];
    }
  }

  // A point's sum goes through its operands as core::StencilProblem has the taps: below along z, then the plane row by row,
  // then above.

  /// sum += the operands along z below the plane, or above it, from the queue.
  template <bool Above>
  __device__ void add_queue(T (&sum)[rows][points], const T (*now)[rows][points]) const
  {
    constexpr int first = Above ? 1 : -Radius;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int v = 0; v < points; ++v)
#pragma unroll
        for (int k = first; k < first + Radius; ++k)
          sum[r][v] += a.weight[2][Above ? k + Radius - 1 : k + Radius] * now[k][r][v];
  }

  /// sum += the operands in the plane, and the centre: along y from the plane and from the thread's own rows, and before
  /// those above the point, its own row.
  __device__ void add_plane(T (&sum)[rows][points], const T (&centre)[rows][points], const T* plane) const
  {
    constexpr int reach = Rank == 3 ? Radius : 0;
#pragma unroll
    for (int from = -reach; from < rows + reach; ++from) {
      const bool is_own = from >= 0 && from < rows;
      T value[points];
      if (!is_own) load(value, plane + place(0) + from * pitch(), step());
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0) add_row(sum[r], centre[r], plane + place(r));
        if (offset == 0 || offset < -reach || offset > reach) continue;
#pragma unroll
        for (int v = 0; v < points; ++v)
          sum[r][v] += a.weight[1][offset < 0 ? offset + Radius : offset + Radius - 1] *
                       (is_own ? centre[is_own ? from : 0][v] : value[v]);
      }
    }
  }

  /// sum += the operands along x of one row, the centre among them.
  __device__ void add_row(T (&sum)[points], const T (&centre)[points], const T* at) const
  {
    if constexpr (Vectorised) {
      constexpr int halo = shape.halo;
      T window[halo + points + halo];
#pragma unroll
      for (int part = 0; part < halo; part += points) {
        T left[points], right[points];
        load_packed(left, at - halo + part);
        load_packed(right, at + points + part);
#pragma unroll
        for (int v = 0; v < points; ++v) window[part + v] = left[v], window[halo + points + part + v] = right[v];
      }
#pragma unroll
      for (int v = 0; v < points; ++v) window[halo + v] = centre[v];
#pragma unroll
      for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
        for (int v = 0; v < points; ++v) sum[v] += weight_along(offset) * window[halo + v + offset];
    } else {
#pragma unroll
      for (int v = 0; v < points; ++v)
#pragma unroll
        for (int offset = -Radius; offset <= Radius; ++offset)
          sum[v] += weight_along(offset) * (offset == 0 ? centre[v] : at[v * width + offset]);
    }
  }

  __device__ T weight_along(int offset) const
  {
    return offset == 0 ? a.centre : a.weight[0][offset < 0 ? offset + Radius : offset + Radius - 1];
  }

  __device__ void finish(T (&sum)[rows][points], const T (&centre)[rows][points], std::int64_t z, int plane_slot) const
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!inside[r]) continue;
      if constexpr (Copies::leaps)
        leap(sum[r], centre[r], plane_slot, r);
      else if constexpr (!std::is_same_v<Epilogue, core::Store>)
        if (!finish_points(a.epilogue, sum[r], centre[r], this->x(), step(), this->y() + r, z, mask)) continue;
      store_points<Vectorised>(this->out + r * a.out_stride[1], a.out_stride[0], sum[r], step(), mask);
    }
  }

  __device__ void leap(T (&sum)[points], const T (&centre)[points], int plane_slot, int r) const
  {
    T previous[points], scale[points];
    load(previous, ring(Copies::previous_slot + plane_slot, r), ring_step());
    if (a.epilogue.scale.data) load(scale, ring(Copies::scale_slot + plane_slot, r), ring_step());
#pragma unroll
    for (int v = 0; v < points; ++v)
      sum[v] =
          core::leap_frog(sum[v], centre[v], previous[v], a.epilogue.scale.data ? scale[v] : a.epilogue.scale_value);
  }

  // ---- March --------------------------------------------------------------------------------------------------------------

  __device__ void run()
  {
    const unsigned column = blockIdx.x % (a.tiles[0] * a.tiles[1]), chunk = blockIdx.x / (a.tiles[0] * a.tiles[1]);
    const std::int64_t tile_x = a.origin + std::int64_t(column % a.tiles[0]) * (width * points);
    const std::int64_t tile_y = a.range[1].begin + std::int64_t(column / a.tiles[0]) * this->tile_rows;
    const std::int64_t first = a.range[2].begin + chunk * a.chunk;
    if (threadIdx.x == 0) {
      this->tile[0] = tile_x;
      this->tile[1] = tile_y;
    }
    if (Copies::leaps) __syncthreads(); // which asks for the place before the march has its first barrier
    this->settle(tile_x, tile_y, first);
    march(first, min(first + a.chunk, a.range[2].end));
  }

  __device__ void march(const std::int64_t first, const std::int64_t last)
  {
#pragma unroll
    for (int ahead = 0; ahead < depth; ++ahead) {
      if (first + ahead < last) ask_for(first + ahead, ahead, ahead);
      commit_copies();
    }
    T queue[2 * Radius + turns][rows][points];
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) this->load_first(queue[k], first - Radius + k);

    int ring_slot = 0, plane_slot = 0;
    for (std::int64_t z = first; z < last;) {
#pragma unroll
      for (int turn = 0; turn < turns; ++turn) { // plane z + k is now[k]
        if (z >= last) break;
        auto* const now = queue + turn + Radius;
        T(&centre)[rows][points] = now[0];
        T* const plane = planes + plane_slot * plane_size();
        wait_for_copies<depth - 1>();
#pragma unroll
        for (int r = 0; r < rows; ++r) load(now[Radius][r], ring(ring_slot, r), ring_step());
        store_centre(plane, centre);
        T sum[rows][points] = {}; // what needs no plane is done while others are not there yet
        add_queue<false>(sum, now);
        __syncthreads();
        const int free_plane = plane_slot == 0 ? depth : plane_slot - 1;
        if (z + depth < last) ask_for(z + depth, ring_slot, free_plane);
        commit_copies();
        if (this->ragged) { // what is not a point of its own, the sums find in the plane
#pragma unroll
          for (int r = 0; r < rows; ++r) load(centre[r], plane + place(r), step());
        }

        add_plane(sum, centre, plane);
        add_queue<true>(sum, now);
        finish(sum, centre, z, plane_slot);
        this->out += a.out_stride[2];

        ring_slot = ring_slot + 1 == depth ? 0 : ring_slot + 1;
        plane_slot = plane_slot == depth ? 0 : plane_slot + 1;
        ++z;
      }
#pragma unroll
      for (int k = 0; k < 2 * Radius; ++k)
#pragma unroll
        for (int r = 0; r < rows; ++r)
#pragma unroll
          for (int v = 0; v < points; ++v) queue[k][r][v] = queue[k + turns][r][v];
    }
  }
};

template <class T, int Rank, int Radius, bool Vectorised, class Epilogue>
__global__ void __launch_bounds__(star_shape(Rank, Radius, sizeof(T)).threads(),
                                  star_shape(Rank, Radius, sizeof(T)).blocks)
    star_kernel(const __grid_constant__ StarArguments<T, Radius, Epilogue> arguments)
{
  extern __shared__ __align__(16) unsigned char star_shared[];
  StarThread<T, Rank, Radius, Vectorised, Epilogue>(arguments, reinterpret_cast<std::int64_t*>(star_shared),
                                                    reinterpret_cast<T*>(star_shared + 16))
      .run();
}

template <int Rank, int Radius, class T, class Epilogue>
void launch_star_of(const std::string& name, const Kokkos::Cuda& space, const StarPlan& plan,
                    const StarProblem<T>& star, const Epilogue& epilogue)
{
  StarArguments<T, Radius, Epilogue> arguments{star.in.data,
                                               star.out.data,
                                               {},
                                               {},
                                               plan.origin,
                                               plan.chunk,
                                               {plan.tiles[0], plan.tiles[1]},
                                               star.centre,
                                               {},
                                               {},
                                               reordered(epilogue, star.order)};
  for (int p = 0; p < 3; ++p) {
    arguments.axis[p] = edge_axis<Radius>(star.axis[p], star.in.stride[p]);
    arguments.out_stride[p] = star.out.stride[p];
    arguments.range[p] = {star.begin[p], star.end[p]};
    std::copy_n(star.weight[p], 2 * Radius, arguments.weight[p]);
  }
  const LaunchShape shape{plan.blocks(), plan.threads(), static_cast<unsigned>(plan.shared_bytes)};
  launch_kernel(name, space,
                plan.vector > 1 ? star_kernel<T, Rank, Radius, true, Epilogue>
                                : star_kernel<T, Rank, Radius, false, Epilogue>,
                shape, arguments);
}

} // namespace Keramos::cuda
