// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions on whole vectors: the reciprocal square root from the hardware's estimate, and the exponential.
#pragma once

#include "../../../src/keramos/core/ExponentialConstants.hpp"
#include "Vector.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace Keramos::openmp {
namespace {

template <class T>
using Wide = Vector<T, native_lanes<T>>;

#define KERAMOS_INLINE inline __attribute__((always_inline))

// ---- What differs between instruction sets: estimate of 1/sqrt, sqrt, rounding, a test for NaN ----------------------

// The forms with a full mask: g++ 12 warns of an uninitialised variable inside the plain ones.
#if defined(__AVX512F__)
KERAMOS_INLINE Wide<float> rsqrt_estimate(Wide<float> s) { return _mm512_maskz_rsqrt14_ps(0xffff, s); }
KERAMOS_INLINE Wide<double> rsqrt_estimate(Wide<double> s) { return _mm512_maskz_rsqrt14_pd(0xff, s); }
KERAMOS_INLINE Wide<float> square_root(Wide<float> s) { return _mm512_maskz_sqrt_ps(0xffff, s); }
KERAMOS_INLINE Wide<double> square_root(Wide<double> s) { return _mm512_maskz_sqrt_pd(0xff, s); }
KERAMOS_INLINE bool any_nan(Wide<float> v) { return _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q) != 0; }
KERAMOS_INLINE bool any_nan(Wide<double> v) { return _mm512_cmp_pd_mask(v, v, _CMP_UNORD_Q) != 0; }
#elif defined(__AVX2__)
KERAMOS_INLINE Wide<float> rsqrt_estimate(Wide<float> s) { return _mm256_rsqrt_ps(s); }
KERAMOS_INLINE Wide<float> square_root(Wide<float> s) { return _mm256_sqrt_ps(s); }
KERAMOS_INLINE Wide<double> square_root(Wide<double> s) { return _mm256_sqrt_pd(s); }
KERAMOS_INLINE bool any_nan(Wide<float> v) { return _mm256_movemask_ps(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)) != 0; }
KERAMOS_INLINE bool any_nan(Wide<double> v) { return _mm256_movemask_pd(_mm256_cmp_pd(v, v, _CMP_UNORD_Q)) != 0; }
#elif defined(__SSE2__)
KERAMOS_INLINE Wide<float> rsqrt_estimate(Wide<float> s) { return _mm_rsqrt_ps(s); }
KERAMOS_INLINE Wide<float> square_root(Wide<float> s) { return _mm_sqrt_ps(s); }
KERAMOS_INLINE Wide<double> square_root(Wide<double> s) { return _mm_sqrt_pd(s); }
KERAMOS_INLINE bool any_nan(Wide<float> v) { return _mm_movemask_ps(_mm_cmpunord_ps(v, v)) != 0; }
KERAMOS_INLINE bool any_nan(Wide<double> v) { return _mm_movemask_pd(_mm_cmpunord_pd(v, v)) != 0; }
#elif defined(__aarch64__)
KERAMOS_INLINE Wide<float> rsqrt_estimate(Wide<float> s) { return vrsqrteq_f32(s); }
KERAMOS_INLINE Wide<double> rsqrt_estimate(Wide<double> s) { return vrsqrteq_f64(s); }
KERAMOS_INLINE Wide<float> rsqrt_step(Wide<float> a, Wide<float> b) { return vrsqrtsq_f32(a, b); } // (3 - a b) / 2
KERAMOS_INLINE Wide<double> rsqrt_step(Wide<double> a, Wide<double> b) { return vrsqrtsq_f64(a, b); }
KERAMOS_INLINE Wide<float> square_root(Wide<float> s) { return vsqrtq_f32(s); }
KERAMOS_INLINE Wide<double> square_root(Wide<double> s) { return vsqrtq_f64(s); }
KERAMOS_INLINE bool any_nan(Wide<float> v) { return vminvq_u32(vceqq_f32(v, v)) == 0; }
KERAMOS_INLINE bool any_nan(Wide<double> v) { return vminvq_u32(vreinterpretq_u32_u64(vceqq_f64(v, v))) == 0; }
#else
KERAMOS_INLINE float scalar_square_root(float s) { return __builtin_sqrtf(s); }
KERAMOS_INLINE double scalar_square_root(double s) { return __builtin_sqrt(s); }
template <class V>
KERAMOS_INLINE V square_root(V s)
{
  for (int lane = 0; lane < static_cast<int>(sizeof(V) / sizeof(s[0])); ++lane) s[lane] = scalar_square_root(s[lane]);
  return s;
}
template <class V>
KERAMOS_INLINE bool any_nan(V v)
{
  bool any = false;
  for (int lane = 0; lane < static_cast<int>(sizeof(V) / sizeof(v[0])); ++lane) any |= v[lane] != v[lane];
  return any;
}
#endif

// ---- Reciprocal square root -----------------------------------------------------------------------------------------

/// fast(s) * scale is 1/sqrt(s) for normal s to about an eps; a zero, subnormal or infinite s gives an infinity or a
/// NaN, which tells the caller to come back with exact() (a subnormal s is right at once where the processor takes it so). The factor that Newton's step leaves behind is cheaper
/// applied to a sum.
template <class T>
struct ReciprocalSquareRoot { // no estimate to start from
  static constexpr T scale = 1;
  static KERAMOS_INLINE Wide<T> fast(Wide<T> s) { return 1 / square_root(s); }
  static KERAMOS_INLINE Wide<T> exact(Wide<T> s) { return 1 / square_root(s); }
};

#if defined(__SSE2__)
/// An estimate of 2^-11.4 (AVX-512: 2^-14) and one Newton step y (3 - s y^2): at most 2e-7 off.
template <>
struct ReciprocalSquareRoot<float> {
  static constexpr float scale = 0.5f;
  static KERAMOS_INLINE Wide<float> fast(Wide<float> s)
  {
    const Wide<float> y = rsqrt_estimate(s);
    return y * (3 - s * y * y);
  }
  static KERAMOS_INLINE Wide<float> exact(Wide<float> s) { return 2 / square_root(s); }
};
#endif

#if defined(__aarch64__)
/// An estimate of 2^-8, and Newton steps that double its bits, by the processor's own instruction.
template <class T, int Steps>
struct ReciprocalSquareRootSteps {
  static constexpr T scale = 1;
  static KERAMOS_INLINE Wide<T> fast(Wide<T> s)
  {
    Wide<T> y = rsqrt_estimate(s);
    for (int step = 0; step < Steps; ++step) y *= rsqrt_step(s * y, y);
    return y;
  }
  static KERAMOS_INLINE Wide<T> exact(Wide<T> s) { return 1 / square_root(s); }
};
template <>
struct ReciprocalSquareRoot<float> : ReciprocalSquareRootSteps<float, 2> {
};
template <>
struct ReciprocalSquareRoot<double> : ReciprocalSquareRootSteps<double, 3> {
};
#endif

#if defined(__AVX512F__)
/// 2^-14, then 2^-27, then the rounding of the arithmetic: two Newton steps whose factors 2 and 8 are left to the
/// caller.
template <>
struct ReciprocalSquareRoot<double> {
  static constexpr double scale = 1.0 / 16;
  static KERAMOS_INLINE Wide<double> fast(Wide<double> s)
  {
    const Wide<double> y = rsqrt_estimate(s), twice = y * (3 - s * y * y);
    return twice * (12 - s * twice * twice);
  }
  static KERAMOS_INLINE Wide<double> exact(Wide<double> s) { return 16 / square_root(s); }
};
#endif

// ---- 2^z for z <= 0 -------------------------------------------------------------------------------------------------

template <class T>
inline constexpr T log2_e = static_cast<T>(1.4426950408889634074);

using core::ExponentialConstants;

/// 1 + f * polynomial(f)
template <class T>
KERAMOS_INLINE Wide<T> exponential_polynomial(Wide<T> f)
{
  constexpr auto& c = ExponentialConstants<T>::coefficient;
  constexpr int last = sizeof(c) / sizeof(c[0]) - 1;
  Wide<T> p = c[last] + Wide<T>{};
  for (int k = last - 1; k >= 0; --k) p = p * f + c[k];
  return p * f + 1;
}

#if defined(__AVX512F__)
KERAMOS_INLINE Wide<float> exponential2(Wide<float> z)
{
  const Wide<float> n = _mm512_maskz_roundscale_ps(0xffff, z, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __mmask16 normal = _mm512_cmp_ps_mask(z, _mm512_set1_ps(-126), _CMP_NLT_UQ); // true for NaN
  return _mm512_maskz_scalef_ps(normal, exponential_polynomial<float>(z - n), n);
}
KERAMOS_INLINE Wide<double> exponential2(Wide<double> z)
{
  const Wide<double> n = _mm512_maskz_roundscale_pd(0xff, z, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __mmask8 normal = _mm512_cmp_pd_mask(z, _mm512_set1_pd(-1022), _CMP_NLT_UQ);
  return _mm512_maskz_scalef_pd(normal, exponential_polynomial<double>(z - n), n);
}
#else
template <class T>
KERAMOS_INLINE Wide<T> exponential2_of(Wide<T> z)
{
  using Constants = ExponentialConstants<T>;
  typedef typename Constants::Integer Bits __attribute__((vector_size(vector_bytes))); // NOLINT(modernize-use-using)
  const Wide<T> shifted = z + Constants::shifter;
  const Wide<T> f = z - (shifted - Constants::shifter);
  const Wide<T> power = (Wide<T>)(((Bits)shifted << Constants::mantissa_bits) + Constants::one);
  const Wide<T> result = exponential_polynomial<T>(f) * power;
  return z < Constants::lowest ? Wide<T>{} : result;
}
KERAMOS_INLINE Wide<float> exponential2(Wide<float> z) { return exponential2_of<float>(z); }
KERAMOS_INLINE Wide<double> exponential2(Wide<double> z) { return exponential2_of<double>(z); }
#endif

} // namespace
} // namespace Keramos::openmp
