// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.hpp"
#include "Platform.hpp"

namespace perf {

void finish() { Space().fence(); }

double seconds_of(const std::function<void()>& work, double&)
{
  finish();
  Kokkos::Timer timer;
  work();
  finish();
  return timer.seconds();
}

/// Others take up to fifty times as long.
int repetitions(bool ours) { return ours ? sized(3, 7) : 3; }

void profiled(int, const std::function<void()>& work) { work(); }

std::vector<std::pair<std::string, std::string>> platform_context() { return {}; }

} // namespace perf
