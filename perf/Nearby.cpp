// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Nearby.hpp"

#include <random>

namespace perf {
namespace {

Place place_of_cases;
std::vector<std::string> table_names; ///< of the cases that the others, registered after them, are near
std::size_t next_name = 0;

/// Up to 3 more or less along each axis, but along those of few points, as components are.
std::vector<std::int64_t> drawn(std::vector<std::int64_t> extents, std::mt19937& random)
{
  constexpr int min_extent = 10, max_step = 3;
  for (std::int64_t& extent : extents) {
    if (extent < min_extent) continue;
    const std::int64_t step = 1 + random() % max_step;
    extent += random() % 2 == 0 ? step : -step;
  }
  return extents;
}

} // namespace

std::vector<Place> places_near(const std::vector<std::int64_t>& extents)
{
  constexpr int draws = 3, allocations = 3;
  std::vector<Place> places;
  if (!extents_seed()) return places;
  std::vector<std::int64_t> numbers = extents; // a case's draws depend on no other case
  numbers.push_back(*extents_seed());
  std::seed_seq seeds(numbers.begin(), numbers.end());
  std::mt19937 random(seeds);
  for (int n = 0; n <= draws; ++n) {
    const auto near = n == 0 ? extents : drawn(extents, random);
    for (int allocation = n == 0; allocation < allocations; ++allocation) places.push_back({near, allocation});
  }
  return places;
}

void begin_table_cases()
{
  place_of_cases = {};
  table_names.clear();
}

void begin_cases_at(const Place& place)
{
  place_of_cases = place;
  next_name = 0;
}

bool are_table_cases() { return place_of_cases.extents.empty(); }
int allocation_of_cases() { return place_of_cases.allocation; }

std::string name_at_place(const std::string& name)
{
  if (are_table_cases()) return table_names.emplace_back(name);
  std::string extents;
  for (const std::int64_t extent : place_of_cases.extents)
    extents.append(extents.empty() ? "" : "x").append(std::to_string(extent));
  return table_names.at(next_name++) + " @ " + extents + ", allocation " +
         std::to_string(place_of_cases.allocation + 1);
}

} // namespace perf
