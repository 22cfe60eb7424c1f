// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this machine can do at best, here and now. Machines that are shared, virtual or hot drift by tens of percent within
// a minute, so a figure is worth what the yardsticks beside it say.
#pragma once

#include "Harness.hpp"

namespace perf {

/// Copy: bytes read and written a second by the fastest of the ways below, over several allocations, on all threads.
/// Arithmetic, in registers and on all threads: on the host float multiply-adds a second with the widest vectors compiled
/// for, on a GPU approximate reciprocal square roots a second. Launches: calls of an empty Kokkos::parallel_for a second.
double rate_of(Yardstick yardstick);

/// Each way to copy and the bytes a second it reached.
std::vector<std::pair<std::string, double>> copy_contest();

/// The copies' arrays; before Kokkos ends.
void free_yardsticks();

} // namespace perf
