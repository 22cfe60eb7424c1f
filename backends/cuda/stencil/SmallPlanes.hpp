// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes on small grids, by planes in registers, where zero is beyond all ends. A thread has `Width` neighbours along x in
// each of some rows of some planes. Plane after plane comes, with what lies beside its rows where it has outputs, and adds to all outputs that
// it is near:
//
//     z - R         own rows         the first terms of output z
//     ...
//     z       rows with their sides  all outputs of the thread up to z + R
//     ...
//     z + P - 1 + R  own rows        the last terms of output z + P - 1
//
// A few planes are on their way while one is added. Nothing but sums is kept, so that registers are left for many outputs, for each of which
// fewer loads are needed. Loads and sums keep the order in which they are written here.
#pragma once

#include "SmallLoads.hpp"
#include "SmallStar.hpp"

#include <utility>

namespace Keramos::cuda::stencil {

template <class T, int Radius, int Width, int Planes, class Epilogue>
struct SmallPlanesThread {
  static constexpr SmallPlanesShape shape = small_planes_shape(sizeof(T), Width, Epilogue::operands, Planes);
  static constexpr int rows = shape.rows, planes = shape.planes, halo = static_cast<int>(core::round_up(Radius, Width));
  static constexpr int operands = Epilogue::operands;
  using Vector = T[Width];
  using Side = T[halo];

  const SmallPlanesArguments<T>& a;
  const Epilogue& epilogue;
  const int x, y, z; ///< of its first point

  const T* first;                             ///< this point
  Vector own[Radius + planes + Radius][rows]; ///< own[Radius] is in the first plane
  Vector across[planes][2 * Radius];          ///< beside its rows along y
  Side left[planes][rows], right[planes][rows];
  Vector operand[planes][rows][operands + 1]; // the last one only because no array is empty
  Vector sum[planes][rows];

  __device__ static void load(bool is_inside, Vector& to, const T* from)
  {
    fill(to, T(0));
    load_if(is_inside, to, from);
  }
  __device__ bool is_inside(int axis, int index, int k) const
  {
    return k == 0 || (k < 0 ? index + k >= a.begin[axis] : index + k < a.end[axis]);
  }

  /// Its rows of the plane z + k.
  __device__ void load_own(int k)
  {
    const T* const plane = settled(first + k * a.stride[2]);
#pragma unroll
    for (int n = 0; n < rows; ++n)
      load(is_inside(2, z, k) && is_inside(1, y, n), own[Radius + k][n], plane + n * a.stride[1]);
  }

  /// What lies beside them in the plane z + k, which is one of its own.
  __device__ void load_beside(int k)
  {
    const T* const plane = settled(first + k * a.stride[2]);
    const bool has_plane = is_inside(2, z, k);
    const int stride = a.stride[1];
#pragma unroll
    for (int j = -Radius; j < 0; ++j) load(has_plane && is_inside(1, y, j), across[k][Radius + j], plane + j * stride);
#pragma unroll
    for (int j = rows; j < rows + Radius; ++j)
      load(has_plane && is_inside(1, y, j), across[k][Radius + j - rows], plane + j * stride);
#pragma unroll
    for (int n = 0; n < rows; ++n)
#pragma unroll
      for (int v = 0; v < halo; v += Width) {
        const bool has_row = has_plane && is_inside(1, y, n);
        const T* const row = plane + n * stride;
        load_side(has_row, left[k][n], v, row, v - halo);
        load_side(has_row, right[k][n], v, row, v + Width);
      }
  }
  __device__ void load_side(bool has_row, Side& to, int v, const T* row, int at) const
  {
    Vector value;
    load(has_row && is_inside(0, x, at), value, row + at);
#pragma unroll
    for (int e = 0; e < Width; ++e) to[v + e] = value[e];
  }

  /// What the epilogue reads in its own plane z + k.
  __device__ void load_operands(int k)
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int m = 0; m < operands; ++m) {
        const auto& [field, number] = epilogue.operand[m];
        const int along_y = static_cast<int>(field.stride[1]), along_z = static_cast<int>(field.stride[2]);
        const T* const plane = settled(field.data + (x + y * along_y + (z + k) * along_z));
#pragma unroll
        for (int n = 0; n < rows; ++n) {
          fill(operand[k][n][m], number);
          load_if(field.data != nullptr && is_stored(k, n), operand[k][n][m], plane + n * along_y);
        }
      }
    }
  }
  __device__ bool is_stored(int k, int n) const { return z + k < a.points[2] && y + n < a.points[1]; }

  __device__ static void add(Vector& to, T weight, const Vector& value)
  {
#pragma unroll
    for (int v = 0; v < Width; ++v) to[v] += weight * value[v];
  }
  __device__ T weight(int axis, int offset) const { return a.weights.at(Radius, axis, offset); }

  /// A point's sum goes through its operands as core::StencilProblem has the taps: below along z, then the plane row by row, then above.
  __device__ void add_plane(int k)
  {
#pragma unroll
    for (int p = 0; p < planes; ++p) {
      const int offset = k - p;
      if (offset < -Radius || offset > Radius) continue;
#pragma unroll
      for (int n = 0; n < rows; ++n)
        if (offset == 0)
          add_rows(p, n);
        else
          add(sum[p][n], weight(2, offset), own[Radius + k][n]);
    }
  }
  __device__ void add_rows(int p, int n)
  {
#pragma unroll
    for (int j = -Radius; j <= Radius; ++j) {
      const int from = n + j;
      if (j == 0)
        add_row(p, n);
      else
        add(sum[p][n], weight(1, j),
            from < 0       ? across[p][Radius + from]
            : from >= rows ? across[p][Radius + from - rows]
                           : own[Radius + p][from]);
    }
  }
  __device__ void add_row(int p, int n)
  {
#pragma unroll
    for (int i = -Radius; i <= Radius; ++i)
#pragma unroll
      for (int v = 0; v < Width; ++v) {
        const int at = v + i;
        sum[p][n][v] += weight(0, i) * (at < 0        ? left[p][n][halo + at]
                                        : at >= Width ? right[p][n][at - Width]
                                                      : own[Radius + p][n][at]);
      }
  }

  __device__ void store(int p)
  {
#pragma unroll
    for (int n = 0; n < rows; ++n) {
      Vector result;
#pragma unroll
      for (int v = 0; v < Width; ++v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int m = 0; m < operands; ++m) at_point[m] = operand[p][n][m][v];
        }
        result[v] =
            epilogue(sum[p][n][v], own[Radius + p][n][v], at_point, 0, 0, 0); // the library's ask for no indices
      }
      if (is_stored(p, n)) store_packed(a.out + (x + (y + n) * a.out_stride[1] + (z + p) * a.out_stride[2]), result);
    }
  }

  /// Sums are made before what comes next is loaded.
  __device__ void settle_sums()
  {
#pragma unroll
    for (int p = 0; p < planes; ++p)
#pragma unroll
      for (int n = 0; n < rows; ++n)
#pragma unroll
        for (int v = 0; v < Width; ++v) settle(sum[p][n][v]);
  }

  __device__ void run()
  {
    first = settled(a.in + (x + y * a.stride[1] + z * a.stride[2]));
#pragma unroll
    for (int p = 0; p < planes; ++p)
#pragma unroll
      for (int n = 0; n < rows; ++n) fill(sum[p][n], T(0));
    steps(std::make_integer_sequence<int, shape.ahead + Radius + planes + Radius>());
  }
  /// Written out: a loop of that size would not be unrolled.
  template <int... N>
  __device__ void steps(std::integer_sequence<int, N...>)
  {
    (step<N - shape.ahead - Radius>(), ...);
  }
  /// The plane z + k is added while others come.
  template <int k>
  __device__ void step()
  {
    constexpr int next = k + shape.ahead, beside = k + shape.beside_ahead, finished = k - Radius;
    if constexpr (next < planes + Radius) load_own(next);
    if constexpr (beside >= 0 && beside < planes) load_beside(beside);
    if constexpr (finished + 1 >= 0 && finished + 1 < planes) load_operands(finished + 1);
    if constexpr (k >= -Radius) {
      add_plane(k);
      settle_sums();
    }
    if constexpr (finished >= 0) store(finished);
  }
};

/// The radius is this one or less: all have one kernel.
template <int Radius, int Width, int Planes, class T, class Epilogue>
__device__ void run_small_planes(const SmallPlanesArguments<T>& a, const Epilogue& epilogue, int x, int y, int z)
{
  if constexpr (Radius > 1)
    if (a.radius < Radius) return run_small_planes<Radius - 1, Width, Planes>(a, epilogue, x, y, z);
  SmallPlanesThread<T, Radius, Width, Planes, Epilogue>{a, epilogue, x, y, z}.run();
}

template <int Width, int Planes, class T, class Epilogue>
__device__ void run_small_planes(const SmallPlanesArguments<T>& a, const Epilogue& epilogue)
{
  constexpr int rows = small_planes_shape(sizeof(T), Width, Epilogue::operands, Planes).rows;
  const auto first = [](unsigned block, unsigned threads, unsigned thread) {
    return static_cast<int>(block * threads + thread);
  };
  const int x = first(blockIdx.x, blockDim.x, threadIdx.x) * Width;
  const int y = first(blockIdx.y, blockDim.y, threadIdx.y) * rows;
  const int z = first(blockIdx.z, blockDim.z, threadIdx.z) * Planes;
  if (x < a.points[0] && y < a.points[1] && z < a.points[2])
    run_small_planes<max_small_star_radius, Width, Planes>(a, epilogue, x, y, z);
}

/// Of whole vectors, or of single elements, where rows begin anywhere.
template <class T, class Epilogue>
__global__ void __launch_bounds__(small_planes_threads)
    small_planes_kernel(const __grid_constant__ SmallPlanesArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  if (a.width == 1) return run_small_planes<1, 4>(a, epilogue);
  if constexpr (Epilogue::operands == 0)
    if (a.planes == 4) return run_small_planes<vector_width<T>, 4>(a, epilogue);
  run_small_planes<vector_width<T>, 2>(a, epilogue);
}

} // namespace Keramos::cuda::stencil
