// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread of PlaneKernel.hpp does with its sums.
#pragma once

#include "Plane.hpp"
#include "Points.hpp"

#include <utility>

namespace Keramos::cuda::stencil {

/// Stores the points of a warp's lanes, which follow each other from anywhere: each lane those from the 16-byte boundary before its own
/// on, of which the lane below has some. What is left in the last lane is also in the first one of the next warp, which stores none of its own.
template <class T, int Points>
__device__ void store_across_lanes(T* to, const T (&value)[Points])
{
  const int behind = elements_from_boundary(to);
  T both[2 * Points], packed[Points];
#pragma unroll
  for (int v = 0; v < Points; ++v) both[v] = __shfl_up_sync(0xffffffffu, value[v], 1), both[Points + v] = value[v];
  if (behind == 0) return store_streaming(to, value);
  shift_down(packed, both, Points - behind);
  if (threadIdx.x % 32 > 0) store_streaming(to - behind, packed);
}

template <class T, PlaneRows Rows, bool Plain>
struct PlaneFinish {
  static constexpr int points = vector_width<T>, items = plane_items;
  static constexpr bool is_shifted = Rows == PlaneRows::shifted;

  const PlaneArguments<T>& a;
  std::int64_t x, y; ///< of its first point
  int step;          ///< known at compile time but behind an epilogue

  /// By how many elements its points of row n lie before x, and which of them are to be computed.
  __device__ int back(int n) const { return static_cast<int>(static_cast<unsigned>(n * step) % points); }
  __device__ unsigned mask(int n) const
  {
    if constexpr (Plain) return all_points<points>;
    return y + n < a.range[1].end ? points_inside<points>(a.range[0], x - back(n), 1) : 0;
  }

  template <class Epilogue>
  __device__ void run(const Epilogue& epilogue, T (&sum)[items][points], const T (&centre)[items][points],
                      bool whole_warp) const
  {
    if constexpr (!core::only_stores<Epilogue>) { // all rows before the first is stored: no load passes a store
      constexpr int together = plane_rows_together(Epilogue::operands);
      finish<together>(epilogue, sum, centre, std::make_integer_sequence<int, items / together>());
    }
    if constexpr (core::returns_value<Epilogue, T>) store(sum, whole_warp);
  }

  template <int Together, class Epilogue, int... N>
  __device__ void finish(const Epilogue& epilogue, T (&sum)[items][points], const T (&centre)[items][points],
                         std::integer_sequence<int, N...>) const
  {
    (finish_rows<N * Together, Together>(epilogue, sum, centre), ...);
  }

  /// The operands of some rows are on their way together.
  template <int First, int Count, class Epilogue>
  __device__ void finish_rows(const Epilogue& epilogue, T (&sum)[items][points], const T (&centre)[items][points]) const
  {
    constexpr int operands = Epilogue::operands;
    T operand[operands + 1][Count][points]; // the last one only because no array is empty
    if constexpr (operands > 0) {
#pragma unroll
      for (int k = 0; k < operands; ++k)
        load_operand<First>(operand[k], epilogue.operand[k], k < 32 && a.operands_alike >> k % 32 & 1);
    }
#pragma unroll
    for (int r = 0; r < Count; ++r) {
      const int n = First + r;
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int k = 0; k < operands; ++k) at_point[k] = operand[k][r][v];
        }
        return at_point;
      };
      finish_points(epilogue, sum[n], centre[n], operands_of, x - back(n), 1, y + n, 0, mask(n));
    }
  }

  template <int First, int Count>
  __device__ void load_operand(T (&to)[Count][points], const core::EpilogueOperand<T>& from, bool is_alike) const
  {
    const auto& stride = from.field.stride;
#pragma unroll
    for (int r = 0; r < Count; ++r)
#pragma unroll
      for (int v = 0; v < points; ++v) to[r][v] = from.number;
    if (!from.is_field()) return;
    const T* row = from.field.data + x * stride[0] + (y + First) * stride[1];
    if (Plain && is_alike) { // asked once: between branches a row would wait for the one before
#pragma unroll
      for (int r = 0; r < Count; ++r, row += stride[1]) load_if(true, to[r], row - back(First + r));
      return;
    }
#pragma unroll
    for (int r = 0; r < Count; ++r, row += stride[1])
#pragma unroll
      for (int v = 0; v < points; ++v)
        load_if(mask(First + r) >> v & 1, to[r][v], row + (v - back(First + r)) * stride[0]);
  }

  __device__ void store(const T (&value)[items][points], bool whole_warp) const
  {
    T* to = a.out + x + y * a.out_stride[1];
#pragma unroll
    for (int n = 0; n < items; ++n, to += a.out_stride[1]) {
      if (Plain && is_shifted && whole_warp)
        store_across_lanes(to, value[n]);
      else
        store_points<!is_shifted>(to - back(n), a.out_stride[0], value[n], 1, mask(n));
    }
  }
};

} // namespace Keramos::cuda::stencil
