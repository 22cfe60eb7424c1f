// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocal square root and power of two on the GPU, as the hot loops of gather-sums want them: from the special
// function unit's estimate, without the branches for zero, subnormal and infinite arguments. There they give an
// infinity, a NaN or zero, and a sum that is not finite is computed again by the exact path.
#pragma once

#include "../../../src/keramos/gather_sum/FunctorMath.hpp"
#include "PowerTable.hpp"

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

/// 2^(rate x) / scale for x >= 0 and rate <= 0.
template <class T>
class PowerOfTwo;

template <>
class PowerOfTwo<float> {
public:
  static constexpr double scale = 1;

  explicit PowerOfTwo(double rate) : rate_(static_cast<float>(rate)) {}
  template <class Powers = PowersInGlobalMemory>
  __device__ float operator()(float x, Powers = {}) const
  {
    return power_of_two(rate_ * x);
  }

private:
  float rate_;
};

/// With n the nearest integer to 256 rate x, which is left in the low bits by adding 1.5 * 2^52: 2^(n / 256) from a table and the exponent,
/// and 2^(what is left / 256) from a polynomial of degree 4 in f, that and 369: there its third power vanishes (at 256 / log 2 = 369.3 but
/// for 2e-17), so that three multiply-adds make scale ((f^2 + a)^2 + b f + c), 2.4e-17 off. Nothing is added for 369: the table begins
/// with it. Smaller results than 2^-1021 are zero, as on the host, by an n whose power has no bit; that is seen in the upper half of
/// x, for a branch here would keep the targets of a thread from overlapping. x = infinity gives a NaN.
template <>
class PowerOfTwo<double> {
public:
  static constexpr double scale = 2.241397787475812e-12;

  explicit PowerOfTwo(double rate) : rate_(power_steps * rate), vanishing_(upper_half(-1021 / rate)) {}

  template <class Powers = PowersInGlobalMemory>
  __device__ double operator()(double x, Powers = {}) const
  {
    constexpr double a = 409213.35378740553, b = 403026403.925407, c = 239433.60502507386;
    constexpr double shifter = 6755399441055744.0 - power_centre;
    constexpr int no_bit = -1023 * power_steps - power_centre;
    const int nearest = __double2loint(fma(rate_, x, shifter));
    const double f = fma(rate_, x, -__int2double_rn(nearest));
    const bool vanishes = static_cast<unsigned>(__double2hiint(x)) >= vanishing_;
    const unsigned m = static_cast<unsigned>(vanishes ? no_bit : nearest);
    const double entry = Powers::at(m % power_steps);
    const int upper = __double2hiint(entry) + static_cast<int>(m << power_shift);
    const double square = fma(f, f, a);
    return fma(square, square, fma(f, b, c)) * __hiloint2double(upper, __double2loint(entry));
  }

private:
  static unsigned upper_half(double x) { return static_cast<unsigned>(Kokkos::bit_cast<std::uint64_t>(x) >> 32); }

  double rate_;        ///< of a step of the table
  unsigned vanishing_; ///< upper half of the least x that does
};

/// Keeps a compiler from computing `value` only where it is used, behind a branch.
__device__ inline void evaluate_always(float& value) { asm volatile("" : "+f"(value)); }
__device__ inline void evaluate_always(double& value) { asm volatile("" : "+d"(value)); }

} // namespace Keramos::cuda::gather_sum
