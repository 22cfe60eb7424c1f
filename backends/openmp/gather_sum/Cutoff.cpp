// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled tasks of gather-sums with a cutoff.

#include "Cutoff.hpp"

#include <algorithm>

namespace Keramos::openmp::gather_sum {
namespace {

const CutoffFunctions<float>& cutoff_functions(float) { return cutoff_kernels().f32; }
const CutoffFunctions<double>& cutoff_functions(double) { return cutoff_kernels().f64; }

/// The runs of sources that a target reads.
template <class T>
class TargetRuns {
public:
  explicit TargetRuns(const CutoffJob<T>& job) : job_(job) {}

  /// Both good until the next call.
  const CutoffRun<T>* of(const core::Point<T>& target)
  {
    const core::CellRange range = job_.grid.range(target);
    if (!is_known_ || !range.is(range_)) find(range);
    for (int run = 0; run < count_; ++run) {
      const core::Point<T> shifted = job_.grid.shifted(target, image_[run]);
      for (int k = 0; k < 3; ++k) runs_[run].target[k] = shifted[k];
    }
    return runs_;
  }
  int count() const { return count_; }

private:
  /// Where nvcc compiles for_each_run, it wants a visitor that devices may call, too.
  KOKKOS_FUNCTION void find(const core::CellRange& range)
  {
    range_ = range;
    is_known_ = true;
    count_ = 0;
    job_.grid.for_each_run(range, [&](const core::CellRun& run) {
      const std::int64_t begin = job_.begin[run.first], end = job_.begin[run.first + run.count];
      if (begin == end) return;
      image_[count_] = run.image;
      runs_[count_++] = {begin, end - begin, {}};
    });
  }

  const CutoffJob<T>& job_;
  bool is_known_ = false;
  core::CellRange range_{};
  int count_ = 0;
  CutoffRun<T> runs_[core::max_cell_runs];
  Kokkos::Array<std::int64_t, 3> image_[core::max_cell_runs];
};

template <bool WithGradient, class T>
void cutoff_task(const CutoffJob<T>& job, std::int64_t task)
{
  const auto& extent = job.call.output.potential.extent;
  const auto sum =
      cutoff_functions(T{})
          .target[static_cast<int>(job.kernel.family)][job.rule.switch_rate > 0][static_cast<int>(job.kernel.parts)];
  const std::int64_t end = std::min((task + 1) * cutoff_task_targets, core::count_of(extent));
  TargetRuns<T> runs(job);
  for (std::int64_t n = task * cutoff_task_targets; n < end; ++n) {
    const core::Index3 i = core::unflatten(job.target_order ? job.target_order[n] : n, extent);
    const core::Point<T> target = job.call.targets[i];
    double total[4] = {};
    if (job.grid.holds(target)) {
      const CutoffRun<T>* read = runs.of(job.grid.in_box(target));
      sum(job.sources, read, runs.count(), total);
    }
    job.call.output.template store<WithGradient>(i, {total[0], {total[1], total[2], total[3]}});
  }
}

} // namespace

void run_cutoff_task(const CutoffJob<float>& job, bool with_gradient, std::int64_t task)
{
  with_gradient ? cutoff_task<true>(job, task) : cutoff_task<false>(job, task);
}
void run_cutoff_task(const CutoffJob<double>& job, bool with_gradient, std::int64_t task)
{
  with_gradient ? cutoff_task<true>(job, task) : cutoff_task<false>(job, task);
}

} // namespace Keramos::openmp::gather_sum
