// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What 2^z is computed with on hosts, by the built-in kernels and by Keramos::exp. Sees neither Kokkos nor the C++ library's
// functions, since code for several instruction sets includes it.
#pragma once

#include <cstdint>

namespace Keramos::core {

/// Coefficients of (2^f - 1) / f on [-1/2, 1/2] by interpolation at Chebyshev points: 5e-9 off in float, 8e-18 in
/// double.
template <class T>
struct ExponentialConstants;

template <>
struct ExponentialConstants<float> {
  using Integer = std::uint32_t; // wraps around where z is out of range, and the result is not taken
  static constexpr float coefficient[] = {0.693147188026f,   0.240226507606f,   0.0555035711422f,
                                          0.00961808255728f, 0.00133908633647f, 0.000154531629451f};
  static constexpr float shifter = 12582912.0f; // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  static constexpr Integer one = 0x3f800000;
  static constexpr int mantissa_bits = 23;
  static constexpr float lowest = -126; // smaller results are zero, never subnormal
};

template <>
struct ExponentialConstants<double> {
  using Integer = std::uint64_t;
  static constexpr double coefficient[] = {
      0.69314718055994530942,   0.2402265069591009822,     0.055504108664821594339,  0.0096181291076068885273,
      0.001333355814641693531,  0.00015403530441736050155, 0.000015252733829836118,  1.3215442587921689653e-6,
      1.0178062445845773521e-7, 7.0725859492692236999e-9,  4.4549605981865183938e-10};
  static constexpr double shifter = 6755399441055744.0; // 1.5 * 2^52
  static constexpr Integer one = 0x3ff0000000000000;
  static constexpr int mantissa_bits = 52;
  static constexpr double lowest = -1022;
};

} // namespace Keramos::core
