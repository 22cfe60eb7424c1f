// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the formulas of kernels: reciprocal square root and exponential as the built-in kernels have them.
#pragma once

#include "Lanes.hpp"
#include "VectorisableMath.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>

namespace Keramos {

/// 1 / sqrt(x) in a functor for gather_sum, on a GPU in float at the speed of the built-in kernels:
///
///     KOKKOS_FUNCTION float operator()(float r_squared) const { return Keramos::rsqrt(r_squared + c * c); }
///
/// On a GPU in float one instruction, 2^-22.9 off at most; on the host arithmetic that compilers make vectors of, 2^-23 off. A
/// subnormal x counts as 0, where the result is infinite (on the host below 0.93 of the least normal number); x is not negative. In
/// double, correct to a rounding or two.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T rsqrt(T x)
{
#ifdef __CUDA_ARCH__
  if constexpr (std::same_as<T, float>) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  } else {
    return ::rsqrt(x);
  }
#elif defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
  return 1 / Kokkos::sqrt(x);
#else
  return core::vectorisable_rsqrt(x);
#endif
}

/// Of what hosts call a functor with that takes vectors. As off as above; with AVX-512 by the processor's estimate, and a subnormal x
/// counts as itself.
template <class T, int N>
core::Lanes<T, N> rsqrt(const core::Lanes<T, N>& x)
{
  core::Lanes<T, N> root;
  core::set_rsqrt(x, root);
  return root;
}

/// e^x in a functor for gather_sum. On a GPU in float two instructions, as in the built-in kernels, 2^-22 +
/// |x| 2^-23 off at most, relative to the result; a subnormal result is 0. On the host arithmetic that compilers make vectors of,
/// as far off as that (in double 2^-51 + |x| 2^-52); infinite from 2.4e38 (1.3e308) on. In double on a GPU Kokkos::exp.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T exp(T x)
{
#ifdef __CUDA_ARCH__
  if constexpr (std::same_as<T, float>) {
    constexpr float log2_e = 1.44269504f;
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(log2_e * x));
    return y;
  } else {
    return Kokkos::exp(x);
  }
#elif defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
  return Kokkos::exp(x);
#else
  return core::vectorisable_exp(x);
#endif
}

/// Likewise of vectors.
template <class T, int N>
core::Lanes<T, N> exp(const core::Lanes<T, N>& x)
{
  return core::Lanes<T, N>::of_each([&](int i) { return core::vectorisable_exp(x.lane[i]); });
}

} // namespace Keramos
