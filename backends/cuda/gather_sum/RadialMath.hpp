// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocal square root and power of two on the GPU, as the hot loops of gather-sums want them: from the special
// function unit's estimate, without the branches for zero, subnormal and infinite arguments. There they give an
// infinity, a NaN or zero, and a sum that is not finite is computed again by the exact path.
#pragma once

#include "../../../src/keramos/gather_sum/FunctorMath.hpp"

#include <type_traits>

namespace Keramos::cuda::gather_sum {

/// 1 / sqrt(s) for normal s, 2^-22.9 off at most. 1 / sqrtf(s) and rsqrtf(s) cost three more instructions per pair for
/// subnormal s, which this one takes for zero: the result is infinite.
__device__ inline float reciprocal_square_root(float s) { return Keramos::rsqrt(s); }

/// 8/3 of 1 / sqrt(s) for normal s, to about an eps: with the hardware's estimate y from the upper half of s (2^-20 off) and a = s y^2
/// the cubic step is y (15 - 10 a + 3 a^2) / 8 = 3/8 y ((a - 5/3)^2 + 20/9), in which the factor, 3/8, waits for the sum. y has 21
/// bits, so that y^2 is exact, subnormal or not.
__device__ inline double reciprocal_square_root(double s)
{
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(s));
  const double from_centre = fma(s, y * y, -5. / 3);
  return y * fma(from_centre, from_centre, 20. / 9);
}

/// What they are to be multiplied with.
template <class T>
inline constexpr double root_scale = std::is_same_v<T, float> ? 1 : 3. / 8;

/// 2^z for z <= 0, 2^-22 off at most; a subnormal result is zero.
__device__ inline float power_of_two(float z)
{
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(z));
  return y;
}

/// 2^z for z <= 0: n = the nearest integer, left in the low bits by adding 1.5 * 2^52, and a polynomial of degree 11 in
/// z - n by interpolation at Chebyshev points, 8e-18 off. Smaller results than 2^-1021 are zero, as on the host; that
/// is seen in the upper half of z and chosen in the exponent, for a branch here would keep the targets of a thread from
/// overlapping. z = -infinity gives a NaN.
__device__ inline double power_of_two(double z)
{
  constexpr double coefficient[] = {0.69314718055994530942,   0.2402265069591009822,    0.055504108664821594339,
                                    0.0096181291076068885273, 0.001333355814641693531,  0.00015403530441736050155,
                                    0.000015252733829836118,  1.3215442587921689653e-6, 1.0178062445845773521e-7,
                                    7.0725859492692236999e-9, 4.4549605981865183938e-10};
  constexpr double shifter = 6755399441055744.0;
  constexpr unsigned lowest = 0xc08fe800; // the upper half of -1021.0
  const double shifted = __dadd_rn(z, shifter), f = __dsub_rn(z, __dsub_rn(shifted, shifter)); // never fused with z
  double p = coefficient[10];
#pragma unroll
  for (int k = 9; k >= 0; --k) p = fma(p, f, coefficient[k]);
  const int exponent = (__double2loint(shifted) + 1023) << 20;
  const bool vanishes = static_cast<unsigned>(__double2hiint(z)) >= lowest;
  return fma(p, f, 1.0) * __hiloint2double(vanishes ? 0 : exponent, 0);
}

/// Keeps a compiler from computing `value` only where it is used, behind a branch.
__device__ inline void evaluate_always(float& value) { asm volatile("" : "+f"(value)); }
__device__ inline void evaluate_always(double& value) { asm volatile("" : "+d"(value)); }

} // namespace Keramos::cuda::gather_sum
