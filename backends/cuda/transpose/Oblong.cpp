// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Oblong.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "../Launch.hpp"
#include "CellCycles.hpp"
#include "OblongSteps.hpp"
#include "Plan.hpp"
#include "Run.hpp"

namespace Keramos::cuda::transpose {

__global__ void __launch_bounds__(cycle_threads, cycle_blocks)
    cell_cycles_kernel(char* data, const __grid_constant__ CellCyclesJob job)
{
  const unsigned warp = (blockIdx.x * cycle_threads + threadIdx.x) / 32, first = job.first[blockIdx.y];
  if (warp >= job.warps) return;
  const CellPiece piece(job, warp);
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (job.by_vectors)
    walk<CellVectors>(job, data, piece, first, lane);
  else
    walk<CellWords>(job, data, piece, first, lane);
}

namespace {

void trade_places(const OblongCut& cut, const OblongPlan& plan, const Kokkos::Cuda& space)
{
  char* const data = plan.data + cut.place(0) * cut.size;
  CellCyclesJob job = cycles_job(cut, data);
  const auto blocks = static_cast<unsigned>(core::ceil_div(job.warps, cycle_threads / 32));
  unsigned cycles = 0;
  const auto launch_cycles = [&] {
    if (cycles > 0) launch_kernel<cell_cycles_kernel>(plan.kernel, space, {{blocks, cycles}, cycle_threads}, data, job);
    cycles = 0;
  };
  for_each_cycle(job.grid, [&](unsigned first) {
    job.first[cycles++] = first;
    if (cycles == cycles_at_once) launch_cycles();
  });
  launch_cycles();
}

/// Plain moves of elements of `size` bytes.
auto mover(const OblongPlan& plan, int size, const Kokkos::Cuda& space)
{
  return [&plan, &space, size, device = device_of(space)](const core::MoveAxes& axes, const char* in, char* out,
                                                          bool reads_early) {
    if (auto moved = plan_move(device, axes, size, in, out)) {
      moved->reads_early = reads_early;
      run_move(*moved, plan.kernel, space, in, out);
    }
  };
}

void launch(const OblongWhole& whole, const OblongPlan& plan, const Kokkos::Cuda& space)
{
  steps_through_scratch(whole, plan.data, plan.scratch, mover(plan, whole.size, space));
}

void launch(const OblongCut& cut, const OblongPlan& plan, const Kokkos::Cuda& space)
{
  const auto move = mover(plan, cut.size, space);
  const auto trade = [&] { trade_places(cut, plan, space); };
  const OblongSteps steps(cut, plan.data, plan.scratch, move, trade);
  cut.is_high ? steps.high() : steps.wide();
}

} // namespace

core::Text variant(const OblongWay& way)
{
  const auto* const cut = std::get_if<OblongCut>(&way);
  if (!cut) return core::Text("through scratch");
  return [bands = cut->bands, is_high = cut->is_high] {
    return core::text(is_high ? "bands and cells, " : "cells and bands, ", bands, " bands");
  };
}

void launch(const OblongPlan& plan, const Kokkos::Cuda& space)
{
  std::visit([&](const auto& way) { launch(way, plan, space); }, plan.way);
}

} // namespace Keramos::cuda::transpose
