// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of small grids load by the rules of an axis (SmallAxis.hpp): without a branch and without a table.
#pragma once

#include "Points.hpp"
#include "SmallAxis.hpp"

namespace Keramos::cuda::stencil {

/// The same pointer, to which the compiler adds offsets of 32 bits one by one: it would add up what all its offsets are made of in 64.
template <class T>
__device__ const T* settled(const T* pointer)
{
  asm("" : "+l"(pointer));
  return pointer;
}

/// The same value, computed before what is written to be loaded next.
__device__ inline void settle(float& value) { asm volatile("" : "+f"(value)); }
__device__ inline void settle(double& value) { asm volatile("" : "+d"(value)); }
__device__ inline void settle(std::int64_t& value) { asm volatile("" : "+l"(value)); }

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

template <int Points, class T>
__device__ void fill(T (&to)[Points], T value)
{
#pragma unroll
  for (int v = 0; v < Points; ++v) to[v] = value;
}

/// What lies k indices from `own`, the point at `index`: below for a k < 0, or above. Nothing where there is nothing to compute. `IsZero`:
/// beyond both ends.
template <bool IsZero, int Points, class T>
__device__ void load_at(T (&to)[Points], const SmallAxis<T>& axis, const Beyond<T>& beyond, const T* own, int index,
                        int k, bool is_needed = true)
{
  const bool inside = k < 0 ? index + k >= axis.begin : index + k < axis.end;
  fill(to, IsZero ? T(0) : axis.value[k > 0]);
  if constexpr (IsZero)
    load_if(inside && is_needed, to, own + k * axis.stride);
  else
    load_if((inside || beyond.is_place) && is_needed, to,
            own + (inside ? k * axis.stride : beyond.first + k * beyond.step));
}

/// The elements on one side of a vector, element `Halo` of `to`, one by one, where some of them lie beyond an end.
template <int Radius, int Halo, int Sign, class T, int Length>
__device__ void load_beyond(T (&to)[Length], const SmallAxis<T>& axis, const T* own, int x, bool is_needed)
{
  const Beyond<T> beyond(axis, Sign > 0, x);
#pragma unroll
  for (int k = 1; k <= Radius; ++k) {
    const int place = Sign < 0 ? -k : vector_width<T> - 1 + k;
    T value[1];
    load_at<false>(value, axis, beyond, own, x, place, is_needed);
    to[Halo + place] = value[0];
  }
}

/// What lies beside a vector in a row. Vectors lie within the field or beyond its end.
template <bool IsZero, int Radius, class T, int Length>
__device__ void load_sides(T (&to)[Length], const SmallAxis<T>& axis, const T* own, int x, bool is_needed = true)
{
  constexpr int width = vector_width<T>, halo = (Length - width) / 2;
#pragma unroll
  for (int k = 0; k < Length; k += width) {
    if (k == halo) continue;
    const bool inside = k < halo ? x + k - halo >= axis.begin : x + k - halo < axis.end;
    T values[width];
    fill(values, IsZero ? T(0) : axis.value[k > halo]);
    load_if(inside && is_needed, values, own + (k - halo));
#pragma unroll
    for (int v = 0; v < width; ++v) to[k + v] = values[v];
  }
  if constexpr (!IsZero) {
    if (x - halo < axis.begin) load_beyond<Radius, halo, -1>(to, axis, own, x, is_needed);
    if (x + width + halo > axis.end) load_beyond<Radius, halo, 1>(to, axis, own, x, is_needed);
  }
}

} // namespace Keramos::cuda::stencil
