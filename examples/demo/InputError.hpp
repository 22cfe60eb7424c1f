// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every reader throws: which file, which place in it, what belongs there and what stands there instead.
#pragma once

#include <stdexcept>
#include <string>

namespace demo {

class InputError : public std::runtime_error {
public:
  /// `place` is "line 12" or "header item 'shape'"; it may be empty where the file as a whole is wrong.
  InputError(const std::string& file, const std::string& place, const std::string& expected, const std::string& got)
      : std::runtime_error(file + ": " + (place.empty() ? "" : place + ": ") + "expected " + expected + ", got " + got)
  {
  }
};

} // namespace demo
