// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tile and its halo hold in shared memory, cell by cell, and how they come there: each thread has a share of all cells, whose elements wait in
// its registers (NarrowMarchKernel.hpp, NarrowRowsKernel.hpp).
#pragma once

#include "MarchBox.hpp"
#include "MarchStar.hpp"
#include "NarrowMarch.hpp"

#include <climits>

namespace Keramos::cuda::stencil {

/// A plane in shared memory as a thread sees it, from its column in its row 0.
template <class T, int Radius, int Rows>
struct NarrowPlane {
  static constexpr int column_step = 1;
  const T* at;
  int pitch;

  __device__ const T* operator[](int row) const { return at + row * pitch; }
  /// Columns around the thread's own of the rows below its own ones, and of those above.
  template <int Columns>
  __device__ void load_halo(T (&halo)[2 * Radius][Columns]) const
  {
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k)
#pragma unroll
      for (int i = 0; i < Columns; ++i)
        halo[k][i] = (*this)[k < Radius ? k - Radius : Rows + k - Radius][i - Columns / 2];
  }
};

/// A thread's points in a tile: rows of a column. Threads that have none only bring cells.
template <int Rows>
struct NarrowThread {
  int column, row;
  bool is_within;

  template <class Arguments>
  __device__ explicit NarrowThread(const Arguments& a)
      : column(static_cast<int>(threadIdx.x) % a.columns), row(static_cast<int>(threadIdx.x) / a.columns * Rows),
        is_within(row < a.groups * Rows)
  {
    if (!is_within) row = 0;
  }
};

/// A thread's share.
template <class T, class Sums, int Ring>
struct NarrowCells {
  static constexpr int radius = Sums::radius;
  static constexpr NarrowMarchShape shape = Sums::shape;
  static constexpr int rows = shape.rows, ring = Ring;
  static constexpr int nothing = INT_MIN;

  const NarrowMarchArguments<T>& a;
  T* planes; ///< [ring][rows of the tile and 2R][pitch]
  /// Where each of its cells lies, in bytes, from what all are read from; nothing: a value that stays, or no cell.
  int from[shape.cells];
  T coming[shape.cells]; ///< on their way

  __device__ NarrowCells(const NarrowMarchArguments<T>& arguments, T* shared) : a(arguments), planes(shared)
  {
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) from[k] = nothing;
  }

  __device__ static int next(int slot) { return slot + 1 == ring ? 0 : slot + 1; }
  __device__ static int cell(int k) { return static_cast<int>(threadIdx.x) + k * shape.threads; }
  __device__ T* plane(int slot) const { return planes + slot * a.plane; }

  /// f(k, row, column) of the cells that may be asked for, from the tile's first point.
  template <class F>
  __device__ void for_each(F f) const
  {
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) {
      const int row = cell(k) / a.pitch - radius, column = cell(k) % a.pitch - radius;
      const bool is_beside = column < 0 || column >= a.columns, is_above = row < 0 || row >= a.groups * rows;
      if (cell(k) < a.plane && (Sums::has_corners || !is_beside || !is_above)) f(k, row, column);
    }
  }
  /// A value, in all places.
  __device__ void keep(int k, T value) const
  {
    for (int slot = 0; slot < ring; ++slot) plane(slot)[cell(k)] = value;
  }

  /// Elements set out.
  __device__ void fetch(const T* origin)
  {
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) {
      if (has_no_cell(k)) break;
      load_if(from[k] != nothing, coming[k],
              reinterpret_cast<const T*>(reinterpret_cast<const char*>(origin) + from[k]));
    }
  }
  /// And arrive.
  __device__ void put(int slot) const
  {
    T* const to = plane(slot) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < shape.cells; ++k) {
      if (has_no_cell(k)) break;
      if (from[k] != nothing) to[k * shape.threads] = coming[k];
    }
  }

private:
  /// The same in all threads; not worth asking for the first ones.
  __device__ bool has_no_cell(int k) const { return k > shape.cells / 2 && k * shape.threads >= a.plane; }
};

} // namespace Keramos::cuda::stencil
