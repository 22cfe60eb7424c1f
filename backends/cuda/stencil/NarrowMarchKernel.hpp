// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes whose rows are short, and small boxes, by partial sums (PartialSums.hpp, MarchBox.hpp). A block owns a tile in xy, most often whole rows, and marches along z.
// Threads are dealt out row by row, so that warps go on in the next rows where one ends:
//
//        plane z + R + 2   on its way to registers, each thread's share of all cells, halo included
//        plane z + R + 1   goes from there to shared memory
//        plane z + R       is summed: the last terms of output z, the first ones of output z + 2R
//
// There is one barrier a plane. Rows begin anywhere, and any edge rule serves: a cell is an element of the field, or a value that stays. With an epilogue
// planes stay in shared memory until their outputs end, which want the centre.
#pragma once

#include "NarrowOutput.hpp"

namespace Keramos::cuda::stencil {

template <class T, MarchKind Kind, int Radius>
struct NarrowMarchShapeOf {
  static constexpr NarrowMarchShape value = narrow_march_shape(Kind, Radius, sizeof(T));
};

/// The sums of a thread.
template <class T, MarchKind Kind, int Radius, class Shape = NarrowMarchShapeOf<T, Kind, Radius>>
using NarrowSums = std::conditional_t<Kind == MarchKind::star, StarSums<T, Radius, Shape>,
                                      BoxSums<T, Radius, Kind == MarchKind::box, Shape>>;

/// The planes of a block as they come.
template <class T, class Sums, bool HasEpilogue>
struct NarrowPlanes : NarrowCells<T, Sums, 2 + (HasEpilogue ? Sums::radius : 0)> {
  static constexpr int radius = Sums::radius, kept = HasEpilogue ? radius : 0;
  using Cells = NarrowCells<T, Sums, 2 + kept>;
  using Cells::a, Cells::from, Cells::rows;

  int own;         ///< the thread's column in its row 0, in a plane
  unsigned stored; ///< of its rows, a bit each: points of outputs
  bool is_plane;   ///< of the field; else a value is there

  __device__ NarrowPlanes(const NarrowMarchArguments<T>& arguments, T* shared, int the_own, unsigned the_stored)
      : Cells(arguments, shared), own(the_own), stored(the_stored)
  {
  }

  /// Where cells come from, and what stays.
  __device__ void settle(std::int64_t tile_x, std::int64_t tile_y)
  {
    Cells::for_each([&](int k, int row, int column) {
      const std::int64_t x = tile_x + column, y = tile_y + row;
      if (x >= a.range[0].end + radius || y >= a.range[1].end + radius) return;
      const std::int64_t along_x = a.axis[0].offset(x), along_y = a.axis[1].offset(y);
      if (along_x != core::no_index && along_y != core::no_index)
        from[k] = static_cast<int>((along_x + along_y) * static_cast<int>(sizeof(T)));
      else
        Cells::keep(k, along_x == core::no_index ? a.axis[0].value(x) : a.axis[1].value(y));
    });
  }

  /// Plane z sets out.
  __device__ void fetch(std::int64_t z)
  {
    const std::int64_t offset = a.axis[2].offset(z);
    is_plane = offset != core::no_index;
    if (is_plane) Cells::fetch(a.in + offset);
  }
  /// And arrives. Where a value is beyond the field, at outputs' points alone: others are not asked for, and some of their cells keep values of rows. Of
  /// a box all are asked for; there is one value.
  __device__ void put(std::int64_t z, int slot) const
  {
    if (is_plane) return Cells::put(slot);
    T* const plane = Cells::plane(slot);
    const T value = a.axis[2].value(z);
    if constexpr (Sums::has_corners) {
      for (int cell = Cells::cell(0); cell < a.plane; cell += Cells::shape.threads) plane[cell] = value;
    } else {
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (stored >> r & 1) plane[own + r * a.pitch] = value;
    }
  }
};

/// One thread of a block.
template <class Sums, class T, class Epilogue>
__device__ void march_narrow(const NarrowMarchArguments<T>& a, const typename Sums::Weights& weights,
                             const Epilogue& epilogue, T* shared)
{
  using Planes = NarrowPlanes<T, Sums, !core::only_stores<Epilogue>>;
  constexpr int radius = Sums::radius, rows = Planes::rows, kept = Planes::kept;
  const unsigned tiles = a.tiles[0] * a.tiles[1], tile = blockIdx.x % tiles;
  const std::int64_t tile_x = a.range[0].begin + std::int64_t(tile % a.tiles[0]) * a.columns;
  const std::int64_t tile_y = a.range[1].begin + std::int64_t(tile / a.tiles[0]) * (a.groups * rows);
  const std::int64_t first = a.range[2].begin + blockIdx.x / tiles * a.chunk;
  const int planes = static_cast<int>(min(a.chunk, a.range[2].end - first)) + 2 * radius;
  const NarrowThread<rows> thread(a);
  const int own = (radius + thread.row) * a.pitch + radius + thread.column;
  NarrowOutput<T, rows, Epilogue> output(a, epilogue, thread, tile_x, tile_y, first);
  Planes coming(a, shared, own, output.stored);
  coming.settle(tile_x, tile_y);
  Sums sums(weights);
  const std::int64_t below = first - radius;
  coming.fetch(below);
  coming.put(below, 0);
  coming.fetch(below + 1);
  int slot = 0, centre_slot = 0, step = 0;
  const auto add_planes = [&](int end, auto add) {
    for (; step < end; ++step) {
      __syncthreads(); // all have brought it, and are done with the one before
      if (step + 1 < planes) coming.put(below + step + 1, Planes::next(slot));
      if (step + 2 < planes) coming.fetch(below + step + 2);
      const bool ends = step >= 2 * radius;
      if (ends) output.load_operands();
      add(NarrowPlane<T, radius, rows>{coming.plane(slot) + own, a.pitch});
      if (ends) {
        output.finish(sums.sum[0], coming.plane(centre_slot) + own, a.pitch);
        output.advance();
      }
      if (step >= kept) centre_slot = Planes::next(centre_slot);
      slot = Planes::next(slot);
    }
  };
  const auto add = [&](const auto& plane) { sums.add(plane); };
  if constexpr (Sums::has_corners) {
    add_planes(planes, add);
  } else {
    const auto beyond = [&](const auto& plane) { sums.add_beyond(plane); };
    add_planes(radius, beyond);
    add_planes(planes - radius, add);
    add_planes(planes, beyond);
  }
}

template <class T, class Sums, class Epilogue>
__global__ void __launch_bounds__(Sums::shape.threads, Sums::shape.blocks)
    narrow_march_kernel(const __grid_constant__ NarrowMarchArguments<T> arguments,
                        const __grid_constant__ typename Sums::Weights weights,
                        const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char narrow_march_shared[];
  march_narrow<Sums>(arguments, weights, epilogue, reinterpret_cast<T*>(narrow_march_shared));
}

/// The plan's kind and radius are these.
template <MarchKind Kind, int Radius, class T, class Epilogue>
void launch_narrow_march_of(const Kernel& taken, const Kokkos::Cuda& space, const NarrowMarchPlan<T>& plan,
                            const Epilogue& epilogue)
{
  using Sums = NarrowSums<T, Kind, Radius>;
  launch_kernel<narrow_march_kernel<T, Sums, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                        std::get<typename Sums::Weights>(plan.weights), epilogue);
}

} // namespace Keramos::cuda::stencil
