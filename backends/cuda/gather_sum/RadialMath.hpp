// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocal square root and power of two on the GPU, as the hot loops of gather-sums want them: from the special
// function unit's estimate, without the branches for zero, subnormal and infinite arguments. There they give an
// infinity, a NaN or zero, and a sum that is not finite is computed again by the exact path.
#pragma once

#include "../../../src/keramos/gather_sum/FunctorMath.hpp"

#include <cstdint>
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

/// 2^(j / 32), of whose upper half j 2^15 is taken away: n 2^15 added to it makes 2^(n / 32), where j is n modulo 32.
// clang-format off
alignas(256) static __device__ const double power_table[32] = {
    1.0, 0.9953235743270583, 0.9908868912137069, 0.9866952003384118, 0.9827538663326288,
    0.9790683712979462, 0.9756443173783458, 0.9724874293887887, 0.9696035575013605, 0.9669986799902345,
    0.964678906036742, 0.9626504785958666, 0.9609197773255048, 0.9594933215798707, 0.9583777734684463,
    0.957579940981916, 0.9571067811865476, 0.9569654034885233, 0.9571630729697497, 0.9577072137967114,
    0.9586054127039704, 0.9598654225539432, 0.9614951659746271, 0.9635027390769825, 0.9658964152537145,
    0.968684649061239, 0.9718760801866497, 0.9754795375015536, 0.9795040432046712, 0.98395881705515,
    0.9888532806985737, 0.9941970620877001};
// clang-format on

/// 2^(rate x) for x >= 0 and rate <= 0.
template <class T>
class PowerOfTwo;

template <>
class PowerOfTwo<float> {
public:
  explicit PowerOfTwo(double rate) : rate_(static_cast<float>(rate)) {}
  __device__ float operator()(float x) const { return power_of_two(rate_ * x); }

private:
  float rate_;
};

/// With n / 32 the nearest to rate x, of which n is left in the low bits by adding 1.5 * 2^47: 2^(n / 32) from a table and the exponent,
/// and a polynomial of degree 5 in what is left, by interpolation at Chebyshev points, 1.4e-16 off. Smaller results than 2^-1021
/// are zero, as on the host; that is seen in the upper half of x and chosen in the exponent, for a branch here would keep the
/// targets of a thread from overlapping. x = infinity gives a NaN.
template <>
class PowerOfTwo<double> {
public:
  explicit PowerOfTwo(double rate) : rate_(rate), vanishing_(upper_half(-1021 / rate)) {}

  __device__ double operator()(double x) const
  {
    constexpr double coefficient[] = {0.6931471805599453, 0.24022650695623157, 0.05550410866453748,
                                      0.009618176115571158, 0.0013333604694153824};
    constexpr double shifter = 211106232532992.0;
    const double shifted = fma(rate_, x, shifter), f = fma(rate_, x, -__dsub_rn(shifted, shifter));
    const int n = __double2loint(shifted);
    const double power = __ldg(power_table + n % 32u);
    double p = coefficient[4];
#pragma unroll
    for (int k = 3; k >= 0; --k) p = fma(p, f, coefficient[k]);
    const int exponent = __double2hiint(power) + static_cast<int>(static_cast<unsigned>(n) << 15);
    const bool vanishes = static_cast<unsigned>(__double2hiint(x)) >= vanishing_;
    return fma(p, f, 1.0) * __hiloint2double(vanishes ? 0 : exponent, vanishes ? 0 : __double2loint(power));
  }

private:
  static unsigned upper_half(double x) { return static_cast<unsigned>(Kokkos::bit_cast<std::uint64_t>(x) >> 32); }

  double rate_;
  unsigned vanishing_; ///< upper half of the least x that does
};

/// Keeps a compiler from computing `value` only where it is used, behind a branch.
__device__ inline void evaluate_always(float& value) { asm volatile("" : "+f"(value)); }
__device__ inline void evaluate_always(double& value) { asm volatile("" : "+d"(value)); }

} // namespace Keramos::cuda::gather_sum
