// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum demands of its arguments at run time, and the checked call that comes of them.
#pragma once

#include "../core/Views.hpp"
#include "Arguments.hpp"
#include "Interaction.hpp"
#include "Problem.hpp"
#include "RadialKernels.hpp"
#include "Requirements.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Keramos::core {

// ---- Targets: each of these fills them in and tells the number of coordinates ---------------------------------------

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

template <class Space, class T, KokkosView Points>
int set_targets(GatherTargets<T>& targets, const Points& points)
{
  require_gather_view<Space, T, 2, Points>();
  targets.points = read_only(field_of(points));
  const auto columns = targets.points.extent[1];
  if (columns != 2 && columns != 3) fail("gather_sum", "targets", "2 or 3 coordinates a point", text(columns));
  return static_cast<int>(columns);
}

// ---- Sources --------------------------------------------------------------------------------------------------------

template <class Space, class T, class Positions, class Weights>
GatherSources<T> sources_of(const Sources<Positions, Weights>& sources, int dimension)
{
  require_gather_view<Space, T, 2, Positions>();
  require_gather_view<Space, T, 1, Weights>();
  const GatherSources<T> result{read_only(field_of(sources.positions)), read_only(field_of(sources.weights))};
  if (result.positions.extent[1] != dimension)
    fail("gather_sum", "sources.positions", text(dimension, " coordinates a source, as the targets have"),
         text(result.positions.extent[1]));
  check_extents("gather_sum", "sources.weights", std::array{result.positions.extent[0]}, extents(result.weights));
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

// ---- Outputs --------------------------------------------------------------------------------------------------------

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
  std::array<std::int64_t, Rank + 1> expected;
  for (int axis = 0; axis < Rank; ++axis) expected[axis] = potential.extent[axis];
  expected[Rank] = dimension;
  check_extents("gather_sum", "out.gradient", expected, extents(field));
  call.output.gradient = padded<4>(field);
  std::swap(call.output.gradient.extent[Rank], call.output.gradient.extent[3]); // the components come last
  std::swap(call.output.gradient.stride[Rank], call.output.gradient.stride[3]);
  check_written("out.gradient", call, call.output.gradient);
  check_apart("gather_sum", "out.potential", potential, "out.gradient", call.output.gradient);
}

// ---- Workspace ------------------------------------------------------------------------------------------------------

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

/// Does a caller's scratch hold the bytes that a plan takes?
inline void check_workspace_size(const GatherWorkspace& workspace, std::size_t bytes)
{
  if (workspace.given && workspace.bytes < bytes)
    fail("gather_sum", "workspace", text("at least ", bytes, " bytes, as gather_sum_workspace_size tells"),
         text(workspace.bytes));
}

// ---- The call -------------------------------------------------------------------------------------------------------

template <class Space, class T, class Targets, class S, class Output>
GatherSumCall<T> gather_sum_call(const Targets& targets, const S& sources, const Output& out, Update update)
{
  using Traits = OutputTraits<Output>;
  constexpr int rank = target_rank<Targets>;
  constexpr const char* name = Traits::with_gradient ? "out.potential" : "out";
  require_gather_view<Space, T, rank, typename Traits::Potential>();

  GatherSumCall<T> call;
  call.output.accumulates = update == Update::accumulate;
  call.output.potential = padded<3>(field_of(Traits::potential(out)));
  const int dimension = set_targets<Space>(call.targets, targets);
  call.sources = sources_of<Space, T>(sources, dimension);
  if (!call.targets.on_grid)
    check_extents("gather_sum", name, std::array{call.targets.points.extent[0]},
                  std::array{call.output.potential.extent[0]});
  check_written(name, call, call.output.potential);
  if constexpr (Traits::with_gradient) set_gradient<Space, T, rank>(call, dimension, out.gradient);
  return call;
}

/// A call whose arguments are right: what the backends are asked for.
template <class T, bool WithGradient, class K>
struct CheckedGatherSum {
  GatherSumProblem<T, WithGradient> problem;
  Interaction<T, K> interaction;
};

/// Checks every argument. Errors as gather_sum documents them, but for the size of a workspace, which a plan tells.
template <class Space, class K, class Targets, class S, class Output, class W>
auto check_gather_sum(const K& kernel, const Targets& targets, const S& sources, const Output& out, Update update,
                      const W& workspace)
{
  using Traits = OutputTraits<Output>;
  using T = typename Traits::Potential::value_type;
  using Problem = GatherSumProblem<T, Traits::with_gradient>;
  check_kernel<T>(kernel);
  const GatherSumCall<T> call = gather_sum_call<Space, T>(targets, sources, out, update);
  return CheckedGatherSum<T, Traits::with_gradient, K>{Problem(call, workspace_of<Space>(workspace, call)),
                                                       Interaction<T, K>(kernel)};
}

} // namespace Keramos::core
