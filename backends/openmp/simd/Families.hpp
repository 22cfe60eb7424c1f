// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in kernels of gather-sums on whole vectors.
#pragma once

#include "Math.hpp"

namespace Keramos::openmp {
namespace {

// K(s) of s = r^2, and ratio(s), such that the gradient is K * ratio * (target - source). Values are off by constant
// factors, which the sums of a block take in the end. fast() gives a value that is not finite where it does not hold;
// exact() holds for every s but the singularity.

/// 1/sqrt(s); the softening is in s. ratio = -1/s.
template <class T>
struct CoulombFamily {
  static constexpr bool has_ratio = true;
  using Rsqrt = ReciprocalSquareRoot<T>;
  T value_scale = Rsqrt::scale, ratio_scale = -Rsqrt::scale * Rsqrt::scale, offset;

  explicit CoulombFamily(T softening_squared) : offset(softening_squared) {}

  KERAMOS_INLINE Wide<T> fast(Wide<T> s, Wide<T>& ratio) const { return finish(Rsqrt::fast(s), ratio); }
  KERAMOS_INLINE Wide<T> exact(Wide<T> s, Wide<T>& ratio) const { return finish(Rsqrt::exact(s), ratio); }
  KERAMOS_INLINE Wide<T> finish(Wide<T> y, Wide<T>& ratio) const
  {
    ratio = y * y;
    return y;
  }
};

/// exp(-kappa r) / r; ratio = -(kappa r + 1) / s.
template <class T>
struct YukawaFamily {
  static constexpr bool has_ratio = true;
  using Rsqrt = ReciprocalSquareRoot<T>;
  T value_scale = Rsqrt::scale, ratio_scale = -Rsqrt::scale * Rsqrt::scale, offset = 0;
  T kappa, rate; ///< rate: of the exponent to base 2, by r

  explicit YukawaFamily(T the_kappa) : kappa(the_kappa), rate(-the_kappa * log2_e<T>) {}

  KERAMOS_INLINE Wide<T> fast(Wide<T> s, Wide<T>& ratio) const
  {
    const Wide<T> y = Rsqrt::fast(s);
    return finish(y, s * y * Rsqrt::scale, ratio);
  }
  KERAMOS_INLINE Wide<T> exact(Wide<T> s, Wide<T>& ratio) const
  {
    return finish(Rsqrt::exact(s), square_root(s), ratio);
  }
  KERAMOS_INLINE Wide<T> finish(Wide<T> y, Wide<T> r, Wide<T>& ratio) const
  {
    ratio = (kappa * r + 1) * (y * y);
    return y * exponential2(rate * r);
  }
};

/// exp(-a s); ratio = -2 a.
template <class T>
struct GaussianFamily {
  static constexpr bool has_ratio = false;
  T value_scale = 1, ratio_scale, offset = 0;
  T rate; ///< of the exponent to base 2, by s

  explicit GaussianFamily(T a) : ratio_scale(-2 * a), rate(-a * log2_e<T>) {}

  KERAMOS_INLINE Wide<T> fast(Wide<T> s, Wide<T>&) const { return exponential2(rate * s); }
  KERAMOS_INLINE Wide<T> exact(Wide<T> s, Wide<T>&) const { return exponential2(rate * s); }
};

} // namespace
} // namespace Keramos::openmp
