// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a stencil kernel: whether rows allow 16-byte accesses, and the last step, epilogue and store for the points
// that one thread holds along the fastest axis, x, x + step, x + 2 * step, ... Vectorised kernels hold neighbours (step 1)
// and store them as one access.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "StencilCopy.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace Keramos::cuda {

/// Elements from the last 16-byte boundary to element 0, if rows of all planes start alike and are contiguous.
template <class T>
std::optional<int> vector_phase(const core::Field<T, 3>& field)
{
  constexpr int width = vector_width<std::remove_const_t<T>>;
  if (field.stride[0] != 1) return std::nullopt;
  for (int p = 1; p < 3; ++p)
    if (field.extent[p] > 1 && field.stride[p] % width != 0) return std::nullopt;
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(field.data) / sizeof(T) % width);
}

/// Half-open range of points to compute along an axis.
struct Range {
  std::int64_t begin, end;

  __device__ bool has(std::int64_t index) const { return index >= begin && index < end; }
};

/// Which of a thread's points along x are to be computed: bit v for x + v * step.
template <int Points>
__device__ unsigned points_inside(const Range& range, std::int64_t x, int step)
{
  unsigned mask = 0;
#pragma unroll
  for (int v = 0; v < Points; ++v) mask |= static_cast<unsigned>(range.has(x + v * step)) << v;
  return mask;
}
template <int Points>
inline constexpr unsigned all_points = (1u << Points) - 1;

/// out[v * step * stride] = value[v] for the points of `mask`.
template <bool Vectorised, class T, int Points>
__device__ void store_points(T* out, std::int64_t stride, const T (&value)[Points], int step, unsigned mask)
{
  if constexpr (Vectorised) {
    if (mask == all_points<Points>) return store_streaming(out, value);
  }
#pragma unroll
  for (int v = 0; v < Points; ++v)
    if (mask >> v & 1) out[v * step * stride] = value[v];
}

/// value = epilogue(value, centre, x..., y, z) for the points of `mask`; false if the epilogue stores by itself.
template <class Epilogue, class T, int Points>
__device__ bool finish_points(const Epilogue& epilogue, T (&value)[Points], const T (&centre)[Points], std::int64_t x,
                              int step, std::int64_t y, std::int64_t z, unsigned mask)
{
  if constexpr (std::is_same_v<Epilogue, core::Store>) {
    return true;
  } else {
    constexpr bool stores = std::is_void_v<decltype(epilogue(value[0], centre[0], x, y, z))>;
#pragma unroll
    for (int v = 0; v < Points; ++v) {
      if (!(mask >> v & 1)) continue;
      if constexpr (stores)
        epilogue(value[v], centre[v], x + v * step, y, z);
      else
        value[v] = static_cast<T>(epilogue(value[v], centre[v], x + v * step, y, z));
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
