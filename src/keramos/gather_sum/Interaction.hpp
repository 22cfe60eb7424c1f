// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a source adds to a target: kernels, built in or an application's functors, as the scalar backends call them.
#pragma once

#include "Problem.hpp"
#include "RadialKernels.hpp"

#include <concepts>

namespace Keramos::core {

template <class K, class T>
concept RadialKernel = !Kokkos::is_view_v<K> && requires(const K& kernel, T r_squared)
{
  {
    kernel(r_squared)
    } -> std::convertible_to<T>;
};
template <class K, class T>
concept RadialDerivative = requires(const K& kernel, T r_squared)
{
  {
    kernel.derivative(r_squared)
    } -> std::convertible_to<T>;
};
template <class K, class T>
concept PairKernel = !Kokkos::is_view_v<K> && requires(const K& kernel, const Point<T>& point)
{
  {
    kernel(point, point)
    } -> std::convertible_to<T>;
};
template <class K, class T>
concept PairGradient = requires(const K& kernel, const Point<T>& point)
{
  {
    kernel.gradient(point, point)
    } -> std::convertible_to<Point<T>>;
};

/// A kernel that the call can use.
template <class K, class T, bool WithGradient>
concept KernelFor = (RadialKernel<K, T> && (!WithGradient || RadialDerivative<K, T>)) ||
                    (!RadialKernel<K, T> && PairKernel<K, T> && (!WithGradient || PairGradient<K, T>));

/// Does the kernel have a singularity where target and source coincide? `singular` is a member function or a constant.
template <class K>
constexpr bool is_singular(const K& kernel)
{
  if constexpr (requires {
                  {
                    kernel.singular()
                    } -> std::convertible_to<bool>;
                })
    return kernel.singular();
  else if constexpr (requires {
                       {
                         kernel.singular
                         } -> std::convertible_to<bool>;
                     })
    return kernel.singular;
  else
    return false;
}

/// What a source adds to a target. `skips` is true where a singular kernel meets a coincident source: it adds nothing
/// there.
template <class T, class K>
struct Interaction {
  using kernel_type = K;
  static constexpr bool is_radial = RadialKernel<K, T>;

  /// As a Kernel's variant has it.
  static constexpr const char* name()
  {
    if constexpr (BuiltInKernel<K>)
      return K::name;
    else
      return is_radial ? "radial functor" : "pair functor";
  }

  K kernel;
  bool singular;

  explicit Interaction(const K& the_kernel) : kernel(the_kernel), singular(is_singular(the_kernel)) {}

  /// Target minus source.
  KOKKOS_FUNCTION static Point<T> offset(const Point<T>& target, const Point<T>& source)
  {
    return {target[0] - source[0], target[1] - source[1], target[2] - source[2]};
  }
  KOKKOS_FUNCTION static T squared(const Point<T>& d) { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }

  KOKKOS_FUNCTION bool skips(const Point<T>& target, const Point<T>& source) const
  {
    return singular && squared(offset(target, source)) == 0;
  }

  KOKKOS_FUNCTION T value(const Point<T>& target, const Point<T>& source) const
  {
    if constexpr (is_radial)
      return static_cast<T>(kernel(squared(offset(target, source))));
    else
      return static_cast<T>(kernel(target, source));
  }

  /// With respect to the target.
  KOKKOS_FUNCTION Point<T> gradient(const Point<T>& target, const Point<T>& source) const
  {
    if constexpr (is_radial) {
      const Point<T> d = offset(target, source);
      const T slope = 2 * static_cast<T>(kernel.derivative(squared(d)));
      return {slope * d[0], slope * d[1], slope * d[2]};
    } else {
      return kernel.gradient(target, source);
    }
  }

  template <bool WithGradient, class Sum>
  KOKKOS_FUNCTION void add(GatherTotal<Sum>& total, const Point<T>& target, const Point<T>& source, T weight) const
  {
    if (skips(target, source)) return;
    total.potential += weight * value(target, source);
    if constexpr (WithGradient) {
      const Point<T> g = gradient(target, source);
      for (int d = 0; d < 3; ++d) total.gradient[d] += weight * g[d];
    }
  }
};

} // namespace Keramos::core
