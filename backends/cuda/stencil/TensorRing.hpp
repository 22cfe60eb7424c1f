// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How planes come by tensor copies, one after the other, to a ring in shared memory, in lockstep with other blocks. A tile says how
// many planes it has and how its shared memory is laid out (`shape`, `layout`), a copy how one of them is brought and how many `bytes` come.
#pragma once

#include "../TensorCopy.hpp"
#include "Edges.hpp"
#include "Lockstep.hpp"

namespace Keramos::cuda::stencil {

/// The ring's places in shared memory and their barriers.
template <class Tile>
struct TensorRing {
  static constexpr auto layout = Tile::layout;

  SharedAddress planes, full, empty;

  __device__ explicit TensorRing(unsigned char* shared)
      : planes(shared_address(shared)), full(planes + layout.barriers_at()), empty(full + layout.ring * barrier_bytes)
  {
    if (threadIdx.x < 2 * layout.ring)
      init_barrier(full + threadIdx.x * barrier_bytes, threadIdx.x < layout.ring ? 1 : blockDim.x);
    publish_barriers();
    __syncthreads();
  }
  __device__ SharedAddress plane(int k) const { return planes + k * layout.plane(); }
  __device__ void wait(int k, unsigned phase) const { wait_for_phase(full + k * barrier_bytes, phase); }
  /// Every thread for itself, see MarchCopies.hpp.
  __device__ void release(int k) const { arrive(empty + k * barrier_bytes); }
};

/// The planes of the ring, step by step: plane `step` is first - Radius + step. The first warp begins with them.
template <int Radius, class Tile, class Copy>
class TensorPlanes {
public:
  static constexpr auto shape = Tile::shape;
  static constexpr auto layout = Tile::layout;

  template <class Maps>
  __device__ TensorPlanes(const Tile& the_tile, const TensorRing<Tile>& the_ring, const Maps& maps)
      : tile(the_tile), ring(the_ring), steps(the_tile.steps()), lockstep(the_tile.a.groups), copy(the_tile, maps)
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
    lockstep.keep(begun, begun + 1);
    if (threadIdx.x == 0) {
      const SharedAddress full = ring.full + slot * barrier_bytes;
      arrive_with_bytes(full, Copy::bytes);
      copy(ring.plane(slot), depth(tile.first - Radius + begun), full);
    }
    if (++slot == layout.ring) slot = 0, parity ^= 1;
    if (++begun == steps) lockstep.leave(steps);
  }

  /// Plane z, counted from the first one of the field; -1 where there is zero.
  __device__ int depth(std::int64_t z) const
  {
    const auto& axis = tile.a.axis[2];
    return axis.plain(z, z + 1) ? static_cast<int>(z - axis.valid_begin) : depth_beyond(axis, z);
  }
  template <class Axis>
  __device__ __noinline__ static int depth_beyond(const Axis& axis, std::int64_t z)
  {
    const std::int64_t offset = axis.offset(z);
    return offset == core::no_index ? -1 : static_cast<int>(offset / axis.stride - axis.valid_begin);
  }

  const Tile& tile;
  const TensorRing<Tile>& ring;
  int steps;
  Lockstep<shape.drift> lockstep;
  const Copy copy;
  int begun = 0, slot = 0;
  unsigned parity = 1; ///< of `empty`: the first planes waited for nothing
};

} // namespace Keramos::cuda::stencil
