// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over two and three axes. A block owns a tile in xy and marches along z. A thread owns `rows` x `vector` points of
// the tile and holds their operands along z in registers; operands along x and y come from the current plane in shared
// memory.
//
//        z + R + depth   own points on their way           (ring in shared memory, private to the thread)
//        z + R           own points enter the queue        |  queue of 2R + 1 values per point, in registers;
//        z               own points go into the plane, around them its halo, which was on its way for `depth` steps
//        z - R           own points leave the queue        |  which moves on once in `unroll` planes
//
// One barrier per plane (StarMeeting.hpp). The halo of a plane is only copied when the march reaches it, R planes after the blocks beside
// have read the same lines as their own points: it comes from the L2.
//
// Operands of the epilogue are on their way with the halo. What a thread brings, and what edges make of it, is in
// StarCopies.hpp.
#pragma once

#include "Plane.hpp"
#include "StarCopies.hpp"
#include "StarMeeting.hpp"

namespace Keramos::cuda::stencil {

/// One thread of a block.
template <class T, int Rank, int Radius, bool Vectorised, class Epilogue>
struct StarThread : StarCopies<T, Rank, Radius, Vectorised, Epilogue> {
  using Copies = StarCopies<T, Rank, Radius, Vectorised, Epilogue>;
  using Copies::a, Copies::ring, Copies::ring_step, Copies::step, Copies::layout, Copies::own_offset, Copies::planes;
  using Copies::inside, Copies::mask, Copies::width, Copies::prefetch, Copies::epilogue;
  static constexpr StarShape shape = Copies::shape;
  static constexpr int rows = shape.rows, depth = shape.depth, unroll = shape.unroll, points = Copies::points;
  static constexpr int operands = Copies::operands;
  static constexpr bool runs_apart = star_runs_apart<T, Rank, Epilogue>();

  __device__ StarThread(const StarArguments<T>& arguments, const Epilogue& the_epilogue, std::int64_t* origin,
                        T* shared)
      : Copies(arguments, the_epilogue, origin, shared)
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
        store_packed(plane + own_offset(r), centre[r]);
        continue;
      }
#pragma unroll
      for (int v = 0; v < points; ++v)
        if (mask >> v & 1) plane[own_offset(r) + v * step()] = centre[r][v];
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
      if (!is_own) load(value, plane + own_offset(0) + from * layout().pitch(), step());
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0) add_row(sum[r], centre[r], plane + own_offset(r));
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
      for (int k = 0; k < halo; k += points) {
        T left[points], right[points];
        load_packed(left, at - halo + k);
        load_packed(right, at + points + k);
#pragma unroll
        for (int v = 0; v < points; ++v) window[k + v] = left[v], window[halo + points + k + v] = right[v];
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
    if (!core::only_stores<Epilogue> && inside[rows - 1] && this->full()) // with nothing to ask
      finish_rows<true>(sum, centre, z, plane_slot);
    else
      finish_rows<false>(sum, centre, z, plane_slot);
  }

  /// Everything is read before anything is stored: no load passes a store that may be to the same place.
  template <bool All>
  __device__ void finish_rows(T (&sum)[rows][points], const T (&centre)[rows][points], std::int64_t z,
                              int plane_slot) const
  {
    constexpr core::AxisOrder order = Rank == 3 ? core::usual_order<Epilogue>() : core::AxisOrder::mixed;
    const OrderedEpilogue<order, Epilogue> ordered{epilogue};
    T operand[rows][operands + 1][points]; // the last one only because no array is empty
#pragma unroll
    for (int r = 0; r < rows; ++r) load_operands(operand[r], plane_slot, r);
    bool is_returned = false;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int n = 0; n < operands; ++n) at_point[n] = operand[r][n][v];
        }
        return at_point;
      };
      if (All || inside[r])
        is_returned = finish_points(ordered, sum[r], centre[r], operands_of, this->x(), step(), this->y() + r, z,
                                    All ? all_points<points> : mask);
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
      if (is_returned && (All || inside[r]))
        store_points<Vectorised>(this->out + r * a.out_stride[1], a.out_stride[0], sum[r], step(),
                                 All ? all_points<points> : mask);
  }

  /// The operands of the epilogue at the thread's points of a row.
  __device__ void load_operands(T (&to)[operands + 1][points], int plane_slot, int r) const
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int n = 0; n < operands; ++n) {
#pragma unroll
        for (int v = 0; v < points; ++v) to[n][v] = epilogue.operand[n].number;
        if (epilogue.operand[n].is_field()) load(to[n], ring(layout().operand_slot(n) + plane_slot, r), ring_step());
      }
    }
  }

  // ---- March --------------------------------------------------------------------------------------------------------

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
    if (operands > 0) __syncthreads(); // prefetching them asks for x() and y() before the march has its first barrier
    this->settle(tile_x, tile_y, first);
    march(first, min(first + a.chunk, a.range[2].end));
  }

  /// What was on its way for a plane has come: its own points enter the queue, the centre's go into the plane.
  template <class Plane>
  __device__ void bring(Plane* now, int ring_slot, int plane_slot) const
  {
    wait_for_copies<depth - 1>();
#pragma unroll
    for (int r = 0; r < rows; ++r) load(now[Radius][r], ring(ring_slot, r), ring_step());
    store_centre(planes + plane_slot * layout().plane(), now[0]);
  }

  __device__ void march(const std::int64_t first, const std::int64_t last)
  {
#pragma unroll
    for (int ahead = 0; ahead < depth; ++ahead) {
      if (first + ahead < last) prefetch(first + ahead, ahead, ahead);
      commit_copies();
    }
    T queue[2 * Radius + unroll + runs_apart][rows][points];
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) this->load_first(queue[k], first - Radius + k);
    StarMeeting<runs_apart> meeting(this->tile + 2);
    if constexpr (runs_apart) bring(queue + Radius, 0, 0), meeting.arrive();

    int ring_slot = 0, plane_slot = 0;
    for (std::int64_t z = first; z < last;) {
#pragma unroll
      for (int turn = 0; turn < unroll; ++turn) { // plane z + k is now[k]
        if (z >= last) break;
        auto* const now = queue + turn + Radius;
        T(&centre)[rows][points] = now[0];
        if constexpr (!runs_apart) bring(now, ring_slot, plane_slot);
        T sum[rows][points] = {}; // what needs no plane is done while others are not there yet
        add_queue<false>(sum, now);
        meeting.wait();
        const int free_plane = plane_slot == 0 ? depth : plane_slot - 1;
        if (z + depth < last) prefetch(z + depth, ring_slot, free_plane);
        commit_copies();
        const T* const plane = planes + plane_slot * layout().plane();
        if (this->ragged) { // what is not a point of its own, the sums find in the plane
#pragma unroll
          for (int r = 0; r < rows; ++r) load(centre[r], plane + own_offset(r), step());
        }

        add_plane(sum, centre, plane);
        add_queue<true>(sum, now);
        const int this_plane = plane_slot;
        ring_slot = ring_slot + 1 == depth ? 0 : ring_slot + 1;
        plane_slot = plane_slot == depth ? 0 : plane_slot + 1;
        if constexpr (runs_apart)
          if (z + 1 < last) bring(now + 1, ring_slot, plane_slot), meeting.arrive();
        finish(sum, centre, z, this_plane);
        this->out += a.out_stride[2];
        ++z;
      }
      constexpr int kept = 2 * Radius + runs_apart;
#pragma unroll
      for (int k = 0; k < kept; ++k)
#pragma unroll
        for (int r = 0; r < rows; ++r)
#pragma unroll
          for (int v = 0; v < points; ++v) queue[k][r][v] = queue[k + unroll][r][v];
    }
  }
};

template <class T, int Rank, int Radius, bool Vectorised, class Epilogue>
__global__ void __launch_bounds__(star_shape(Rank, Radius, sizeof(T)).threads(),
                                  star_shape(Rank, Radius, sizeof(T)).blocks)
    star_kernel(const __grid_constant__ StarArguments<T> arguments, const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char star_shared[];
  StarThread<T, Rank, Radius, Vectorised, Epilogue>(arguments, epilogue, reinterpret_cast<std::int64_t*>(star_shared),
                                                    reinterpret_cast<T*>(star_shared + star_front_bytes))
      .run();
}

/// The plan's rank and radius are these. What goes by planes instead needs no kernel.
template <int Rank, int Radius, class T, class Epilogue>
void launch_star_of(const Kernel& taken, const Kokkos::Cuda& space, const StarPlan<T>& plan, const Epilogue& epilogue)
{
  if constexpr (Rank > 2 || Radius > max_plane_star)
    if (plan.vectorised)
      return launch_kernel<star_kernel<T, Rank, Radius, true, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                         epilogue);
  launch_kernel<star_kernel<T, Rank, Radius, false, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
}

} // namespace Keramos::cuda::stencil
