// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines across the rows: operands in registers.
//
//     a - R      halo       |      `points` elements of a row each: neighbours, which are one vector of 16 bytes,
//     a          own points |      or, where rows begin anywhere, as far apart as a row of the block has threads
//     ...        own points |
//     a + Q + R  halo       |
//
// The threads of a block lie so that what one reads again another has just brought to the L1: no shared memory, no barrier.
#pragma once

#include "LineVectors.hpp"

#include <utility>

namespace Keramos::cuda::stencil {

/// One thread, or one of its points along x: `Points` is 1.
template <class T, int Radius, int Points, int Items, bool IsVector>
struct LineColumns {
  static constexpr int length = Items + 2 * Radius;

  const LineArguments<T>& a;
  std::int64_t x, y, z; ///< of its first point
  int step;             ///< between its points along x
  unsigned mask;        ///< of them

  /// All that its points read.
  __device__ void load(T (&window)[length][Points]) const
  {
    const T* const column = a.in + x * a.in_stride[0] + z * a.in_stride[2];
    if (a.line.plain(y - Radius, y + Items + Radius)) {
      const T* from = column + (y - Radius) * a.line.stride;
#pragma unroll
      for (int k = 0; k < length; ++k, from += a.line.stride) {
        if constexpr (IsVector)
          load_packed(window[k], from);
        else
          load_row(window[k], from, true, T{});
      }
    } else {
      a.line.template for_each_offset<length>(y - Radius, [&](int k, std::int64_t offset, T value) {
        load_row(window[k], column + offset, offset != core::no_index, value);
      });
    }
  }

  /// `value` where there is no row.
  __device__ void load_row(T (&to)[Points], const T* from, bool is_row, T value) const
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) to[v] = value;
    if constexpr (IsVector) {
      load_if(is_row, to, from);
    } else {
#pragma unroll
      for (int v = 0; v < Points; ++v) load_if(is_row && (mask >> v & 1), to[v], from + v * step * a.in_stride[0]);
    }
  }

  template <class Epilogue>
  __device__ void run(const Epilogue& epilogue) const
  {
    T window[length][Points];
    load(window);
    constexpr int together = line_rows_together(Epilogue::operands, Items),
                  some = Epilogue::operands > 0 || sizeof(T) == 8 ? together : 1;
    if constexpr (!core::only_stores<Epilogue>) {
      const bool is_whole = mask == all_points<Points> && y + Items <= a.range[1].end;
      if (__all_sync(__activemask(), is_whole)) // else lanes would go both ways, one after the other
        return finish<true, together>(epilogue, window, std::make_integer_sequence<int, Items / together>());
    }
    finish<false, some>(epilogue, window, std::make_integer_sequence<int, Items / some>());
  }

private:
  /// `Whole`: all points of the thread, with nothing to ask. No row follows one beyond the end.
  template <bool Whole, int Together, class Epilogue, int... N>
  __device__ void finish(const Epilogue& epilogue, const T (&window)[length][Points],
                         std::integer_sequence<int, N...>) const
  {
    static_cast<void>((finish_rows<Whole, N * Together, Together>(epilogue, window) && ...));
  }

  /// Some rows, all before the first of them is stored: no load passes a store. Their operands are on their way together. False
  /// behind the end of the line.
  template <bool Whole, int First, int Count, class Epilogue>
  __device__ bool finish_rows(const Epilogue& epilogue, const T (&window)[length][Points]) const
  {
    constexpr int operands = Epilogue::operands;
    if (!Whole && y + First >= a.range[1].end) return false;
    const auto points = [&](int r) {
      return Whole ? all_points<Points> : r == 0 || y + First + r < a.range[1].end ? mask : 0;
    };
    T operand[operands + 1][Count][Points]; // the last one only because no array is empty
    if constexpr (operands > 0) {
#pragma unroll
      for (int k = 0; k < operands; ++k) load_operand(operand[k], epilogue.operand[k], y + First, points);
    }
    T sum[Count][Points];
#pragma unroll
    for (int r = 0; r < Count; ++r) {
      add(sum[r], window, First + r);
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int k = 0; k < operands; ++k) at_point[k] = operand[k][r][v];
        }
        return at_point;
      };
      finish_points(epilogue, sum[r], window[First + r + Radius], operands_of, x, step, y + First + r, z, points(r));
    }
    if constexpr (core::returns_value<Epilogue, T>) {
      T* to = a.out + x * a.out_stride[0] + (y + First) * a.out_stride[1] + z * a.out_stride[2];
#pragma unroll
      for (int r = 0; r < Count; ++r, to += a.out_stride[1])
        store_points<IsVector>(to, a.out_stride[0], sum[r], step, points(r));
    }
    return true;
  }

  __device__ void add(T (&sum)[Points], const T (&window)[length][Points], int item) const
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      sum[v] = 0;
#pragma unroll
      for (int k = 0; k <= 2 * Radius; ++k) sum[v] += a.weight[k] * window[item + k][v];
    }
  }

  template <int Count, class PointsOf>
  __device__ void load_operand(T (&to)[Count][Points], const core::EpilogueOperand<T>& from, std::int64_t row_y,
                               const PointsOf& points) const
  {
    const auto& stride = from.field.stride;
#pragma unroll
    for (int r = 0; r < Count; ++r)
#pragma unroll
      for (int v = 0; v < Points; ++v) to[r][v] = from.number;
    if (!from.is_field()) return;
    const T* row = from.field.data + x * stride[0] + row_y * stride[1] + z * stride[2];
    if constexpr (IsVector) {
      if (stride[0] == 1 && stride[1] % Points == 0 && elements_from_boundary(row) == 0) {
#pragma unroll
        for (int r = 0; r < Count; ++r, row += stride[1]) load_if(points(r) != 0, to[r], row);
        return;
      }
    }
#pragma unroll
    for (int r = 0; r < Count; ++r, row += stride[1])
#pragma unroll
      for (int v = 0; v < Points; ++v) load_if(points(r) >> v & 1, to[r][v], row + v * step * stride[0]);
  }
};

template <class T, int Radius, int Items, int Points, bool Vectorised, class Epilogue>
__global__ void __launch_bounds__(1 << line_threads,
                                  line_blocks(Items + 2 * Radius + (Epilogue::operands > 0 ? Items : 0)))
    line_across_kernel(const __grid_constant__ LineArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  if constexpr (Vectorised && Items == small_line_items(Radius)) {
    if (a.small.is_taken) return run_line_vectors<Radius, Items, false>(a, epilogue);
  }
  const LineBlock& block = a.block;
  const core::Index3 corner = a.corner({Points << block.lanes, Items << block.across, 1 << block.deep});
  const int lane = threadIdx.x & ((1u << block.lanes) - 1), rest = threadIdx.x >> block.lanes;
  const int step = Vectorised ? 1 : 1 << block.lanes;
  std::int64_t x = corner[0] + lane * (Vectorised ? Points : 1);
  if (Vectorised && x + Points <= a.range[0].begin) // the first block has the last points of a row as well
    x += std::int64_t(a.blocks[0]) * (Points << block.lanes);
  const std::int64_t y = corner[1] + (rest & ((1 << block.across) - 1)) * Items;
  const std::int64_t z = corner[2] + (rest >> block.across);
  const unsigned mask = points_inside<Points>(a.range[0], x, step);
  if (mask == 0 || y >= a.range[1].end || z >= a.range[2].end) return;
  const LineColumns<T, Radius, Points, Items, Vectorised> thread{a, x, y, z, step, mask};
  if constexpr (Vectorised) {
    if (mask != all_points<Points>) { // the end of a row, point by point
#pragma unroll 1
      for (int v = 0; v < Points; ++v)
        if (mask >> v & 1) LineColumns<T, Radius, 1, Items, false>{a, x + v, y, z, 1, 1}.run(epilogue);
      return;
    }
  }
  thread.run(epilogue);
}

} // namespace Keramos::cuda::stencil
