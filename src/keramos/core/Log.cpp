// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Log.hpp"

#include "Error.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace Keramos::core {
namespace {

bool read_environment()
{
  const char* const value = std::getenv("KERAMOS_LOG");
  const std::string_view request = value ? value : "";
  if (!request.empty() && request != "dispatch")
    write_line(text("Keramos: KERAMOS_LOG: expected dispatch, got ", request));
  return request == "dispatch";
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

bool logs_dispatch()
{
  static const bool wanted = read_environment();
  return wanted;
}

std::string dispatch_line(const Kernel& kernel, const Decision& decision)
{
  return text("Keramos: ", kernel.operation, " on ", decision.space, ": ", kernel, " (", reason(decision),
              decision.dry ? "; dry run" : "", decision.nothing ? "; nothing to launch" : "", ")");
}

void log_dispatch(const Kernel& kernel, const Decision& decision)
{
  if (log_of_parts)
    log_of_parts->reason_ = reason(decision);
  else
    write_line(dispatch_line(kernel, decision));
}

LogOfParts::LogOfParts()
{
  if (logs_dispatch()) outer_ = std::exchange(log_of_parts, this);
}
LogOfParts::~LogOfParts()
{
  if (logs_dispatch()) log_of_parts = outer_;
}

void log_unproved(const char* function, const char* argument, const std::string& expected)
{
  write_line(text("Keramos: ", function, ": argument '", argument, "': expected ", expected,
                  ", which was not proved for these strides"));
}

} // namespace Keramos::core
