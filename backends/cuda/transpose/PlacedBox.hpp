// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What blocks need to know of a box by runs: how the grid lies, its runs on both sides, and where everything is in shared memory.
#pragma once

#include "RowsBox.hpp"

namespace Keramos::cuda::transpose {

struct Runs {
  std::int64_t length = 1, rows = 1;
};
Runs runs_of(const BoxRowsJob::Side& side, int inner);

/// Do all runs of a side, whose array has these strides, begin on a sector?
bool runs_begin_on_sectors(const BoxRowsJob& job, const BoxRowsJob::Side& side, std::int64_t BoxGrid::Axis::*stride,
                           const void* data, int size);

/// A box and its shared memory.
struct PlacedJob {
  BoxRowsJob job{};
  std::int64_t bytes = 0;

  bool has_runs() const { return job.in.run_axes > 0 && job.out.run_axes > 0; }
  Runs in() const { return runs_of(job.in, job.inner); }
  Runs out() const { return runs_of(job.out, job.inner); }
  double runs_per_element() const ///< of both sides
  {
    return 1.0 / static_cast<double>(in().length) + 1.0 / static_cast<double>(out().length);
  }
};

/// Without bytes where the box has no runs.
PlacedJob placed(const Layout& layout, const RowsBox& box);

} // namespace Keramos::cuda::transpose
