// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory instructions of the kernels, once for all families: asynchronous copies from global to shared memory, 16-byte
// loads and stores, streaming stores.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::cuda {

/// An access of so many bytes may begin there.
KOKKOS_FUNCTION inline bool is_aligned(const void* pointer, int bytes)
{
  return reinterpret_cast<std::uintptr_t>(pointer) % static_cast<unsigned>(bytes) == 0;
}

/// Brings so many bytes, both a multiple of 16, to the L2. What they are is not asked before they are read.
__device__ inline void prefetch_bytes(const void* from, int bytes)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
#endif
}

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

/// Loads only if told to, without a branch: many such loads follow each other without waiting, which the compiler does not
/// manage when it has to merge what branches have loaded.
__device__ inline void load_if(bool load, float (&to)[4], const float* from)
{
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %5, 0;\n\t@p ld.global.v4.f32 {%0, %1, %2, %3}, [%4];\n\t}"
               : "+f"(to[0]), "+f"(to[1]), "+f"(to[2]), "+f"(to[3])
               : "l"(from), "r"(static_cast<int>(load)));
}
__device__ inline void load_if(bool load, double (&to)[2], const double* from)
{
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %3, 0;\n\t@p ld.global.v2.f64 {%0, %1}, [%2];\n\t}"
               : "+d"(to[0]), "+d"(to[1])
               : "l"(from), "r"(static_cast<int>(load)));
}
__device__ inline void load_if(bool load, float& to, const float* from)
{
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %2, 0;\n\t@p ld.global.f32 %0, [%1];\n\t}"
               : "+f"(to)
               : "l"(from), "r"(static_cast<int>(load)));
}
__device__ inline void load_if(bool load, double& to, const double* from)
{
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %2, 0;\n\t@p ld.global.f64 %0, [%1];\n\t}"
               : "+d"(to)
               : "l"(from), "r"(static_cast<int>(load)));
}

template <class T>
__device__ inline void load_if(bool load, T (&to)[1], const T* from)
{
  load_if(load, to[0], from);
}

/// 16 bytes that nobody reads again.
__device__ inline void load_streaming(float (&to)[4], const float* from)
{
  const float4 packed = __ldcs(reinterpret_cast<const float4*>(from));
  to[0] = packed.x, to[1] = packed.y, to[2] = packed.z, to[3] = packed.w;
}
__device__ inline void load_streaming(double (&to)[2], const double* from)
{
  const double2 packed = __ldcs(reinterpret_cast<const double2*>(from));
  to[0] = packed.x, to[1] = packed.y;
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
