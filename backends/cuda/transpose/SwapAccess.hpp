// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How transposes in place touch memory: what is read is soon written.
#pragma once

#include "Access.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// Data that is read and then written in place: the first-level cache is of no use to it, and what leaves the second first would come
/// back.
__device__ __forceinline__ Vector load_vector_in_place(const void* from)
{
  return __builtin_bit_cast(Vector, __ldcg(static_cast<const uint4*>(from)));
}
__device__ __forceinline__ void store_vector_in_place(void* to, const Vector& value)
{
  *static_cast<uint4*>(to) = __builtin_bit_cast(uint4, value);
}

/// What the L2 cache is told of such data, where there is more than it holds: to keep it until it is written, which others write a part of, and then to
/// treat it as any other, so that nothing of it stays. H200, without and so: f32 8191^2 78.5, 79.0; 12289^2 81.0, 82.5; 15013^2 81.3, 83.1; f64 10001^2
/// 81.3, 83.9; 10003^2 83.4, 86.1; by vectors f64 10000^2 86.7, 88.9; 8192^2 91.7, 93.6; 4000 of 128^2 91.0, 97.3; f32 16384^2 93.9, 95.3. A copy of 20 MiB that is hot in the cache takes 11.1 µs behind either, and 12.5 to 13.5 if stores leave it as it was kept.
__device__ __forceinline__ std::uint64_t once_written()
{
  std::uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ std::uint64_t until_written()
{
  std::uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ Vector load_vector(const void* from, std::uint64_t policy)
{
  Vector to;
  asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(to.word[0]), "=r"(to.word[1]), "=r"(to.word[2]), "=r"(to.word[3])
               : "l"(from), "l"(policy));
  return to;
}
__device__ __forceinline__ void copy_vector_of_unit(void* to_shared, const void* from, std::uint64_t policy)
{
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint.L2::256B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "l"(policy)
               : "memory");
}
__device__ __forceinline__ void store_vector(void* to, const Vector& value, std::uint64_t policy)
{
  asm volatile("st.global.L2::cache_hint.v4.b32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to), "r"(value.word[0]),
               "r"(value.word[1]), "r"(value.word[2]), "r"(value.word[3]), "l"(policy)
               : "memory");
}
__device__ __forceinline__ void store_word(unsigned* to, unsigned value, std::uint64_t policy)
{
  asm volatile("st.global.L2::cache_hint.b32 [%0], %1, %2;" ::"l"(to), "r"(value), "l"(policy) : "memory");
}
__device__ __forceinline__ void store_word(unsigned short* to, unsigned short value, std::uint64_t policy)
{
  asm volatile("st.global.L2::cache_hint.b16 [%0], %1, %2;" ::"l"(to), "h"(value), "l"(policy) : "memory");
}
__device__ __forceinline__ void store_word(uint2* to, const uint2& value, std::uint64_t policy)
{
  asm volatile("st.global.L2::cache_hint.v2.b32 [%0], {%1, %2}, %3;" ::"l"(to), "r"(value.x), "r"(value.y), "l"(policy)
               : "memory");
}

} // namespace Keramos::cuda::transpose
