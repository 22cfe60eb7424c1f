// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short vectors for the kernels in this folder, as wide as the instruction set that the file is compiled for.
// Everything here is in an unnamed namespace, and these files include no C++ library header with functions: the same
// inline function compiled for two instruction sets must never be merged by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace Keramos::openmp {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

template <class T, int Lanes>
struct VectorOf {
  typedef T type __attribute__((vector_size(sizeof(T) * Lanes))); // NOLINT(modernize-use-using): takes no attribute
};
template <class T>
struct VectorOf<T, 1> {
  using type = T;
};

/// `Lanes` elements of T, a power of two; one lane is the plain scalar.
template <class T, int Lanes>
using Vector = typename VectorOf<T, Lanes>::type;

template <class T>
inline constexpr int native_lanes = vector_bytes / static_cast<int>(sizeof(T));

/// sum + weight * value, rounded once where the instruction set has it. Said outright for scalars: the compiler fuses
/// vectors, but turns a loop over scalars into vectors of products that it adds one by one.
template <class T, class V>
inline __attribute__((always_inline)) V multiply_add(V sum, T weight, V value)
{
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if constexpr (__is_same(V, float)) return __builtin_fmaf(weight, value, sum);
  if constexpr (__is_same(V, double)) return __builtin_fma(weight, value, sum);
#endif
  return sum + weight * value;
}

template <class V, class T>
inline __attribute__((always_inline)) V load(const T* from)
{
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}

template <class V, class T>
inline __attribute__((always_inline)) void store(T* to, V v)
{
  __builtin_memcpy(to, &v, sizeof(V));
}

/// How vectors are loaded and stored: whole, or only their first elements, where the instruction set masks the others.
struct Whole {
  template <class V, class T>
  inline __attribute__((always_inline)) V get(const T* from) const
  {
    return load<V>(from);
  }
  template <class T, class V>
  inline __attribute__((always_inline)) void put(T* to, V v) const
  {
    store<V>(to, v);
  }
};

#if defined(__AVX512F__)
constexpr bool masks_vectors = true;

/// So many of them. They are stored in halves: masked stores are slower (star<3,1> 96^3, Zen 4: 2.11 for 2.24 Gpoint/s).
struct First {
  int count;

  /// And `more` behind them, which may be in the next vector.
  unsigned mask(int more = 0) const { return (1u << (count + more)) - 1; }
  template <class V>
  inline __attribute__((always_inline)) V get(const float* from) const
  {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask()), from);
  }
  template <class V>
  inline __attribute__((always_inline)) V get(const double* from) const
  {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>(mask()), from);
  }
  template <class T, class V>
  inline __attribute__((always_inline)) void put(T* to, V v) const
  {
    if constexpr (sizeof(V) > sizeof(T)) {
      using Half = Vector<T, sizeof(V) / sizeof(T) / 2>;
      constexpr int half = sizeof(Half) / sizeof(T);
      Half parts[2];
      __builtin_memcpy(parts, &v, sizeof(V));
      Half rest = parts[0];
      if (count & half) {
        store<Half>(to, rest);
        to += half;
        rest = parts[1];
      }
      put(to, rest);
    }
  }
};
#else
constexpr bool masks_vectors = false;
struct First {
  int count;
};
#endif

} // namespace
} // namespace Keramos::openmp
