// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Ranks.hpp"

#include "../Machine.hpp"
#include "../Platform.hpp"
#include "../Yardsticks.hpp"

#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>

namespace perf::distributed {
namespace {

bool anything_wrong = false;
std::optional<Exec> the_exec; ///< ends before Kokkos does
std::map<std::string, std::shared_ptr<Keramos::core::Communicator>> groups;

struct Registered {
  Case the_case;
  Contender contender;
  bool prepared = false;
  std::string absent;  ///< why it cannot run here
  std::string mistake; ///< that this rank, or another one, has found
  Columns columns;
  double host_seconds = 0; ///< that one repetition's calls keep the host busy
};

std::string batch(const Registered& entry)
{
  std::string kernel;
  for (int n = 0; n < entry.the_case.calls; ++n) kernel = entry.contender.run();
  return kernel;
}

/// All ranks begin together, after everything that was launched.
void line_up()
{
  finish();
  meet();
  MPI_Barrier(MPI_COMM_WORLD); // to the microsecond
}

double seconds_until(const std::function<void()>& work, bool until_done)
{
  line_up();
  Kokkos::Timer timer;
  work();
  if (until_done) finish();
  return timer.seconds();
}

/// Its first call also warms up.
void check(Registered& entry)
{
  const auto& [the_case, contender, prepared, absent, mistake, columns, host_seconds] = entry;
  the_case.poison();
  if (contender.before) contender.before();
  line_up();
  contender.run();
  finish();
  entry.mistake = contender.mistake ? contender.mistake() : the_case.mistake();
  if (!mistake.empty())
    std::fprintf(stderr, "%s, %s: rank %d: %s\n", the_case.name.c_str(), contender.name.c_str(), rank(),
                 mistake.c_str());
  if (largest(mistake.empty() ? 0 : 1) == 0) return;
  anything_wrong = true;
  if (mistake.empty()) entry.mistake = "wrong on another rank";
}

/// Beside GPUs the host's time until a batch is done is another one than theirs, which is held back until all is launched.
Columns wall_time(const Registered& entry)
{
  if (Keramos::core::is_host<Exec>) return {};
  std::array<double, 5> seconds;
  for (double& one : seconds) one = largest(seconds_until([&] { batch(entry); }, true));
  std::sort(seconds.begin(), seconds.end());
  return {{"wall_s", seconds[2] / entry.the_case.calls}};
}

/// Transports that are not to be had say so when they are first used, on all ranks.
void prepare(Registered& entry)
{
  entry.prepared = true;
  try {
    check(entry);
  } catch (const Keramos::Error& error) {
    entry.absent = error.what();
  }
  if (!entry.absent.empty() || !entry.mistake.empty()) return;
  batch(entry); // whatever is made at the first call with each field
  entry.columns = wall_time(entry);
  if (entry.contender.columns)
    for (const auto& column : entry.contender.columns()) entry.columns.push_back(column);
  entry.host_seconds = seconds_until([&] { batch(entry); }, false);
}

/// Work a second of what the case is measured by.
double measured_rate(const Case& the_case)
{
  const auto calls = [&] {
    for (int n = 0; n < the_case.calls; ++n) the_case.measure();
  };
  return the_case.work * the_case.calls / largest(seconds_until(calls, true));
}

void time_once(benchmark::State& state, Registered& entry)
{
  const bool is_paired = static_cast<bool>(entry.the_case.measure);
  if (is_paired) state.counters["yardstick_before"] = measured_rate(entry.the_case);
  entry.host_seconds = largest(entry.host_seconds); // no GPU begins while another one is still held back
  line_up();
  std::string kernel;
  const double seconds = largest(seconds_of([&] { kernel = batch(entry); }, entry.host_seconds));
  if (is_paired) state.counters["yardstick_after"] = measured_rate(entry.the_case);
  if (is_paired) state.counters["need"] = entry.the_case.work * entry.contender.share;
  state.SetIterationTime(seconds / entry.the_case.calls);
  state.counters["work"] = entry.the_case.work * entry.contender.share;
  for (const auto& [name, value] : entry.columns) state.counters[name] = value;
  state.SetLabel(kernel);
}

void repetition(benchmark::State& state, Registered& entry)
{
  if (!entry.prepared) prepare(entry);
  if (!entry.absent.empty())
    state.SkipWithError(entry.absent.c_str());
  else if (!entry.mistake.empty())
    state.SkipWithError(entry.mistake.c_str());
  for ([[maybe_unused]] auto once : state) time_once(state, entry);
}

/// Of other ranks nobody hears.
class Silence : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// Rank 0 alone writes files.
void take_files(int& argc, char** argv)
{
  const auto names_file = [](std::string_view argument) { return argument.rfind("--benchmark_out", 0) == 0; };
  argc = static_cast<int>(std::remove_if(argv + 1, argv + argc, names_file) - argv);
  argv[argc] = nullptr;
}

/// Of one that cannot be divided, all of it.
template <class Space>
Space share_of_machine()
{
  if constexpr (Keramos::core::is_host<Space> && std::is_constructible_v<Space, int>)
    return Space(std::max(1, Space().concurrency() / ranks()));
  else
    return Space();
}

void describe()
{
  if (rank() == 0) {
    describe_machine();
    free_yardsticks();
    benchmark::AddCustomContext("ranks", std::to_string(ranks()));
    benchmark::AddCustomContext("threads_a_rank", std::to_string(exec().concurrency()));
  }
  meet();
}

void run_all()
{
  the_exec.emplace(share_of_machine<Exec>());
  describe();
  add_links();
  add_halos();
  add_waves();
  add_transposes();
  Silence silence;
  const auto loud = progress();
  benchmark::RunSpecifiedBenchmarks(rank() == 0 ? loud.get() : &silence);
  free_living_data();
  groups.clear();
  the_exec.reset();
}

} // namespace

int rank()
{
  int result;
  MPI_Comm_rank(MPI_COMM_WORLD, &result);
  return result;
}

int ranks()
{
  int result;
  MPI_Comm_size(MPI_COMM_WORLD, &result);
  return result;
}

const Exec& exec() { return *the_exec; }

void meet()
{
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; !done;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

double largest(double mine)
{
  meet();
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return mine;
}

std::shared_ptr<Keramos::core::Communicator> Way::ranks() const
{
  auto& group = groups[name];
  if (!group) group = Keramos::core::mpi_communicator(MPI_COMM_WORLD, transport);
  return group;
}

const std::vector<Way>& ways()
{
  static const std::vector<Way> on_hosts{{"peer", Keramos::Transport::peer}, {"mpi", Keramos::Transport::mpi}};
  static const std::vector<Way> on_gpus{
      {"peer", Keramos::Transport::peer}, {"nccl", Keramos::Transport::nccl}, {"mpi", Keramos::Transport::mpi}};
  return Keramos::core::is_host<Exec> ? on_hosts : on_gpus;
}

void add(const Case& the_case, std::vector<Contender> contenders)
{
  for (const Contender& contender : contenders) {
    const auto entry = std::make_shared<Registered>(Registered{the_case, contender, false, {}, {}, {}, 0});
    const std::string name = "distributed/" + the_case.name + "/" + contender.name;
    benchmark::RegisterBenchmark(name.c_str(), [entry](benchmark::State& state) { repetition(state, *entry); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->Repetitions(the_case.measure ? sized(3, 31)
                                       : repetitions(true)); // pairs are short, and their median is wanted
  }
}

} // namespace perf::distributed

int main(int argc, char** argv)
{
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  if (perf::distributed::rank() != 0) perf::distributed::take_files(argc, argv);
  perf::take_options(argc, argv);
  benchmark::Initialize(&argc, argv);
  const bool understood = !benchmark::ReportUnrecognizedArguments(argc, argv);
  if (understood) {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    perf::distributed::run_all();
  }
  MPI_Finalize();
  return !understood ? 2 : perf::distributed::anything_wrong ? 1 : 0;
}
