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
//
// Code that the march repeats for 2R + 1 planes has to stay within the instruction cache (128 KiB on Hopper: with 185 KiB
// radius 4 in float made 64% of the copy at 512^3, with 119 KiB 85%). What is rare is therefore out of line.
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

/// The ring's places in shared memory and their barriers.
template <class T, int Radius, int Operands>
struct TensorStarRing {
  using Tile = TensorStarTile<T, Radius, Operands>;
  static constexpr TensorStarLayout layout = Tile::layout;

  SharedAddress planes, full, empty;

  __device__ explicit TensorStarRing(unsigned char* shared)
      : planes(shared_address(shared)), full(planes + layout.barriers_at()), empty(full + layout.ring * barrier_bytes)
  {
    if (threadIdx.x < 2 * layout.ring)
      init_barrier(full + threadIdx.x * barrier_bytes, threadIdx.x < layout.ring ? 1 : Tile::shape.threads());
    publish_barriers();
    __syncthreads();
  }
  __device__ SharedAddress plane(int k) const { return planes + k * layout.plane(); }
  __device__ void wait(int k, unsigned phase) const { wait_for_phase(full + k * barrier_bytes, phase); }
  /// Every thread for itself, see MarchCopies.hpp.
  __device__ void release(int k) const { arrive(empty + k * barrier_bytes); }
};

/// The planes of the ring, step by step: plane `step` is first - Radius + step. The first warp begins with them.
template <class T, int Radius, int Operands>
class TensorStarPlanes {
public:
  using Tile = TensorStarTile<T, Radius, Operands>;
  using Ring = TensorStarRing<T, Radius, Operands>;
  static constexpr TensorStarShape shape = Tile::shape;
  static constexpr TensorStarLayout layout = Tile::layout;

  __device__ TensorStarPlanes(const Tile& the_tile, const CUtensorMap& the_map, const Ring& the_ring)
      : tile(the_tile), map(the_map), ring(the_ring), steps(the_tile.steps()), lockstep(the_tile.a.groups),
        column(static_cast<int>(tile.x - tile.a.first_column) - layout.halo * Tile::points),
        row(static_cast<int>(tile.y - tile.a.axis[1].valid_begin) - Radius)
  {
  }

  /// Before step `step`: what is to be on its way by now, at first all that there is room for.
  __device__ void advance(int step)
  {
    if (threadIdx.x >= 32) return;
    const int wanted = min(max(step + shape.ahead + 1, layout.ring), steps);
    while (begun < wanted) bring();
  }

private:
  __device__ void bring()
  {
    wait_for_phase(ring.empty + slot * barrier_bytes, parity);
    lockstep.keep(begun);
    if (threadIdx.x == 0) {
      const SharedAddress full = ring.full + slot * barrier_bytes;
      arrive_with_bytes(full, layout.box());
      copy_box(ring.plane(slot), map, column, row, depth(tile.first - Radius + begun), full);
    }
    if (++slot == layout.ring) slot = 0, parity ^= 1;
    if (++begun == steps) lockstep.leave(steps);
  }

  /// Where the map has plane z.
  __device__ int depth(std::int64_t z) const
  {
    const EdgeAxis<T>& axis = tile.a.axis[2];
    return axis.plain(z, z + 1) ? static_cast<int>(z - axis.valid_begin) : depth_beyond(axis, z);
  }
  /// Before its first one, where there is zero.
  __device__ __noinline__ static int depth_beyond(const EdgeAxis<T>& axis, std::int64_t z)
  {
    const std::int64_t offset = axis.offset(z);
    return offset == core::no_index ? -1 : static_cast<int>(offset / axis.stride - axis.valid_begin);
  }

  const Tile& tile;
  const CUtensorMap& map;
  const Ring& ring;
  int steps;
  Lockstep<shape.drift> lockstep;
  int column, row;
  int begun = 0, slot = 0;
  unsigned parity = 1; ///< of `empty`: the first planes waited for nothing
};

/// The values of a thread's points.
template <class T, int Rows, int Points>
struct TensorStarPoints {
  T at[Rows][Points];
};

/// Of a thread whose points are not all to be computed; of an operand also where it is a number.
template <class T, int Rows, int Points>
__device__ __noinline__ void store_partly(T* out, std::int64_t stride, TensorStarPoints<T, Rows, Points> value,
                                          unsigned mask, int inside)
{
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    if (r < inside) store_points<false>(out + r * stride, 1, value.at[r], 1, mask);
}
template <class T, int Rows, int Points>
__device__ __noinline__ TensorStarPoints<T, Rows, Points> load_rest(const T* from, std::int64_t stride, T number,
                                                                    unsigned mask, int inside)
{
  TensorStarPoints<T, Rows, Points> value;
#pragma unroll
  for (int r = 0; r < Rows; ++r)
#pragma unroll
    for (int v = 0; v < Points; ++v)
      value.at[r][v] = from && r < inside && (mask >> v & 1) ? from[r * stride + v] : number;
  return value;
}

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
  using Packed = TensorStarPoints<T, rows, points>;
  using Planes = TensorStarPlanes<T, Radius, operands>;

  __device__ TensorStarThread(const Tile& tile, const Epilogue& the_epilogue)
      : a(tile.a), epilogue(the_epilogue), x(tile.x + threadIdx.x % 32 * points), y(tile.y + threadIdx.x / 32 * rows),
        z(tile.first), own((Radius + threadIdx.x / 32 * rows) * pitch + (layout.halo + threadIdx.x % 32) * 16),
        mask(points_inside<points>(a.range[0], x, 1)),
        inside(mask == 0 ? 0 : static_cast<int>(max(min(a.range[1].end - y, std::int64_t(rows)), std::int64_t(0)))),
        out(a.out + x + y * a.out_stride[1] + z * a.out_stride[2])
  {
  }

  __device__ void march(const TensorStarRing<T, Radius, operands>& ring, Planes& from, int planes)
  {
    T queue[side][rows][points];
    int slot = 0; // of the plane that enters
    unsigned parity = 0;
#pragma unroll
    for (int step = 0; step < 2 * Radius; ++step) {
      from.advance(step);
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
        from.advance(begin + turn + 2 * Radius);
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

  __device__ bool is_whole() const { return mask == all_points<points> && inside == rows; }

  /// The epilogue's at the thread's points, early: they are on their way while the planes are summed.
  __device__ void load_operands(T (&to)[operands + 1][rows][points]) const
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int n = 0; n < operands; ++n) load_operand(to[n], epilogue.operand[n]);
    }
  }
  __device__ void load_operand(Points& to, const core::EpilogueOperand<T>& operand) const
  {
    const auto& stride = operand.field.stride;
    const T* const from = operand.field.data + x + y * stride[1] + z * stride[2];
    if (operand.is_field() && is_whole()) {
#pragma unroll
      for (int r = 0; r < rows; ++r) load_streaming(to[r], from + r * stride[1]);
      return;
    }
    const Packed rest =
        load_rest<T, rows, points>(operand.is_field() ? from : nullptr, stride[1], operand.number, mask, inside);
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int v = 0; v < points; ++v) to[r][v] = rest.at[r][v];
  }

  /// Of points that are not to be computed the epilogue makes something, too: it is one of the library's.
  __device__ void finish(Points& sum, const Points& centre, const T (&operand)[operands + 1][rows][points])
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int n = 0; n < operands; ++n) at_point[n] = operand[n][r][v];
        }
        return at_point;
      };
      finish_points(epilogue, sum[r], centre[r], operands_of, x, 1, y + r, z, all_points<points>);
    }
    if (is_whole()) {
#pragma unroll
      for (int r = 0; r < rows; ++r) store_streaming(out + r * a.out_stride[1], sum[r]);
    } else {
      Packed packed;
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int v = 0; v < points; ++v) packed.at[r][v] = sum[r][v];
      store_partly(out, a.out_stride[1], packed, mask, inside);
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
  constexpr int operands = Epilogue::operands;
  const TensorStarTile<T, Radius, operands> tile(arguments);
  const TensorStarRing<T, Radius, operands> ring(tensor_star_shared);
  TensorStarPlanes<T, Radius, operands> planes(tile, map, ring);
  TensorStarThread<T, Radius, Epilogue>(tile, epilogue).march(ring, planes, static_cast<int>(tile.last - tile.first));
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
