// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of some kilobytes that trade places in one array: place d gets the run that was at source(d). The cycles of this permutation are
// cut where a place is a multiple of `cut_every`, which has no divisor in common with the number of places less one, or the multiples would
// all lie in some of the cycles; what lies there is in scratch before. A warp walks from each cut to the next one, and
// through the cycles that have none:
//
//     cuts at c1, c2:     ... c1 <- y <- z <- saved(c2)         each warp its own stretch, in any order
//     without:            x <- y <- z <- x, held in registers   by the warp of the least place
//
// Every lane has 16 bytes of each run that it moves, so that nothing is waited for but memory.
#pragma once

#include "../BlockDivisor.hpp"

#include <cstdint>

namespace Keramos::cuda::transpose {

inline constexpr int cycle_threads = 256, cycle_vectors = 4; ///< of a lane, on their way together

/// A matrix of runs, `rows` of them in a row of the result, is transposed.
struct RunCyclesJob {
  BlockDivisor rows;
  unsigned columns; ///< rows.d * columns runs
  unsigned count;   ///< of runs
  BlockDivisor cut_every;
  unsigned vectors; ///< of a run

  __device__ unsigned source(unsigned place) const
  {
    const unsigned column = quotient(place, rows);
    return (place - column * rows.d) * columns + column;
  }
  __device__ bool is_cut(unsigned place) const { return place == quotient(place, cut_every) * cut_every.d; }
};

/// Is this the least place of a cycle without cuts, of more than one place?
__device__ inline bool leads(const RunCyclesJob& job, unsigned place)
{
  unsigned at = job.source(place);
  if (at == place) return false;
  for (; at != place; at = job.source(at))
    if (at < place || job.is_cut(at)) return false;
  return true;
}

/// The vectors `vector` and 32, 64 ... behind it of each run from `first` on, up to the next cut or once round.
__device__ inline void walk(const RunCyclesJob& job, uint4* data, const uint4* saved, unsigned first, unsigned vector)
{
  const auto at = [&](auto* runs, unsigned run, int k) {
    return runs + std::int64_t{run} * job.vectors + vector + 32 * k;
  };
  const auto for_own = [&](const auto& f) {
#pragma unroll
    for (int k = 0; k < cycle_vectors; ++k)
      if (vector + 32 * k < job.vectors) f(k);
  };
  const bool from_cut = job.is_cut(first);
  uint4 held[cycle_vectors], moved[cycle_vectors];
  if (!from_cut) for_own([&](int k) { held[k] = *at(data, first, k); });
  unsigned place = first, next = job.source(place);
  while (from_cut ? !job.is_cut(next) : next != first) {
    for_own([&](int k) { moved[k] = *at(data, next, k); });
    for_own([&](int k) { *at(data, place, k) = moved[k]; });
    place = next;
    next = job.source(place);
  }
  for_own([&](int k) { *at(data, place, k) = from_cut ? *at(saved, quotient(next, job.cut_every), k) : held[k]; });
}

__global__ void __launch_bounds__(cycle_threads)
    run_cycles_kernel(uint4* data, const uint4* saved, const __grid_constant__ RunCyclesJob job)
{
  const unsigned place = blockIdx.x * cycle_threads + threadIdx.x, lane = threadIdx.x % 32;
  const bool begins = place < job.count && (job.is_cut(place) || leads(job, place));
  for (unsigned left = __ballot_sync(~0u, begins); left != 0; left &= left - 1) {
    const unsigned first = place - lane + static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
    for (unsigned vector = lane; vector < job.vectors; vector += 32 * cycle_vectors)
      walk(job, data, saved, first, vector);
  }
}

} // namespace Keramos::cuda::transpose
