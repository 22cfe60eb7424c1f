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
// what their neighbours have brought.
#pragma once

#include "Points.hpp"
#include "SmallStar.hpp"

namespace Keramos::cuda::stencil {

// Sums begin with a zero that is made of all operands: the compiler, which would load some, add, and load the next to save registers,
// cannot know that nothing is left of them. 64^3 points of a star of radius 4 in f32 in a graph on an H200, by a program of its own: 2.80 us,
// this way 2.34.

__device__ inline unsigned word_of(float value) { return __float_as_uint(value); }
__device__ inline unsigned word_of(double value) { return static_cast<unsigned>(__double2hiint(value)); }
__device__ inline void set_word(float& to, unsigned word) { to = __uint_as_float(word); }
__device__ inline void set_word(double& to, unsigned word) { to = __hiloint2double(static_cast<int>(word), 0); }

/// The same pointer, to which the compiler adds offsets of 32 bits one by one: it would add up what all its offsets are made of in 64.
template <class T>
__device__ const T* settled(const T* pointer)
{
  asm("" : "+l"(pointer));
  return pointer;
}

/// Beyond an end, 0 below and 1 above, seen from a point on the axis: an index further by k lies `first` + k * `step` elements from the point.
template <class T>
struct Beyond {
  int first, step;
  bool is_place;

  __device__ Beyond(const SmallAxis<T>& axis, int side, int index)
      : first(axis.first[side] + index * (axis.step[side] - axis.stride)), step(axis.step[side]),
        is_place(!axis.is_value[side])
  {
  }
};

/// `IsZero`: beyond all ends.
template <class T, int Radius, int Items, bool IsZero>
struct SmallStarThread {
  static constexpr int width = vector_width<T>, vectors = static_cast<int>(core::ceil_div(Radius, width));
  static constexpr int rows = Items + 2 * Radius, halo = vectors * width;
  using Vector = T[width];
  using Side = T[halo + width + halo];

  const SmallStarArguments<T>& a;
  const int x, y, z; ///< of its first point

  Vector below[Radius][Items], above[Radius][Items]; ///< along z
  Vector column[rows];                               ///< along y
  Side side[Items];                                  ///< along x, element k - halo; its own are left out

  template <int Points>
  __device__ static void fill(T (&to)[Points], T value)
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) to[v] = value;
  }

  /// What lies k indices from `own`, the point at `index`: below for a k < 0, or above.
  template <int Points>
  __device__ static void load_at(T (&to)[Points], const SmallAxis<T>& axis, const Beyond<T>& beyond, const T* own,
                                 int index, int k)
  {
    const bool inside = k < 0 ? index + k >= axis.begin : index + k < axis.end;
    fill(to, IsZero ? T(0) : axis.value[k > 0]);
    if constexpr (IsZero)
      load_if(inside, to, own + k * axis.stride);
    else
      load_if(inside || beyond.is_place, to, own + (inside ? k * axis.stride : beyond.first + k * beyond.step));
  }

  __device__ void load()
  {
    const SmallAxis<T>&along_y = a.axis[1], &along_z = a.axis[2];
    const T* own[Items];
    own[0] = settled(a.in + (x + y * along_y.stride + z * along_z.stride));
#pragma unroll
    for (int n = 1; n < Items; ++n) own[n] = settled(own[0] + n * along_y.stride);
    const Beyond<T> before(along_y, 0, y), behind(along_y, 1, y), under(along_z, 0, z), over(along_z, 1, z);
#pragma unroll
    for (int k = 0; k < Radius; ++k)
#pragma unroll
      for (int n = 0; n < Items; ++n) load_at(below[k][n], along_z, under, own[n], z, k - Radius);
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      if (k >= Radius && k < Radius + Items)
        load_packed(column[k], own[k - Radius]);
      else
        load_at(column[k], along_y, k < Radius ? before : behind, own[0], y, k - Radius);
    }
#pragma unroll
    for (int n = 0; n < Items; ++n) load_sides(side[n], own[n]);
#pragma unroll
    for (int k = 0; k < Radius; ++k)
#pragma unroll
      for (int n = 0; n < Items; ++n) load_at(above[k][n], along_z, over, own[n], z, k + 1);
  }

  /// What lies beside its points in a row. Vectors lie within the field or beyond its end.
  __device__ void load_sides(Side& to, const T* own) const
  {
    const SmallAxis<T>& axis = a.axis[0];
#pragma unroll
    for (int k = 0; k < halo + width + halo; k += width) {
      if (k == halo) continue;
      Vector values;
      fill(values, IsZero ? T(0) : axis.value[k > halo]);
      load_if(k < halo ? x + k - halo >= axis.begin : x + k - halo < axis.end, values, own + (k - halo));
#pragma unroll
      for (int v = 0; v < width; ++v) to[k + v] = values[v];
    }
    if constexpr (!IsZero) {
      if (x - halo < axis.begin) load_beyond<-1>(to, own);
      if (x + width + halo > axis.end) load_beyond<1>(to, own);
    }
  }

  /// The elements on one side of its points one by one, where some of them lie beyond an end.
  template <int Sign>
  __device__ void load_beyond(Side& to, const T* own) const
  {
    const Beyond<T> beyond(a.axis[0], Sign > 0, x);
#pragma unroll
    for (int k = 1; k <= Radius; ++k) {
      const int place = Sign < 0 ? -k : width - 1 + k;
      T value[1];
      load_at(value, a.axis[0], beyond, own, x, place);
      to[halo + place] = value[0];
    }
  }

  /// Of all that was loaded.
  __device__ unsigned words() const
  {
    unsigned all = 0;
#pragma unroll
    for (int k = 0; k < rows; ++k) all |= word_of(column[k][0]);
#pragma unroll
    for (int n = 0; n < Items; ++n) {
#pragma unroll
      for (int k = 0; k < Radius; ++k) all |= word_of(below[k][n][0]) | word_of(above[k][n][0]);
#pragma unroll
      for (int k = width - 1; k < halo; k += width) all |= word_of(side[n][k]) | word_of(side[n][halo + k + 1]);
    }
    return all;
  }

  // A point's sum goes through its operands as core::StencilProblem has the taps: below along z, then the plane row by row, then above.

  __device__ static void add(Vector& sum, T weight, const Vector& value)
  {
#pragma unroll
    for (int v = 0; v < width; ++v) sum[v] += weight * value[v];
  }

  __device__ void add_row(Vector& sum, int n) const
  {
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
      for (int v = 0; v < width; ++v) {
        const int at = v + offset;
        const T weight = offset == 0 ? a.centre : a.weight[0][offset + Radius - (offset > 0)];
        sum[v] += weight * (at >= 0 && at < width ? column[n + Radius][at] : side[n][halo + at]);
      }
  }

  __device__ void add_all(Vector& sum, int n) const
  {
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, a.weight[2][k], below[k][n]);
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, a.weight[1][k], column[n + k]);
    add_row(sum, n);
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, a.weight[1][Radius + k], column[n + Radius + 1 + k]);
#pragma unroll
    for (int k = 0; k < Radius; ++k) add(sum, a.weight[2][Radius + k], above[k][n]);
  }

  // ---- Epilogue -----------------------------------------------------------------------------------------------------------

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
  __device__ void run(const Epilogue& epilogue)
  {
    constexpr int operands = Epilogue::operands;
    T operand[Items][operands + 1][width]; // the last one only because no array is empty
    Vector sum[Items];
    load();
    load_operands(epilogue, operand);
    T zero;
    set_word(zero, words() & a.nothing);
#pragma unroll
    for (int n = 0; n < Items; ++n) {
      fill(sum[n], zero);
      add_all(sum[n], n);
#pragma unroll
      for (int v = 0; v < width; ++v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int m = 0; m < operands; ++m) at_point[m] = operand[n][m][v];
        }
        sum[n][v] = epilogue(sum[n][v], column[n + Radius][v], at_point, 0, 0, 0); // the library's ask for no indices
      }
    }
    T* const to = a.out + x + y * a.out_stride[1] + z * a.out_stride[2];
#pragma unroll
    for (int n = 0; n < Items; ++n) store_packed(to + n * a.out_stride[1], sum[n]);
  }
};

/// The radius is this one or less: all have one kernel.
template <int Radius, int Items, class T, class Epilogue>
__device__ void run_small_star(const SmallStarArguments<T>& a, const Epilogue& epilogue, int x, int y, int z)
{
  if constexpr (Radius > 1)
    if (a.radius < Radius) return run_small_star<Radius - 1, Items>(a, epilogue, x, y, z);
  if (a.has_zeros)
    SmallStarThread<T, Radius, Items, true>{a, x, y, z}.run(epilogue);
  else
    SmallStarThread<T, Radius, Items, false>{a, x, y, z}.run(epilogue);
}

template <class T, int Items, class Epilogue>
__global__ void __launch_bounds__(small_star_threads, small_star_blocks)
    small_star_kernel(const __grid_constant__ SmallStarArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  const auto first = [](unsigned block, unsigned threads, unsigned thread) {
    return static_cast<int>(block * threads + thread);
  };
  const int x = first(blockIdx.x, blockDim.x, threadIdx.x) * vector_width<T>;
  const int y = first(blockIdx.y, blockDim.y, threadIdx.y) * Items, z = first(blockIdx.z, blockDim.z, threadIdx.z);
  if (x < a.points[0] && y < a.points[1] && z < a.points[2])
    run_small_star<max_small_star_radius, Items>(a, epilogue, x, y, z);
}

} // namespace Keramos::cuda::stencil
