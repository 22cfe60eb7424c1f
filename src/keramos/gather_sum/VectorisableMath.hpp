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

template <class T>
inline T quadratic(T e, T c0, T c1, T c2)
{
  return c0 + e * (c1 + e * c2);
}

/// `root`, but where `is_end` 0 for an infinite x, and infinity for one that is 0 or subnormal: what an exponent's bits are not.
template <class T>
inline T with_ends_of_rsqrt(T x, bool is_end, T root)
{
  constexpr auto exponent = std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity());
  return choose(is_end, std::bit_cast<T>(~std::bit_cast<BitsOf<T>>(x) & exponent), root);
}

/// 1 / sqrt(x) for x >= 0 to a rounding, from an estimate y by halving the exponent, 3.5 percent off, and y (1 + e (1/2 + 3/8 e + ...)), the series
/// of 1/sqrt(1 - e) for e = 1 - x y^2 with its end fitted to that range: 1.2e-7 off. At the ends of the range of x there is no estimate, e is
/// 1 or minus infinity, and terms that are 0.40 at most elsewhere are not: one comparison for both ends, and NaN remains one.
inline float vectorisable_rsqrt(float x)
{
  const float y = std::bit_cast<float>(0x5f375a86 - (std::bit_cast<std::uint32_t>(x) >> 1)), e = 1 - x * y * y;
  const float terms = quadratic(e, 0.375000701f, 0.313939373f, 0.274036967f);
  return with_ends_of_rsqrt(x, terms > 0.41f, y + y * e * (0.49999832f + e * terms));
}

/// Likewise with a term less, 1.1e-6 off, and once more with two, whose error is the third power of that. Here the terms are 0.53 at most.
inline double vectorisable_rsqrt(double x)
{
  const double y = std::bit_cast<double>(0x5fe6eb50c7b537a9 - (std::bit_cast<std::uint64_t>(x) >> 1));
  const double e = 1 - x * y * y, terms = quadratic(e, 0.49999942226, 0.376059955775, 0.31327545045);
  const double better = y + y * e * terms, rest = 1 - x * better * better;
  return with_ends_of_rsqrt(x, terms > 0.54, better + better * rest * (0.5 + 0.375 * rest));
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

/// May the compiler take (a + b) - b for a? clang does not tell where only a part of -ffast-math is on.
#if defined(__ASSOCIATIVE_MATH__) || defined(__clang__)
inline constexpr bool may_reassociate = true;
#else
inline constexpr bool may_reassociate = false;
#endif

/// The whole number n that is nearest to z, and n + shifter, which has n in its low bits.
template <class T>
struct Rounded {
  T shifted, whole;
};

/// -ffast-math takes (z + shifter) - shifter for z, also where __builtin_assoc_barrier stands, which g++ 12 drops from the loops that
/// it makes vectors of. So bits are set that are set and others cleared that are clear, of which compilers know nothing.
template <class T>
inline Rounded<T> rounded(T z)
{
  using Bits = BitsOf<T>;
  T shifted = z + ExponentialConstants<T>::shifter;
  if constexpr (may_reassociate) {
    constexpr Bits exponent =
        std::bit_cast<Bits>(std::numeric_limits<T>::infinity()) & std::bit_cast<Bits>(ExponentialConstants<T>::shifter);
    shifted = std::bit_cast<T>(std::bit_cast<Bits>(shifted) | exponent);
  }
  T whole = shifted - ExponentialConstants<T>::shifter;
  if constexpr (may_reassociate) whole = std::bit_cast<T>(std::bit_cast<Bits>(whole) & ~Bits{1});
  return {shifted, whole};
}

/// e^x = 2^n 2^f with n + f = x log2(e): 2 eps + |x| eps off, relative to the result. A subnormal result is 0, and one of 2^127.5 or
/// more (2^1023.5) infinite.
template <class T>
inline T vectorisable_exp(T x)
{
  using Constants = ExponentialConstants<T>;
  using Bits = BitsOf<T>;
  constexpr T log2_e = static_cast<T>(1.4426950408889634074);
  const T z = log2_e * x;
  const auto [shifted, whole] = rounded(z);
  const T f = z - whole;
  const T power = std::bit_cast<T>((std::bit_cast<Bits>(shifted) << Constants::mantissa_bits) + Constants::one);
  const T result = (exponential_terms<0>(f) * f + 1) * power;
  return choose<T>(z < Constants::lowest, 0,
                   choose(z >= T(1.5) - Constants::lowest, std::numeric_limits<T>::infinity(), result));
}

} // namespace Keramos::core
