// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.hpp"

#include "Harness.hpp"
#include "Platform.hpp"
#include "Yardsticks.hpp"

#include <Commit.hpp>
#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>

namespace perf {
namespace {

/// The first value of a key in /proc/cpuinfo or /proc/meminfo, "unknown" elsewhere.
std::string proc_value(const char* file, const std::string& key)
{
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (line.rfind(key, 0) != 0 || colon == std::string::npos) continue;
    const auto end_of_key = line.find_first_of("\t:"), value = line.find_first_not_of(" \t", colon + 1);
    if (line.substr(0, end_of_key) == key && value != std::string::npos) return line.substr(value);
  }
  return "unknown";
}

std::string compiler()
{
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

/// What `-march=native` gave to the code beside us.
std::string vectors()
{
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#else
  return "baseline";
#endif
}

} // namespace

void describe_machine()
{
  const auto say = [](const std::string& key, const std::string& value) { benchmark::AddCustomContext(key, value); };
  say("cpu_model", proc_value("/proc/cpuinfo", "model name"));
  say("cpu_family_model", proc_value("/proc/cpuinfo", "cpu family") + "/" + proc_value("/proc/cpuinfo", "model"));
  say("memory", proc_value("/proc/meminfo", "MemTotal"));
  say("threads", std::to_string(Space().concurrency()));
  say("compiler", compiler());
  say("instruction_set", vectors());
  say("kokkos", std::to_string(KOKKOS_VERSION_MAJOR) + "." + std::to_string(KOKKOS_VERSION_MINOR) + "." +
                    std::to_string(KOKKOS_VERSION_PATCH) + " " + Kokkos::DefaultExecutionSpace::name());
  say("git_commit", git_commit);
  say("git_dirty", git_dirty);
  say("effort", effort() == Effort::quick ? "quick" : effort() == Effort::full ? "full" : "usual");
  if (extents_seed()) say("extents_seed", std::to_string(*extents_seed()));
  for (const auto& [key, value] : platform_context()) say(key, value);
  for (const auto& [way, rate] : copy_contest()) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f GB/s", rate * 1e-9);
    say("copy_by_" + way, text);
  }
}

} // namespace perf
