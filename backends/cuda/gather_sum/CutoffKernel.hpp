// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums with a cutoff: a few neighbouring lanes own a target and go together through the runs of sources that it reads;
// the targets of a warp are neighbours in space, so that its lanes read the same lines. A lane adds its sources of a run in the
// value type, the runs in double; which are a lane's depends on the target alone.
#pragma once

#include "../../../src/keramos/gather_sum/Cutoff.hpp"
#include "../Launch.hpp"
#include "CellLists.hpp"
#include "Kernels.hpp"

namespace Keramos::cuda::gather_sum {

/// A built-in kernel within a cutoff, as core::CutoffInteraction has it: by selects, for of neighbouring lanes one mostly adds.
/// K is the kernel, or GradientOnly of it.
template <class T, class K>
struct FastCutoffPair {
  using Exact = core::CutoffInteraction<T, K>;

  FastRadial<core::BareKernel<K>, T> radial;
  Exact exact;
  T too_close; ///< r^2 above it counts

  FastCutoffPair(const K& kernel, const core::CutoffRule<T>& rule)
      : radial(core::KernelTraits<K>::bare(kernel)), exact{typename Exact::Pair(core::KernelTraits<K>::bare(kernel)),
                                                           rule},
        too_close(exact.pair.singular ? 0 : -1)
  {
  }
  __device__ T shift() const { return exact.shift(); }
  __device__ bool switches() const { return exact.rule.switch_rate > 0; }

  template <bool WithGradient, bool Switched>
  __device__ void add(core::GatherTotal<T>& sum, const core::Point<T>& target, const core::Point<T>& source, T weight,
                      T shift) const
  {
    const core::CutoffRule<T>& rule = exact.rule;
    const T dx = target[0] - source[0], dy = target[1] - source[1], dz = target[2] - source[2];
    const T s = squared(dx, dy, dz, T(0));
    const bool counts = s > too_close && s < rule.limit;
    RadialTerms<T> terms = radial(softened(s), weight);
    terms.value *= static_cast<T>(radial.value_scale);
    terms.slope *= static_cast<T>(radial.gradient_scale());
    if constexpr (Switched) {
      const T t = s > rule.switch_on ? (s - rule.switch_on) * rule.switch_rate : 0;
      const T kept = (1 - t) * (1 - t) * (1 + 2 * t);
      terms.slope = fma(-12 * t * (1 - t) * rule.switch_rate * terms.value, weight, kept * terms.slope);
      terms.value *= kept;
    }
    const auto add = [&](T& to, T factor, T value) { to = counts ? fma(factor, value, to) : to; };
    if constexpr (Exact::Pair::with_potential) add(sum.potential, weight, terms.value - shift);
    if constexpr (WithGradient) {
      add(sum.gradient[0], terms.slope, dx);
      add(sum.gradient[1], terms.slope, dy);
      add(sum.gradient[2], terms.slope, dz);
    }
  }

private:
  /// No compiler leaves out the zero that other kernels would add, for of -0 it makes 0.
  __device__ T softened(T s) const
  {
    if constexpr (std::is_same_v<core::BareKernel<K>, Coulomb>)
      return s + radial.shift;
    else
      return s;
  }
};

/// What a block of threads reads, whatever it sums.
template <class T>
struct CutoffJob {
  core::GatherSumCall<T> call; ///< its axes sorted
  core::CellGrid<T> grid;
  const SourceRecord<T>* sources;
  const int* begin;        ///< of the sources of a bucket
  const int* target_order; ///< none: as they are counted
};

inline constexpr int cutoff_threads = 128; ///< of a block: chosen, not measured

/// Lanes of a target. H200, 10^6 targets with 50 neighbours in float, with the sort: 0.95, 1.00, 1.20 ms with 2, 4, 8. A list of
/// the runs in shared memory, through which each lane goes by itself, took 1.53.
inline constexpr int cutoff_lanes = 2;

/// f(add), where add(sum, target, source, weight, shift) is the pair's, with its switch or without one. That is chosen in front of the
/// loop through a run: a branch in it, though all threads take it alike, keeps neighbouring pairs from overlapping.
template <bool WithGradient, class Pair, class F>
__device__ void with_adder(const Pair& pair, const F& f)
{
  if constexpr (requires { pair.switches(); }) {
    if (pair.switches())
      f([&](auto&&... arguments) { pair.template add<WithGradient, true>(arguments...); });
    else
      f([&](auto&&... arguments) { pair.template add<WithGradient, false>(arguments...); });
  } else {
    f([&](auto&&... arguments) { pair.template add<WithGradient>(arguments...); });
  }
}

/// Adds every Lanes-th source of a run.
template <int Lanes, bool WithGradient, class Pair, class T>
__device__ void add_run(core::GatherTotal<double>& total, const CutoffJob<T>& job, const Pair& pair,
                        const core::Point<T>& target, int begin, int end, T shift)
{
  constexpr int most = static_cast<int>(core::source_block) * Lanes;
  with_adder<WithGradient>(pair, [&](const auto& add) {
    while (begin < end) {
      core::GatherTotal<T> block;
      const int last = end - begin < most ? end : begin + most;
#pragma unroll 2
      for (; begin < last; begin += Lanes) {
        const SourceRecord<T> source = job.sources[begin];
        add(block, target, position(source), source.weight, shift);
      }
      total.add(block);
    }
  });
}

/// The rows of cells that a target reads; nothing: none.
struct CellRows {
  std::int64_t low[2] = {0, 0};
  int across = 1, count = 0;

  CellRows() = default;
  __device__ explicit CellRows(const core::CellRange& range)
      : low{range.low[1], range.low[2]}, across(static_cast<int>(range.high[1] - range.low[1] + 1)),
        count(across * static_cast<int>(range.high[2] - range.low[2] + 1))
  {
  }
};

/// What a lane adds to its target, which is in the box: Lanes of them find a run each, and go through all of these together.
/// All lanes of the warp must come here.
template <int Lanes, bool WithGradient, class Pair, class T>
__device__ core::GatherTotal<double> lane_sum(const CutoffJob<T>& job, const Pair& pair, const core::Point<T>& target,
                                              const CellRows& rows)
{
  constexpr unsigned all = 0xffffffff;
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const T shift = pair.shift();
  core::GatherTotal<double> total;
  for (int row = lane; __any_sync(all, row - lane < rows.count); row += Lanes) {
    const std::int64_t q1 = rows.low[0] + row % rows.across, q2 = rows.low[1] + row / rows.across;
    core::CellSpan cells{0, -1};
    if (row < rows.count) cells = job.grid.span_in_row(target, q1, q2);
    while (__any_sync(all, cells.low <= cells.high)) {
      int begin = 0, end = 0;
      core::Point<T> seen = target;
      if (cells.low <= cells.high) {
        const core::CellRun run = job.grid.first_run(cells.low, cells.high, q1, q2);
        cells.low += run.count;
        begin = job.begin[run.first];
        end = job.begin[run.first + run.count];
        seen = job.grid.shifted(target, run.image);
      }
#pragma unroll 1
      for (int from = 0; from < Lanes; ++from) {
        core::Point<T> there;
        for (int k = 0; k < 3; ++k) there[k] = __shfl_sync(all, seen[k], from, Lanes);
        add_run<Lanes, WithGradient>(total, job, pair, there, __shfl_sync(all, begin, from, Lanes) + lane,
                                     __shfl_sync(all, end, from, Lanes), shift);
        __syncwarp();
      }
    }
  }
#pragma unroll
  for (int c = 0; c < core::total_components<WithGradient>; ++c)
    for (int apart = 1; apart < Lanes; apart *= 2)
      core::component(total, c) += __shfl_xor_sync(all, core::component(total, c), apart);
  return total;
}

/// The sum of a target by the reference's arithmetic, in double. Rare, and so by one thread.
template <bool WithGradient, class Exact, class T>
__device__ __noinline__ core::GatherTotal<double> exact_sum(const CutoffJob<T>& job, const Exact& exact,
                                                            core::Point<T> target)
{
  core::GatherTotal<double> total;
  const T shift = exact.shift();
  job.grid.for_each_run(job.grid.range(target), [&](const core::CellRun& run) {
    const core::Point<T> shifted = job.grid.shifted(target, run.image);
    for (int j = job.begin[run.first]; j < job.begin[run.first + run.count]; ++j) {
      const SourceRecord<T> source = job.sources[j];
      exact.template add<WithGradient>(total, shifted, position(source), source.weight, shift);
    }
  });
  return total;
}

/// Pair: FastCutoffPair, whose sums are computed again where they are not finite, or core::CutoffInteraction of a functor.
template <bool WithGradient, class Pair, class T>
__global__ void __launch_bounds__(cutoff_threads)
    gather_cutoff(const __grid_constant__ CutoffJob<T> job, const __grid_constant__ Pair pair)
{
  constexpr int lanes = cutoff_lanes;
  const auto& extent = job.call.output.potential.extent;
  const std::int64_t count = core::count_of(extent);
  const std::int64_t number = (std::int64_t{blockIdx.x} * cutoff_threads + threadIdx.x) / lanes;
  const std::int64_t n = min(number, count - 1);
  const core::Index3 i = index_of(job.target_order ? job.target_order[n] : n, extent);
  core::Point<T> target = job.call.targets[i];
  CellRows rows;
  if (job.grid.holds(target)) {
    target = job.grid.in_box(target);
    rows = CellRows(job.grid.range(target));
  }
  core::GatherTotal<double> total = lane_sum<lanes, WithGradient>(job, pair, target, rows);
  if (number >= count || threadIdx.x % lanes != 0) return;
  if constexpr (requires { pair.exact; })
    if (!is_finite<WithGradient>(total)) total = exact_sum<WithGradient>(job, pair.exact, target);
  job.call.output.template store<WithGradient>(i, total);
}

template <bool WithGradient, class Pair, class T>
void launch_cutoff(const Kernel& kernel, const Kokkos::Cuda& space, const CutoffJob<T>& job, const Pair& pair)
{
  const std::int64_t threads = cutoff_lanes * core::count_of(job.call.output.potential.extent);
  const dim3 blocks(static_cast<unsigned>(core::ceil_div(threads, cutoff_threads)));
  launch_kernel<gather_cutoff<WithGradient, Pair, T>>(kernel, space, {blocks, cutoff_threads}, job, pair);
}

/// Compiled once, for Coulomb, Yukawa and Gaussian, and for GradientOnly of these.
template <bool WithGradient, class T, class K>
void launch_built_in_cutoff(const Kernel& kernel, const Kokkos::Cuda& space, const CutoffJob<T>& job, const K& built_in,
                            const core::CutoffRule<T>& rule);

} // namespace Keramos::cuda::gather_sum
