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
// Where to read is settled before the march: every thread has the same slots in every plane (its own rows, one row of the
// y halo, one element of the x halo), so each has one pointer; slots beyond an edge whose rule is a value are filled once
// for all planes. Beyond the ends of z a plane is looked up, the same for the whole block.
#pragma once

#include "Launch.hpp"
#include "Star.hpp"
#include "StencilCopy.hpp"
#include "StencilEdges.hpp"
#include "StencilPoints.hpp"

namespace Keramos::cuda {

template <class T, int Radius, class Epilogue>
struct StarArguments {
  const T* in;
  T* out;
  EdgeAxis<T, Radius> axis[3];
  std::int64_t out_stride[3];
  Range range[3];
  std::int64_t origin, chunk;
  unsigned tiles[2];
  T centre, weight[3][2 * Radius];
  Epilogue epilogue;
};

/// One thread of a block. `Vectorised`: its points along x are neighbours and move in 16 bytes; otherwise they are a
/// warp's width apart and move one by one, by any stride.
template <class T, int Rank, int Radius, bool Vectorised, class Epilogue>
struct StarThread {
  static constexpr StarShape shape = star_shape(Rank, Radius, sizeof(T));
  static constexpr int rows = shape.rows, depth = shape.depth, turns = shape.turns;
  static constexpr int points = vector_width<T>;
  static constexpr int access = Vectorised ? points : 1; ///< elements of one access
  static constexpr int plane_rows = Rank == 2 ? 1 : shape.tile_rows() + 2 * Radius;
  static constexpr bool leaps = std::is_same_v<Epilogue, core::LeapFrogFields<T>>;
  using Arguments = StarArguments<T, Radius, Epilogue>;

  const Arguments& a;
  T* planes; ///< [depth + 1][plane_rows][pitch]
  T* mine;   ///< this thread's part of the rings, see ring()
  /// x and y of the block's first point. In shared memory, because the march is short of registers and rarely asks.
  std::int64_t* tile;
  int width, lane, row; ///< threads of the block along x; this thread's place

  bool simple;                    ///< all its points along x are read where they are
  bool whole;                     ///< and are to be computed
  bool inside[rows];              ///< this row is to be computed
  const T* own[rows];             ///< its rows, at x where `simple`, else at index 0; null: nothing to read
  const T* halo_row = nullptr;    ///< its part of a row of the y halo, likewise
  const T* halo_column = nullptr; ///< its element of the x halo
  int halo_row_place = 0, halo_column_place = 0; ///< in a plane
  T* out;                                        ///< its first point in the current plane

  __device__ StarThread(const Arguments& arguments, std::int64_t* block_place, T* shared)
      : a(arguments), tile(block_place)
  {
    width = Rank == 2 ? blockDim.x : shape.width;
    lane = Rank == 2 ? threadIdx.x : threadIdx.x % shape.width;
    row = Rank == 2 ? 0 : threadIdx.x / shape.width;
    planes = shared;
    mine = shared + (depth + 1) * plane_size() + threadIdx.x * access;
  }

  __device__ std::int64_t x() const { return tile[0] + first_point(); }
  __device__ std::int64_t y() const { return tile[1] + row * rows; }

  __device__ int pitch() const { return width * points + 2 * shape.halo; }
  __device__ int plane_size() const { return plane_rows * pitch(); }
  __device__ int step() const { return Vectorised ? 1 : width; } ///< from one point of the thread to the next
  __device__ int first_point() const { return Vectorised ? lane * points : lane; }
  /// The thread's first element of row r of the tile, in a plane.
  __device__ int place(int r) const
  {
    return ((Rank == 2 ? 0 : Radius) + row * rows + r) * pitch() + shape.halo + first_point();
  }
  /// Its slot of the ring of the input (slots from 0) or of a field of the epilogue (slots from `depth`, depth + 1 a
  /// field). Between two elements of a thread that does not move 16 bytes lie those of the others, as banks want it.
  __device__ T* ring(int slot, int r) const { return mine + (slot * rows + r) * points * static_cast<int>(blockDim.x); }
  __device__ int ring_step() const { return Vectorised ? 1 : static_cast<int>(blockDim.x); }

  // ---- Slots ----------------------------------------------------------------------------------------------------------

  /// f(v) for each of the thread's points along x that have a place to read; v elements from the slot's first.
  template <class F>
  __device__ void for_each_place(F f) const
  {
    const std::int64_t first = x();
#pragma unroll
    for (int v = 0; v < points; ++v) {
      const std::int64_t offset = a.axis[0].offset(first + v * step());
      if (offset != core::no_index) f(v, offset);
    }
  }

  __device__ void copy(T* to, int to_step, const T* from) const
  {
    if (simple) {
      if constexpr (Vectorised) {
        copy_async<16>(to, from);
      } else {
#pragma unroll
        for (int v = 0; v < points; ++v) copy_async<sizeof(T)>(to + v * to_step, from + v * step() * a.axis[0].stride);
      }
    } else {
      for_each_place([&](int v, std::int64_t offset) { copy_async<sizeof(T)>(to + v * to_step, from + offset); });
    }
  }

  __device__ const T* at_row(std::int64_t x, std::int64_t index) const
  {
    const std::int64_t offset = Rank == 2 ? 0 : a.axis[1].offset(index);
    return offset == core::no_index ? nullptr : a.in + offset + (simple ? x * a.axis[0].stride : 0);
  }

  __device__ void settle_own(std::int64_t x, std::int64_t y)
  {
    const std::int64_t end = x + (points - 1) * step() + 1;
    simple = a.axis[0].plain(x, end);
    whole = x >= a.range[0].begin && end <= a.range[0].end;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      own[r] = at_row(x, y + r);
      inside[r] = a.range[1].has(y + r);
      for (int slot = 0; slot < depth; ++slot) {
        T* const to = ring(slot, r);
#pragma unroll
        for (int v = 0; v < points; ++v) {
          const std::int64_t at = x + v * step();
          if (!own[r])
            to[v * ring_step()] = a.axis[1].value(y + r);
          else if (!simple && a.axis[0].offset(at) == core::no_index)
            to[v * ring_step()] = a.axis[0].value(at);
        }
      }
    }
  }

  __device__ void settle_halo_row(std::int64_t x, std::int64_t tile_y)
  {
    if (Rank == 2 || row >= 2 * Radius) return;
    const int in_plane = row < Radius ? row : shape.tile_rows() + row;
    const std::int64_t index = tile_y - Radius + in_plane;
    halo_row_place = in_plane * pitch() + shape.halo + first_point();
    halo_row = at_row(x, index);
    if (halo_row) return;
    for (int slot = 0; slot <= depth; ++slot)
#pragma unroll
      for (int v = 0; v < points; ++v)
        planes[slot * plane_size() + halo_row_place + v * step()] = a.axis[1].value(index);
  }

  __device__ void settle_halo_column(std::int64_t tile_x, std::int64_t tile_y)
  {
    const int column = threadIdx.x % (2 * Radius), in_tile = threadIdx.x / (2 * Radius);
    if (in_tile >= (Rank == 2 ? 1 : shape.tile_rows())) return;
    const int shift = column < Radius ? column - Radius : width * points + column - Radius;
    halo_column_place = ((Rank == 2 ? 0 : Radius) + in_tile) * pitch() + shape.halo + shift;
    const std::int64_t index = tile_x + shift, offset = a.axis[0].offset(index);
    if (Rank == 3 && tile_y + in_tile >= a.range[1].end) return;
    if (offset != core::no_index) {
      halo_column = a.in + offset + (Rank == 2 ? 0 : (tile_y + in_tile) * a.axis[1].stride);
      return;
    }
    for (int slot = 0; slot <= depth; ++slot) planes[slot * plane_size() + halo_column_place] = a.axis[0].value(index);
  }

  // ---- Planes on their way ----------------------------------------------------------------------------------------------

  __device__ void ask_for_own(std::int64_t z, int slot) const
  {
    const std::int64_t offset = a.axis[2].offset(z);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!own[r]) continue;
      if (offset != core::no_index)
        copy(ring(slot, r), ring_step(), own[r] + offset);
      else
        fill(ring(slot, r), a.axis[2].value(z));
    }
  }

  __device__ void fill(T* to, T value) const
  {
#pragma unroll
    for (int v = 0; v < points; ++v)
      if (simple || a.axis[0].offset(x() + v * step()) != core::no_index) to[v * ring_step()] = value;
  }

  __device__ void ask_for_halo(std::int64_t z, int slot) const
  {
    T* const plane = planes + slot * plane_size();
    const std::int64_t offset = z * a.axis[2].stride;
    if (halo_row) copy(plane + halo_row_place, step(), halo_row + offset);
    if (halo_column) copy_async<sizeof(T)>(plane + halo_column_place, halo_column + offset);
  }

  /// A field of the epilogue, at the points to compute.
  __device__ void ask_for_companion(const core::Field<const T, 3>& field, std::int64_t z, int slot) const
  {
    const T* const first = field.data + x() * field.stride[0] + y() * field.stride[1] + z * field.stride[2];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!inside[r]) continue;
      const T* const from = first + r * field.stride[1];
      T* const to = ring(slot, r);
      if (Vectorised && whole) {
        copy_async<16>(to, from);
        continue;
      }
#pragma unroll
      for (int v = 0; v < points; ++v)
        if (whole || a.range[0].has(x() + v * step()))
          copy_async<sizeof(T)>(to + v * ring_step(), from + v * step() * field.stride[0]);
    }
  }

  /// Rings of the fields of the epilogue.
  static constexpr int previous_slot = depth, scale_slot = previous_slot + depth + 1;

  /// All that plane z, and plane z + Radius for the queue, need.
  __device__ void ask_for(std::int64_t z, int ring_slot, int plane_slot) const
  {
    ask_for_own(z + Radius, ring_slot);
    ask_for_halo(z, plane_slot);
    if constexpr (leaps) {
      ask_for_companion(a.epilogue.previous, z, previous_slot + plane_slot);
      if (a.epilogue.scale.data) ask_for_companion(a.epilogue.scale, z, scale_slot + plane_slot);
    }
  }

  // ---- Values -------------------------------------------------------------------------------------------------------------

  __device__ static void load(T (&to)[points], const T* from, int from_step)
  {
    if constexpr (Vectorised) {
      load_packed(to, from);
    } else {
#pragma unroll
      for (int v = 0; v < points; ++v) to[v] = from[v * from_step];
    }
  }

  /// The queue before the march: straight from global memory, all planes at once. Values of rules are in the ring.
  __device__ void load_first(T (&to)[rows][points], std::int64_t z) const
  {
    const std::int64_t offset = a.axis[2].offset(z);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const T* const from = own[r] + offset;
      if (own[r] && simple && offset != core::no_index) {
        if constexpr (Vectorised)
          load_packed(to[r], from);
        else
          load(to[r], from, step() * a.axis[0].stride);
        continue;
      }
#pragma unroll
      for (int v = 0; v < points; ++v) to[r][v] = own[r] ? a.axis[2].value(z) : ring(0, r)[v * ring_step()];
      if (own[r] && offset != core::no_index) {
#pragma unroll
        for (int v = 0; v < points; ++v) to[r][v] = ring(0, r)[v * ring_step()];
        for_each_place([&](int v, std::int64_t along) { to[r][v] = from[along]; });
      }
    }
  }

  /// sum += the operands along y, from the plane and from the thread's own rows.
  __device__ void add_rows(T (&sum)[rows][points], const T (&centre)[rows][points], const T* at) const
  {
#pragma unroll
    for (int from = -Radius; from < rows + Radius; ++from) {
      T value[points];
      if (from < 0 || from >= rows) load(value, at + from * pitch(), step());
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0 || offset < -Radius || offset > Radius) continue;
#pragma unroll
        for (int v = 0; v < points; ++v)
          sum[r][v] += a.weight[1][offset < 0 ? offset + Radius : offset + Radius - 1] *
                       (from < 0 || from >= rows ? value[v] : centre[from < 0 || from >= rows ? 0 : from][v]);
      }
    }
  }

  /// sum += the operands along x of one row.
  __device__ void add_columns(T (&sum)[points], const T (&centre)[points], const T* at) const
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
      for (int offset = 1; offset <= Radius; ++offset)
#pragma unroll
        for (int v = 0; v < points; ++v) {
          sum[v] += a.weight[0][Radius - offset] * window[halo + v - offset];
          sum[v] += a.weight[0][Radius + offset - 1] * window[halo + v + offset];
        }
    } else {
#pragma unroll
      for (int v = 0; v < points; ++v)
#pragma unroll
        for (int offset = 1; offset <= Radius; ++offset) {
          sum[v] += a.weight[0][Radius - offset] * at[v * width - offset];
          sum[v] += a.weight[0][Radius + offset - 1] * at[v * width + offset];
        }
    }
  }

  __device__ void finish(T (&sum)[rows][points], const T (&centre)[rows][points], std::int64_t z, int plane_slot) const
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!inside[r]) continue;
      if constexpr (leaps) {
        leap(sum[r], centre[r], plane_slot, r);
      } else if constexpr (!std::is_same_v<Epilogue, core::Store>) {
        if (!finish_points(a.epilogue, sum[r], centre[r], x(), step(), y() + r, z, a.range[0])) continue;
      }
      T* const to = out + r * a.out_stride[1];
      if (whole)
        store_whole(to, sum[r]);
      else
        store_points<false>(to, a.out_stride[0], sum[r], x(), step(), a.range[0]);
    }
  }

  __device__ void leap(T (&sum)[points], const T (&centre)[points], int plane_slot, int r) const
  {
    T previous[points], scale[points];
    load(previous, ring(previous_slot + plane_slot, r), ring_step());
    if (a.epilogue.scale.data) load(scale, ring(scale_slot + plane_slot, r), ring_step());
#pragma unroll
    for (int v = 0; v < points; ++v)
      sum[v] = 2 * centre[v] - previous[v] + (a.epilogue.scale.data ? scale[v] : a.epilogue.scale_value) * sum[v];
  }

  __device__ void store_whole(T* to, const T (&value)[points]) const
  {
    if constexpr (Vectorised) {
      store_streaming(to, value);
    } else {
#pragma unroll
      for (int v = 0; v < points; ++v) to[v * step() * a.out_stride[0]] = value[v];
    }
  }

  // ---- March --------------------------------------------------------------------------------------------------------------

  __device__ void run()
  {
    const unsigned column = blockIdx.x % (a.tiles[0] * a.tiles[1]), chunk = blockIdx.x / (a.tiles[0] * a.tiles[1]);
    const std::int64_t tile_x = a.origin + std::int64_t(column % a.tiles[0]) * (width * points);
    const std::int64_t tile_y =
        a.range[1].begin + std::int64_t(column / a.tiles[0]) * (Rank == 2 ? 1 : shape.tile_rows());
    const std::int64_t x = tile_x + first_point(), y = tile_y + row * rows;
    const std::int64_t first = a.range[2].begin + chunk * a.chunk;
    if (threadIdx.x == 0) {
      tile[0] = tile_x;
      tile[1] = tile_y;
    }
    __syncthreads();
    settle_own(x, y);
    settle_halo_row(x, tile_y);
    settle_halo_column(tile_x, tile_y);
    out = a.out + x * a.out_stride[0] + y * a.out_stride[1] + first * a.out_stride[2];
    march(first, first + a.chunk < a.range[2].end ? first + a.chunk : a.range[2].end);
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
    for (int k = 0; k < 2 * Radius; ++k) load_first(queue[k], first - Radius + k);

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
        for (int r = 0; r < rows; ++r) {
          load(now[Radius][r], ring(ring_slot, r), ring_step());
          if constexpr (Vectorised) {
            store_packed(plane + place(r), centre[r]);
          } else {
#pragma unroll
            for (int v = 0; v < points; ++v) plane[place(r) + v * width] = centre[r][v];
          }
        }
        __syncthreads();
        const int free_plane = plane_slot == 0 ? depth : plane_slot - 1;
        if (z + depth < last) ask_for(z + depth, ring_slot, free_plane);
        commit_copies();

        T sum[rows][points];
#pragma unroll
        for (int r = 0; r < rows; ++r)
#pragma unroll
          for (int v = 0; v < points; ++v) {
            sum[r][v] = a.centre * centre[r][v];
#pragma unroll
            for (int k = 1; k <= Radius; ++k) {
              sum[r][v] += a.weight[2][Radius - k] * now[-k][r][v];
              sum[r][v] += a.weight[2][Radius + k - 1] * now[k][r][v];
            }
          }
        if constexpr (Rank == 3) add_rows(sum, centre, plane + place(0));
#pragma unroll
        for (int r = 0; r < rows; ++r) add_columns(sum[r], centre[r], plane + place(r));
        finish(sum, centre, z, plane_slot);
        out += a.out_stride[2];

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
                                               {},
                                               plan.origin,
                                               plan.chunk,
                                               {plan.tiles[0], plan.tiles[1]},
                                               star.centre,
                                               {},
                                               reordered(epilogue, star.order)};
  for (int p = 0; p < 3; ++p) {
    arguments.axis[p] = edge_axis<Radius>(star.axis[p], star.in.stride[p]);
    arguments.out_stride[p] = star.out.stride[p];
    arguments.range[p] = {star.begin[p], star.end[p]};
    std::copy_n(star.weight[p], 2 * Radius, arguments.weight[p]);
  }
  const unsigned threads = plan.width * star_shape(Rank, Radius, sizeof(T)).height;
  const LaunchShape shape{plan.blocks(), threads, static_cast<unsigned>(plan.shared_bytes)};
  launch_kernel(name, space,
                plan.vector > 1 ? star_kernel<T, Rank, Radius, true, Epilogue>
                                : star_kernel<T, Rank, Radius, false, Epilogue>,
                shape, arguments);
}

} // namespace Keramos::cuda
