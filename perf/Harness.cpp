// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.hpp"

#include "Machine.hpp"
#include "Platform.hpp"
#include "Yardsticks.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace perf {
namespace {

Effort chosen_effort = Effort::usual;
bool anything_wrong = false;
bool profiling = false;
int contenders_profiled = 0;

struct Registered {
  Case the_case;
  Contender contender;
  std::optional<std::string> mistake; ///< found by the first repetition; empty where the answer is right
  Columns columns;
  double host_seconds = 0; ///< that one repetition's calls keep the host busy
};

/// Empty where the contender's answer is right. Its first call also warms up.
std::string first_mistake(const Case& the_case, const Contender& contender)
{
  the_case.poison();
  finish();
  contender.run();
  finish();
  return contender.mistake ? contender.mistake() : the_case.mistake(contender.share);
}

using Clock = std::chrono::steady_clock;

struct Look {
  Yardstick yardstick;
  double rate;
  Clock::time_point end;
};
std::optional<Look> last_look;

double look_at(Yardstick yardstick)
{
  const double rate = rate_of(yardstick);
  last_look = Look{yardstick, rate, Clock::now()};
  return rate;
}

/// What came right after one repetition comes right before the next.
double rate_before(Yardstick yardstick)
{
  constexpr std::chrono::milliseconds just_now(2);
  const bool fresh = last_look && last_look->yardstick == yardstick && Clock::now() - last_look->end < just_now;
  return fresh ? last_look->rate : look_at(yardstick);
}

double seconds_by_host_clock(const std::function<void()>& work)
{
  finish();
  Kokkos::Timer timer;
  work();
  return timer.seconds();
}

void time_once(benchmark::State& state, Registered& entry)
{
  const Case& the_case = entry.the_case;
  const Contender& contender = entry.contender;
  const bool by_host_clock = contender.by_host_clock || the_case.host_time;
  const int runs = by_host_clock ? 1 : the_case.calls, count = the_case.host_time ? the_case.calls : runs;
  std::string kernel;
  const auto calls = [&] {
    for (int n = 0; n < runs; ++n) kernel = contender.run();
  };
  if (profiling) {
    state.counters["profiled_as"] = ++contenders_profiled;
    profiled(contenders_profiled, [&] { kernel = contender.run(); });
  }
  const double before = profiling ? 1 : rate_before(the_case.yardstick);
  const double seconds = by_host_clock ? seconds_by_host_clock(calls) : seconds_of(calls, entry.host_seconds);
  const double after = profiling ? 1 : look_at(the_case.yardstick);
  state.SetIterationTime(seconds / count);
  state.counters["work"] = the_case.work * contender.share;
  state.counters["need"] = the_case.need * contender.share;
  state.counters["yardstick_before"] = before;
  state.counters["yardstick_after"] = after;
  if (!contender.rival) state.counters["no_rival"] = 1;
  for (const auto& [name, value] : entry.columns) state.counters[name] = value;
  state.SetLabel(kernel);
}

/// Checks the answer, asks for the columns and lets the host show how long launching takes.
void prepare(Registered& entry)
{
  const auto& [the_case, contender, mistake, columns, host_seconds] = entry;
  entry.mistake = first_mistake(the_case, contender);
  if (!mistake->empty()) {
    anything_wrong = true;
    std::fprintf(stderr, "%s, %s: %s\n", the_case.name.c_str(), contender.name.c_str(), mistake->c_str());
    return;
  }
  if (contender.columns) entry.columns = contender.columns();
  entry.host_seconds = the_case.calls * seconds_by_host_clock(contender.run);
  finish();
}

/// Who is wrong is never timed.
void repetition(benchmark::State& state, Registered& entry)
{
  if (!entry.contender.absent.empty()) {
    state.SkipWithError(entry.contender.absent.c_str());
  } else {
    if (!entry.mistake) prepare(entry);
    if (!entry.mistake->empty()) state.SkipWithError(entry.mistake->c_str());
  }
  for ([[maybe_unused]] auto once : state) time_once(state, entry);
}

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

/// Removes our options from the command line and leaves the others to Google Benchmark.
void take_options(int& argc, char** argv)
{
  const auto is_ours = [](std::string_view argument) {
    if (argument == "--quick") chosen_effort = Effort::quick;
    if (argument == "--full") chosen_effort = Effort::full;
    if (argument == "--profile") profiling = true;
    return argument == "--quick" || argument == "--full" || argument == "--profile";
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
    const auto entry = std::make_shared<Registered>(Registered{the_case, contender, {}, {}, 0});
    const std::string name = family + "/" + the_case.name + "/" + contender.name;
    benchmark::RegisterBenchmark(name.c_str(), [entry](benchmark::State& state) { repetition(state, *entry); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->Repetitions(profiling            ? 1
                      : the_case.host_time ? sized(5, 31)
                                           : repetitions(contender.name.rfind("Keramos", 0) == 0));
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
