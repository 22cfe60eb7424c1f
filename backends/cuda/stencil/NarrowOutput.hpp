// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of NarrowMarchKernel.hpp and NarrowRowsKernel.hpp do with their sums.
#pragma once

#include "NarrowCells.hpp"

namespace Keramos::cuda::stencil {

/// The outputs of a thread, which it finishes plane after plane, or tile after tile.
template <class T, int Rows, class Epilogue>
struct NarrowOutput {
  static constexpr int operands = Epilogue::operands;

  const Epilogue& epilogue;
  std::int64_t x, y, z;
  T* to;
  std::int64_t row_step, plane_step;
  bool is_column;                ///< of outputs
  unsigned stored;               ///< of its rows, a bit each
  T operand[Rows][operands + 1]; ///< of the epilogue; the last one only because no array is empty

  __device__ NarrowOutput(const NarrowMarchArguments<T>& a, const Epilogue& the_epilogue,
                          const NarrowThread<Rows>& thread, std::int64_t tile_x, std::int64_t tile_y,
                          std::int64_t first)
      : epilogue(the_epilogue), x(tile_x + thread.column), y(tile_y + thread.row), z(first),
        to(a.out + x * a.out_stride[0] + y * a.out_stride[1] + z * a.out_stride[2]), row_step(a.out_stride[1]),
        plane_step(a.out_stride[2]), is_column(thread.is_within && x < a.range[0].end),
        stored(rows_before(a.range[1].end))
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
  }

  /// To the same points of the next plane.
  __device__ void advance()
  {
    to += plane_step;
    ++z;
  }
  /// Down by so many rows, of which outputs end there.
  __device__ void advance(int rows, std::int64_t end)
  {
    to += rows * row_step;
    y += rows;
    stored = rows_before(end);
  }

private:
  __device__ unsigned rows_before(std::int64_t end) const
  {
    const int left = static_cast<int>(min(max(end - y, std::int64_t(0)), std::int64_t(Rows)));
    return is_column ? (1u << left) - 1 : 0;
  }
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

} // namespace Keramos::cuda::stencil
