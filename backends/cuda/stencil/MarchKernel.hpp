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
#include "MarchBoxPairs.hpp"
#include "MarchCopies.hpp"
#include "MarchRows.hpp"
#include "MarchStar.hpp"
#include "MarchStores.hpp"
#include "MarchTile.hpp"

namespace Keramos::cuda::stencil {

/// The planes of a block as they come, of a thread that owns rows of a column. Warps run as far apart as the ring allows; none
/// waits for a block's barrier.
template <class T, class Sums, class Output, class Copies, class... Epilogue>
__device__ void add_planes(const MarchArguments<T>& arguments, const typename Sums::Weights& weights, Copies& copies,
                           unsigned char* shared, int column, int first_row, const Epilogue&... epilogue)
{
  using Shape = typename Sums::Shape;
  constexpr MarchShape shape = Sums::shape;
  constexpr int radius = Sums::radius;
  using Tile = MarchTile<T, radius, Shape>;
  const Tile tile(arguments);
  const int planes = copies.planes;
  MarchRows<T, radius, Shape> plane(tile, column, first_row);
  Output output(tile, copies.ring, column, first_row, epilogue...);
  constexpr int kept = Output::kept;
  constexpr bool all_begin = shape.producers == 0;
  static_assert(shape.ring > kept + (all_begin ? shape.ahead : 0));
  Sums sums(weights);
  int slot = 0, done_slot = 0; // of the plane that has come, and of the one that is needed no longer then
  unsigned parity = 0;
  const auto plane_at = [&](int k) { return reinterpret_cast<const T*>(shared) + k * Tile::layout.plane(); };
  const auto add_plane = [&](int step, auto add) {
    output.begin();
    if constexpr (kept > 0) output.load_operands(step >= 2 * radius);
    if constexpr (all_begin) copies.advance(step + shape.ahead);
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
  const auto add_some = [&](int begin, int end, auto add) {
    for (int step = begin; step < end; ++step) add_plane(step, add);
  };
  if constexpr (all_begin)
    for (int step = 0; step < shape.ahead; ++step) copies.advance(step);
  if constexpr (requires { sums.add_beyond(plane); }) {
    add_some(0, radius, [&] { sums.add_beyond(plane); });
    add_some(radius, planes - radius, [&] { sums.add(plane); });
    add_some(planes - radius, planes, [&] { sums.add_beyond(plane); });
  } else {
    add_some(0, planes, [&] { sums.add(plane); });
  }
  output.end();
}

/// One thread of a block. What it does with its points is said by the shape that it has of them.
template <class T, class Sums, class Outputs, class... Epilogue>
__device__ void march(const MarchArguments<T>& arguments, const typename Sums::Weights& weights, unsigned char* shared,
                      const Epilogue&... epilogue)
{
  using Shape = typename Sums::Shape;
  constexpr MarchShape shape = Sums::shape;
  const MarchTile<T, Sums::radius, Shape> tile(arguments);
  if constexpr (shape.has_sender())
    MarchStages<T, Sums::radius, Shape>::init_barriers(shared_address(shared), blockDim.x - 32 * shape.helpers(), 32);
  MarchCopies<T, Sums::radius, Shape> copies(tile, shared);
  if constexpr (shape.producers > 0) {
    if (copies.begins()) {
      return copies.advance_all();
    }
  }
  const int warp = warp_of_block() - shape.helpers(), lane = threadIdx.x % 32;
  if constexpr (shape.has_sender()) {
    if (warp < 0) return send_planes<T, Sums::radius, Shape>(tile, copies.ring);
  }
  const int across = min(shape.max_warps, (static_cast<int>(blockDim.x) / 32 - shape.helpers()) / shape.groups);
  if constexpr (shape.columns_beside > 0) {
    if (const int beside = warp - across * shape.groups; beside >= 0) {
      using Beside = ShapeBeside<Shape>;
      return add_planes<T, typename Sums::template Of<Beside>, typename Outputs::template Of<Beside>>(
          arguments, weights, copies, shared, shape.column_beside(across, beside, lane), lane % shape.height(),
          epilogue...);
    }
  }
  add_planes<T, Sums, typename Outputs::template Of<Shape>>(
      arguments, weights, copies, shared, warp % across * 32 + lane, warp / across * shape.rows, epilogue...);
}

/// The sums of a star: a thread has rows of a column or of two.
template <class T, int Radius, class Shape>
using MarchStarSums =
    std::conditional_t<Shape::value.has_row_copies(), PairSums<T, Radius, Shape>, StarSums<T, Radius, Shape>>;

/// Threads that store, by their shape, see march().
template <class T, int Radius>
struct MarchOutputs {
  template <class Shape>
  using Of = MarchOutputOf<T, Radius, Shape>;
};

template <class T, class Sums>
__global__ void __launch_bounds__(Sums::shape.threads(), Sums::shape.blocks)
    march_kernel(const __grid_constant__ MarchArguments<T> arguments,
                 const __grid_constant__ typename Sums::Weights weights)
{
#if __CUDA_ARCH__ >= 900 // choose_march() takes it for no other
  extern __shared__ __align__(16) unsigned char march_shared[];
  if constexpr (Sums::shape.has_pairs())
    march_by_pairs<Sums>(arguments, weights, march_shared);
  else
    march<T, Sums, MarchOutputs<T, Sums::radius>>(arguments, weights, march_shared);
#endif
}

} // namespace Keramos::cuda::stencil
