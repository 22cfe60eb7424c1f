// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in kernels of gather_sum, as functions of r^2 in the Views' value type. A user's radial functor has the
// same form: operator()(r_squared), derivative(r_squared) where gradients are asked for, and `singular` where r = 0 is
// a singularity.
#pragma once

#include "../core/Error.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <concepts>
#include <string>
#include <type_traits>

namespace Keramos {

/// 1 / sqrt(r^2 + softening^2). Without softening it is singular: a coincident source adds nothing.
struct Coulomb {
  double softening = 0; ///< a length >= 0, the Plummer softening of gravity codes

  static constexpr const char* name = "coulomb";
  bool singular() const { return softening == 0; }

  template <std::floating_point T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return 1 / Kokkos::sqrt(r_squared + static_cast<T>(softening * softening));
  }
  /// d/d(r^2)
  template <std::floating_point T>
  KOKKOS_FUNCTION T derivative(T r_squared) const
  {
    const T value = (*this)(r_squared);
    return value * value * value / -2;
  }
};

/// exp(-kappa r) / r, the screened Coulomb kernel. Singular: a coincident source adds nothing.
struct Yukawa {
  double kappa = 0; ///< the inverse of the screening length, >= 0; 0 is Coulomb

  static constexpr const char* name = "yukawa";
  static constexpr bool singular = true;

  template <std::floating_point T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    const T r = Kokkos::sqrt(r_squared);
    return Kokkos::exp(-static_cast<T>(kappa) * r) / r;
  }
  template <std::floating_point T>
  KOKKOS_FUNCTION T derivative(T r_squared) const
  {
    const T r = Kokkos::sqrt(r_squared), inverse = 1 / r;
    const T value = Kokkos::exp(-static_cast<T>(kappa) * r) * inverse;
    return value * (static_cast<T>(kappa) * r + 1) * inverse * inverse / -2;
  }
};

/// exp(-r^2 / (2 sigma^2)), not normalised. Finite: a coincident source adds its weight. Kernels for vectors and for
/// CUDA set subnormal values to zero: in float where r^2 is 175 to 208 sigma^2, in double 1416 to 1490 sigma^2, beyond
/// which all do. An infinite weight gives NaN there, not infinity.
struct Gaussian {
  double sigma = 1; ///< the standard deviation, a length > 0

  static constexpr const char* name = "gaussian";
  static constexpr bool singular = false;

  /// The factor of r^2 in the exponent, without its sign.
  KOKKOS_FUNCTION double rate() const { return 0.5 / (sigma * sigma); }

  template <std::floating_point T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return Kokkos::exp(-static_cast<T>(rate()) * r_squared);
  }
  template <std::floating_point T>
  KOKKOS_FUNCTION T derivative(T r_squared) const
  {
    return -static_cast<T>(rate()) * (*this)(r_squared);
  }
};

/// 1 / sqrt(r^2 + c^2), the radial basis function. Finite: a coincident source adds its weight / c.
struct InverseMultiquadric {
  double c = 1; ///< a length > 0

  static constexpr const char* name = "inverse multiquadric";
  static constexpr bool singular = false;

  /// The formula is Coulomb's, with c for the softening.
  KOKKOS_FUNCTION Coulomb coulomb() const { return {c}; }

  template <std::floating_point T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return coulomb()(r_squared);
  }
  template <std::floating_point T>
  KOKKOS_FUNCTION T derivative(T r_squared) const
  {
    return coulomb().derivative(r_squared);
  }
};

namespace core {

/// Stands for its kernel where a call asks for the gradient alone: nobody needs the kernel's value.
template <class K>
struct GradientOnly {
  K kernel;
};

/// A kernel as the user gave it, and whether its value is asked for.
template <class K>
struct KernelTraits {
  using Kernel = K;
  static constexpr bool with_potential = true;
  static const K& bare(const K& kernel) { return kernel; }
};
template <class K>
struct KernelTraits<GradientOnly<K>> {
  using Kernel = K;
  static constexpr bool with_potential = false;
  static const K& bare(const GradientOnly<K>& wanted) { return wanted.kernel; }
};
template <class K>
using BareKernel = typename KernelTraits<K>::Kernel;

template <class K>
concept BuiltInKernel = std::same_as<BareKernel<K>, Coulomb> || std::same_as<BareKernel<K>, Yukawa> ||
    std::same_as<BareKernel<K>, Gaussian> || std::same_as<BareKernel<K>, InverseMultiquadric>;

/// The kernel that compiled code sums for a built-in one: InverseMultiquadric is Coulomb under another name.
template <BuiltInKernel K>
const K& library_kernel(const K& kernel)
{
  return kernel;
}
inline Coulomb library_kernel(const InverseMultiquadric& kernel) { return kernel.coulomb(); }
template <BuiltInKernel K>
auto library_kernel(const GradientOnly<K>& kernel)
{
  return GradientOnly{library_kernel(kernel.kernel)};
}

/// A user's kernel has no parameter that the library knows.
template <class T, class K>
void check_kernel(const K&)
{
}

/// What an error expects of a number that the call takes as a double and computes with in T.
template <class T>
std::string in_range(const char* expected)
{
  return text(expected, ", in the range of ", std::same_as<T, float> ? "float" : "double");
}

template <class T>
void require_parameter(bool holds, const char* argument, const char* expected, double got)
{
  if (!holds) fail("gather_sum", argument, in_range<T>(expected), text(got));
}

/// A normal number of T: neither zero nor subnormal, infinite or NaN.
template <class T>
bool is_normal_in(double value)
{
  return std::isnormal(static_cast<T>(value));
}

template <class T>
void check_kernel(const Coulomb& kernel)
{
  const double e = kernel.softening;
  require_parameter<T>(e == 0 || (e > 0 && is_normal_in<T>(e * e)), "kernel.softening",
                       "0, or a positive number with its square", e);
}
template <class T>
void check_kernel(const Yukawa& kernel)
{
  require_parameter<T>(kernel.kappa >= 0 && std::isfinite(static_cast<T>(kernel.kappa)), "kernel.kappa",
                       "a finite number >= 0", kernel.kappa);
}
template <class T>
void check_kernel(const Gaussian& kernel)
{
  require_parameter<T>(kernel.sigma > 0 && is_normal_in<T>(kernel.rate()), "kernel.sigma",
                       "a positive number with 1 / (2 sigma^2)", kernel.sigma);
}
template <class T>
void check_kernel(const InverseMultiquadric& kernel)
{
  require_parameter<T>(kernel.c > 0 && is_normal_in<T>(kernel.c * kernel.c), "kernel.c",
                       "a positive number with its square", kernel.c);
}

} // namespace core
} // namespace Keramos
