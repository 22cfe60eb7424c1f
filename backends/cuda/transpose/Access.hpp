// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the transpose kernels touch memory: elements as machine words, and square blocks of elements transposed in the
// registers of a thread.
#pragma once

#include "../../../src/keramos/transpose/Problem.hpp"

#include <bit>
#include <cstdint>

namespace Keramos::cuda::transpose {

template <int Bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using type = unsigned char;
};
template <>
struct WordOf<2> {
  using type = unsigned short;
};
template <>
struct WordOf<4> {
  using type = unsigned int;
};
template <>
struct WordOf<8> {
  using type = uint2;
};
template <>
struct WordOf<16> {
  using type = uint4;
};

/// What one load or store of so many bytes moves.
template <int Bytes>
using Word = typename WordOf<Bytes>::type;

/// The bytes of a T in a register: needs no constructor, and loads in the widest words that T's alignment allows.
template <class T>
struct Stored {
  static constexpr int word_bytes = alignof(T) < sizeof(T) ? alignof(T) : sizeof(T);
  static constexpr int words = sizeof(T) / word_bytes;
  Word<word_bytes> word[words];
};

/// Data that is read or written once: it is the first to leave the caches.
template <class T>
__device__ __forceinline__ Stored<T> load(const Stored<T>* from)
{
  Stored<T> value;
#pragma unroll
  for (int w = 0; w < Stored<T>::words; ++w) value.word[w] = __ldcs(&from->word[w]);
  return value;
}
template <class T>
__device__ __forceinline__ void store(Stored<T>* to, const Stored<T>& value)
{
#pragma unroll
  for (int w = 0; w < Stored<T>::words; ++w) __stcs(&to->word[w], value.word[w]);
}

/// The bits to store for those of an element of the input. `held`, what the output holds, is read by accumulations alone.
template <class In, class Out, class F, class InBits, class OutBits>
__device__ __forceinline__ OutBits result_of(const F& f, const InBits& value, const OutBits& held)
{
  if constexpr (std::is_same_v<F, core::Move>) {
    return value;
  } else if constexpr (core::is_accumulation<F>) {
    Out out = __builtin_bit_cast(Out, held);
    core::move_element(f, __builtin_bit_cast(In, value), out);
    return __builtin_bit_cast(OutBits, out);
  } else {
    return __builtin_bit_cast(OutBits, core::moved<Out>(f, __builtin_bit_cast(In, value)));
  }
}
template <class In, class Out, class F>
__device__ __forceinline__ void store_result(const F& f, const Stored<In>& value, Stored<Out>* to)
{
  if constexpr (core::is_accumulation<F>)
    store(to, result_of<In, Out>(f, value, load(to)));
  else
    store(to, result_of<In, Out>(f, value, *to));
}

/// 16 bytes, the widest access there is: V = 16 / Size elements.
struct Vector {
  unsigned int word[4];
};

__device__ __forceinline__ Vector load_vector(const void* from)
{
  return __builtin_bit_cast(Vector, __ldcs(static_cast<const uint4*>(from)));
}
/// Only if wanted, without a branch: many such loads follow each other without waiting.
__device__ __forceinline__ void load_vector_if(bool wanted, Vector& to, std::uintptr_t from)
{
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %5, 0;\n\t@p ld.global.nc.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"
      : "+r"(to.word[0]), "+r"(to.word[1]), "+r"(to.word[2]), "+r"(to.word[3])
      : "l"(from), "r"(static_cast<int>(wanted)));
}
__device__ __forceinline__ void store_vector(void* to, const Vector& value)
{
  __stcs(static_cast<uint4*>(to), __builtin_bit_cast(uint4, value));
}

/// Where neighbouring blocks write the rest of the lines: what goes through the first-level cache stays in the second as long as other
/// data. Boxes of lines gain a point as well (16384^2, scaled f32 95.1, 95.8, f64 95.3, 96.3, f32 += 100.0, 101.1). Not elsewhere: 16384^2 f32 97.2, so 94.6. Nor longer (evict_last): that is at most 4 points faster, and takes so much of the
/// cache that fifty copies of 20 MiB behind a transpose take 12 µs each for 10.5. Plain stores in C++, which
/// may be to shared memory for all that the compiler knows, made 73 at 10001x15013 f32 for 91.9.
__device__ __forceinline__ void store_vector_through(void* to, const Vector& value)
{
  __stwt(static_cast<uint4*>(to), __builtin_bit_cast(uint4, value));
}

/// Brings a sector of which a part will be written to the L2 cache, which would else read the rest of it when it lets go of it. H200, into
/// sub-views at odd offsets, without and so: rows of 621 and 624 floats 86.7, 93.8; 93.6, 94.8; 89.6, 94.1; of 251 and 61 76.0, 80.0; 39.0, 48.6; of 463 and
/// 201 doubles 90.2, 94.2; 83.6, 87.0; 2 bytes, of 621 and 124 76.6, 88.4; 28.2, 47.8; 1 byte 56.1, 73.3; 15.3, 25.3.
__device__ __forceinline__ void prefetch_sector(const void* of) { asm volatile("prefetch.global.L2 [%0];" ::"l"(of)); }

/// Rows that begin anywhere. A block has parts of the units of 256 bytes in which memory is read, and its neighbours have the rest: the
/// first to read one brings the whole unit into the L2 cache. H200, 8191x8193 f32, 20001x25013 of 2 bytes, 65x128x96x111 (3, 1, 2, 0) f32
/// and f64, % of a cudaMemcpy, without and so, and with stores that go through: 87.4, 88.2, 89.8; 86.9, 88.4, 89.6; 78.4, 79.3, 80.2;
/// 78.4, 80.5, 81.9; 16 bytes, 8191x8193: 93.6, 95.0.
__device__ __forceinline__ Vector load_vector_of_unit(const void* from)
{
  Vector to;
  asm volatile("ld.global.cs.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to.word[0]), "=r"(to.word[1]), "=r"(to.word[2]), "=r"(to.word[3])
               : "l"(from));
  return to;
}
__device__ __forceinline__ void copy_vector_of_unit(void* to_shared, const void* from)
{
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

/// `Count` neighbouring aligned vectors that lie in the memory of a view.
template <int Count>
struct ReadableVectors {
  std::uintptr_t begin, bytes;

  __device__ __forceinline__ ReadableVectors(const void* first, const void* end)
      : begin((reinterpret_cast<std::uintptr_t>(first) + 15) & ~std::uintptr_t{15})
  {
    const std::uintptr_t last = (reinterpret_cast<std::uintptr_t>(end) & ~std::uintptr_t{15}) - 16 * (Count - 1);
    bytes = last > begin ? last - begin : 0;
  }
  __device__ __forceinline__ bool contain(std::uintptr_t address) const { return address - begin < bytes; }
};

/// Elements between the beginning of an aligned vector and `address`, which lies in it.
template <int Size>
__device__ __forceinline__ int misalignment_of(const void* address)
{
  return static_cast<int>((reinterpret_cast<std::uintptr_t>(address) & 15) / Size);
}

/// 16 bytes that begin `bytes` after the first of two neighbouring vectors, a multiple of Size.
template <int Size>
__device__ __forceinline__ Vector shifted(const Vector& low, const Vector& high, unsigned bytes)
{
  unsigned word[8];
#pragma unroll
  for (int w = 0; w < 4; ++w) word[w] = low.word[w], word[w + 4] = high.word[w];
#pragma unroll
  for (int w = 0; w < 6; ++w) word[w] = bytes & 8 ? word[w + 2] : word[w];
  if constexpr (Size <= 4)
#pragma unroll
    for (int w = 0; w < 5; ++w) word[w] = bytes & 4 ? word[w + 1] : word[w];
  Vector result;
#pragma unroll
  for (int w = 0; w < 4; ++w)
    result.word[w] = Size <= 2 ? __funnelshift_r(word[w], word[w + 1], 8 * (bytes & 3)) : word[w];
  return result;
}

/// Element `e` of a vector, known at compile time where loops are unrolled.
template <int Size>
__device__ __forceinline__ Word<Size> element_of(const Vector& vector, int e)
{
  struct Elements {
    Word<Size> element[16 / Size];
  };
  return __builtin_bit_cast(Elements, vector).element[e];
}

/// Transposes a word of each of V = 16 / Size rows into the columns that lie in it: renaming of registers for 4 bytes, byte
/// permutations below.
template <int Size>
__device__ __forceinline__ void transpose_words(const unsigned (&row)[16 / Size], Vector (&column)[4 / Size])
{
#pragma unroll
  for (int w = 0; w < 4; ++w)
    if constexpr (Size == 4) {
      column[0].word[w] = row[w];
    } else if constexpr (Size == 2) { // low halves, high halves
      column[0].word[w] = __byte_perm(row[2 * w], row[2 * w + 1], 0x5410);
      column[1].word[w] = __byte_perm(row[2 * w], row[2 * w + 1], 0x7632);
    } else { // bytes of two rows interleaved, then halves of those
      const unsigned low01 = __byte_perm(row[4 * w], row[4 * w + 1], 0x5140);
      const unsigned high01 = __byte_perm(row[4 * w], row[4 * w + 1], 0x7362);
      const unsigned low23 = __byte_perm(row[4 * w + 2], row[4 * w + 3], 0x5140);
      const unsigned high23 = __byte_perm(row[4 * w + 2], row[4 * w + 3], 0x7362);
      column[0].word[w] = __byte_perm(low01, low23, 0x5410);
      column[1].word[w] = __byte_perm(low01, low23, 0x7632);
      column[2].word[w] = __byte_perm(high01, high23, 0x5410);
      column[3].word[w] = __byte_perm(high01, high23, 0x7632);
    }
}

/// Transposes V rows of V elements, V = 16 / Size, each row a vector.
template <int Size>
__device__ __forceinline__ void transpose_block(const Vector (&row)[16 / Size], Vector (&column)[16 / Size])
{
  constexpr int v = 16 / Size;
  if constexpr (Size >= 4) {
    constexpr int words = Size / 4;
#pragma unroll
    for (int r = 0; r < v; ++r)
#pragma unroll
      for (int c = 0; c < v; ++c)
#pragma unroll
        for (int w = 0; w < words; ++w) column[c].word[r * words + w] = row[r].word[c * words + w];
  } else {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      unsigned words[v];
#pragma unroll
      for (int r = 0; r < v; ++r) words[r] = row[r].word[n];
      Vector columns[4 / Size];
      transpose_words<Size>(words, columns);
#pragma unroll
      for (int c = 0; c < 4 / Size; ++c) column[4 / Size * n + c] = columns[c];
    }
  }
}

} // namespace Keramos::cuda::transpose
