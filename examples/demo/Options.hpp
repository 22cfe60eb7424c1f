// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demo's command line.
#pragma once

#include "Shot.hpp"

#include <optional>
#include <string>

namespace demo {

/// Our crystal: in the source tree, or, where an installed program outlived that, in share/keramos beside its bin.
std::string rock_salt();

struct Options {
  std::string pqr = rock_salt();
  std::string velocity; ///< empty: the salt dome
  int shot_size = 200;
  double spacing = 10; ///< metres
  int steps = 1200;
  int grid = 129;
  std::optional<Keramos::Backend> backend; ///< none: Keramos chooses
  int ranks = 0;                           ///< that share the shot; 0: not said
  std::string output = "out";
  std::string json; ///< empty: no such file

  bool own_molecule() const { return pqr == Options().pqr; }
};

/// Reads the command line; if there is nothing to run (--help, or an option that makes no sense, which is said on the
/// standard error if `says_why`), the exit code.
struct Parsed {
  Options options;
  std::optional<int> exit_code;
};
Parsed parse(int argc, char** argv, bool says_why);

} // namespace demo
