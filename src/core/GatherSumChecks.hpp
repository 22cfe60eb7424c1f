// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum demands of its arguments, and the checked call that comes of them.
#pragma once

#include "GatherSumArguments.hpp"
#include "GatherSumProblem.hpp"
#include "RadialKernels.hpp"
#include "Views.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Keramos::core {

template <class T>
inline constexpr bool is_sources = false;
template <class Positions, class Weights>
inline constexpr bool is_sources<Sources<Positions, Weights>> = true;

/// Any output as a pair of Views; a plain View has no gradient.
struct NoGradient {};
template <class View>
struct OutputTraits {
  using Potential = View;
  using Gradient = NoGradient;
  static const View& potential(const View& out) { return out; }
};
template <class PotentialView, class GradientView>
struct OutputTraits<PotentialAndGradient<PotentialView, GradientView>> {
  using Potential = PotentialView;
  using Gradient = GradientView;
  static const Potential& potential(const PotentialAndGradient<Potential, Gradient>& out) { return out.potential; }
};

/// The rank of the output that targets ask for; 0: these are no targets.
template <class Targets>
inline constexpr int target_rank = KokkosView<Targets> ? 1 : 0;
template <int Rank>
inline constexpr int target_rank<UniformGrid<Rank>> = Rank;
template <>
inline constexpr int target_rank<GridPlane> = 2;

// ---- Compile-time demands, as sentences
// ----------------------------------------------------------------------------------

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

// ---- Targets: each of these fills them in and tells the number of coordinates
// --------------------------------------------

template <class T, std::size_t Rank>
void check_grid(const std::array<double, Rank>& origin, const std::array<double, Rank>& spacing)
{
  for (std::size_t k = 0; k < Rank; ++k) {
    if (!std::isfinite(static_cast<T>(origin[k])))
      fail("gather_sum", "targets.origin", "finite coordinates", tuple_text(origin));
    if (!(spacing[k] > 0) || !std::isfinite(static_cast<T>(spacing[k])))
      fail("gather_sum", "targets.spacing", "positive and finite spacings", tuple_text(spacing));
  }
}

template <class Space, class T, int Rank>
int set_targets(GatherTargets<T>& targets, const UniformGrid<Rank>& grid)
{
  check_grid<T>(grid.origin, grid.spacing);
  targets.on_grid = true;
  for (int k = 0; k < Rank; ++k) {
    targets.origin[k] = grid.origin[k];
    targets.spacing[k] = grid.spacing[k];
  }
  return Rank;
}

/// The output's two axes move the coordinates in the plane; its third, of one point, stands at the place of the plane.
template <class Space, class T>
int set_targets(GatherTargets<T>& targets, const GridPlane& plane)
{
  check_grid<T>(plane.origin, plane.spacing);
  if (plane.axis < 0 || plane.axis > 2) fail("gather_sum", "targets.axis", "0, 1 or 2", text(plane.axis));
  targets.on_grid = true;
  targets.coordinate = {plane.axis == 0 ? 1 : 0, plane.axis == 2 ? 1 : 2, plane.axis};
  for (int p = 0; p < 3; ++p) {
    targets.origin[p] = plane.origin[targets.coordinate[p]];
    targets.spacing[p] = plane.spacing[targets.coordinate[p]];
  }
  targets.origin[2] = targets.place(2, plane.index);
  return 3;
}

template <class Space, class T, KokkosView Points>
int set_targets(GatherTargets<T>& targets, const Points& points)
{
  require_gather_view<Space, T, 2, Points>();
  targets.points = read_only(field_of(points));
  const auto columns = targets.points.extent[1];
  if (columns != 2 && columns != 3) fail("gather_sum", "targets", "2 or 3 coordinates a point", text(columns));
  return static_cast<int>(columns);
}

// ---- Sources
// -------------------------------------------------------------------------------------------------------------

template <class Space, class T, class Positions, class Weights>
GatherSources<T> sources_of(const Sources<Positions, Weights>& sources, int dimension)
{
  require_gather_view<Space, T, 2, Positions>();
  require_gather_view<Space, T, 1, Weights>();
  const GatherSources<T> result{read_only(field_of(sources.positions)), read_only(field_of(sources.weights))};
  if (result.positions.extent[1] != dimension)
    fail("gather_sum", "sources.positions", text(dimension, " coordinates a source, as the targets have"),
         text(result.positions.extent[1]));
  check_extents("gather_sum", "sources.weights", std::vector{result.positions.extent[0]}, extents(result.weights));
  return result;
}

template <class Space, class T, class Packed>
GatherSources<T> sources_of(const Sources<Packed>& sources, int dimension)
{
  require_gather_view<Space, T, 2, Packed>();
  const Field<const T, 2> packed = read_only(field_of(sources.packed));
  if (packed.extent[1] != dimension + 1)
    fail("gather_sum", "sources", text(dimension, " coordinates, as the targets have, and a weight in each row"),
         text(packed.extent[1], " columns"));
  GatherSources<T> result{packed, {packed.data, {packed.extent[0]}, {packed.stride[0]}}};
  result.positions.extent[1] = dimension;
  if (!packed.empty()) result.weights.data += dimension * packed.stride[1];
  return result;
}

// ---- Outputs
// -------------------------------------------------------------------------------------------------------------

/// Nothing that is written may be read as well.
template <class T, int Rank>
void check_written(const char* argument, const GatherSumCall<T>& call, const Field<T, Rank>& out)
{
  check_output("gather_sum", argument, out);
  check_apart("gather_sum", "sources.positions", call.sources.positions, argument, out);
  check_apart("gather_sum", "sources.weights", call.sources.weights, argument, out);
  if (!call.targets.on_grid) check_apart("gather_sum", "targets", call.targets.points, argument, out);
}

template <class Space, class T, int Rank, class Gradient>
void set_gradient(GatherSumCall<T>& call, int dimension, const Gradient& gradient)
{
  require_gather_view<Space, T, Rank + 1, Gradient>();
  require_writable<Gradient>();
  const auto field = field_of(gradient);
  const Field<T, 3>& potential = call.output.potential;
  std::vector<std::int64_t> expected(potential.extent.data(), potential.extent.data() + Rank);
  expected.push_back(dimension);
  check_extents("gather_sum", "out.gradient", expected, extents(field));
  call.output.gradient = padded<4>(field);
  std::swap(call.output.gradient.extent[Rank], call.output.gradient.extent[3]); // the components come last
  std::swap(call.output.gradient.stride[Rank], call.output.gradient.stride[3]);
  check_written("out.gradient", call, call.output.gradient);
  check_apart("gather_sum", "out.potential", potential, "out.gradient", call.output.gradient);
}

// ---- Workspace
// -----------------------------------------------------------------------------------------------------------

struct NoWorkspace {};

template <class Space, class T>
GatherWorkspace workspace_of(const NoWorkspace&, const GatherSumCall<T>&)
{
  return {};
}

template <class Space, class T, KokkosView View>
GatherWorkspace workspace_of(const Workspace<View>& workspace, const GatherSumCall<T>& call)
{
  require_reachable<Space, View>();
  require_writable<View>();
  const View& view = workspace.view;
  if (!view.span_is_contiguous()) fail("gather_sum", "workspace", "contiguous memory", "strides with gaps");
  const std::size_t bytes = view.span() * sizeof(typename View::value_type);
  const Field<char, 1> scratch{reinterpret_cast<char*>(view.data()), {static_cast<std::int64_t>(bytes)}, {1}};
  check_apart("gather_sum", "sources.positions", call.sources.positions, "workspace", scratch);
  check_apart("gather_sum", "sources.weights", call.sources.weights, "workspace", scratch);
  if (!call.targets.on_grid) check_apart("gather_sum", "targets", call.targets.points, "workspace", scratch);
  const bool with_gradient = call.output.gradient.data != nullptr;
  check_apart("gather_sum", with_gradient ? "out.potential" : "out", call.output.potential, "workspace", scratch);
  if (with_gradient) check_apart("gather_sum", "out.gradient", call.output.gradient, "workspace", scratch);
  if (reinterpret_cast<std::uintptr_t>(scratch.data) % alignof(double) != 0)
    fail("gather_sum", "workspace", text("memory aligned to ", alignof(double), " bytes"), "another address");
  return {scratch.data, bytes, true};
}

/// The checked call. Errors as gather_sum documents them.
template <class Space, class T, class Targets, class S, class Output>
GatherSumCall<T> gather_sum_call(const Targets& targets, const S& sources, const Output& out, Update update)
{
  using Traits = OutputTraits<Output>;
  using Potential = typename Traits::Potential;
  constexpr int rank = target_rank<Targets>;
  constexpr bool with_gradient = !std::is_same_v<typename Traits::Gradient, NoGradient>;
  constexpr const char* name = with_gradient ? "out.potential" : "out";
  require_gather_view<Space, T, rank, Potential>();

  GatherSumCall<T> call;
  call.output.accumulates = update == Update::accumulate;
  call.output.potential = padded<3>(field_of(Traits::potential(out)));
  const int dimension = set_targets<Space>(call.targets, targets);
  call.sources = sources_of<Space, T>(sources, dimension);
  if (!call.targets.on_grid)
    check_extents("gather_sum", name, std::vector{call.targets.points.extent[0]},
                  std::vector{call.output.potential.extent[0]});
  check_written(name, call, call.output.potential);
  if constexpr (with_gradient) set_gradient<Space, T, rank>(call, dimension, out.gradient);
  return call;
}

/// Checks every argument, then use(where, problem, interaction); its answer, or nothing where a sentence was printed.
template <class Answer, class Exec, class K, class Targets, class S, class Output, class W, class Use>
Answer checked_gather_sum(const Exec& exec, const K& kernel, const Targets& targets, const S& sources,
                          const Output& out, Update update, const W& workspace, const Use& use)
{
  using Potential = typename OutputTraits<Output>::Potential;
  constexpr bool with_gradient = !std::is_same_v<Potential, Output>;
  static_assert(target_rank<Targets> != 0,
                "Keramos::gather_sum: the third argument must be the targets: a UniformGrid, a plane "
                "of one, or a Kokkos::View of points.");
  static_assert(is_sources<S>, "Keramos::gather_sum: the fourth argument must be Sources{positions, weights} or "
                               "Sources{packed}.");
  const auto where = on(exec);
  using Space = decltype(where.space);
  require_reachable<Space, Potential>();
  if constexpr (target_rank<Targets> != 0 && is_sources<S> && KokkosView<Potential>) {
    using T = typename Potential::value_type;
    require_writable<Potential>();
    static_assert(Real<T>, "Keramos::gather_sum: the value type must be float or double.");
    require_kernel<K, T, with_gradient>();
    if constexpr (KernelFor<K, T, with_gradient> && !std::is_const_v<T>) {
      check_kernel<T>(kernel);
      const GatherSumCall<T> call = gather_sum_call<Space, T>(targets, sources, out, update);
      const GatherSumProblem<T, with_gradient> problem(call, workspace_of<Space>(workspace, call));
      return use(where, problem, Interaction<T, K>(kernel));
    }
  }
  return {};
}

} // namespace Keramos::core
