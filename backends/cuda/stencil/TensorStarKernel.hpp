// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes by tensor copies. A block owns a tile in xy and marches along z; one copy brings a plane with its halo to a
// ring in shared memory:
//
//        z + R + ahead   on its way
//        z + R           own points enter the queue        |  queue of 2R + 1 values per point, in registers;
//        z               its neighbourhood in the plane    |  the march is unrolled by as many planes, so that
//        z - R           own points leave the queue        |  nothing moves
//
// Warps run as far apart as the ring allows; none waits for a block's barrier. What lies beyond the field is zero, as copies leave
// it. Points' sums go through their operands as those of StarKernel.hpp.
#pragma once

#include "../TensorCopy.hpp"
#include "Lockstep.hpp"
#include "TensorStar.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block.
template <class T, int Radius, int Operands>
struct TensorStarTile {
  static constexpr TensorStarShape shape = tensor_star_shape(Radius, Operands);
  static constexpr TensorStarLayout layout = tensor_star_layout(Radius, shape);
  static constexpr int points = vector_width<T>;

  const TensorStarArguments<T>& a;
  std::int64_t x, y, first, last; ///< its first point, its first and past its last plane

  __device__ explicit TensorStarTile(const TensorStarArguments<T>& arguments) : a(arguments)
  {
    const unsigned tiles = a.tiles[0] * a.tiles[1];
    const unsigned number = blockIdx.x % tiles;
    x = a.origin + std::int64_t(number % a.tiles[0]) * (32 * points);
    y = a.range[1].begin + std::int64_t(number / a.tiles[0]) * shape.height();
    first = a.range[2].begin + blockIdx.x / tiles * a.chunk;
    last = min(first + a.chunk, a.range[2].end);
  }
  __device__ int steps() const { return static_cast<int>(last - first) + 2 * Radius; }
};

/// The planes of the ring, step by step: plane `step` is first - Radius + step. The first warp begins with them.
template <class T, int Radius, int Operands>
class TensorStarRing {
public:
  using Tile = TensorStarTile<T, Radius, Operands>;
  static constexpr TensorStarShape shape = Tile::shape;
  static constexpr TensorStarLayout layout = Tile::layout;

  __device__ TensorStarRing(const Tile& the_tile, const CUtensorMap& the_map, unsigned char* shared)
      : tile(the_tile), map(the_map), steps(the_tile.steps()), planes(shared_address(shared)),
        full(planes + layout.barriers_at()), empty(full + layout.ring * barrier_bytes), lockstep(the_tile.a.groups),
        brings(threadIdx.x < 32), column(static_cast<int>(tile.x - tile.a.first_column) - layout.halo * Tile::points),
        row(static_cast<int>(tile.y - tile.a.axis[1].valid_begin) - Radius)
  {
    if (threadIdx.x < 2 * layout.ring)
      init_barrier(full + threadIdx.x * barrier_bytes, threadIdx.x < layout.ring ? 1 : shape.threads());
    publish_barriers();
    __syncthreads();
  }

  /// Before step `step`: what is to be on its way by now, at first all that there is room for.
  __device__ void advance(int step)
  {
    if (!brings) return;
    const int wanted = min(max(step + shape.ahead + 1, layout.ring), steps);
    while (begun < wanted) bring();
  }

  /// Its place in shared memory.
  __device__ SharedAddress plane(int k) const { return planes + k * layout.plane(); }
  __device__ void wait(int k, unsigned phase) const { wait_for_phase(full + k * barrier_bytes, phase); }
  /// Every thread for itself, see MarchCopies.hpp.
  __device__ void release(int k) const { arrive(empty + k * barrier_bytes); }

private:
  __device__ void bring()
  {
    wait_for_phase(empty + slot * barrier_bytes, parity);
    lockstep.keep(begun);
    if (threadIdx.x == 0) {
      arrive_with_bytes(full + slot * barrier_bytes, layout.box());
      copy_box(plane(slot), map, column, row, depth(tile.first - Radius + begun), full + slot * barrier_bytes);
    }
    if (++slot == layout.ring) slot = 0, parity ^= 1;
    if (++begun == steps) lockstep.leave(steps);
  }

  /// Where the map has plane z; before its first one, where there is zero.
  __device__ int depth(std::int64_t z) const
  {
    const EdgeAxis<T>& axis = tile.a.axis[2];
    if (!axis.plain(z, z + 1)) {
      const std::int64_t offset = axis.offset(z);
      if (offset == core::no_index) return -1;
      z = offset / axis.stride;
    }
    return static_cast<int>(z - axis.valid_begin);
  }

  const Tile& tile;
  const CUtensorMap& map;
  int steps;
  SharedAddress planes, full, empty;
  Lockstep<shape.drift> lockstep;
  bool brings; ///< this warp begins with planes
  int column, row;
  int begun = 0, slot = 0;
  unsigned parity = 1; ///< of `empty`: the first planes waited for nothing
};

/// One thread of a block.
template <class T, int Radius, class Epilogue>
class TensorStarThread {
public:
  using Tile = TensorStarTile<T, Radius, Epilogue::operands>;
  static constexpr TensorStarShape shape = Tile::shape;
  static constexpr TensorStarLayout layout = Tile::layout;
  static constexpr int rows = shape.rows, points = Tile::points, side = 2 * Radius + 1, pitch = layout.pitch();
  static constexpr int operands = Epilogue::operands;
  using Points = T[rows][points];

  __device__ TensorStarThread(const Tile& tile, const Epilogue& the_epilogue)
      : a(tile.a), epilogue(the_epilogue), x(tile.x + threadIdx.x % 32 * points), y(tile.y + threadIdx.x / 32 * rows),
        z(tile.first), own((Radius + threadIdx.x / 32 * rows) * pitch + (layout.halo + threadIdx.x % 32) * 16),
        mask(points_inside<points>(a.range[0], x, 1)),
        inside(mask == 0 ? 0 : static_cast<int>(max(min(a.range[1].end - y, std::int64_t(rows)), std::int64_t(0)))),
        out(a.out + x + y * a.out_stride[1] + z * a.out_stride[2])
  {
  }

  __device__ void march(TensorStarRing<T, Radius, operands>& ring, int planes)
  {
    T queue[side][rows][points];
    int slot = 0; // of the plane that enters
    unsigned parity = 0;
#pragma unroll
    for (int step = 0; step < 2 * Radius; ++step) {
      ring.advance(step);
      ring.wait(slot, parity);
      load_own(queue[step], ring.plane(slot));
      if (step < Radius) ring.release(slot);
      if (++slot == layout.ring) slot = 0, parity ^= 1;
    }
    int centre_slot = Radius;
    for (int begin = 0; begin < planes; begin += side) {
#pragma unroll
      for (int turn = 0; turn < side; ++turn) { // plane z + k is queue[(turn + Radius + k) % side]
        if (begin + turn >= planes) break;
        T operand[operands + 1][rows][points]; // the last one only because no array is empty
        load_operands(operand);                // before anything that may wait
        ring.advance(begin + turn + 2 * Radius);
        Points sum = {};
        add_queue<-Radius>(sum, queue, turn);
        ring.wait(slot, parity);
        load_own(queue[(turn + 2 * Radius) % side], ring.plane(slot));
        const Points& centre = queue[(turn + Radius) % side];
        add_plane(sum, centre, ring.plane(centre_slot) + own);
        ring.release(centre_slot);
        add_queue<1>(sum, queue, turn);
        finish(sum, centre, operand);
        if (++slot == layout.ring) slot = 0, parity ^= 1;
        if (++centre_slot == layout.ring) centre_slot = 0;
      }
    }
  }

private:
  __device__ void load_own(Points& to, SharedAddress plane) const
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) load_shared(to[r], plane + own + r * pitch);
  }

  /// sum += the operands of the planes First, ..., First + Radius - 1 from the point's.
  template <int First>
  __device__ void add_queue(Points& sum, const T (&queue)[side][rows][points], int turn) const
  {
#pragma unroll
    for (int k = First; k < First + Radius; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int v = 0; v < points; ++v) sum[r][v] += weight(2, k) * queue[(turn + Radius + k) % side][r][v];
  }

  /// sum += the operands in the plane: the rows below the point's, its own, the rows above.
  __device__ void add_plane(Points& sum, const Points& centre, SharedAddress at) const
  {
#pragma unroll
    for (int from = -Radius; from < rows + Radius; ++from) {
      const bool is_own = from >= 0 && from < rows;
      T value[points];
      if (!is_own) load_shared(value, at + from * pitch);
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int offset = from - r;
        if (offset == 0) add_row(sum[r], centre[r], at + r * pitch);
        if (offset == 0 || offset < -Radius || offset > Radius) continue;
#pragma unroll
        for (int v = 0; v < points; ++v)
          sum[r][v] += weight(1, offset) * (is_own ? centre[is_own ? from : 0][v] : value[v]);
      }
    }
  }

  __device__ void add_row(T (&sum)[points], const T (&centre)[points], SharedAddress at) const
  {
    constexpr int beside = static_cast<int>(core::ceil_div(Radius, points)), halo = beside * points;
    T window[halo + points + halo];
#pragma unroll
    for (int k = 0; k < beside; ++k) {
      T left[points], right[points];
      load_shared(left, at + (k - beside) * 16);
      load_shared(right, at + (k + 1) * 16);
#pragma unroll
      for (int v = 0; v < points; ++v) window[k * points + v] = left[v], window[halo + (k + 1) * points + v] = right[v];
    }
#pragma unroll
    for (int v = 0; v < points; ++v) window[halo + v] = centre[v];
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
      for (int v = 0; v < points; ++v) sum[v] += weight(0, offset) * window[halo + v + offset];
  }

  __device__ T weight(int axis, int offset) const
  {
    if (offset == 0) return a.weights.centre;
    return a.weights.weight[axis][offset < 0 ? offset + Radius : offset + Radius - 1];
  }

  /// The epilogue's at the thread's points, early: they are on their way while the planes are summed.
  __device__ void load_operands(T (&to)[operands + 1][rows][points]) const
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int n = 0; n < operands; ++n) {
        const core::EpilogueOperand<T>& operand = epilogue.operand[n];
        const auto& stride = operand.field.stride;
        const T* const from = operand.field.data + x + y * stride[1] + z * stride[2];
#pragma unroll
        for (int r = 0; r < rows; ++r) load_operand(to[n][r], operand, from + r * stride[1], r < inside);
      }
    }
  }
  __device__ void load_operand(T (&to)[points], const core::EpilogueOperand<T>& operand, const T* from,
                               bool is_inside) const
  {
#pragma unroll
    for (int v = 0; v < points; ++v) to[v] = operand.number;
    if (!operand.is_field() || !is_inside) return;
    if (mask == all_points<points>) return load_streaming(to, from);
#pragma unroll
    for (int v = 0; v < points; ++v)
      if (mask >> v & 1) to[v] = from[v];
  }

  __device__ void finish(Points& sum, const Points& centre, const T (&operand)[operands + 1][rows][points])
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (r >= inside) continue;
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int n = 0; n < operands; ++n) at_point[n] = operand[n][r][v];
        }
        return at_point;
      };
      finish_points(epilogue, sum[r], centre[r], operands_of, x, 1, y + r, z, all_points<points>);
      store_points<true>(out + r * a.out_stride[1], 1, sum[r], 1, mask);
    }
    ++z;
    out += a.out_stride[2];
  }

  const TensorStarArguments<T>& a;
  const Epilogue& epilogue;
  std::int64_t x, y, z;
  int own;       ///< bytes from a plane to the thread's first point
  unsigned mask; ///< its points along x that are to be computed
  int inside;    ///< its rows that are to be computed
  T* out;        ///< its first point in plane z
};

template <class T, int Radius, class Epilogue>
__global__ void __launch_bounds__(tensor_star_shape(Radius, Epilogue::operands).threads(), 1)
    tensor_star_kernel(const __grid_constant__ CUtensorMap map,
                       const __grid_constant__ TensorStarArguments<T> arguments,
                       const __grid_constant__ Epilogue epilogue)
{
#if __CUDA_ARCH__ >= 900 // choose_tensor_star() takes it for no other
  extern __shared__ __align__(128) unsigned char tensor_star_shared[];
  const TensorStarTile<T, Radius, Epilogue::operands> tile(arguments);
  TensorStarRing<T, Radius, Epilogue::operands> ring(tile, map, tensor_star_shared);
  TensorStarThread<T, Radius, Epilogue>(tile, epilogue).march(ring, static_cast<int>(tile.last - tile.first));
#endif
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_tensor_star_of(const Kernel& taken, const Kokkos::Cuda& space, const TensorStarPlan<T>& plan,
                           const Epilogue& epilogue)
{
  TensorStarArguments<T> arguments = plan.arguments;
  arguments.groups.launch = lockstep_launched.fetch_add(1, std::memory_order_relaxed) % lockstep_launches;
  launch_kernel<tensor_star_kernel<T, Radius, Epilogue>>(taken, space, plan.shape, tensor_map(plan.box), arguments,
                                                         epilogue);
}

} // namespace Keramos::cuda::stencil
