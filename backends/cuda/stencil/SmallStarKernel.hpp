// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes on small grids, by registers. A thread has 16 bytes along x in each of `Items` rows:
//
//     y - R                      own
//     y            left sides |  own, and R planes below and above it  | right sides
//     y + 1        left sides |  own, and R planes below and above it  | right sides
//     y + 1 + R                  own
//
// All that these read is on its way before the first sum: a small grid waits once for the L2, and the threads of a block find in the L1
// what their neighbours have brought. Where there are more threads than run at once, each has several planes, one after the other, and
// keeps its rows for the planes above: of what the next plane reads all is on its way before a plane is summed. With zeros beyond all ends
// these have a kernel of their own (SmallPlanes.hpp), and in double the larger ones go another way in this one (SmallMarch.hpp).
#pragma once

#include "SmallLoads.hpp"
#include "SmallMarch.hpp"

namespace Keramos::cuda::stencil {

// Sums begin with a zero that is made of all operands: the compiler, which would load some, add, and load the next to save registers,
// cannot know that nothing is left of them. 64^3 points of a star of radius 4 in f32 in a graph on an H200, by a program of its own: 2.80 us,
// this way 2.34.

__device__ inline unsigned word_of(float value) { return __float_as_uint(value); }
__device__ inline unsigned word_of(double value) { return static_cast<unsigned>(__double2hiint(value)); }
__device__ inline void set_word(float& to, unsigned word) { to = __uint_as_float(word); }
__device__ inline void set_word(double& to, unsigned word) { to = __hiloint2double(static_cast<int>(word), 0); }

/// `Planes` that follow one another along z. `IsZero`: beyond all ends.
template <class T, int Radius, int Items, int Planes, bool IsZero>
struct SmallStarThread {
  static constexpr int width = vector_width<T>, vectors = static_cast<int>(core::ceil_div(Radius, width));
  static constexpr int halo = vectors * width;
  using Vector = T[width];
  using Side = T[halo + width + halo];

  const SmallStarArguments<T>& a;
  const int x, y, z; ///< of its first point

  const T* first;                                 ///< this point
  Vector column[Radius + Planes + Radius][Items]; ///< along z
  Vector beside[Planes][2 * Radius];              ///< along y, its own are left out
  Side side[Planes][Items];                       ///< along x, element k - halo; its own are left out

  /// Its rows of the plane z + k.
  __device__ void load_column(int k)
  {
    const SmallAxis<T>&along_y = a.axis[1], &along_z = a.axis[2];
    const Beyond<T> beyond(along_z, k > 0, z);
    const bool is_needed = k <= Radius || z + k - Radius < a.points[2];
#pragma unroll
    for (int n = 0; n < Items; ++n) {
      const T* const own = settled(first + n * along_y.stride);
      if (k == 0)
        load_packed(column[Radius][n], own);
      else
        load_at<IsZero>(column[Radius + k][n], along_z, beyond, own, z, k, is_needed);
    }
  }

  /// What lies beside its rows of its plane p.
  __device__ void load_beside(int p)
  {
    const SmallAxis<T>& along_y = a.axis[1];
    const bool is_needed = p == 0 || z + p < a.points[2];
    const T* const own = settled(first + p * a.axis[2].stride);
    const Beyond<T> before(along_y, 0, y), behind(along_y, 1, y);
#pragma unroll
    for (int k = 0; k < Radius; ++k) load_at<IsZero>(beside[p][k], along_y, before, own, y, k - Radius, is_needed);
#pragma unroll
    for (int k = 0; k < Radius; ++k)
      load_at<IsZero>(beside[p][Radius + k], along_y, behind, own, y, Items + k, is_needed);
#pragma unroll
    for (int n = 0; n < Items; ++n)
      load_sides<IsZero, Radius>(side[p][n], a.axis[0], settled(own + n * along_y.stride), x, is_needed);
  }

  /// Of all that is loaded for plane p.
  __device__ unsigned words(int p) const
  {
    unsigned all = 0;
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) all |= word_of(beside[p][k][0]);
#pragma unroll
    for (int n = 0; n < Items; ++n) {
#pragma unroll
      for (int k = p == 0 ? 0 : p + 2 * Radius; k <= p + 2 * Radius; ++k) all |= word_of(column[k][n][0]);
#pragma unroll
      for (int k = width - 1; k < halo; k += width) all |= word_of(side[p][n][k]) | word_of(side[p][n][halo + k + 1]);
    }
    return all;
  }

  // A point's sum goes through its operands as core::StencilProblem has the taps: below along z, then the plane row by row, then above.

  __device__ T weight(int axis, int offset) const { return a.weights.at(Radius, axis, offset); }

  __device__ static void add(Vector& sum, T by, const Vector& value)
  {
#pragma unroll
    for (int v = 0; v < width; ++v) sum[v] += by * value[v];
  }

  __device__ const Vector& row(int p, int n) const
  {
    return n < 0 ? beside[p][n + Radius] : n < Items ? column[p + Radius][n] : beside[p][n + Radius - Items];
  }

  __device__ void add_row(Vector& sum, int p, int n) const
  {
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
      for (int v = 0; v < width; ++v) {
        const int at = v + offset;
        sum[v] += weight(0, offset) * (at >= 0 && at < width ? row(p, n)[at] : side[p][n][halo + at]);
      }
  }

  __device__ void add_all(Vector& sum, int p, int n) const
  {
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, weight(2, k - Radius), column[p + k][n]);
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, weight(1, k - Radius), row(p, n + k - Radius));
    add_row(sum, p, n);
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, weight(1, k + 1), row(p, n + 1 + k));
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, weight(2, k + 1), column[p + Radius + 1 + k][n]);
  }

  // ---- Epilogue -----------------------------------------------------------------------------------------------------------

  /// Of its only plane.
  template <class Epilogue>
  __device__ void load_operands(const Epilogue& epilogue, T (&to)[Items][Epilogue::operands + 1][width]) const
  {
    if constexpr (Epilogue::operands > 0) {
#pragma unroll
      for (int m = 0; m < Epilogue::operands; ++m) {
        const auto& [field, number] = epilogue.operand[m];
        const int along_y = static_cast<int>(field.stride[1]), along_z = static_cast<int>(field.stride[2]);
        const T* const own = settled(field.data + (x + y * along_y + z * along_z));
#pragma unroll
        for (int n = 0; n < Items; ++n) {
          fill(to[n][m], number);
          load_if(field.data != nullptr, to[n][m], own + n * along_y);
        }
      }
    }
  }

  template <class Epilogue>
  __device__ void finish(const Epilogue& epilogue, int p) const
  {
    constexpr int operands = Epilogue::operands;
    static_assert(operands == 0 || Planes == 1, "What an epilogue reads is on its way for one plane.");
    T operand[Items][operands + 1][width]; // the last one only because no array is empty
    load_operands(epilogue, operand);
    T zero;
    set_word(zero, words(p) & a.nothing);
    T* const to = a.out + (x + y * a.out_stride[1] + (z + p) * a.out_stride[2]);
#pragma unroll
    for (int n = 0; n < Items; ++n) {
      Vector sum;
      fill(sum, zero);
      add_all(sum, p, n);
#pragma unroll
      for (int v = 0; v < width; ++v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int m = 0; m < operands; ++m) at_point[m] = operand[n][m][v];
        }
        sum[v] = epilogue(sum[v], row(p, n)[v], at_point, 0, 0, 0); // the library's ask for no indices
      }
      if (p == 0 || z + p < a.points[2]) store_packed(to + n * a.out_stride[1], sum);
    }
  }

  template <class Epilogue>
  __device__ void run(const Epilogue& epilogue)
  {
    first = settled(a.in + (x + y * a.axis[1].stride + z * a.axis[2].stride));
#pragma unroll
    for (int k = -Radius; k <= 0; ++k) load_column(k);
    load_beside(0);
#pragma unroll
    for (int k = 1; k <= Radius; ++k) load_column(k);
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
      if (p + 1 < Planes) {
        load_column(p + 1 + Radius);
        load_beside(p + 1);
      }
      finish(epilogue, p);
    }
  }
};

/// The radius is this one or less: all have one kernel.
template <int Radius, int Items, int Planes, class T, class Epilogue>
__device__ void run_small_star(const SmallStarArguments<T>& a, const Epilogue& epilogue, int x, int y, int z)
{
  if constexpr (Radius > 1)
    if (a.radius < Radius) return run_small_star<Radius - 1, Items, Planes>(a, epilogue, x, y, z);
  if constexpr (Planes == 1) // with zeros several go by SmallPlanes.hpp
    if (a.has_zeros) return SmallStarThread<T, Radius, Items, Planes, true>{a, x, y, z}.run(epilogue);
  SmallStarThread<T, Radius, Items, Planes, false>{a, x, y, z}.run(epilogue);
}

template <int Items, int Planes, class T, class Epilogue>
__device__ void run_small_star(const SmallStarArguments<T>& a, const Epilogue& epilogue)
{
  const auto first = [](unsigned block, unsigned threads, unsigned thread) {
    return static_cast<int>(block * threads + thread);
  };
  const int x = first(blockIdx.x, blockDim.x, threadIdx.x) * vector_width<T>;
  const int y = first(blockIdx.y, blockDim.y, threadIdx.y) * Items;
  const int z = first(blockIdx.z, blockDim.z, threadIdx.z) * Planes;
  if (x < a.points[0] && y < a.points[1] && z < a.points[2])
    run_small_star<max_small_star_radius, Items, Planes>(a, epilogue, x, y, z);
}

/// A thread has `Planes` or one.
template <class T, int Items, int Planes, class Epilogue>
__global__ void __launch_bounds__(small_star_threads, small_star_blocks(Planes))
    small_star_kernel(const __grid_constant__ SmallStarArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  if constexpr (has_small_march<T>(max_small_star_radius, Epilogue::operands)) {
    if (a.marches) return march_small_star<max_small_star_radius>(a);
  }
  if (a.planes == Planes)
    run_small_star<Items, Planes>(a, epilogue);
  else
    run_small_star<Items, 1>(a, epilogue);
}

} // namespace Keramos::cuda::stencil
