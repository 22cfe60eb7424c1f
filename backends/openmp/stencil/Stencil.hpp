// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils: the points are partitioned into tiles, one per task; a task marches through its tile run by run of the
// fastest axis, and a compiled vector kernel sums the taps of a run. Layouts, shapes, radii and edge rules are data;
// only the user's epilogue, if there is one, is instantiated here.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../../src/keramos/stencil/Problem.hpp"
#include "Finish.hpp"
#include "Operands.hpp"
#include "Runs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace Keramos::openmp::stencil {

/// The points of a call in tiles, one per task.
struct StencilTiles {
  core::Index3 begin, end; ///< the points
  core::Index3 extent;     ///< of a tile, but for the last ones
  core::Index3 count;      ///< along each axis

  /// `planes` is what one point reads along each axis.
  StencilTiles(const core::Index3& begin, const core::Index3& end, const core::Index3& planes, int concurrency);

  std::int64_t tasks() const { return count[0] * count[1] * count[2]; }
};

template <class T, int Capacity, class Epilogue>
struct StencilPlan {
  Kernel kernel;
  StencilTiles tiles;
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  bool unit_strides; ///< see StencilOperands
  core::Taps<T, Capacity> taps;
  TapRows<T, Capacity> rows;
  Epilogue epilogue;

  /// For as long as this plan stays where it is.
  StencilOperands<T> operands() const
  {
    return {in,
            out,
            axes,
            unit_strides,
            taps.count,
            taps.weight,
            taps.offset,
            rows.column_radius,
            rows.column_weight,
            rows.padded_rows,
            rows.tap_of_row,
            rows.row_of_tap};
  }
};

/// "star<3,4>", "line<2,1>", "sparse<2,7 taps>" and how the epilogue is applied.
core::Text stencil_variant(Shape shape, int rank, int radius, int taps, const char* epilogue);

/// Are runs contiguous in `out`, and in all that the epilogue reads? That which stores sums reads nothing.
template <class T, int Capacity, class Epilogue>
bool has_unit_strides(const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  const auto unit = [&](const auto& field) { return field.stride[0] == 1 || problem.out.extent[0] == 1; };
  bool all = unit(problem.out);
  if constexpr (!Epilogue::form::in_library || Epilogue::operands > 0) all = all && unit(problem.in);
  if constexpr (Epilogue::operands > 0)
    for (int n = 0; n < Epilogue::operands; ++n)
      all = all && (!epilogue.operand[n].is_field() || unit(epilogue.operand[n].field));
  return all;
}

/// `concurrency`: of the instance that the plan is for.
template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan<T, Capacity, Epilogue>>
choose(int concurrency, const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  // By its strides, not its extents: parts of an array are computed by the kernels of the whole.
  const bool contiguous = std::count(problem.in.stride.data(), problem.in.stride.data() + 3, 1) > 0;
  if (!contiguous && problem.in.extent[0] != 1 && !problem.empty()) return std::nullopt;
  if (std::int64_t{problem.axes[0].reach_low} + problem.axes[0].reach_high > max_reach) return std::nullopt;

  const bool unit_strides = has_unit_strides(problem, epilogue);
  const bool strided_update = Epilogue::form::in_library && Epilogue::operands > 0 && !unit_strides;
  const char* const how = strided_update ? " leap-frog strided" : core::epilogue_text<Epilogue>();
  const auto& call = problem.call;
  core::Index3 planes;
  for (int p = 0; p < 3; ++p) planes[p] = std::int64_t{problem.axes[p].reach_low} + problem.axes[p].reach_high + 1;
  auto in = problem.in;
  if (in.extent[0] == 1) in.stride[0] = 1; // as good as any
  return {
      {{Backend::openmp, "apply_stencil", stencil_variant(call.shape, call.rank, call.radius, call.taps.count, how)},
       {problem.begin, problem.end, planes, concurrency},
       in,
       problem.out,
       problem.axes,
       unit_strides,
       problem.taps,
       tap_rows(problem, in.stride[0] != 1),
       epilogue}};
}

/// One task: the runs of one tile, plane after plane, or block after block of planes.
template <class T, class Epilogue>
void stencil_tile_task(const StencilOperands<T>& operands, const Epilogue& epilogue, const core::Index3& begin,
                       const core::Index3& end)
{
  StencilRuns<T> runs(operands);
  [[maybe_unused]] const RunFinisher<T, Epilogue> finish(epilogue, operands);
  [[maybe_unused]] T buffer[block_planes][max_run];
  const auto run = [&](std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes) {
    runs.select(first, last, j, k, planes);
    if constexpr (Epilogue::form::in_library && Epilogue::operands > 0) {
      runs.update(epilogue.operand.data());
    } else {
      const bool direct = Epilogue::form::in_library && operands.unit_strides;
      T* to[block_planes];
      for (int p = 0; p < planes; ++p) to[p] = direct ? &operands.out(first, j, k + p) : buffer[p];
      runs.sum(to);
      for (int p = 0; p < planes && !direct; ++p) finish(buffer[p], first, last, j, k + p);
    }
  };
  for (std::int64_t first = begin[0]; first < end[0]; first += max_run) {
    const std::int64_t last = std::min<std::int64_t>(first + max_run, end[0]);
    for (std::int64_t k = begin[2]; k < end[2];) {
      const int planes = end[2] - k >= operands.planes() ? operands.planes() : 1;
      for (std::int64_t j = begin[1]; j < end[1]; ++j) run(first, last, j, k, planes);
      k += planes;
    }
  }
}

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan<T, Capacity, Epilogue>& plan, const Space& space)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  const StencilTiles& tiles = plan.tiles;
  const StencilOperands<T> operands = plan.operands();
  Kokkos::parallel_for(core::label(plan.kernel), Policy(space, 0, tiles.tasks(), Kokkos::ChunkSize(1)),
                       [&](std::int64_t task) {
                         const core::Index3 tile{task % tiles.count[0], task / tiles.count[0] % tiles.count[1],
                                                 task / tiles.count[0] / tiles.count[1]};
                         core::Index3 first, last;
                         for (int p = 0; p < 3; ++p) {
                           first[p] = tiles.begin[p] + tile[p] * tiles.extent[p];
                           last[p] = std::min(first[p] + tiles.extent[p], tiles.end[p]);
                         }
                         stencil_tile_task(operands, plan.epilogue, first, last);
                       });
}

} // namespace Keramos::openmp::stencil
