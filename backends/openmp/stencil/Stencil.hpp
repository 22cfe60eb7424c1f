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
#include "PackedTile.hpp"
#include "Runs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace Keramos::openmp::stencil {

/// The points of a call in tiles, one per task.
struct StencilTiles {
  core::Index3 begin, end; ///< the points
  core::Index3 extent;     ///< of a tile, but for the last ones
  core::Index3 count;      ///< along each axis

  StencilTiles() = default;
  /// `planes` is what one point reads along each axis. `packs`: see StencilPlan. `is_large`: the results are, see Streaming.
  StencilTiles(const core::Index3& begin, const core::Index3& end, const core::Index3& planes, const Walk& walk,
               bool packs, bool is_large, int concurrency);

  std::int64_t tasks() const { return count[0] * count[1] * count[2]; }
};

template <class T, int Capacity, class Epilogue>
struct StencilPlan {
  Kernel kernel;
  StencilTiles tiles;
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  bool packs;        ///< no axis of `in` is contiguous: tiles copy what they read
  bool unit_strides; ///< see StencilOperands
  Streaming streaming;
  Walk walk;
  core::Taps<T, Capacity> taps;
  TapRows<T, Capacity> rows;
  Epilogue epilogue;

  /// What is large is made where it stays. `gathers`, `pads`: see tap_rows().
  StencilPlan(const core::StencilProblem<T, Capacity>& problem, const Epilogue& the_epilogue, bool the_packs,
              bool gathers, bool pads)
      : in(problem.in), out(problem.out), axes(problem.axes), packs(the_packs), taps(problem.taps.copy()),
        rows(tap_rows(problem, gathers, pads)), epilogue(the_epilogue)
  {
  }

  /// For as long as this plan stays where it is.
  StencilOperands<T> operands() const
  {
    return {in,
            out,
            axes,
            unit_strides,
            streaming,
            walk,
            taps.count,
            taps.weight,
            taps.offset,
            rows.column_radius,
            rows.column_weight,
            rows.star_radius,
            rows.line_radius,
            rows.plane_reach,
            rows.padded_rows,
            rows.tap_of_row,
            rows.row_of_tap};
  }
};

/// How results at the points [begin, end), of so many bytes each, are written; planes lie `plane_pitch` bytes apart. `in_star_blocks`: away
/// from edges they are computed in StarBlocks.
Streaming stream_results(const core::Index3& begin, const core::Index3& end, int size, std::int64_t plane_pitch,
                         bool in_star_blocks);

/// What decides how tiles are walked.
struct WalkedStencil {
  core::Index3 planes; ///< what one point reads along each axis
  int taps, column_radius, star_radius, line_radius;
  PlaneReach plane_reach;
  std::int64_t row_bytes;                ///< of a run
  std::int64_t row_pitch, out_row_pitch; ///< of `in` and of the output, in bytes
  Streaming streaming;
  bool stores;      ///< the sums go into the output as they are
  bool updates;     ///< they go through the library's epilogue, whose fields are where kernels take them
  bool has_functor; ///< they go through the application's
  bool is_clear;    ///< no edge along the runs reaches any of the points
};

Walk choose_walk(const WalkedStencil& stencil);

/// Of `concurrency` so many are worth a task: one where there is little to compute.
int worthwhile_threads(const core::Index3& begin, const core::Index3& end, int size, int taps, int concurrency);

/// "star<3,4>", "line<2,1>", "sparse<2,7 taps>" and how the epilogue is applied.
core::Text stencil_variant(Shape shape, int rank, int radius, int taps, bool packs, const char* epilogue);

/// Are runs contiguous in `out`, and in all that the epilogue reads? That which stores sums reads nothing. `packs`: `in` is copied.
template <class T, int Capacity, class Epilogue>
bool has_unit_strides(const core::StencilProblem<T, Capacity>& problem, bool packs, const Epilogue& epilogue)
{
  const auto unit = [&](const auto& field) { return field.stride[0] == 1 || problem.out.extent[0] == 1; };
  bool all = unit(problem.out);
  if constexpr (!Epilogue::form::in_library || Epilogue::operands > 0) all = all && (packs || unit(problem.in));
  if constexpr (Epilogue::operands > 0)
    for (int n = 0; n < Epilogue::operands; ++n)
      all = all && (!epilogue.operand[n].is_field() || unit(epilogue.operand[n].field));
  return all;
}

/// No edge along the runs reaches any of the points.
template <class T, int Capacity>
bool is_clear_along_runs(const core::StencilProblem<T, Capacity>& problem)
{
  const auto& axis = problem.axes[0];
  return problem.begin[0] - axis.reach_low >= axis.valid_begin && problem.end[0] + axis.reach_high <= axis.valid_end;
}

/// `concurrency`: of the instance that the plan is for.
template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan<T, Capacity, Epilogue>>
choose(int concurrency, const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  // By its strides, not its extents: parts of an array are computed by the kernels of the whole.
  const bool contiguous = std::count(problem.in.stride.data(), problem.in.stride.data() + 3, 1) > 0;
  const bool packs = !contiguous && problem.in.extent[0] != 1 && !problem.empty();
  // By the taps alone, whatever the edges: parts of an array are computed by the kernels of the whole.
  const std::int64_t reach = std::int64_t{problem.axes[0].reach_low} + problem.axes[0].reach_high;
  if (reach > max_reach) return std::nullopt;
  const auto& taps = problem.taps;
  if (reach * taps.count > max_padding && reach * count_rows(taps.offset, taps.count) > max_padding)
    return std::nullopt;
  core::Index3 planes;
  for (int p = 0; p < 3; ++p) planes[p] = std::int64_t{problem.axes[p].reach_low} + problem.axes[p].reach_high + 1;
  if (packs && !can_pack(problem.axes)) return std::nullopt;

  const bool gathers = !packs && problem.in.extent[0] != 1 && problem.in.stride[0] != 1;
  const bool is_clear = is_clear_along_runs(problem);
  std::optional<StencilPlan<T, Capacity, Epilogue>> result(std::in_place, problem, epilogue, packs, gathers,
                                                           gathers || (!packs && !is_clear));
  auto& plan = *result;
  if (plan.in.extent[0] == 1) plan.in.stride[0] = 1; // as good as any
  plan.unit_strides = has_unit_strides(problem, packs, epilogue);
  constexpr bool in_library = Epilogue::form::in_library, has_operands = Epilogue::operands > 0;
  const bool strided_update = in_library && has_operands && !plan.unit_strides;
  const auto& call = problem.call;
  plan.kernel = {Backend::openmp, "apply_stencil",
                 stencil_variant(call.shape, call.rank, call.radius, call.taps.count, packs,
                                 strided_update ? " leap-frog strided" : core::epilogue_text<Epilogue>())};
  const auto& rows = plan.rows;
  const bool in_star_blocks = !packs && StarBlocks<T>::exist(rows.star_radius);
  constexpr std::int64_t size = sizeof(T);
  plan.streaming = stream_results(problem.begin, problem.end, size, problem.out.stride[2] * size, in_star_blocks);
  if (!plan.unit_strides) plan.streaming.rows = plan.streaming.blocks = false;
  const bool unpacked_rows = plan.unit_strides && !packs;
  plan.walk = choose_walk({planes, problem.taps.count, rows.column_radius, rows.star_radius, rows.line_radius,
                           rows.plane_reach, std::min<std::int64_t>(problem.end[0] - problem.begin[0], max_run) * size,
                           plan.in.stride[1] * size, problem.out.stride[1] * size, packs ? Streaming() : plan.streaming,
                           in_library && !has_operands && unpacked_rows, in_library && has_operands && unpacked_rows,
                           !in_library && !packs, is_clear});
  const int threads = worthwhile_threads(problem.begin, problem.end, size, problem.taps.count, concurrency);
  plan.tiles = {problem.begin, problem.end, planes, plan.walk, packs, plan.streaming.is_large, threads};
  return result;
}

/// The runs of one tile, plane after plane, or block after block of planes.
template <class T, class Epilogue>
void stencil_tile(const StencilOperands<T>& operands, const Epilogue& epilogue, const core::Index3& begin,
                  const core::Index3& end)
{
  StencilRuns<T> runs(operands, begin, end);
  RunFinisher<T, Epilogue> finisher(epilogue, operands);
  constexpr bool in_library = Epilogue::form::in_library, updates = in_library && Epilogue::operands > 0;
  const bool gathers_operands = updates && !operands.unit_strides; // run by run
  const auto compute = [&](const Run& run) {
    if constexpr (updates)
      runs.update(run, epilogue.operand.data());
    else if (in_library && operands.unit_strides)
      runs.store(run);
    else
      runs.apply(run, finisher.functor(run), finisher.stores());
  };
  const std::int64_t run_points = operands.run_points();
  for (std::int64_t first = begin[0]; first < end[0]; first += run_points) {
    const std::int64_t last = std::min<std::int64_t>(first + run_points, end[0]);
    for (std::int64_t k = begin[2]; k < end[2];) {
      const int planes = runs.planes_at(first, last, k, end[2]);
      for (std::int64_t j = begin[1]; j < end[1];) {
        Run run{first, last, j, k, planes};
        if (!gathers_operands && runs.takes_star(run, end[1]))
          run.kind = RunKind::star_block, run.rows = star_rows;
        else if (!gathers_operands)
          run.rows = runs.rows_at_once(run, end[1]);
        if (runs.takes_direct(run)) run.kind = RunKind::direct_block;
        if (planes == 1 || run.kind != RunKind::stretches || runs.takes_block(run))
          compute(run);
        else
          for (int p = 0; p < planes; ++p) compute({first, last, j, k + p, 1});
        j += run.rows;
      }
      k += planes;
    }
  }
}

/// The same for a tile whose operands are copied, a few planes after the other.
template <class T, class Epilogue>
void packed_stencil_tile(const StencilOperands<T>& operands, const Epilogue& epilogue, const core::Index3& begin,
                         const core::Index3& end)
{
  for (std::int64_t first = begin[0]; first < end[0]; first += packed_run) {
    const std::int64_t last = std::min(first + packed_run, end[0]);
    PackedTile<T> tile(operands, {first, begin[1], begin[2]}, {last, end[1], end[2]});
    for (std::int64_t k = begin[2]; k < end[2]; k += packed_planes) {
      const std::int64_t end_k = std::min(k + packed_planes, end[2]);
      stencil_tile(tile.planes(k, end_k), epilogue, {first, begin[1], k}, {last, end[1], end_k});
    }
  }
}

/// body(task) for each task. A single one is the calling thread's, unless somebody listens to Kokkos: no other is waited for. Where no thread
/// has more than one, none is handed out while they run: that takes a meeting of all.
template <class Space, class Body>
void for_each_task(const Kernel& kernel, const Space& space, std::int64_t tasks, const Body& body)
{
  using Index = Kokkos::IndexType<std::int64_t>;
  using OneEach = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>, Index>;
  using InTurn = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Index>;
  if (core::is_synchronous<Space> && tasks == 1 && !Kokkos::Tools::profileLibraryLoaded()) return body(0);
  const Kokkos::ChunkSize chunk(1);
  if (tasks <= space.concurrency())
    Kokkos::parallel_for(core::label(kernel), OneEach(space, 0, tasks, chunk), body);
  else
    Kokkos::parallel_for(core::label(kernel), InTurn(space, 0, tasks, chunk), body);
}

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan<T, Capacity, Epilogue>& plan, const Space& space)
{
  const StencilTiles& tiles = plan.tiles;
  StencilOperands<T> operands = plan.operands();
  DirectTapMemory<T, Capacity> direct; // NOLINT(cppcoreguidelines-pro-type-member-init): as far as there are taps
  set_direct_taps<T>(operands, direct.tap, direct.segment, direct.column);
  for_each_task(plan.kernel, space, tiles.tasks(), [&](std::int64_t task) {
    const core::Index3 tile{task % tiles.count[0], task / tiles.count[0] % tiles.count[1],
                            task / tiles.count[0] / tiles.count[1]};
    core::Index3 first, last;
    for (int p = 0; p < 3; ++p) {
      first[p] = tiles.begin[p] + tile[p] * tiles.extent[p];
      last[p] = std::min(first[p] + tiles.extent[p], tiles.end[p]);
    }
    if (plan.packs) return packed_stencil_tile(operands, plan.epilogue, first, last);
    stencil_tile(operands, plan.epilogue, first, last);
  });
}

} // namespace Keramos::openmp::stencil
