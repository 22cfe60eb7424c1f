// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a figure that of a lucky size, or of a lucky place in memory? With --extents-seed every case of add_near is also measured at a few
// extents near its own, and each of them in three allocations; tables (tables.py) then show where Keramos came off worst.
#pragma once

#include "Program.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perf {

/// Extents, and which allocation of arrays of these extents.
struct Place {
  std::vector<std::int64_t> extents;
  int allocation = 0;
};

/// Of a case with these extents, beside the first allocation of just these; none without --extents-seed.
std::vector<Place> places_near(const std::vector<std::int64_t>& extents);

/// Where the cases that are registered now belong; by default they are a table's own.
void begin_table_cases();
void begin_cases_at(const Place& place);
bool are_table_cases();
int allocation_of_cases();

/// "star radius 4 f32 512x512x512 right"; at another place the name that the table has, and the place:
/// "... @ 513x510x509, allocation 2".
std::string name_at_place(const std::string& name);

/// Registers cases by `add(extents)`: those of these extents, and those near them, which must be as many in the same order.
template <std::size_t Rank, class Add>
void add_near(const std::array<std::int64_t, Rank>& extents, const Add& add)
{
  begin_table_cases();
  add(extents);
  for (const Place& place : places_near({extents.begin(), extents.end()})) {
    begin_cases_at(place);
    std::array<std::int64_t, Rank> near;
    std::copy_n(place.extents.begin(), Rank, near.begin());
    add(near);
  }
  begin_table_cases();
}

/// While the arrays of a case are made: which allocation they are, and what has been put between them so that they lie elsewhere.
struct Gaps {
  int allocation = 0;
  std::vector<std::shared_ptr<void>> memory;
};
inline Gaps gaps;

} // namespace perf
