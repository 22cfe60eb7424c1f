// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes.hpp without MPI.
#include "InputError.hpp"
#include "Processes.hpp"
#include "RunShot.hpp"

#include <cstdio>
#include <string>

namespace demo {

Processes::Processes(int&, char**&) {}
Processes::~Processes() = default;
int Processes::count() const { return 1; }
bool Processes::is_first() const { return true; }

void Processes::check(int wanted) const
{
  if (wanted == 0) return;
  const std::string ranks = "--ranks " + std::to_string(wanted);
  throw InputError(ranks, "",
                   "a program with MPI, as -D Keramos_ENABLE_MPI=ON or ./keramos demo " + ranks + " build it",
                   "one without");
}

bool Processes::any_says(const std::string& complaint) const
{
  if (!complaint.empty()) std::fprintf(stderr, "keramos_demo: %s\n", complaint.c_str());
  return !complaint.empty();
}

void Processes::run_shot(const Where& where, const Volume& velocity, const Survey& survey, Results* results) const
{
  Shot shot(where, velocity, survey);
  demo::run_shot(shot, velocity, results);
}

int Processes::end_all(int exit_code) const { return exit_code; }

} // namespace demo
