// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.hpp"

#include "Machine.hpp"
#include "Platform.hpp"
#include "Program.hpp"
#include "Yardsticks.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace perf {
namespace {

bool anything_wrong = false;
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
  if (profiling()) {
    state.counters["profiled_as"] = ++contenders_profiled;
    profiled(contenders_profiled, [&] { kernel = contender.run(); });
  }
  const double before = profiling() ? 1 : rate_before(the_case.yardstick);
  const double seconds = by_host_clock ? seconds_by_host_clock(calls) : seconds_of(calls, entry.host_seconds);
  const double after = profiling() ? 1 : look_at(the_case.yardstick);
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

} // namespace

void add(const std::string& family, const Case& the_case, std::vector<Contender> contenders)
{
  const std::string case_name = name_at_place(the_case.name);
  for (const Contender& contender : contenders) {
    const bool ours = contender.name.rfind("Keramos", 0) == 0;
    if (!are_table_cases() && contender.rival && !ours) continue;
    const auto entry = std::make_shared<Registered>(Registered{the_case, contender, {}, {}, 0});
    const std::string name = family + "/" + case_name + "/" + contender.name;
    benchmark::RegisterBenchmark(name.c_str(), [entry](benchmark::State& state) { repetition(state, *entry); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->Repetitions(profiling()          ? 1
                      : !are_table_cases() ? sized(1, 3)
                      : the_case.host_time ? sized(5, 31)
                                           : repetitions(ours));
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
  benchmark::RunSpecifiedBenchmarks(perf::progress().get());
  perf::free_living_data();
  perf::free_yardsticks();
  return perf::anything_wrong ? 1 : 0;
}
