// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of this run: those that mpirun has started, where the demo is built with MPI; else this one alone.
#pragma once

#include "Results.hpp"
#include "Shot.hpp"

#include <string>

namespace demo {

class Processes {
public:
  /// Lives as long as main().
  Processes(int& argc, char**& argv);
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  int count() const;
  /// The one that speaks and writes files.
  bool is_first() const;

  /// Throws InputError unless there are as many as wanted, and MPI for them; 0: any number will do.
  void check(int wanted) const;
  /// (collective) Has any of them something to complain of? The first that has says it.
  bool any_says(const std::string& complaint) const;
  /// (collective) The shot over all of them; the first one has results.
  void run_shot(const Where& where, const Volume& velocity, const Survey& survey, Results* results) const;
  /// After an error of this one, for which the others would wait. Returns the exit code, if at all.
  int end_all(int exit_code) const;
};

} // namespace demo
