// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.hpp"

#include "Machine.hpp"
#include "Yardsticks.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace perf {
namespace {

Effort chosen_effort = Effort::usual;
bool anything_wrong = false;

struct Registered {
  Case the_case;
  Contender contender;
  std::optional<std::string> mistake; ///< found by the first repetition; empty where the answer is right
};

/// Empty where the contender's answer is right. Its first call also warms up.
std::string first_mistake(const Case& the_case, const Contender& contender)
{
  the_case.poison();
  contender.run();
  Space().fence();
  return the_case.mistake(contender.share);
}

void time_once(benchmark::State& state, const Case& the_case, const Contender& contender)
{
  const double before = rate_of(the_case.yardstick);
  Kokkos::Timer timer;
  const std::string kernel = contender.run();
  Space().fence();
  state.SetIterationTime(timer.seconds());
  const double after = rate_of(the_case.yardstick);
  state.counters["work"] = the_case.work * contender.share;
  state.counters["need"] = the_case.need * contender.share;
  state.counters["yardstick_before"] = before;
  state.counters["yardstick_after"] = after;
  state.SetLabel(kernel);
}

/// Who is wrong is never timed.
void repetition(benchmark::State& state, Registered& entry)
{
  if (!entry.mistake) {
    entry.mistake = first_mistake(entry.the_case, entry.contender);
    if (!entry.mistake->empty()) {
      anything_wrong = true;
      std::fprintf(stderr, "%s, %s: %s\n", entry.the_case.name.c_str(), entry.contender.name.c_str(),
                   entry.mistake->c_str());
    }
  }
  if (!entry.mistake->empty()) state.SkipWithError(entry.mistake->c_str());
  for ([[maybe_unused]] auto once : state) time_once(state, entry.the_case, entry.contender);
}

/// One line a contender while the benchmarks run: how long a person waits is known only to a person who sees progress.
class Progress : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override
  {
    std::vector<double> milliseconds;
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) milliseconds.push_back(run.GetAdjustedRealTime());
    std::sort(milliseconds.begin(), milliseconds.end());
    if (milliseconds.empty()) return;
    std::printf("%-66s %9.2f ms  %s\n", runs.front().run_name.function_name.c_str(),
                milliseconds[milliseconds.size() / 2], runs.front().report_label.c_str());
    std::fflush(stdout);
  }
};

/// Removes our options from the command line and leaves the others to Google Benchmark.
void take_options(int& argc, char** argv)
{
  const auto is_ours = [](std::string_view argument) {
    if (argument == "--quick") chosen_effort = Effort::quick;
    if (argument == "--full") chosen_effort = Effort::full;
    return argument == "--quick" || argument == "--full";
  };
  argc = static_cast<int>(std::remove_if(argv + 1, argv + argc, is_ours) - argv);
  argv[argc] = nullptr;
}

} // namespace

Effort effort() { return chosen_effort; }

std::string name_of(const Keramos::Kernel& kernel)
{
  std::ostringstream out;
  out << kernel;
  return out.str();
}

void add(const std::string& family, const Case& the_case, std::vector<Contender> contenders)
{
  for (const Contender& contender : contenders) {
    const auto entry = std::make_shared<Registered>(Registered{the_case, contender, {}});
    const std::string name = family + "/" + the_case.name + "/" + contender.name;
    benchmark::RegisterBenchmark(name.c_str(), [entry](benchmark::State& state) { repetition(state, *entry); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->Repetitions(contender.name == "Keramos" ? sized(3, 7) : 3); // others take up to fifty times as long
  }
}

} // namespace perf

int main(int argc, char** argv)
{
  perf::take_options(argc, argv);
  benchmark::Initialize(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  perf::describe_machine();
  perf::add_cases();
  perf::Progress progress;
  benchmark::RunSpecifiedBenchmarks(&progress);
  perf::free_living_data();
  perf::free_yardsticks();
  return perf::anything_wrong ? 1 : 0;
}
