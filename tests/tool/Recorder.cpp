// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small tool in the form in which Kokkos Tools come, as a shared library with the functions of Kokkos' C interface. It
// asks for no fences around kernels: a fence that it hears of is someone else's.
#include "Recorder.hpp"

#include <impl/Kokkos_Profiling_C_Interface.h>

#include <mutex>
#include <utility>

namespace {

std::mutex access;
std::vector<tool::Event> events;

std::uint64_t record(tool::Kind kind, const char* name, std::uint32_t device = 0)
{
  static std::uint64_t last_id = 0;
  const std::scoped_lock lock(access);
  events.push_back({kind, name, device, ++last_id});
  return last_id;
}
void record_end(tool::Kind kind, std::uint64_t id)
{
  const std::scoped_lock lock(access);
  events.push_back({kind, "", 0, id});
}

} // namespace

extern "C" {

tool::RecordedEvents keramos_recorded_events;

void keramos_recorded_events(std::vector<tool::Event>* taken)
{
  const std::scoped_lock lock(access);
  *taken = std::exchange(events, {});
}

void kokkosp_request_tool_settings(std::uint32_t, Kokkos_Tools_ToolSettings* settings)
{
  settings->requires_global_fencing = false;
}

void kokkosp_push_profile_region(const char* name) { record(tool::Kind::push_region, name); }
void kokkosp_pop_profile_region() { record(tool::Kind::pop_region, ""); }

void kokkosp_begin_parallel_for(const char* name, std::uint32_t device, std::uint64_t* id)
{
  *id = record(tool::Kind::begin_kernel, name, device);
}
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t device, std::uint64_t* id)
{
  *id = record(tool::Kind::begin_kernel, name, device);
}
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t device, std::uint64_t* id)
{
  *id = record(tool::Kind::begin_kernel, name, device);
}
void kokkosp_end_parallel_for(std::uint64_t id) { record_end(tool::Kind::end_kernel, id); }
void kokkosp_end_parallel_reduce(std::uint64_t id) { record_end(tool::Kind::end_kernel, id); }
void kokkosp_end_parallel_scan(std::uint64_t id) { record_end(tool::Kind::end_kernel, id); }

void kokkosp_begin_fence(const char* name, std::uint32_t device, std::uint64_t* id)
{
  *id = record(tool::Kind::begin_fence, name, device);
}
void kokkosp_end_fence(std::uint64_t id) { record_end(tool::Kind::end_fence, id); }

void kokkosp_allocate_data(Kokkos_Profiling_SpaceHandle, const char* label, const void*, std::uint64_t)
{
  record(tool::Kind::allocate, label);
}
void kokkosp_begin_deep_copy(Kokkos_Profiling_SpaceHandle, const char* to, const void*, Kokkos_Profiling_SpaceHandle,
                             const char*, const void*, std::uint64_t)
{
  record(tool::Kind::deep_copy, to);
}

} // extern "C"
