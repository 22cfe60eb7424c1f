// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planes of TensorStarKernel.hpp on their way: the tile of a block, the ring in shared memory, and the copies that the first warp
// begins with.
#pragma once

#include "../TensorCopy.hpp"
#include "Lockstep.hpp"
#include "TensorStar.hpp"

namespace Keramos::cuda::stencil {

/// The tile of a block.
template <class T, int Radius, int Operands>
struct TensorStarTile {
  static constexpr TensorStarShape shape = tensor_star_shape(Radius, Operands);
  static constexpr TensorStarLayout layout = tensor_star_layout<T>(Radius, Operands);
  static constexpr int points = vector_width<T>;
  static constexpr int beside = static_cast<int>(core::ceil_div(Radius, points)); ///< vectors

  const TensorStarArguments<T>& a;
  std::int64_t x, y, first, last; ///< its first point, its first and past its last plane
  std::int64_t own_x, own_y;      ///< those before are the tile's before this one

  __device__ explicit TensorStarTile(const TensorStarArguments<T>& arguments) : a(arguments)
  {
    const unsigned tiles = a.tiles[0] * a.tiles[1];
    const unsigned number = blockIdx.x % tiles;
    own_x = a.origin + std::int64_t(number % a.tiles[0]) * (32 * points);
    own_y = a.range[1].begin + std::int64_t(number / a.tiles[0]) * shape.height();
    x = min(own_x, a.last[0]);
    y = min(own_y, a.last[1]);
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

} // namespace Keramos::cuda::stencil
