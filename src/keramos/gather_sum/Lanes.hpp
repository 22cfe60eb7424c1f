// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hosts call a functor of gather_sum with that says takes_vectors: one number for each of several targets. It is an array, for
// how a vector is handed over depends on the instruction set; it is calculated with in whole vectors, of which a compiler makes what
// the function has into which it inlines them (backends/openmp/Vectorised.hpp).
#pragma once

#include "VectorisableMath.hpp"

#include <type_traits>

#if defined(__GNUC__) && !defined(__CUDACC__) && defined(__x86_64__)
#include <immintrin.h>
#define KERAMOS_HAS_ESTIMATES 1
#else
#define KERAMOS_HAS_ESTIMATES 0
#endif

namespace Keramos::core {

template <class Number>
concept Arithmetic = std::is_arithmetic_v<Number>;

template <class T, int N>
struct VectorOf {
  typedef T type __attribute__((vector_size(N * sizeof(T)))); // NOLINT(modernize-use-using)
};

#define KERAMOS_LANES_OPERATOR(op)                                                                                     \
  friend Lanes operator op(const Lanes& a, const Lanes& b)                                                             \
  {                                                                                                                    \
    Vector x, y;                                                                                                       \
    a.get(x);                                                                                                          \
    b.get(y);                                                                                                          \
    return Lanes(x op y);                                                                                              \
  }                                                                                                                    \
  Lanes& operator op##=(const Lanes& b) { return *this = *this op b; }

/// N numbers of T that one calculates with as with one; a number of another type becomes one of T.
template <class T, int N>
struct Lanes {
  using Vector = typename VectorOf<T, N>::type;
  static constexpr int count = N;
  T lane[N];

  Lanes() = default;
  template <Arithmetic Number>
  Lanes(Number all)
  {
    for (T& one : lane) one = static_cast<T>(all);
  }

  static Lanes load(const T* from)
  {
    Lanes result;
    __builtin_memcpy(result.lane, from, sizeof(lane));
    return result;
  }
  void store(T* to) const { __builtin_memcpy(to, lane, sizeof(lane)); }

  /// By reference, for vectors are returned in another way by every instruction set.
  explicit Lanes(const Vector& v) { __builtin_memcpy(lane, &v, sizeof(lane)); }
  void get(Vector& v) const { __builtin_memcpy(&v, lane, sizeof(lane)); }

  KERAMOS_LANES_OPERATOR(+)
  KERAMOS_LANES_OPERATOR(-)
  KERAMOS_LANES_OPERATOR(*)
  KERAMOS_LANES_OPERATOR(/)
  Lanes operator-() const
  {
    Vector x;
    get(x);
    return Lanes(-x);
  }

  /// a * b + c, rounded once where the instruction set can and the compiler may.
  static Lanes multiply_add(const Lanes& a, const Lanes& b, const Lanes& c)
  {
    Vector x, y, z;
    a.get(x);
    b.get(y);
    c.get(z);
    return Lanes(x * y + z);
  }
  /// The same into a vector.
  static void add_product(const Lanes& a, const Lanes& b, Vector& sum)
  {
    Vector x, y;
    a.get(x);
    b.get(y);
    sum = x * y + sum;
  }

  /// f(i) for each lane i: a loop that compilers make one vector of.
  template <class F>
  static Lanes of_each(const F& f)
  {
    Lanes result;
    for (int i = 0; i < N; ++i) result.lane[i] = f(i);
    return result;
  }
};

#undef KERAMOS_LANES_OPERATOR

template <class T, int N>
void set_rsqrt(const Lanes<T, N>& x, Lanes<T, N>& root)
{
  root = Lanes<T, N>::of_each([&](int i) { return vectorisable_rsqrt(x.lane[i]); });
}

#if KERAMOS_HAS_ESTIMATES
// By the processor's estimate, 2^-14 off. Newton's correction is no number where x is 0 or infinite, and the estimate is right: what
// is the smaller one of a NaN and a number, is the number for x86. The forms with a full mask: g++ 12 warns of an uninitialised
// variable inside the plain ones.

/// y + y e / 2 with e = 1 - x y^2: 2^-23 off at most, a rounding and what those of e are worth.
__attribute__((target("avx512f"))) inline void set_rsqrt(const Lanes<float, 16>& x, Lanes<float, 16>& root)
{
  const __m512 s = _mm512_loadu_ps(x.lane), y = _mm512_maskz_rsqrt14_ps(0xffff, s);
  const __m512 e = _mm512_maskz_min_ps(0xffff, 1 - s * y * y, _mm512_set1_ps(1));
  _mm512_storeu_ps(root.lane, y + 0.5f * y * e);
}

/// Likewise, after a step to 2^-27.
__attribute__((target("avx512f"))) inline void set_rsqrt(const Lanes<double, 8>& x, Lanes<double, 8>& root)
{
  const __m512d s = _mm512_loadu_pd(x.lane), one = _mm512_set1_pd(1), estimate = _mm512_maskz_rsqrt14_pd(0xff, s);
  const __m512d y = estimate + 0.5 * estimate * _mm512_maskz_min_pd(0xff, 1 - s * estimate * estimate, one);
  _mm512_storeu_pd(root.lane, y + 0.5 * y * _mm512_maskz_min_pd(0xff, 1 - s * y * y, one));
}
#endif

} // namespace Keramos::core

#undef KERAMOS_HAS_ESTIMATES
