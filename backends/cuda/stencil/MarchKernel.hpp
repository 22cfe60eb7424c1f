// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils over three axes by partial sums. A block owns a tile in xy and marches along z; plane z adds to the 2R + 1 outputs
// that it touches, whose sums a thread keeps in registers (PartialSums.hpp, of boxes MarchBox.hpp). Each point's sum is one chain:
// its planes in order, and within a plane row by row.
//
// Planes come to a ring in shared memory by MarchCopies.hpp; whatever the alignment, neighbouring lanes read neighbouring
// columns, each by itself.
#pragma once

#include "MarchBox.hpp"
#include "MarchCopies.hpp"
#include "MarchStar.hpp"
#include "MarchTile.hpp"

namespace Keramos::cuda::stencil {

/// One thread of a block. Warps run as far apart as the ring allows; none waits for a block's barrier.
template <class T, class Sums, class Output, class... Epilogue>
__device__ void march(const MarchArguments<T>& arguments, const typename Sums::Weights& weights, unsigned char* shared,
                      const Epilogue&... epilogue)
{
  using Shape = typename Sums::Shape;
  constexpr MarchShape shape = Sums::shape;
  constexpr int radius = Sums::radius;
  using Tile = MarchTile<T, radius, Shape>;
  const Tile tile(arguments);
  const int planes = static_cast<int>(tile.last - tile.first) + 2 * radius;
  MarchCopies<T, radius, Shape> copies(tile, shared, planes);
  const int warp = threadIdx.x / 32, warps_across = blockDim.x / (32 * shape.groups);
  const int column = warp % warps_across * 32 + threadIdx.x % 32, first_row = warp / warps_across * shape.rows;
  MarchRows<T, radius, Shape> plane(tile, column, first_row);
  Output output(tile, column, first_row, epilogue...);
  constexpr int kept = Output::kept;
  static_assert(shape.ring > kept + shape.ahead);
  Sums sums(weights);
  int slot = 0, done_slot = 0; // of the plane that has come, and of the one that is needed no longer then
  unsigned parity = 0;
  const auto plane_at = [&](int k) { return reinterpret_cast<const T*>(shared) + k * Tile::layout.plane(); };
  const auto add_plane = [&](int step, auto add) {
    if constexpr (kept > 0) output.load_operands(step >= 2 * radius);
    copies.advance(step + shape.ahead, planes);
    const std::int64_t offset = copies.wait(step, slot, parity);
    plane.enter(plane_at(slot), offset);
    add();
    if constexpr (kept == 0) {
      copies.release(slot);
      if (step >= 2 * radius) output.store(sums.sum[0]);
    } else if (step >= kept) {
      if (step >= 2 * radius) output.finish(sums.sum[0], plane_at(done_slot), copies.offset(step - kept));
      copies.release(done_slot);
      if (++done_slot == shape.ring) done_slot = 0;
    }
    if (++slot == shape.ring) slot = 0, parity ^= 1;
  };
  const auto add_planes = [&](int begin, int end, auto add) {
    for (int step = begin; step < end; ++step) add_plane(step, add);
  };
  for (int step = 0; step < shape.ahead; ++step) copies.advance(step, planes);
  if constexpr (requires { sums.add_beyond(plane); }) {
    add_planes(0, radius, [&] { sums.add_beyond(plane); });
    add_planes(radius, planes - radius, [&] { sums.add(plane); });
    add_planes(planes - radius, planes, [&] { sums.add_beyond(plane); });
  } else {
    add_planes(0, planes, [&] { sums.add(plane); });
  }
}

template <class T, class Sums>
__global__ void __launch_bounds__(Sums::shape.threads(), Sums::shape.blocks)
    march_kernel(const __grid_constant__ MarchArguments<T> arguments,
                 const __grid_constant__ typename Sums::Weights weights)
{
#if __CUDA_ARCH__ >= 900 // choose_march() takes it for no other
  extern __shared__ __align__(16) unsigned char march_shared[];
  using Output = MarchOutput<T, Sums::shape.rows, Sums::shape.streaming>;
  march<T, Sums, Output>(arguments, weights, march_shared);
#endif
}

} // namespace Keramos::cuda::stencil
