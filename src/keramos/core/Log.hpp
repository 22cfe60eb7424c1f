// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KERAMOS_LOG=dispatch in the environment: one line on stderr for every public call, with the kernel that it took and
// why, and one for what could not be checked. The environment is read once, at the first call; without the variable a
// call costs one test of a flag more.
#pragma once

#include "Kernel.hpp"

#include <optional>
#include <string>

namespace Keramos::core {

/// How a call came to its kernel.
struct Decision {
  const char* space = "";            ///< of the instance
  std::optional<Backend> only;       ///< what with_backend() asked for
  unsigned passed = 0;               ///< bit b: Backend b was asked first and does not cover the call
  bool dry = false, nothing = false; ///< not launched: a dry run; no element to compute

  void pass(Backend backend) { passed |= 1u << static_cast<int>(backend); }
};

/// The line, and its end, on stderr in one piece, so that those of several threads or processes do not mix.
void write_line(std::string line);

/// Does the environment ask for a line for every call?
bool logs_dispatch();

/// "Keramos: apply_stencil on OpenMP: portable: star<1,20> points (not covered by openmp)"
std::string dispatch_line(const Kernel& kernel, const Decision& decision);

/// The line, and its end, on stderr; within LogOfParts only the reason is kept.
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

private:
  friend void log_dispatch(const Kernel& kernel, const Decision& decision);

  LogOfParts* outer_ = nullptr;
  std::string reason_;
};

/// A line on stderr for a call that is allowed although a check of bounded length ended without an answer:
/// "Keramos: copy: argument 'out': expected no element in common with 'in', which was not proved for these strides"
void log_unproved(const char* function, const char* argument, const std::string& expected);

} // namespace Keramos::core
