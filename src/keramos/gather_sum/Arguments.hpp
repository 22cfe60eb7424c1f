// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user writes around a kernel in a gather_sum call: targets, sources, outputs and how to update them.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace Keramos {

/// One plane of a 3-D grid; made by UniformGrid<3>::plane().
struct GridPlane {
  std::array<double, 3> origin, spacing;
  int axis;           ///< across the plane
  std::int64_t index; ///< of the plane along that axis
};

/// Targets at origin[k] + i_k * spacing[k], where i_k is View index k of the output; the extents are the output's.
/// Coordinates are computed in double and rounded to the value type.
///
///     Keramos::UniformGrid<3> grid{{-8, -8, -8}, {0.25, 0.25, 0.25}};
template <int Rank>
struct UniformGrid {
  static_assert(Rank == 2 || Rank == 3, "Keramos::UniformGrid: the rank must be 2 or 3.");
  std::array<double, Rank> origin, spacing;

  /// The targets with index `index` along View index `axis`, for an output of rank 2: its indices are the other two, in
  /// their order. Gradients keep three components. The call throws Error for an axis outside [0, 3).
  GridPlane plane(int axis, std::int64_t index) const requires(Rank == 3) { return {origin, spacing, axis, index}; }
};

/// Points whose coordinates stand apart: two or three Views of rank 1 and of one length, each of its own layout. Targets, or the
/// positions of sources.
///
///     Keramos::Points{x, y, z}
///     Keramos::Points{Keramos::member(atoms, &Atom::x), Keramos::member(atoms, &Atom::y)}
template <class... Views>
struct Points {
  static_assert(sizeof...(Views) == 2 || sizeof...(Views) == 3,
                "Keramos::Points: expected two or three Views of rank 1, one for each coordinate.");
  std::tuple<Views...> coordinates;

  Points(const Views&... views) : coordinates(views...) {}
};

/// Positions and weights of the sources: a View of extents (n, 3) and one of extent n; in the plane (n, 2) and n. One
/// View with the weight in the last column, (n, 4) or (n, 3), holds both. Or a View of extent n for each coordinate.
///
///     Keramos::Sources{positions, weights}, Keramos::Sources{packed}, Keramos::Sources{x, y, z, weights}
template <class Positions, class Weights = void>
struct Sources {
  Positions positions;
  Weights weights;
};
template <class Packed>
struct Sources<Packed, void> {
  Packed packed;
};
template <class... Views, class Weights>
  requires(!std::is_void_v<Weights>)
struct Sources<Points<Views...>, Weights> {
  Points<Views...> positions;
  Weights weights;

  Sources(const Points<Views...>& points, const Weights& the_weights) : positions(points), weights(the_weights) {}
  Sources(const Views&... coordinates, const Weights& the_weights) : positions(coordinates...), weights(the_weights) {}
};
template <class Positions, class Weights>
Sources(Positions, Weights) -> Sources<Positions, Weights>;
template <class Packed>
Sources(Packed) -> Sources<Packed, void>;
template <class X, class Y, class Weights>
Sources(X, Y, Weights) -> Sources<Points<X, Y>, Weights>;
template <class X, class Y, class Z, class Weights>
Sources(X, Y, Z, Weights) -> Sources<Points<X, Y, Z>, Weights>;

/// The output of a call that computes both in one pass: `gradient` has one index more than `potential`, of extent 3 (in
/// the plane 2): component k is the derivative along coordinate k of the target.
template <class Potential, class Gradient>
struct PotentialAndGradient {
  Potential potential;
  Gradient gradient;
};
template <class Potential, class Gradient>
PotentialAndGradient(Potential, Gradient) -> PotentialAndGradient<Potential, Gradient>;

/// The output of a call that computes the gradient alone, a View as in PotentialAndGradient: forces need no potential.
template <class View>
struct Gradient {
  View gradient;
};
template <class View>
Gradient(View) -> Gradient<View>;

/// A kernel, to be summed in double where the Views are of float; Views of double are summed as without.
///
///     Keramos::gather_sum(exec, Keramos::Exact{Keramos::Coulomb{}}, points, sources, potential);
///
/// Coordinates and weights are converted, which is exact, the sum is that of double with all its bounds, and it is rounded to
/// the output, or added to what that holds, once. The kernel is called with double.
template <class K>
struct Exact {
  K kernel;
};
template <class K>
Exact(K) -> Exact<K>;

/// What a gather-sum does with the values that the output holds.
enum class Update {
  overwrite, ///< forgets them: out = sum
  accumulate ///< keeps them: out = out + sum
};
inline constexpr Update overwrite = Update::overwrite;
inline constexpr Update accumulate = Update::accumulate;

/// What becomes of a kernel K at the radius of a Cutoff; beyond it there is nothing.
enum class CutoffForm {
  sharp,   ///< K as it is
  shifted, ///< K(r^2) - K(radius^2): continuous; the gradient is that of K. Not for functors of two points
  switched ///< K S(r^2), where S falls from 1 at `switch_on` to 0 at the radius; continuous with its gradient
};

/// Leaves out the sources that are not closer to a target than `radius`: those with r^2 < radius^2, in the value type, count.
///
///     Keramos::Cutoff{1.2}
///     Keramos::Cutoff{.radius = 1.2, .form = Keramos::CutoffForm::switched, .switch_on = 1.0}
///     Keramos::Cutoff{.radius = 1.2, .box = {8, 8, 0}}   // periodic along the first two axes
///
/// In a periodic box a target meets the nearest image of every source (minimum image), wherever both are given; functors of
/// two points get points that are shifted by whole boxes. The switch is that of CHARMM: with a = switch_on^2, b = radius^2 and
/// s = r^2, S = (b - s)^2 (b + 2 s - 3 a) / (b - a)^3 (B. R. Brooks et al., J. Comput. Chem. 4 (1983) 187).
struct Cutoff {
  double radius;                         ///< a length > 0
  CutoffForm form = CutoffForm::sharp;   ///< at the radius
  double switch_on = 0;                  ///< switched: where the switch begins, 0 <= switch_on < radius
  std::array<double, 3> box = {0, 0, 0}; ///< lengths of a periodic box, each at least twice the radius; 0: not periodic
};

} // namespace Keramos
