// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a source adds to a target: kernels, built in or an application's functors, as the scalar backends call them.
#pragma once

#include "Lanes.hpp"
#include "Problem.hpp"
#include "RadialKernels.hpp"

#include <concepts>
#include <type_traits>

namespace Keramos::core {

template <class K, class T>
concept RadialKernel = !Kokkos::is_view_v<K> && requires(const K& kernel, T r_squared)
{
  {
    kernel(r_squared)
    } -> std::convertible_to<T>;
};
/// Likewise of r^2 and 1/r, which compiled code has cheaper than a functor.
template <class K, class T>
concept InverseRadialKernel =
    !RadialKernel<K, T> && !Kokkos::is_view_v<K> && requires(const K& kernel, T r_squared, T inverse_r)
{
  {
    kernel(r_squared, inverse_r)
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
concept InverseRadialDerivative = requires(const K& kernel, T r_squared, T inverse_r)
{
  {
    kernel.derivative(r_squared, inverse_r)
    } -> std::convertible_to<T>;
};
/// Does a functor tell that it is one of distances? Then it is not asked for points: a template whose result is `auto` is compiled where it
/// is asked, and a formula of distances is none of points, an error that no requirement catches.
template <class K, class T>
concept TellsDistances = (InverseRadialDerivative<K, T> || requires { K::takes_vectors; }) && InverseRadialKernel<K, T>;
template <class K, class T>
concept PairKernel = !Kokkos::is_view_v<K> && !TellsDistances<K, T> && requires(const K& kernel, const Point<T>& point)
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

/// How a kernel is called: a function of r^2, of two points, or of r^2 and 1/r. What can be called in several ways is taken to be
/// the first of these.
enum class KernelForm { radial, pair, inverse_radial, none };
template <class K, class T>
consteval KernelForm form_of_kernel() // which asks for nothing behind what it finds
{
  if constexpr (RadialKernel<K, T>)
    return KernelForm::radial;
  else if constexpr (PairKernel<K, T>)
    return KernelForm::pair;
  else
    return InverseRadialKernel<K, T> ? KernelForm::inverse_radial : KernelForm::none;
}
template <class K, class T>
inline constexpr KernelForm kernel_form = form_of_kernel<K, T>();

/// Is there what a gradient takes?
template <class K, class T>
inline constexpr bool has_derivative = kernel_form<K, T> == KernelForm::radial ? RadialDerivative<K, T>
                                       : kernel_form<K, T> == KernelForm::pair ? PairGradient<K, T>
                                                                               : InverseRadialDerivative<K, T>;

/// A kernel that the call can use.
template <class K, class T, bool WithGradient>
concept KernelFor = kernel_form<K, T>
!= KernelForm::none && (!WithGradient || has_derivative<K, T>);

/// A kernel and its derivative, of r^2 or of r^2 and 1/r.
template <class T, class K>
KOKKOS_FUNCTION T radial_value(const K& kernel, T s, [[maybe_unused]] T inverse)
{
  if constexpr (kernel_form<K, T> == KernelForm::radial)
    return static_cast<T>(kernel(s));
  else
    return static_cast<T>(kernel(s, inverse));
}
template <class T, class K>
KOKKOS_FUNCTION T radial_derivative(const K& kernel, T s, [[maybe_unused]] T inverse)
{
  if constexpr (kernel_form<K, T> == KernelForm::radial)
    return static_cast<T>(kernel.derivative(s));
  else
    return static_cast<T>(kernel.derivative(s, inverse));
}

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

/// False where the type says that its kernels have none: compiled code then does not ask.
template <class K>
constexpr bool may_be_singular()
{
  if constexpr (requires { typename std::bool_constant<static_cast<bool>(K::singular)>; })
    return K::singular;
  else
    return requires(const K& kernel) { kernel.singular; }
  || requires(const K& kernel) { kernel.singular(); };
}

/// Does the kernel say that it is called with core::Lanes as with T?
template <class K>
constexpr bool takes_vectors()
{
#ifdef __CUDACC__ // nvcc warns of a functor for the device, too, that calculates with what is the host's alone
  constexpr bool heeded = false;
#else
  constexpr bool heeded = true;
#endif
  if constexpr (requires { typename std::bool_constant<static_cast<bool>(K::takes_vectors)>; })
    return K::takes_vectors && heeded;
  else
    return false;
}

/// Can it be, if it says so? Only declarations are asked.
template <class K, class T, bool WithGradient>
constexpr bool suits_vectors()
{
  using V = Lanes<T, 4>;
  if constexpr (!takes_vectors<K>() || kernel_form<K, T> == KernelForm::pair)
    return true;
  else
    return kernel_form<K, V> == kernel_form<K, T> && (!WithGradient || has_derivative<K, V>);
}

/// What a source adds to a target. `skips` is true where a singular kernel meets a coincident source: it adds nothing
/// there. Wanted: the kernel, or GradientOnly of it.
template <class T, class Wanted>
struct Interaction {
  using K = BareKernel<Wanted>;
  static constexpr bool with_potential = KernelTraits<Wanted>::with_potential;
  static constexpr bool takes_inverse = kernel_form<K, T> == KernelForm::inverse_radial;
  static constexpr bool is_radial = kernel_form<K, T> == KernelForm::radial || takes_inverse;
  static constexpr bool may_be_singular = core::may_be_singular<K>();
  static constexpr bool takes_vectors = is_radial && core::takes_vectors<K>();

  /// As a Kernel's variant has it.
  static constexpr const char* name()
  {
    if constexpr (BuiltInKernel<K>)
      return K::name;
    else
      return is_radial ? "radial functor" : "pair functor";
  }

  /// Likewise: what of it is summed.
  static constexpr const char* sums(bool with_gradient)
  {
    return !with_potential ? " gradient alone" : with_gradient ? " gradient" : "";
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

  /// 1/r, where the kernel asks for it.
  KOKKOS_FUNCTION static T inverse(T s) { return takes_inverse ? 1 / Kokkos::sqrt(s) : 0; }

  /// Of a radial kernel.
  KOKKOS_FUNCTION T value(T s) const { return radial_value(kernel, s, inverse(s)); }

  KOKKOS_FUNCTION T value(const Point<T>& target, const Point<T>& source) const
  {
    if constexpr (is_radial)
      return value(squared(offset(target, source)));
    else
      return static_cast<T>(kernel(target, source));
  }

  /// With respect to the target.
  KOKKOS_FUNCTION Point<T> gradient(const Point<T>& target, const Point<T>& source) const
  {
    if constexpr (is_radial) {
      const Point<T> d = offset(target, source);
      const T s = squared(d), slope = 2 * radial_derivative(kernel, s, inverse(s));
      return {slope * d[0], slope * d[1], slope * d[2]};
    } else {
      return kernel.gradient(target, source);
    }
  }

  template <bool WithGradient, class Sum>
  KOKKOS_FUNCTION void add(GatherTotal<Sum>& total, const Point<T>& target, const Point<T>& source, T weight) const
  {
    if (skips(target, source)) return;
    if constexpr (with_potential) total.potential += weight * value(target, source);
    if constexpr (WithGradient) {
      const Point<T> g = gradient(target, source);
      for (int d = 0; d < 3; ++d) total.gradient[d] += weight * g[d];
    }
  }
};

} // namespace Keramos::core
