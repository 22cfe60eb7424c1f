// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum demands of the types of its arguments, as sentences of the compiler.
#pragma once

#include "../core/RefusedArguments.hpp"
#include "../core/Views.hpp"
#include "../core/Workspace.hpp"
#include "Arguments.hpp"
#include "Interaction.hpp"

#include <type_traits>

namespace Keramos::core {

/// An argument that several processes share: the call of Keramos_Distributed.hpp takes it.
template <class Argument>
inline constexpr bool spans_ranks = false;
template <class... Arguments>
inline constexpr bool span_ranks = (spans_ranks<Arguments> || ...);

/// What holds points: a View of rank 2, or Points of Views.
template <class T>
inline constexpr bool is_points = KokkosView<T>;
template <class... Views>
inline constexpr bool is_points<Points<Views...>> = (KokkosView<Views> && ...);

template <class T>
inline constexpr bool is_sources = false;
template <class Positions, class Weights>
inline constexpr bool is_sources<Sources<Positions, Weights>> = is_points<Positions>&& KokkosView<Weights>;
template <class Packed>
inline constexpr bool is_sources<Sources<Packed, void>> = KokkosView<Packed>;

/// What an output holds: a View the potential alone, a PotentialAndGradient both, a Gradient only that. Its first View tells
/// the value type and, by its first axes, where the targets are.
template <class View>
struct OutputTraits {
  using First = View;
  static constexpr bool with_potential = true, with_gradient = false;
  static constexpr const char* first_name = "out";
  static const View& first(const View& out) { return out; }
};
template <class Potential, class GradientView>
struct OutputTraits<PotentialAndGradient<Potential, GradientView>> {
  using First = Potential;
  static constexpr bool with_potential = true, with_gradient = true;
  static constexpr const char* first_name = "out.potential";
  static const First& first(const PotentialAndGradient<Potential, GradientView>& out) { return out.potential; }
};
template <class View>
struct OutputTraits<Gradient<View>> {
  using First = View;
  static constexpr bool with_potential = false, with_gradient = true;
  static constexpr const char* first_name = "out.gradient";
  static const First& first(const Gradient<View>& out) { return out.gradient; }
};

/// How accurate a call is: the type in which it sums Views of T, and the kernel itself.
template <class K>
struct Accuracy {
  using Kernel = K;
  template <class T>
  using Sum = T;
  static constexpr bool is_exact = false;
  static const K& kernel(const K& kernel) { return kernel; }
};
template <class K>
struct Accuracy<Exact<K>> {
  using Kernel = K;
  template <class T>
  using Sum = double;
  static constexpr bool is_exact = true;
  static const K& kernel(const Exact<K>& exact) { return exact.kernel; }
};

/// What an Interaction of the call is made of.
template <class K, class Output>
using WantedKernel = std::conditional_t<OutputTraits<Output>::with_potential, K, GradientOnly<K>>;

/// The rank of the potential that targets ask for; 0: these are no targets.
template <class Targets>
inline constexpr int target_rank = is_points<Targets> ? 1 : 0;
template <int Rank>
inline constexpr int target_rank<UniformGrid<Rank>> = Rank;
template <>
inline constexpr int target_rank<GridPlane> = 2;

template <class T>
inline constexpr bool is_targets = target_rank<T> != 0;

template <class T>
inline constexpr bool is_sum_output = is_data<T>;
template <class Potential, class Gradient>
inline constexpr bool is_sum_output<PotentialAndGradient<Potential, Gradient>> = is_data<Potential>&& is_data<Gradient>;
template <class View>
inline constexpr bool is_sum_output<Gradient<View>> = is_data<View>;
template <class T>
inline constexpr bool is_writable_sum_output = WritableData<T>;
template <class Potential, class Gradient>
inline constexpr bool is_writable_sum_output<PotentialAndGradient<Potential, Gradient>> =
    WritableData<Potential>&& WritableData<Gradient>;
template <class View>
inline constexpr bool is_writable_sum_output<Gradient<View>> = WritableData<View>;

/// The caller's scratch memory, or none.
struct NoWorkspace {};
template <class T>
inline constexpr bool is_workspace = std::is_same_v<T, NoWorkspace>;
template <WritableView View>
inline constexpr bool is_workspace<Workspace<View>> = true;

template <class T>
concept SumTargets = is_targets<T>;
template <class T>
concept SumSources = is_sources<T>;
template <class T>
concept SumOutput = is_writable_sum_output<T>;
template <class T>
concept SumWorkspace = is_workspace<T>;

/// A View of the call: reachable, of the value type of the output, of this rank.
template <class Space, class T, int Rank, class View>
consteval void require_gather_view()
{
  require_reachable<Space, View>();
  static_assert(std::is_same_v<typename View::non_const_value_type, T>,
                "Keramos::gather_sum: targets, sources and outputs must have one value type, float or double.");
  static_assert(
      static_cast<int>(View::rank) == Rank,
      "Keramos::gather_sum: a View has the wrong rank. Positions, packed sources and points have rank 2 (count, "
      "coordinates), weights, and coordinates that stand apart, rank 1; the output has the rank of the grid, 2 for a "
      "plane of a grid, 1 for "
      "points; a gradient has one index more than the potential.");
}

template <class K, class T, bool WithGradient>
consteval void require_kernel()
{
  static_assert(
      kernel_form<K, T> != KernelForm::none,
      "Keramos::gather_sum: the second argument must be a kernel: Coulomb, Yukawa, Gaussian, "
      "InverseMultiquadric, a functor with T operator()(T r_squared) const, with T operator()(T r_squared, T "
      "inverse_r) "
      "const, or with T operator()(Point target, Point source) const, where Point is Kokkos::Array<T, 3>. A View is no "
      "kernel.");
  if constexpr (WithGradient && kernel_form<K, T> == KernelForm::inverse_radial)
    static_assert(InverseRadialDerivative<K, T>,
                  "Keramos::gather_sum: a gradient needs the derivative of the kernel: give the functor "
                  "T derivative(T r_squared, T inverse_r) const, its derivative with respect to r_squared.");
  else if constexpr (WithGradient && RadialKernel<K, T>)
    static_assert(RadialDerivative<K, T>,
                  "Keramos::gather_sum: a gradient needs the derivative of the kernel: give the functor "
                  "T derivative(T r_squared) const, its derivative with respect to r_squared.");
  else if constexpr (WithGradient)
    static_assert(PairGradient<K, T>,
                  "Keramos::gather_sum: a gradient needs the gradient of the kernel: give the functor "
                  "Kokkos::Array<T, 3> gradient(Point target, Point source) const, with respect to the target, or ask "
                  "for the potential only.");
  if constexpr (KernelFor<K, T, WithGradient>)
    static_assert(suits_vectors<K, T, WithGradient>(),
                  "Keramos::gather_sum: a functor that says takes_vectors must be a template: template <class T> T "
                  "operator()(T r_squared) const, or of (T r_squared, T inverse_r), and so must its derivative.");
}

/// Does a functor compute in double where it is called with double? One of float can be called as well.
template <class K>
constexpr bool computes_in_double()
{
  if constexpr (kernel_form<K, double> == KernelForm::radial)
    return std::is_same_v<std::invoke_result_t<const K&, double>, double>;
  else if constexpr (kernel_form<K, double> == KernelForm::pair)
    return std::is_same_v<std::invoke_result_t<const K&, const Point<double>&, const Point<double>&>, double>;
  else if constexpr (kernel_form<K, double> == KernelForm::inverse_radial)
    return std::is_same_v<std::invoke_result_t<const K&, double, double>, double>;
  else
    return false;
}

/// The sentences about the output's memory and value type, and about the kernel, which has to suit both.
template <class Space, class K, class Output>
consteval void require_gather_sum()
{
  using Traits = OutputTraits<Output>;
  using T = typename Traits::First::value_type;
  require_reachable<Space, typename Traits::First>();
  static_assert(Real<T>, "Keramos::gather_sum: the value type must be float or double.");
  using Kernel = typename Accuracy<K>::Kernel;
  if constexpr (Accuracy<K>::is_exact)
    static_assert(
        computes_in_double<Kernel>(),
        "Keramos::gather_sum: the kernel of Exact{kernel} must take double and return double then: a built-in "
        "one, or a functor that is a template or of double.");
  if constexpr (!Accuracy<K>::is_exact || computes_in_double<Kernel>())
    require_kernel<Kernel, typename Accuracy<K>::template Sum<T>, Traits::with_gradient>();
}

/// Do they hold? Where a sentence was printed, nothing else should be compiled, which would print more.
template <class K, class Output>
constexpr bool fits_gather_sum()
{
  using Traits = OutputTraits<Output>;
  using Kernel = typename Accuracy<K>::Kernel;
  using T = typename Accuracy<K>::template Sum<typename Traits::First::value_type>;
  return KernelFor<Kernel, T, Traits::with_gradient> && suits_vectors<Kernel, T, Traits::with_gradient>() &&
         (!Accuracy<K>::is_exact || computes_in_double<Kernel>());
}

} // namespace Keramos::core
