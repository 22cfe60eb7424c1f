// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tool of tests/tool/Recorder.cpp, a shared library that Kokkos loads, hears from Kokkos: every event in its
// order. The test reaches the library by its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tool {

enum class Kind { push_region, pop_region, begin_kernel, end_kernel, begin_fence, end_fence, allocate, deep_copy };

struct Event {
  Kind kind;
  std::string name;         ///< of a region, a kernel or a fence; the label of an allocation
  std::uint32_t device = 0; ///< of a kernel or a fence: Kokkos::Tools::Experimental::device_id(instance)
  std::uint64_t id = 0;     ///< what pairs an end with its begin
};

/// The type of keramos_recorded_events: hands over what was recorded, and forgets it.
using RecordedEvents = void(std::vector<Event>* events);

} // namespace tool
