// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Log.hpp"

#include "Error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace Keramos::core {
namespace {

/// The lines of a process, each with the number of its calls.
class Summary {
public:
  void count(std::string line, bool fell)
  {
    const std::lock_guard lock(mutex_);
    ++calls_[std::move(line)];
    fallen_ += fell;
  }

  /// The most frequent first.
  std::string str()
  {
    const std::lock_guard lock(mutex_);
    if (calls_.empty()) return "";
    std::vector<std::pair<std::string, std::size_t>> lines(calls_.begin(), calls_.end());
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string result = text("Keramos: the calls of this process, of which ", fallen_, " fell to portable:");
    for (const auto& [line, calls] : lines) result += text('\n', line, ": ", calls, calls == 1 ? " call" : " calls");
    return result;
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> calls_; // in the order of their texts, so that equal runs print equal summaries
  std::size_t fallen_ = 0;
};

/// Never destroyed: destructors of static objects may call as well, after the summary has been written.
Summary& summary()
{
  static Summary* const of_process = new Summary;
  return *of_process;
}

/// At the exit and not in Kokkos::finalize: an application that forgets to finalize sees its summary, too. In one piece,
/// so that those of several ranks do not mix.
void write_summary()
{
  if (std::string lines = summary().str(); !lines.empty()) write_line(std::move(lines));
}

LogMode read_environment()
{
  const char* const value = std::getenv("KERAMOS_LOG");
  const std::string_view request = value ? value : "";
  if (request.empty()) return LogMode::off;
  if (request == "dispatch") return LogMode::dispatch;
  if (request == "summary") {
    std::atexit(write_summary);
    return LogMode::summary;
  }
  constexpr const char* known[] = {"dispatch", "summary"};
  write_line(unknown_value("KERAMOS_LOG", known, request, "logging nothing"));
  return LogMode::off;
}

std::string reason(const Decision& decision)
{
  if (decision.only) return "the only backend allowed";
  std::string passed;
  for (const Backend backend : {Backend::cuda, Backend::openmp, Backend::portable})
    if (decision.passed & 1u << static_cast<int>(backend))
      passed += text(passed.empty() ? "not covered by " : ", ", to_string(backend));
  return passed.empty() ? "the first choice" : passed;
}

thread_local LogOfParts* log_of_parts = nullptr;

} // namespace

void write_line(std::string line)
{
  line += '\n';
  std::fputs(line.c_str(), stderr);
}

std::string unknown_value(const char* variable, std::span<const char* const> known, std::string_view got,
                          const std::string& instead)
{
  std::string list;
  for (const char* value : known) list.append(list.empty() ? "" : ", ").append(value);
  return text("Keramos: ", variable, ": expected one of ", list, ", got ", got, "; ", instead);
}

LogMode log_mode()
{
  static const LogMode mode = read_environment();
  return mode;
}

void log_call(std::string line, bool fell)
{
  if (log_mode() == LogMode::summary)
    summary().count(std::move(line), fell);
  else
    write_line(std::move(line));
}

std::string dispatch_line(const Kernel& kernel, const Decision& decision)
{
  return text("Keramos: ", labelled(kernel.label, kernel.operation), " on ", decision.space, ": ", kernel, " (",
              reason(decision), decision.dry ? "; dry run" : "", decision.nothing ? "; nothing to launch" : "", ")");
}

void log_dispatch(const Kernel& kernel, const Decision& decision)
{
  const bool fell = decision.fell_to(kernel.backend);
  if (log_of_parts) {
    log_of_parts->reason_ = reason(decision);
    log_of_parts->fell_ |= fell;
  } else {
    log_call(dispatch_line(kernel, decision), fell);
  }
}

LogOfParts::LogOfParts()
{
  if (logs_calls()) outer_ = std::exchange(log_of_parts, this);
}
LogOfParts::~LogOfParts()
{
  if (logs_calls()) log_of_parts = outer_;
}

void log_unproved(const char* function, const char* argument, const std::string& expected)
{
  log_call(text("Keramos: ", function, ": argument '", argument, "': expected ", expected,
                ", which was not proved for these strides"));
}

} // namespace Keramos::core
