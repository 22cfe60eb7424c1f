// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <string_view>
#include <vector>

namespace perf {
namespace {

Effort chosen_effort = Effort::usual;
bool chosen_profiling = false;
std::optional<std::uint32_t> chosen_seed;
std::optional<std::array<std::int64_t, 3>> chosen_extents;

/// Google Benchmark 1.8 has another name for it.
template <class Run>
bool was_skipped(const Run& run)
{
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred;
  else
    return static_cast<bool>(run.skipped);
}

/// One line a contender while the benchmarks run: how long a person waits is known only to a person who sees progress.
class Progress : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override
  {
    std::vector<double> milliseconds;
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration && !was_skipped(run)) milliseconds.push_back(run.GetAdjustedRealTime());
    std::sort(milliseconds.begin(), milliseconds.end());
    if (milliseconds.empty()) return;
    const double median = milliseconds[milliseconds.size() / 2];
    const bool is_short = median < 0.1;
    std::printf("%-66s %9.2f %s  %s\n", runs.front().run_name.function_name.c_str(), is_short ? median * 1e3 : median,
                is_short ? "us" : "ms", runs.front().report_label.c_str());
    std::fflush(stdout);
  }
};

constexpr std::string_view seed_option = "--extents-seed=", extents_option = "--extents=";
constexpr const char* help = R"(--quick             smaller and fewer cases: does everything work?
--full              the largest sizes, and every permutation
--profile           each contender once, marked for a profiler
--extents-seed=N    on a GPU, stencils, waves and transposes at a few extents near those of the tables as well, drawn from N, each in three
                    allocations; tables show the worst
--extents=N0xN1xN2  of keramos_cuda_tune: this grid instead of its own

)";

/// Nothing where it is no number.
template <class Number>
std::optional<Number> number_in(std::string_view text)
{
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// False where it is none: then Google Benchmark refuses the option.
bool take_seed(std::string_view text)
{
  chosen_seed = number_in<std::uint32_t>(text);
  return chosen_seed.has_value();
}

/// False where they are not three.
bool take_extents(std::string_view text)
{
  std::array<std::int64_t, 3> extents;
  for (std::int64_t& extent : extents) {
    const std::string_view one = text.substr(0, text.find('x'));
    const bool is_last = &extent == &extents.back();
    const auto number = number_in<std::int64_t>(is_last ? text : one);
    if (!number || *number < 1 || (!is_last && one.size() == text.size())) return false;
    extent = *number;
    if (!is_last) text.remove_prefix(one.size() + 1);
  }
  chosen_extents = extents;
  return true;
}

} // namespace

Effort effort() { return chosen_effort; }
bool profiling() { return chosen_profiling; }
std::optional<std::uint32_t> extents_seed() { return chosen_seed; }
std::optional<std::array<std::int64_t, 3>> wanted_extents() { return chosen_extents; }

std::string name_of(const Keramos::Kernel& kernel)
{
  std::ostringstream out;
  out << kernel;
  return out.str();
}

void take_options(int& argc, char** argv)
{
  const auto is_ours = [](std::string_view argument) {
    if (argument == "--quick") chosen_effort = Effort::quick;
    if (argument == "--full") chosen_effort = Effort::full;
    if (argument == "--profile") chosen_profiling = true;
    if (argument == "--help") std::fputs(help, stdout); // Google Benchmark's follows
    if (argument.rfind(seed_option, 0) == 0) return take_seed(argument.substr(seed_option.size()));
    if (argument.rfind(extents_option, 0) == 0) return take_extents(argument.substr(extents_option.size()));
    return argument == "--quick" || argument == "--full" || argument == "--profile";
  };
  argc = static_cast<int>(std::remove_if(argv + 1, argv + argc, is_ours) - argv);
  argv[argc] = nullptr;
}

std::unique_ptr<benchmark::BenchmarkReporter> progress() { return std::make_unique<Progress>(); }

} // namespace perf
