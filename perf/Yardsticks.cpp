// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Yardsticks.hpp"

#include "EmptyLaunch.hpp"
#include "Platform.hpp"

#include <algorithm>

namespace perf {
namespace {

std::vector<CopyWay> ways; ///< none: their arrays are not there yet

void require_ways()
{
  if (ways.empty()) ways = copy_ways();
}

double best_copy()
{
  require_ways();
  double best = 0;
  for (const CopyWay& way : ways) best = std::max(best, way.rate());
  return best;
}

} // namespace

double rate_of(Yardstick yardstick)
{
  switch (yardstick) {
  case Yardstick::copy:
    return best_copy();
  case Yardstick::arithmetic:
    return arithmetic_rate();
  case Yardstick::launch:
    return empty_launches_per_second<Kokkos::DefaultExecutionSpace>();
  case Yardstick::serial_launch:
#ifdef KOKKOS_ENABLE_SERIAL
    return empty_launches_per_second<Kokkos::Serial>();
#endif
  }
  return 0;
}

std::vector<std::pair<std::string, double>> copy_contest()
{
  best_copy(); // the first touch, or launch, of everything
  std::vector<std::pair<std::string, double>> result;
  for (const CopyWay& way : ways) result.emplace_back(way.name, way.rate());
  return result;
}

void free_yardsticks() { ways.clear(); }

} // namespace perf
