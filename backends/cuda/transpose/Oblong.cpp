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

void trade_places(const OblongPlan& plan, const Kokkos::Cuda& space)
{
  char* const data = plan.data + plan.cut.place(0) * plan.cut.size;
  CellCyclesJob job = cycles_job(plan.cut, data);
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

} // namespace

void launch(const OblongPlan& plan, const Kokkos::Cuda& space)
{
  const Device device = device_of(space);
  const auto move = [&](const core::MoveAxes& axes, const char* in, char* out, bool reads_early) {
    if (auto moved = plan_move(device, axes, plan.cut.size, in, out)) {
      moved->reads_early = reads_early;
      run_move(*moved, plan.kernel, space, in, out);
    }
  };
  const auto trade = [&] { trade_places(plan, space); };
  const OblongSteps steps(plan.cut, plan.data, plan.scratch, move, trade);
  plan.cut.is_high ? steps.high() : steps.wide();
}

} // namespace Keramos::cuda::transpose
