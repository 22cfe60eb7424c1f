// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum demands of the types of its arguments, as sentences of the compiler.
#pragma once

#include "../core/Views.hpp"
#include "Arguments.hpp"
#include "Interaction.hpp"

#include <type_traits>

namespace Keramos::core {

/// An argument that several processes share: the call of Keramos_Distributed.hpp takes it.
template <class Argument>
inline constexpr bool spans_ranks = false;

template <class T>
inline constexpr bool is_sources = false;
template <class Positions, class Weights>
inline constexpr bool is_sources<Sources<Positions, Weights>> = true;

/// What an output holds: a View the potential alone, a PotentialAndGradient both.
template <class View>
struct OutputTraits {
  using Potential = View;
  static constexpr bool with_gradient = false;
  static const View& potential(const View& out) { return out; }
};
template <class PotentialView, class GradientView>
struct OutputTraits<PotentialAndGradient<PotentialView, GradientView>> {
  using Potential = PotentialView;
  static constexpr bool with_gradient = true;
  static const Potential& potential(const PotentialAndGradient<Potential, GradientView>& out) { return out.potential; }
};

/// The rank of the output that targets ask for; 0: these are no targets.
template <class Targets>
inline constexpr int target_rank = KokkosView<Targets> ? 1 : 0;
template <int Rank>
inline constexpr int target_rank<UniformGrid<Rank>> = Rank;
template <>
inline constexpr int target_rank<GridPlane> = 2;

/// A View of the call: reachable, of the value type of the output, of this rank.
template <class Space, class T, int Rank, class View>
constexpr void require_gather_view()
{
  require_reachable<Space, View>();
  static_assert(std::is_same_v<typename View::non_const_value_type, T>,
                "Keramos::gather_sum: targets, sources and outputs must have one value type, float or double.");
  static_assert(
      static_cast<int>(View::rank) == Rank,
      "Keramos::gather_sum: a View has the wrong rank. Positions, packed sources and points have rank 2 (count, "
      "coordinates), weights rank 1; the output has the rank of the grid, 2 for a plane of a grid, 1 for "
      "points; a gradient has one index more than the potential.");
}

template <class K, class T, bool WithGradient>
constexpr void require_kernel()
{
  static_assert(
      RadialKernel<K, T> || PairKernel<K, T>,
      "Keramos::gather_sum: the second argument must be a kernel: Coulomb, Yukawa, Gaussian, "
      "InverseMultiquadric, a functor with T operator()(T r_squared) const, or one with "
      "T operator()(Point target, Point source) const, where Point is Kokkos::Array<T, 3>. A View is no kernel.");
  if constexpr (WithGradient && RadialKernel<K, T>)
    static_assert(RadialDerivative<K, T>,
                  "Keramos::gather_sum: a gradient needs the derivative of the kernel: give the functor "
                  "T derivative(T r_squared) const, its derivative with respect to r_squared.");
  else if constexpr (WithGradient)
    static_assert(PairGradient<K, T>,
                  "Keramos::gather_sum: a gradient needs the gradient of the kernel: give the functor "
                  "Kokkos::Array<T, 3> gradient(Point target, Point source) const, with respect to the target, or ask "
                  "for the potential only.");
}

/// The sentences about what the arguments are.
template <class Space, class K, class Targets, class S, class Output>
constexpr void require_gather_sum()
{
  using Traits = OutputTraits<Output>;
  using Potential = typename Traits::Potential;
  static_assert(target_rank<Targets> != 0,
                "Keramos::gather_sum: the third argument must be the targets: a UniformGrid, a plane "
                "of one, or a Kokkos::View of points.");
  static_assert(is_sources<S>, "Keramos::gather_sum: the fourth argument must be Sources{positions, weights} or "
                               "Sources{packed}.");
  require_reachable<Space, Potential>();
  if constexpr (target_rank<Targets> != 0 && is_sources<S> && KokkosView<Potential>) {
    using T = typename Potential::value_type;
    require_writable<Potential>();
    static_assert(Real<T>, "Keramos::gather_sum: the value type must be float or double.");
    require_kernel<K, T, Traits::with_gradient>();
  }
}

/// Do they hold? Where a sentence was printed, nothing else should be compiled, which would print more.
template <class K, class Targets, class S, class Output>
constexpr bool fits_gather_sum()
{
  using Traits = OutputTraits<Output>;
  if constexpr (target_rank<Targets> != 0 && is_sources<S> && KokkosView<typename Traits::Potential>) {
    using T = typename Traits::Potential::value_type;
    return KernelFor<K, T, Traits::with_gradient> && !std::is_const_v<T>;
  } else {
    return false;
  }
}

} // namespace Keramos::core
