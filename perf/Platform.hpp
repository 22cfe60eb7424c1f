// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What taking a figure on the host and on a GPU does not share: HostPlatform.cpp and HostYardsticks.cpp, or cuda/Platform.cpp
// and cuda/Yardsticks.cpp.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perf {

/// Waits for everything that was launched.
void finish();

/// Seconds that the work takes where it runs. `host_seconds` is what the host needed to launch it last time, and is
/// updated: a GPU is kept busy for that long first, so that launching is not part of the figure.
double seconds_of(const std::function<void()>& work, double& host_seconds);

/// How often a contender is timed. Keramos is `ours`.
int repetitions(bool ours);

/// The work alone for a profiler: recorded after a launch named mark_of_a_contender with `number` blocks. On the host just the work.
void profiled(int number, const std::function<void()>& work);

/// A way to copy, and the bytes a second that it reaches now: the best of several allocations, which live as long as the ways.
struct CopyWay {
  std::string name;
  std::function<double()> rate;
};
std::vector<CopyWay> copy_ways();

/// In registers, on all threads: multiply-adds or reciprocal square roots a second, see Yardsticks.hpp.
double arithmetic_rate();

/// What a result must say about where it was taken beside what describe_machine() says of the host.
std::vector<std::pair<std::string, std::string>> platform_context();

} // namespace perf
