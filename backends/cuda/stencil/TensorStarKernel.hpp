// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes by tensor copies. A block owns a tile in xy and marches along z; one copy brings a plane with its halo to a
// ring in shared memory, and a plane adds to the 2R + 1 outputs that it touches (PartialSums.hpp):
//
//        z + R + ahead   on its way
//        z + R           comes: the last terms of output z, the first ones of output z + 2R
//        z               kept until then where the epilogue asks for an output's centre
//
// Warps run as far apart as the ring allows; none waits for a block's barrier. What lies beyond the field is zero, as copies leave
// it, or a warp that needs something else there has it in a strip (TensorStarEdges.hpp). Points' sums go through their operands as those of StarKernel.hpp.
#pragma once

#include "PartialSums.hpp"
#include "PlaneTerms.hpp"
#include "TensorStarEdges.hpp"
#include "TensorStarOperands.hpp"
#include "TensorStarPlanes.hpp"

namespace Keramos::cuda::stencil {

/// One thread of a block.
template <class T, int Radius, bool Settles, class Epilogue>
class TensorStarThread {
public:
  static constexpr int operands = Epilogue::operands;
  using Tile = TensorStarTile<T, Radius, operands, Settles>;
  using Ring = TensorRing<Tile>;
  using Planes = TensorPlanes<Radius, Tile, TensorStarCopy<Tile>>;
  using Edges = TensorStarEdgesOf<Settles, T, Radius, Tile>;
  using Operands = TensorStarOperands<T, Tile, Epilogue>;
  using Places = PlanePlaces<Tile::beside>;
  static constexpr TensorStarShape shape = Tile::shape;
  static constexpr TensorStarLayout layout = Tile::layout;
  static constexpr int rows = shape.rows, points = Tile::points, pitch = layout.pitch();
  using Row = T[points];
  using Values = T[rows * points]; ///< row by row

  __device__ TensorStarThread(const Tile& tile, const TensorStarPoints<T>& the_points, const Epilogue& the_epilogue)
      : a(tile.a), epilogue(the_epilogue), at_points(the_points), x(at_points.x), y(at_points.y), z(tile.first),
        own_at((Radius + threadIdx.x / 32 * rows) * pitch + (layout.halo + threadIdx.x % 32) * 16),
        out(a.out + x + y * a.out_stride[1] + z * a.out_stride[2])
  {
  }

  __device__ void march(const Ring& ring, Planes& from, Edges& edges, const Operands& at_operands, int planes)
  {
    PartialSums<T, Radius, rows * points> sums(a.weights);
    int slot = 0, done_slot = 0; // of the plane that has come, and of the one that is needed no longer then
    unsigned parity = 0;
    const std::int64_t bottom = z - Radius;
    const auto add_planes = [&](int begin, int end, auto settle, auto add_in_plane) {
      for (int step = begin; step < end; ++step) {
        const bool ends = step >= 2 * Radius; // the sums of plane z
        from.advance(step);
        ring.wait(slot, parity);
        const SharedAddress at = ring.plane(slot) + own_at;
        Values own;
        load_rows<points, pitch>(own, at);
        settle(own, step);
        sums.add(own, [&](Values& sum) { add_in_plane(sum, own, at, step); });
        if constexpr (layout.kept == 0) ring.release(slot);
        if (ends) finish(sums.sum[0], ring.plane(done_slot) + own_at, at_operands);
        at_operands.begin(bottom + step - Radius + 1);
        if constexpr (layout.kept > 0) {
          if (step >= layout.kept) ring.release(done_slot);
        }
        if (step >= layout.kept && ++done_slot == layout.ring) done_slot = 0;
        if (++slot == layout.ring) slot = 0, parity ^= 1;
      }
    };
    const auto set_own = [&](Values& own, int step) { set_beyond(own, bottom + step); };
    const auto keep_own = [](Values&, int) {};
    const auto add_nothing = [&](Values&, const Values&, SharedAddress, int) { edges.commit(); };
    const auto add_in_plane = [&](Values& sum, const Values& own, SharedAddress at, int step) {
      Places places(at);
      if (edges.any()) {
        const SharedAddress strips = edges.template turn<(operands > 0)>();
        edges.begin(step + layout.settled < Radius + planes);
        edges.set_places(places, strips);
      }
      edges.commit();
      add_plane<T, Radius, rows, pitch>(sum, own, a.weights, places);
    };
    if (edges.any())
      for (int k = 0; k < layout.settled; ++k) edges.begin(k < planes), edges.commit();
    add_planes(0, Radius, set_own, add_nothing);
    add_planes(Radius, Radius + planes, keep_own, add_in_plane);
    add_planes(Radius + planes, 2 * Radius + planes, set_own, add_nothing);
  }

private:
  /// Of a plane that the march's axis has no data for, but a value.
  __device__ void set_beyond(Values& own, std::int64_t plane) const
  {
    if constexpr (Settles) {
      const EdgeAxis<T>& axis = a.axis[2];
      if (axis.offset(plane) != core::no_index) return;
#pragma unroll
      for (int n = 0; n < rows * points; ++n) own[n] = axis.value(plane);
    }
  }

  /// Of points that are not to be computed the epilogue makes something, too: it is one of the library's.
  __device__ void finish(const Values& sum, SharedAddress centre_at, const Operands& at_operands)
  {
    Values finished;
    at_operands.wait();
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      Row value, centre = {}, operand[operands + 1]; // the last one only because no array is empty
      at_operands.load(operand, r);
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int n = 0; n < operands; ++n) at_point[n] = operand[n][v];
        }
        return at_point;
      };
      get_row(value, sum, r);
      if constexpr (layout.kept > 0) load_shared(centre, centre_at + r * pitch);
      finish_points(epilogue, value, centre, operands_of, x, 1, y + r, z, all_points<points>);
      set_row(finished, r, value);
    }
    store(finished);
    ++z;
    out += a.out_stride[2];
  }

  __device__ void store(const Values& values) const
  {
    const bool is_whole = at_points.mask == all_points<points> && at_points.inside == rows;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      Row value;
      get_row(value, values, r);
      T* const to = out + r * a.out_stride[1];
      if (is_whole)
        store_streaming(to, value);
      else if (r < at_points.inside)
        store_points<false>(to, 1, value, 1, at_points.mask);
    }
  }

  const TensorStarArguments<T>& a;
  const Epilogue& epilogue;
  const TensorStarPoints<T>& at_points;
  std::int64_t x, y, z;
  int own_at; ///< bytes from a plane to the thread's first point
  T* out;     ///< its first point in plane z
};

template <class T, int Radius, bool Settles, class Epilogue>
__global__ void __launch_bounds__(tensor_star_shape(Radius, Epilogue::operands).threads(), 1)
    tensor_star_kernel(const __grid_constant__ CUtensorMap map,
                       const __grid_constant__ TensorStarArguments<T> arguments,
                       const __grid_constant__ Epilogue epilogue)
{
#if __CUDA_ARCH__ >= 900 // choose_tensor_star() takes it for no other
  extern __shared__ __align__(128) unsigned char tensor_star_shared[];
  constexpr int operands = Epilogue::operands;
  static_assert(operands > 0 || core::only_stores<Epilogue>, "others ask for the centre");
  using Thread = TensorStarThread<T, Radius, Settles, Epilogue>;
  const typename Thread::Tile tile(arguments);
  const typename Thread::Ring ring(tensor_star_shared);
  typename Thread::Planes planes(tile, ring, map);
  typename Thread::Edges edges(tile, ring.planes);
  const TensorStarPoints<T> points(tile);
  const typename Thread::Operands at_operands(tile, points, epilogue, ring.planes);
  Thread(tile, points, epilogue).march(ring, planes, edges, at_operands, static_cast<int>(tile.last - tile.first));
#endif
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_tensor_star_of(const Kernel& taken, const Kokkos::Cuda& space, const TensorStarPlan<T>& plan,
                           const Epilogue& epilogue)
{
  TensorStarArguments<T> arguments = plan.arguments;
  arguments.groups.launch = next_lockstep_launch();
  if constexpr (Radius <= max_settled_radius) {
    if (plan.settles)
      return launch_kernel<tensor_star_kernel<T, Radius, true, Epilogue>>(taken, space, plan.shape,
                                                                          tensor_map(plan.box), arguments, epilogue);
  }
  launch_kernel<tensor_star_kernel<T, Radius, false, Epilogue>>(taken, space, plan.shape, tensor_map(plan.box),
                                                                arguments, epilogue);
}

} // namespace Keramos::cuda::stencil
