// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes whose rows are short, by partial sums (PartialSums.hpp). A block owns a tile in xy, most often whole rows, and marches along z.
// Threads are dealt out row by row, so that warps go on in the next rows where one ends:
//
//        plane z + R + 2   on its way to registers, each thread's share of all cells, halo included
//        plane z + R + 1   goes from there to shared memory
//        plane z + R       is summed: the last terms of output z, the first ones of output z + 2R
//
// There is one barrier a plane. Rows begin anywhere, and any edge rule serves: a cell is an element of the field, or a value that stays. With an epilogue
// planes stay in shared memory until their outputs end, which want the centre.
#pragma once

#include "MarchStar.hpp"
#include "NarrowMarch.hpp"

#include <climits>

namespace Keramos::cuda::stencil {

template <class T, int Radius>
struct NarrowMarchShapeOf {
  static constexpr NarrowMarchShape value = narrow_march_shape(Radius, sizeof(T));
};

/// A plane in shared memory as a thread sees it, from its column in its row 0.
template <class T, int Radius>
struct NarrowPlane {
  static constexpr int column_step = 1, rows = NarrowMarchShapeOf<T, Radius>::value.rows;
  const T* at;
  int pitch;

  __device__ const T* operator[](int row) const { return at + row * pitch; }
  __device__ void load_halo(T (&halo)[2 * Radius][1]) const
  {
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) halo[k][0] = *(*this)[k < Radius ? k - Radius : rows + k - Radius];
  }
};

/// The planes of a block as they come.
template <class T, int Radius, bool HasEpilogue>
struct NarrowPlanes {
  static constexpr NarrowMarchShape shape = NarrowMarchShapeOf<T, Radius>::value;
  static constexpr int rows = shape.rows, kept = HasEpilogue ? Radius : 0, ring = 2 + kept;
  static constexpr int nothing = INT_MIN;

  const NarrowMarchArguments<T>& a;
  T* planes;       ///< [ring][rows of the tile and 2R][pitch]
  int own;         ///< the thread's column in its row 0, in a plane
  unsigned stored; ///< of its rows, a bit each: points of outputs
  /// Where in a plane of the field each of its cells lies, in bytes; nothing: a value that stays, or no cell.
  int from[shape.cells];
  T coming[shape.cells]; ///< of the plane that is on its way
  bool is_plane;         ///< of the field; else a value is there

  __device__ NarrowPlanes(const NarrowMarchArguments<T>& arguments, T* shared) : a(arguments), planes(shared) {}

  __device__ static int next(int slot) { return slot + 1 == ring ? 0 : slot + 1; }

  /// Where cells come from; what is a value is written here, to all places. Corners are nobody's operands.
  __device__ void settle(std::int64_t tile_x, std::int64_t tile_y)
  {
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) {
      const int cell = static_cast<int>(threadIdx.x) + k * shape.threads;
      const int row = cell / a.pitch - Radius, column = cell % a.pitch - Radius;
      const std::int64_t x = tile_x + column, y = tile_y + row;
      const bool is_beside = column < 0 || column >= a.columns, is_above = row < 0 || row >= a.groups * rows;
      from[k] = nothing;
      if (cell >= a.plane || (is_beside && is_above) || x >= a.range[0].end + Radius || y >= a.range[1].end + Radius)
        continue;
      const std::int64_t along_x = a.axis[0].offset(x), along_y = a.axis[1].offset(y);
      if (along_x != core::no_index && along_y != core::no_index) {
        from[k] = static_cast<int>((along_x + along_y) * static_cast<int>(sizeof(T)));
        continue;
      }
      const T value = along_x == core::no_index ? a.axis[0].value(x) : a.axis[1].value(y);
      for (int slot = 0; slot < ring; ++slot) planes[slot * a.plane + cell] = value;
    }
  }

  /// Plane z sets out.
  __device__ void fetch(std::int64_t z)
  {
    const std::int64_t offset = a.axis[2].offset(z);
    is_plane = offset != core::no_index;
    if (!is_plane) return;
    const char* const plane = reinterpret_cast<const char*>(a.in + offset);
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) {
      if (has_no_cell(k)) break;
      load_if(from[k] != nothing, coming[k], reinterpret_cast<const T*>(plane + from[k]));
    }
  }
  /// And arrives. Where a value is beyond the field, at outputs' points alone: others are not asked for, and some of their cells keep values of rows.
  __device__ void put(std::int64_t z, int slot) const
  {
    T* const plane = planes + slot * a.plane;
    if (!is_plane) {
      const T value = a.axis[2].value(z);
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (stored >> r & 1) plane[own + r * a.pitch] = value;
      return;
    }
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) {
      if (has_no_cell(k)) break;
      if (from[k] != nothing) plane[static_cast<int>(threadIdx.x) + k * shape.threads] = coming[k];
    }
  }

private:
  /// The same in all threads; not worth asking for the first ones.
  __device__ bool has_no_cell(int k) const { return k > shape.cells / 2 && k * shape.threads >= a.plane; }
};

/// The outputs of a thread, which it finishes plane after plane.
template <class T, int Rows, class Epilogue>
struct NarrowOutput {
  static constexpr int operands = Epilogue::operands;

  const Epilogue& epilogue;
  std::int64_t x, y, z;
  T* to;
  std::int64_t row_step, plane_step;
  unsigned stored;               ///< of its rows, a bit each
  T operand[Rows][operands + 1]; ///< of the epilogue; the last one only because no array is empty

  __device__ NarrowOutput(const NarrowMarchArguments<T>& a, const Epilogue& the_epilogue, std::int64_t the_x,
                          std::int64_t the_y, std::int64_t first, unsigned the_stored)
      : epilogue(the_epilogue), x(the_x), y(the_y), z(first),
        to(a.out + x * a.out_stride[0] + y * a.out_stride[1] + z * a.out_stride[2]), row_step(a.out_stride[1]),
        plane_step(a.out_stride[2]), stored(the_stored)
  {
  }

  /// The epilogue's fields, early: they are on their way while a plane is summed.
  __device__ void load_operands()
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int n = 0; n < operands; ++n) {
        const core::EpilogueOperand<T>& from = epilogue.operand[n];
        const auto& stride = from.field.stride;
        const T* const first = from.field.data + x * stride[0] + y * stride[1] + z * stride[2];
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
          operand[r][n] = from.number;
          load_if(from.is_field() && (stored >> r & 1), operand[r][n], first + r * stride[1]);
        }
      }
    }
  }

  /// The thread's centres lie so far apart.
  __device__ void finish(const T (&sum)[Rows], const T* centre, int pitch)
  {
    T value[Rows];
#pragma unroll
    for (int r = 0; r < Rows; ++r) value[r] = sum[r];
    if constexpr (!core::only_stores<Epilogue>) {
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        if (stored >> r & 1) finish_row(value[r], centre[r * pitch], r);
    }
    if constexpr (core::returns_value<Epilogue, T>) store(value); // after all is read: no load passes a store
    to += plane_step;
    ++z;
  }

private:
  __device__ void finish_row(T& value, T centre, int r) const
  {
    const OrderedEpilogue<core::usual_order<Epilogue>(), Epilogue> ordered{epilogue};
    T finished[1] = {value};
    const T at_centre[1] = {centre};
    const auto operands_of = [&](int) {
      Kokkos::Array<T, operands> at_point;
      if constexpr (operands > 0) {
#pragma unroll
        for (int n = 0; n < operands; ++n) at_point[n] = operand[r][n];
      }
      return at_point;
    };
    finish_points(ordered, finished, at_centre, operands_of, x, 1, y + r, z, 1u);
    value = finished[0];
  }
  __device__ void store(const T (&value)[Rows]) const
  {
    if (stored == all_points<Rows>) { // with nothing to ask
#pragma unroll
      for (int r = 0; r < Rows; ++r) to[r * row_step] = value[r];
    } else if (stored != 0) {
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        if (stored >> r & 1) to[r * row_step] = value[r];
    }
  }
};

/// One thread of a block.
template <int Radius, class T, class Epilogue>
__device__ void march_narrow_star(const NarrowMarchArguments<T>& a, const StarWeights<T>& weights,
                                  const Epilogue& epilogue, T* shared)
{
  using Planes = NarrowPlanes<T, Radius, !core::only_stores<Epilogue>>;
  constexpr int rows = Planes::rows, kept = Planes::kept;
  const unsigned tiles = a.tiles[0] * a.tiles[1], tile = blockIdx.x % tiles;
  const std::int64_t tile_x = a.range[0].begin + std::int64_t(tile % a.tiles[0]) * a.columns;
  const std::int64_t tile_y = a.range[1].begin + std::int64_t(tile / a.tiles[0]) * (a.groups * rows);
  const std::int64_t first = a.range[2].begin + blockIdx.x / tiles * a.chunk;
  const int planes = static_cast<int>(min(a.chunk, a.range[2].end - first)) + 2 * Radius;
  const int group = static_cast<int>(threadIdx.x) / a.columns, column = static_cast<int>(threadIdx.x) % a.columns;
  const bool is_within = group < a.groups; // others only bring cells

  Planes coming(a, shared);
  coming.own = (Radius + (is_within ? group * rows : 0)) * a.pitch + Radius + column;
  coming.stored = 0;
  if (is_within && tile_x + column < a.range[0].end) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
      coming.stored |= static_cast<unsigned>(tile_y + group * rows + r < a.range[1].end) << r;
  }
  coming.settle(tile_x, tile_y);
  NarrowOutput<T, rows, Epilogue> output(a, epilogue, tile_x + column, tile_y + group * rows, first, coming.stored);
  StarSums<T, Radius, NarrowMarchShapeOf<T, Radius>> sums(weights);
  const std::int64_t below = first - Radius;
  coming.fetch(below);
  coming.put(below, 0);
  coming.fetch(below + 1);
  int slot = 0, centre_slot = 0, step = 0;
  const auto add_planes = [&](int end, auto add) {
    for (; step < end; ++step) {
      __syncthreads(); // all have brought it, and are done with the one before
      if (step + 1 < planes) coming.put(below + step + 1, Planes::next(slot));
      if (step + 2 < planes) coming.fetch(below + step + 2);
      const bool ends = step >= 2 * Radius;
      if (ends) output.load_operands();
      add(NarrowPlane<T, Radius>{shared + slot * a.plane + coming.own, a.pitch});
      if (ends) output.finish(sums.sum[0], shared + centre_slot * a.plane + coming.own, a.pitch);
      if (step >= kept) centre_slot = Planes::next(centre_slot);
      slot = Planes::next(slot);
    }
  };
  const auto beyond = [&](const auto& plane) { sums.add_beyond(plane); };
  add_planes(Radius, beyond);
  add_planes(planes - Radius, [&](const auto& plane) { sums.add(plane); });
  add_planes(planes, beyond);
}

template <class T, int Radius, class Epilogue>
__global__ void __launch_bounds__(narrow_march_shape(Radius, sizeof(T)).threads,
                                  narrow_march_shape(Radius, sizeof(T)).blocks)
    narrow_march_kernel(const __grid_constant__ NarrowMarchArguments<T> arguments,
                        const __grid_constant__ StarWeights<T> weights, const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char narrow_march_shared[];
  march_narrow_star<Radius>(arguments, weights, epilogue, reinterpret_cast<T*>(narrow_march_shared));
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_narrow_march_of(const Kernel& taken, const Kokkos::Cuda& space, const NarrowMarchPlan<T>& plan,
                            const Epilogue& epilogue)
{
  launch_kernel<narrow_march_kernel<T, Radius, Epilogue>>(taken, space, plan.shape, plan.arguments, plan.weights,
                                                          epilogue);
}

} // namespace Keramos::cuda::stencil
