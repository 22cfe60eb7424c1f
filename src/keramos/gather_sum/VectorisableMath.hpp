// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocal square root and exponential for host loops over a user's functor: arithmetic alone, no call and no branch, so that a
// compiler makes vectors of the loop whatever its flags. 1 / std::sqrt stops it for errno, std::exp for the call.
#pragma once

#include "../core/ExponentialConstants.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace Keramos::core {

template <class T>
using BitsOf = typename ExponentialConstants<T>::Integer;

/// condition ? a : b, by bits: of a conditional expression compilers make a branch, and sink into it what one side alone needs.
template <class T>
inline T choose(bool condition, T a, T b)
{
  const BitsOf<T> taken = condition ? ~BitsOf<T>{0} : BitsOf<T>{0};
  return std::bit_cast<T>((std::bit_cast<BitsOf<T>>(a) & taken) | (std::bit_cast<BitsOf<T>>(b) & ~taken));
}

/// 0 for an infinite x, and infinity where x is 0 or subnormal.
template <class T>
inline T with_ends_of_rsqrt(T x, T root)
{
  using Limits = std::numeric_limits<T>;
  return choose<T>(x > Limits::max(), 0, choose(x < Limits::min(), Limits::infinity(), root));
}

/// y (1 + e q(e)) with e = x y^2 - 1, where y is 1/sqrt(x) to 3.5 percent: the series of 1/sqrt(1 + e) with its end fitted to that
/// range. 1.2e-7 off.
template <class T>
inline T refined_rsqrt(T x, T y)
{
  const T e = x * y * y - 1;
  return y + y * e * (T(-0.49999832) + e * (T(0.375000701) + e * (T(-0.313939373) + e * T(0.274036967))));
}

/// 1 / sqrt(x) for x >= 0 to a rounding, from an estimate by halving the exponent.
inline float vectorisable_rsqrt(float x)
{
  const float estimate = std::bit_cast<float>(0x5f375a86 - (std::bit_cast<std::uint32_t>(x) >> 1));
  return with_ends_of_rsqrt(x, refined_rsqrt(x, estimate));
}

/// Likewise, and once more with the first two terms, whose error is that of the third.
inline double vectorisable_rsqrt(double x)
{
  const double estimate = std::bit_cast<double>(0x5fe6eb50c7b537a9 - (std::bit_cast<std::uint64_t>(x) >> 1));
  const double y = refined_rsqrt(x, estimate), e = x * y * y - 1;
  return with_ends_of_rsqrt(x, y + y * e * (-0.5 + 0.375 * e));
}

/// The terms from the k-th on, without a loop, which would have to be unrolled before another is made vectors of.
template <int k, class T>
inline T exponential_terms(T f)
{
  constexpr auto& c = ExponentialConstants<T>::coefficient;
  if constexpr (k + 1 < sizeof(c) / sizeof(c[0]))
    return exponential_terms<k + 1>(f) * f + c[k];
  else
    return c[k];
}

/// x as it was rounded, which -ffast-math forgets: it takes (z + shifter) - shifter for z.
template <class T>
inline T rounded(T x)
{
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
  return __builtin_assoc_barrier(x);
#elif defined(__FAST_MATH__) // clang and nvcc have no such barrier: by way of the memory, one number at a time
  volatile T kept = x;
  return kept;
#else
  return x;
#endif
}

/// e^x = 2^n 2^f with n + f = x log2(e): 2 eps + |x| eps off, relative to the result. A subnormal result is 0, and one of 2^127.5 or
/// more (2^1023.5) infinite.
template <class T>
inline T vectorisable_exp(T x)
{
  using Constants = ExponentialConstants<T>;
  using Bits = BitsOf<T>;
  constexpr T log2_e = static_cast<T>(1.4426950408889634074);
  const T z = log2_e * x, shifted = rounded(z + Constants::shifter), f = z - rounded(shifted - Constants::shifter);
  const T power = std::bit_cast<T>((std::bit_cast<Bits>(shifted) << Constants::mantissa_bits) + Constants::one);
  const T result = (exponential_terms<0>(f) * f + 1) * power;
  return choose<T>(z < Constants::lowest, 0,
                   choose(z >= T(1.5) - Constants::lowest, std::numeric_limits<T>::infinity(), result));
}

} // namespace Keramos::core
