// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory instructions of the stencil kernels: asynchronous copies from global to shared memory, 16-byte loads and
// stores, streaming stores.
#pragma once

#include <cstdint>

namespace Keramos::cuda {

/// Elements of a 16-byte access.
template <class T>
inline constexpr int vector_width = 16 / static_cast<int>(sizeof(T));

/// Copies `Bytes` (4, 8 or 16, both sides aligned to it) without passing through registers; commit_copies() closes a
/// group, wait_for_copies<N>() waits for this thread's groups except the last N.
template <int Bytes>
__device__ inline void copy_async(void* to_shared, const void* from_global)
{
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from_global) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from_global), "n"(Bytes) : "memory");
}

__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int Pending>
__device__ inline void wait_for_copies()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

/// Count elements as one access of 16 bytes, or one by one where Count is 1.
template <class T, int Count>
struct alignas(Count * sizeof(T)) Packed {
  T element[Count];
};

template <int Count, class T>
__device__ inline void load_packed(T (&to)[Count], const T* from)
{
  const auto packed = *reinterpret_cast<const Packed<T, Count>*>(from);
#pragma unroll
  for (int v = 0; v < Count; ++v) to[v] = packed.element[v];
}

template <int Count, class T>
__device__ inline void store_packed(T* to, const T (&from)[Count])
{
  Packed<T, Count> packed;
#pragma unroll
  for (int v = 0; v < Count; ++v) packed.element[v] = from[v];
  *reinterpret_cast<Packed<T, Count>*>(to) = packed;
}

/// 16 bytes that nobody reads soon: evict-first leaves the L2 to the halos (5% on a star of radius 4, H200).
__device__ inline void store_streaming(float* to, const float (&from)[4])
{
  __stcs(reinterpret_cast<float4*>(to), make_float4(from[0], from[1], from[2], from[3]));
}
__device__ inline void store_streaming(double* to, const double (&from)[2])
{
  __stcs(reinterpret_cast<double2*>(to), make_double2(from[0], from[1]));
}
template <class T>
__device__ inline void store_streaming(T* to, const T (&from)[1])
{
  __stcs(to, from[0]);
}

} // namespace Keramos::cuda
