// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points that one thread of a stencil kernel holds along the fastest axis, x, x + step, x + 2 * step, ...: which of them
// are to be computed, and the last step, epilogue and store. Vectorised kernels hold neighbours (step 1) and store them as
// one access.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../../src/keramos/stencil/IndexedEpilogue.hpp"
#include "../Memory.hpp"

#include <cstdint>

namespace Keramos::cuda::stencil {

/// Half-open range of points to compute along an axis.
struct Range {
  std::int64_t begin, end;

  __device__ bool has(std::int64_t index) const { return index >= begin && index < end; }
};

/// Elements from the last 16-byte boundary to this one.
template <class T>
__device__ int elements_from_boundary(const T* data)
{
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(data) / sizeof(T) % vector_width<T>);
}

/// to[k] = from[k + shift], which is less than the width of a vector.
template <int Count, class T, int Length>
__device__ void shift_down(T (&to)[Count], T (&from)[Length], int shift)
{
  constexpr int width = vector_width<T>;
#pragma unroll
  for (int bit = 1; bit < width; bit *= 2)
#pragma unroll
    for (int k = 0; k + bit < Length; ++k) from[k] = shift & bit ? from[k + bit] : from[k];
#pragma unroll
  for (int k = 0; k < Count; ++k) to[k] = from[k];
}

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

/// value = epilogue(value, centre, operands, x..., y, z) for the points of `mask`, where operands_of(v) gives the operands
/// of point v; false if the epilogue stores by itself.
template <class Epilogue, class T, int Points, class OperandsOf>
__device__ bool finish_points(const Epilogue& epilogue, T (&value)[Points], const T (&centre)[Points],
                              const OperandsOf& operands_of, std::int64_t x, int step, std::int64_t y, std::int64_t z,
                              unsigned mask)
{
  constexpr bool returns = core::returns_value<Epilogue, T>;
#pragma unroll
  for (int v = 0; v < Points; ++v) {
    if (!(mask >> v & 1)) continue;
    if constexpr (returns)
      value[v] = static_cast<T>(epilogue(value[v], centre[v], operands_of(v), x + v * step, y, z));
    else
      epilogue(value[v], centre[v], operands_of(v), x + v * step, y, z);
  }
  return returns;
}

/// The same with operands read where they lie.
template <class Epilogue, class T, int Points>
__device__ bool finish_points(const Epilogue& epilogue, T (&value)[Points], const T (&centre)[Points], std::int64_t x,
                              int step, std::int64_t y, std::int64_t z, unsigned mask)
{
  const auto operands_of = [&](int v) { return core::operands_at<Epilogue, T>(epilogue, x + v * step, y, z); };
  return finish_points(epilogue, value, centre, operands_of, x, step, y, z, mask);
}

/// An epilogue whose View indices count the kernel's axes in an order known at compile time: where it had to be asked for at run
/// time, or picked by selects, radius 4 had not enough registers (a lambda that reads a View, f32, 512^3 on an H200: 62 and 66% of
/// the copy of its bytes, this way 77%).
template <core::AxisOrder order, class Epilogue>
struct OrderedEpilogue {
  static constexpr int operands = Epilogue::operands;
  const Epilogue& epilogue;

  template <class T>
  __device__ auto operator()(T value, T centre, const Kokkos::Array<T, operands>& at_point, std::int64_t x,
                             std::int64_t y, std::int64_t z) const
  {
    return core::finished<order>(epilogue, value, centre, at_point, x, y, z);
  }
};

} // namespace Keramos::cuda::stencil
