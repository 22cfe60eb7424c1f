// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plane in shared memory adds to the outputs of its own points, of stars by planes whose threads have 16 bytes in each of some rows.
// A thread's values lie row by row.
#pragma once

#include "../BulkCopy.hpp"
#include "Star.hpp"

namespace Keramos::cuda::stencil {

/// From where a thread reads operands in a plane: rows, as multiples of the pitch, and the vectors beside its own, nearest to the
/// tile's edges last on the left and first on the right.
template <int Beside>
struct PlanePlaces {
  SharedAddress below, above, left[Beside], right[Beside];

  __device__ explicit PlanePlaces(SharedAddress own) : below(own), above(own)
  {
#pragma unroll
    for (int k = 0; k < Beside; ++k) left[k] = own + (k - Beside) * 16, right[k] = own + (k + 1) * 16;
  }
};

template <class T, int Points, int Length>
__device__ void set_row(T (&to)[Length], int r, const T (&row)[Points])
{
#pragma unroll
  for (int v = 0; v < Points; ++v) to[r * Points + v] = row[v];
}
template <class T, int Points, int Length>
__device__ void get_row(T (&row)[Points], const T (&from)[Length], int r)
{
#pragma unroll
  for (int v = 0; v < Points; ++v) row[v] = from[r * Points + v];
}

/// Rows a pitch apart.
template <int Points, int Pitch, class T, int Length>
__device__ void load_rows(T (&to)[Length], SharedAddress at)
{
#pragma unroll
  for (int r = 0; r < Length / Points; ++r) {
    T row[Points];
    load_shared(row, at + r * Pitch);
    set_row(to, r, row);
  }
}

/// sum += the operands in row r, of which `centre` are the thread's.
template <class T, int Radius, int Pitch, class Weights, int Length, int Points, int Beside>
__device__ void add_row(T (&sum)[Length], int r, const T (&centre)[Points], const Weights& weights,
                        const PlanePlaces<Beside>& places)
{
  constexpr int halo = Beside * Points;
  T window[halo + Points + halo];
#pragma unroll
  for (int k = 0; k < Beside; ++k) {
    T left[Points], right[Points];
    load_shared(left, places.left[k] + r * Pitch);
    load_shared(right, places.right[k] + r * Pitch);
#pragma unroll
    for (int v = 0; v < Points; ++v) window[k * Points + v] = left[v], window[halo + (k + 1) * Points + v] = right[v];
  }
#pragma unroll
  for (int v = 0; v < Points; ++v) window[halo + v] = centre[v];
#pragma unroll
  for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
    for (int v = 0; v < Points; ++v) sum[r * Points + v] += weights.at(Radius, 0, offset) * window[halo + v + offset];
}

/// sum += the operands in the plane: the rows below the point's, its own, the rows above.
template <class T, int Radius, int Rows, int Pitch, class Weights, int Length, int Beside>
__device__ void add_plane(T (&sum)[Length], const T (&own)[Length], const Weights& weights,
                          const PlanePlaces<Beside>& places)
{
  constexpr int points = Length / Rows;
#pragma unroll
  for (int from = -Radius; from < Rows + Radius; ++from) {
    const bool is_own = from >= 0 && from < Rows;
    T value[points];
    if (is_own)
      get_row(value, own, from);
    else
      load_shared(value, (from < 0 ? places.below : places.above) + from * Pitch);
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const int offset = from - r;
      if (offset == 0) add_row<T, Radius, Pitch>(sum, r, value, weights, places);
      if (offset == 0 || offset < -Radius || offset > Radius) continue;
#pragma unroll
      for (int v = 0; v < points; ++v) sum[r * points + v] += weights.at(Radius, 1, offset) * value[v];
    }
  }
}

} // namespace Keramos::cuda::stencil
