// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An empty Kokkos::parallel_for over one index: what launching anything costs in Kokkos, and the yardstick of the host time
// of our calls. It takes the instance and has a label of a few letters, as an application's would.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>

namespace perf {

/// Issued back to back between two fences. On a GPU they and what they launch (at most four launches and allocations a call)
/// fit into the queue of launches, which holds about a thousand, so that the host never waits for the GPU.
inline constexpr int calls_per_batch = 200;

struct DoNothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

template <class Exec>
void launch_nothing(const Exec& exec)
{
  Kokkos::parallel_for("empty", Kokkos::RangePolicy<Exec>(exec, 0, 1), DoNothing{});
}

/// As many empty launches the host issues in a second: the median of five batches.
template <class Exec>
double empty_launches_per_second()
{
  const Exec exec;
  std::array<double, 5> seconds;
  for (double& batch : seconds) {
    exec.fence();
    Kokkos::Timer timer;
    for (int n = 0; n < calls_per_batch; ++n) launch_nothing(exec);
    batch = timer.seconds();
  }
  exec.fence();
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  return calls_per_batch / seconds[2];
}

} // namespace perf
