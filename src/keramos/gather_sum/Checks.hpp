// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum demands of its arguments at run time, and the checked call that comes of them.
#pragma once

#include "../core/Views.hpp"
#include "../core/Workspace.hpp"
#include "Arguments.hpp"
#include "Exact.hpp"
#include "Interaction.hpp"
#include "PointChecks.hpp"
#include "Problem.hpp"
#include "RadialKernels.hpp"
#include "Requirements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Keramos::core {

// ---- Targets: each of these fills them in and tells the number of coordinates ---------------------------------------

template <class T, std::size_t Rank>
void check_grid(const std::array<double, Rank>& origin, const std::array<double, Rank>& spacing)
{
  for (std::size_t k = 0; k < Rank; ++k) {
    if (!std::isfinite(static_cast<T>(origin[k])))
      fail("gather_sum", "targets.origin", in_range<T>("finite coordinates"), tuple_text(origin));
    if (!(spacing[k] > 0) || !std::isfinite(static_cast<T>(spacing[k])))
      fail("gather_sum", "targets.spacing", in_range<T>("positive and finite spacings"), tuple_text(spacing));
  }
}

template <class Space, class T, int Rank>
int set_targets(GatherTargets<T>& targets, const UniformGrid<Rank>& grid)
{
  check_grid<T>(grid.origin, grid.spacing);
  targets.on_grid = true;
  targets.axes = Rank;
  for (int k = 0; k < Rank; ++k) {
    targets.origin[k] = grid.origin[k];
    targets.spacing[k] = grid.spacing[k];
  }
  return Rank;
}

/// The output's two axes move the coordinates in the plane; its third, of one point, stands where the plane is.
template <class Space, class T>
int set_targets(GatherTargets<T>& targets, const GridPlane& plane)
{
  check_grid<T>(plane.origin, plane.spacing);
  if (plane.axis < 0 || plane.axis > 2) fail("gather_sum", "targets.axis", "0, 1 or 2", text(plane.axis));
  targets.on_grid = true;
  targets.axes = 2;
  targets.coordinate = {plane.axis == 0 ? 1 : 0, plane.axis == 2 ? 1 : 2, plane.axis};
  for (int p = 0; p < 3; ++p) {
    targets.origin[p] = plane.origin[targets.coordinate[p]];
    targets.spacing[p] = plane.spacing[targets.coordinate[p]];
  }
  targets.origin[2] = targets.position(2, plane.index);
  return 3;
}

template <class Space, class T, class AnyPoints>
  requires is_points<AnyPoints>
int set_targets(GatherTargets<T>& targets, const AnyPoints& points)
{
  targets.points = check_points<Space, T>(target_names, points);
  return targets.points.dimension;
}

// ---- Sources: `dimension` is that of the targets, or 0 -------------------------------------------------------------

template <class Space, class T, class Positions, class Weights>
GatherSources<T> sources_of(const Sources<Positions, Weights>& sources, int dimension)
{
  require_gather_view<Space, T, 1, Weights>();
  const GatherSources<T> result{check_points<Space, T>(source_names, sources.positions),
                                read_only(field_of(sources.weights))};
  const int own = result.positions.dimension;
  if (own > 0 && dimension > 0 && own != dimension)
    fail("gather_sum", "sources.positions", text(dimension, " coordinates a source, as the targets have"), text(own));
  check_extents("gather_sum", "sources.weights", std::array{result.positions.count}, extents(result.weights));
  return result;
}

template <class Space, class T, class Packed>
GatherSources<T> sources_of(const Sources<Packed>& sources, int dimension)
{
  require_gather_view<Space, T, 2, Packed>();
  const Field<const T, 2> packed = read_only(field_of(sources.packed));
  if (was_never_allocated(packed)) return {};
  const std::int64_t own = packed.extent[1] - 1;
  if (dimension > 0 ? own != dimension : own != 2 && own != 3)
    fail("gather_sum", "sources",
         text(dimension > 0 ? text(dimension, " coordinates, as the targets have,") : "2 or 3 coordinates",
              " and a weight in each row"),
         text(packed.extent[1], " columns"));
  return {points_of(packed, static_cast<int>(own)), column(packed, static_cast<int>(own))};
}

// ---- What is written ------------------------------------------------------------------------------------------------

/// f(name, field) for every View that a call reads.
template <class Positions, class Weights, class F>
void for_each_field(const Sources<Positions, Weights>& sources, const F& f)
{
  for_each_field(source_names, sources.positions, f);
  f("sources.weights", read_only(field_of(sources.weights)));
}
template <class Packed, class F>
void for_each_field(const Sources<Packed>& sources, const F& f)
{
  auto positions = read_only(field_of(sources.packed));
  const int last = static_cast<int>(positions.extent[1]) - 1;
  const auto weights = column(positions, last);
  positions.extent[1] = last;
  f("sources.positions", positions);
  f("sources.weights", weights);
}

/// Nothing that is written may be read as well. Arguments: targets and sources of the call.
template <class Targets, class S, class T, int Rank>
void check_unread(const char* argument, const Targets& targets, const S& sources, const Field<T, Rank>& out)
{
  const auto check = [&](const char* name, const auto& in) { check_apart("gather_sum", name, in, argument, out); };
  for_each_field(sources, check);
  if constexpr (is_points<Targets>) for_each_field(target_names, targets, check);
}

template <class Targets, class S, class T, int Rank>
void check_written(const char* argument, const Targets& targets, const S& sources, const Field<T, Rank>& out)
{
  check_output("gather_sum", argument, out);
  check_unread(argument, targets, sources, out);
}

template <class Space, class T, int Rank, class View>
void set_gradient(GatherSumCall<T>& call, int dimension, const View& gradient)
{
  require_gather_view<Space, T, Rank + 1, View>();
  const auto field = field_of(gradient);
  const Field<T, 3>& potential = call.output.potential;
  std::array<std::int64_t, Rank + 1> expected;
  for (int axis = 0; axis < Rank; ++axis) expected[axis] = potential.extent[axis];
  expected[Rank] = potential.extent[0] == 0 && field.extent[Rank] == 0 ? 0 : dimension;
  check_extents("gather_sum", "out.gradient", expected, extents(field));
  call.output.gradient = padded<4>(field);
  std::swap(call.output.gradient.extent[Rank], call.output.gradient.extent[3]); // the components come last
  std::swap(call.output.gradient.stride[Rank], call.output.gradient.stride[3]);
  if (potential.data) check_apart("gather_sum", "out.potential", potential, "out.gradient", call.output.gradient);
}

// ---- Workspace ------------------------------------------------------------------------------------------------------

template <class Space, class Targets, class S, class T>
GatherWorkspace workspace_of(const NoWorkspace&, const Targets&, const S&, const GatherOutput<T>&)
{
  return {};
}

template <class Space, class Targets, class S, class T, KokkosView View>
GatherWorkspace workspace_of(const Workspace<View>& workspace, const Targets& targets, const S& sources,
                             const GatherOutput<T>& out)
{
  const Field<char, 1> scratch = scratch_of<Space>("gather_sum", workspace);
  check_unread("workspace", targets, sources, scratch);
  const bool with_gradient = out.gradient.data != nullptr;
  if (out.potential.data)
    check_apart("gather_sum", with_gradient ? "out.potential" : "out", out.potential, "workspace", scratch);
  if (with_gradient) check_apart("gather_sum", "out.gradient", out.gradient, "workspace", scratch);
  check_scratch_alignment("gather_sum", scratch, alignof(double));
  return {scratch.data, static_cast<std::size_t>(scratch.extent[0]), true};
}

/// Does a caller's scratch hold the bytes that a plan takes?
inline void check_workspace_size(const GatherWorkspace& workspace, std::size_t bytes)
{
  if (workspace.given) check_scratch_size("gather_sum", "gather_sum_workspace_size", workspace.bytes, bytes);
}

// ---- The call -------------------------------------------------------------------------------------------------------

/// The potential of a call; of a gradient alone what its leading axes tell of the targets, without data.
template <class T, int Rank, class Output>
Field<T, 3> potential_of(const Output& out)
{
  using Traits = OutputTraits<Output>;
  Field<T, Rank> potential;
  const auto first = field_of(Traits::first(out));
  if constexpr (Traits::with_potential) potential.data = first.data;
  for (int axis = 0; axis < Rank; ++axis) {
    potential.extent[axis] = first.extent[axis];
    potential.stride[axis] = first.stride[axis];
  }
  return padded<3>(potential);
}

/// Coordinates where neither targets nor sources tell, for they were never allocated: as many as a gradient has components, else three,
/// so that a Cutoff may have any box.
template <class Output>
int dimension_of_output(const Output& out)
{
  if constexpr (OutputTraits<Output>::with_gradient)
    if (out.gradient.extent(1) == 2) return 2;
  return 3;
}

template <class Space, class T, class Targets, class S, class Output>
GatherSumCall<T> gather_sum_call(const Targets& targets, const S& sources, const Output& out, Update update)
{
  using Traits = OutputTraits<Output>;
  constexpr int rank = target_rank<Targets>;
  require_gather_view<Space, T, Traits::with_potential ? rank : rank + 1, typename Traits::First>();

  GatherSumCall<T> call;
  call.output.accumulates = update == Update::accumulate;
  call.output.potential = potential_of<T, rank>(out);
  const int of_targets = set_targets<Space>(call.targets, targets);
  call.sources = sources_of<Space, T>(sources, of_targets);
  const int of_points = std::max(of_targets, call.sources.positions.dimension);
  const int dimension = of_points > 0 ? of_points : dimension_of_output(out);
  call.sources.positions.dimension = dimension;
  if (!call.targets.on_grid) call.targets.points.dimension = dimension;
  if constexpr (Traits::with_potential) {
    if (!call.targets.on_grid)
      check_extents("gather_sum", Traits::first_name, std::array{call.targets.points.count},
                    std::array{call.output.potential.extent[0]});
    check_written(Traits::first_name, targets, sources, call.output.potential);
  } else if (!call.targets.on_grid) {
    call.output.potential.extent[0] = call.targets.points.count; // what the gradient's are held to
  }
  if constexpr (Traits::with_gradient) {
    set_gradient<Space, T, rank>(call, dimension, out.gradient);
    check_written("out.gradient", targets, sources, call.output.gradient);
  }
  return call;
}

/// A call whose arguments are right: what the backends are asked for.
template <class AProblem, class AnInteraction>
struct CheckedGatherSum {
  AProblem problem;
  AnInteraction interaction;
};

/// Checks every argument. Errors as gather_sum documents them, but for the size of a workspace, which a plan tells.
/// The kernel by value: a function that is named is kept as a pointer.
template <class Space, class K, class Targets, class S, class Output, class W>
auto check_gather_sum(K kernel, const Targets& targets, const S& sources, const Output& out, Update update,
                      const W& workspace)
{
  using Traits = OutputTraits<Output>;
  using T = typename Traits::First::value_type;
  using Sum = typename Accuracy<K>::template Sum<T>;
  using Wanted = WantedKernel<typename Accuracy<K>::Kernel, Output>;
  using Problem = std::conditional_t<std::is_same_v<Sum, T>, GatherSumProblem<T, Traits::with_gradient>,
                                     ExactProblem<Traits::with_gradient>>;
  check_kernel<Sum>(Accuracy<K>::kernel(kernel));
  const GatherSumCall<T> call = gather_sum_call<Space, T>(targets, sources, out, update);
  return CheckedGatherSum<Problem, Interaction<Sum, Wanted>>{
      Problem{call, workspace_of<Space>(workspace, targets, sources, call.output)},
      Interaction<Sum, Wanted>(Accuracy<K>::kernel(kernel))};
}

} // namespace Keramos::core
