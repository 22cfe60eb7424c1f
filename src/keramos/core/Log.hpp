// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KERAMOS_LOG in the environment: with "dispatch" one line on stderr for every public call, with the kernel that it took
// and why, and one for what could not be checked; with "summary" each of these lines once, at the end of the process,
// with the number of calls. The environment is read once, at the first call; without the variable a call costs one test
// of a flag more.
#pragma once

#include "Kernel.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace Keramos::core {

/// How a call came to its kernel.
struct Decision {
  const char* space = "";            ///< of the instance
  std::optional<Backend> only;       ///< what with_backend() asked for
  unsigned passed = 0;               ///< bit b: Backend b was asked first and does not cover the call
  bool dry = false, nothing = false; ///< not launched: a dry run; no element to compute

  void pass(Backend backend) { passed |= 1u << static_cast<int>(backend); }
  /// Was the work left to `portable` because nobody who was asked before covers it?
  bool fell_to(Backend backend) const
  {
    return backend == Backend::portable && passed != 0 && !only && !dry && !nothing;
  }
};

/// The line, and its end, on stderr in one piece, so that those of several threads or processes do not mix.
void write_line(std::string line);

/// "Keramos: KERAMOS_LOG: expected one of dispatch, summary, got 1; logging nothing", of a variable of the environment
/// whose value has no meaning, and what happens instead.
std::string unknown_value(const char* variable, std::span<const char* const> known, std::string_view got,
                          const std::string& instead);

/// What the environment asks for.
enum class LogMode { off, dispatch, summary };
LogMode log_mode();

/// Does anybody read what a call took?
inline bool logs_calls() { return log_mode() != LogMode::off; }

/// What a call took, or what it did not prove: on stderr at once, or counted until the end of the process. `fell`: past
/// a backend that does not cover the call to `portable`.
void log_call(std::string line, bool fell = false);

/// "Keramos: apply_stencil on OpenMP: portable: star<1,20> point (not covered by openmp)"; with a label "Keramos: diffusion of
/// u: apply_stencil on OpenMP: ..."
std::string dispatch_line(const Kernel& kernel, const Decision& decision);

/// The line of a call; within LogOfParts only the reason is kept.
void log_dispatch(const Kernel& kernel, const Decision& decision);

/// While it lives, calls of this thread write no lines of their own: they are parts of one call, whose line is written with
/// the reason of the last of them. Nothing without KERAMOS_LOG.
class LogOfParts {
public:
  LogOfParts();
  ~LogOfParts();
  LogOfParts(const LogOfParts&) = delete;
  LogOfParts& operator=(const LogOfParts&) = delete;

  /// "the first choice"; empty where no part has been called.
  const std::string& reason() const { return reason_; }
  /// Did any part fall to `portable`?
  bool fell() const { return fell_; }

private:
  friend void log_dispatch(const Kernel& kernel, const Decision& decision);

  LogOfParts* outer_ = nullptr;
  std::string reason_;
  bool fell_ = false;
};

/// The line of a call that is allowed although a check of bounded length ended without an answer:
/// "Keramos: copy: argument 'out': expected no element in common with 'in', which was not proved for these strides"
void log_unproved(const char* function, const char* argument, const std::string& expected);

} // namespace Keramos::core
