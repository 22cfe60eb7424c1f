// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils: the points are cut into tiles, one task each; a task marches through its tile run by run of the
// fastest axis, and a compiled vector kernel sums the taps of a run. Layouts, shapes, radii and edge rules are data;
// only the user's epilogue, if there is one, is instantiated here.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/Execution.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "StencilRuns.hpp"

#include <optional>

namespace Keramos::openmp {

struct StencilPlan {
  Kernel kernel;
  core::Index3 tile; ///< points a task, along the axes of the problem
};

/// The tile of a task: `row_bytes` for one element of the fast axis, concurrency as the execution space tells it.
core::Index3 stencil_tile(const core::Index3& points, const core::Index3& planes, std::int64_t element_bytes,
                          int concurrency);

/// "star<3,4>", "line<2,1>", "sparse<2,7 taps>" and how the epilogue is applied.
std::string stencil_variant(Shape shape, int rank, int radius, int taps, const char* epilogue);

/// LeapFrog inside the vector kernel wants unit strides.
template <class T, int Capacity>
bool fuses(const core::StencilProblem<T, Capacity>& problem, const core::LeapFrogFields<T>& fields)
{
  const auto unit = [&](const auto& field) { return field.stride[0] == 1 || problem.out.extent[0] == 1; };
  return unit(problem.out) && unit(fields.previous) && (!fields.scale.data || unit(fields.scale));
}

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan> choose(const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  const bool unit_runs = problem.in.stride[0] == 1 || problem.in.extent[0] == 1;
  if (!unit_runs && !problem.empty()) return std::nullopt; // no axis of `in` is contiguous
  const char* how = "";
  if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
    how = fuses(problem, epilogue) ? " leap-frog" : " leap-frog strided";
  else if constexpr (!std::is_same_v<Epilogue, core::Store>)
    how = " epilogue";
  const auto& call = problem.call;
  StencilPlan plan{{Backend::openmp, "apply_stencil", ""}, {}};
  plan.kernel.variant = stencil_variant(call.shape, call.rank, call.radius, call.taps.count, how);
  return plan;
}

/// One task: the runs of one tile.
template <class T, class Epilogue>
void stencil_tile_task(const StencilArguments<T>& arguments, const Epilogue& epilogue, const core::Index3& begin,
                       const core::Index3& end)
{
  StencilRuns<T> runs(arguments);
  const auto& out = arguments.out;
  T buffer[longest_run];
  for (std::int64_t first = begin[0]; first < end[0]; first += longest_run) {
    const std::int64_t last = std::min<std::int64_t>(first + longest_run, end[0]);
    for (std::int64_t k = begin[2]; k < end[2]; ++k)
      for (std::int64_t j = begin[1]; j < end[1]; ++j) {
        runs.select(first, last, j, k);
        if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
          if (arguments.fused) {
            runs.leap_frog(epilogue);
            continue;
          }
        if constexpr (std::is_same_v<Epilogue, core::Store>)
          if (arguments.fused) {
            runs.sum(&out(first, j, k));
            continue;
          }
        runs.sum(buffer);
        for (std::int64_t i = first; i < last; ++i)
          core::finish(epilogue, out, buffer[i - first], arguments.in(i, j, k), i, j, k);
      }
  }
}

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan& plan, const Space& space, const core::StencilProblem<T, Capacity>& problem,
            const Epilogue& epilogue)
{
  const core::Index3 &begin = problem.begin, &end = problem.end;
  core::Index3 points, planes, tiles;
  for (int p = 0; p < 3; ++p) {
    points[p] = end[p] - begin[p];
    planes[p] = problem.axes[p].reach_low + problem.axes[p].reach_high + 1;
  }
  const core::Index3 tile = stencil_tile(points, planes, sizeof(T), space.concurrency());
  for (int p = 0; p < 3; ++p) tiles[p] = (points[p] + tile[p] - 1) / tile[p];

  StencilArguments<T> arguments(problem.in, problem.out, problem.axes, problem.taps.weight, problem.taps.offset,
                                problem.taps.count);
  if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
    arguments.fused = fuses(problem, epilogue);
  else
    arguments.fused = problem.out.stride[0] == 1 || problem.out.extent[0] == 1;

  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      plan.kernel.name(), Policy(space, 0, tiles[0] * tiles[1] * tiles[2], Kokkos::ChunkSize(1)),
      [&](std::int64_t task) {
        const core::Index3 place{task % tiles[0], task / tiles[0] % tiles[1], task / tiles[0] / tiles[1]};
        core::Index3 first, last;
        for (int p = 0; p < 3; ++p) {
          first[p] = begin[p] + place[p] * tile[p];
          last[p] = std::min(first[p] + tile[p], end[p]);
        }
        stencil_tile_task(arguments, epilogue, first, last);
      });
}

} // namespace Keramos::openmp
