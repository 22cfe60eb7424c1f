// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of a stencil kernel: epilogue and store for the points that one thread holds along the fastest axis,
// x, x + step, x + 2 * step, ... Vectorised kernels hold neighbours (step 1) and store them as one access.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "StencilCopy.hpp"

#include <type_traits>

namespace Keramos::cuda {

/// Half-open range of points to compute along an axis.
struct Range {
  std::int64_t begin, end;

  __device__ bool has(std::int64_t index) const { return index >= begin && index < end; }
};

/// out points at x; elements outside `range` are not touched.
template <bool Vectorised, class T, int Points>
__device__ void store_points(T* out, std::int64_t stride, const T (&value)[Points], std::int64_t x, int step,
                             const Range& range)
{
  if constexpr (Vectorised) {
    if (x >= range.begin && x + Points <= range.end) return store_streaming(out, value);
  }
#pragma unroll
  for (int v = 0; v < Points; ++v)
    if (range.has(x + v * step)) out[v * step * stride] = value[v];
}

/// value = epilogue(value, centre, x..., y, z) for the points inside `range`; false if the epilogue stores by itself.
template <class Epilogue, class T, int Points>
__device__ bool finish_points(const Epilogue& epilogue, T (&value)[Points], const T (&centre)[Points], std::int64_t x,
                              int step, std::int64_t y, std::int64_t z, const Range& range)
{
  if constexpr (std::is_same_v<Epilogue, core::Store>) {
    return true;
  } else {
    constexpr bool stores = std::is_void_v<decltype(epilogue(value[0], centre[0], x, y, z))>;
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      const std::int64_t at = x + v * step;
      if (!range.has(at)) continue;
      if constexpr (stores)
        epilogue(value[v], centre[v], at, y, z);
      else
        value[v] = static_cast<T>(epilogue(value[v], centre[v], at, y, z));
    }
    return !stores;
  }
}

// ---- Epilogues for kernels that see the axes of the problem in another order ----------------------------------------------

/// Kernel axis p is problem axis order[p].
using KernelOrder = std::array<int, 3>;

inline core::Store reordered(const core::Store& store, const KernelOrder&) { return store; }

template <class T>
core::LeapFrogFields<T> reordered(const core::LeapFrogFields<T>& fields, const KernelOrder& order)
{
  return {permuted(fields.previous, order), permuted(fields.scale, order), fields.scale_value};
}

template <class Functor>
Functor reordered(Functor functor, const KernelOrder& order) requires requires
{
  functor.position;
}
{
  const auto position = functor.position;
  for (int view_index = 0; view_index < 3; ++view_index)
    for (int p = 0; p < 3; ++p)
      if (order[p] == position[view_index]) functor.position[view_index] = p;
  return functor;
}

} // namespace Keramos::cuda
