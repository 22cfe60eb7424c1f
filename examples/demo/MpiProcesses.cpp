// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes.hpp with MPI.
#include "DistributedShot.hpp"
#include "InputError.hpp"
#include "Processes.hpp"
#include "RunShot.hpp"

#include <mpi.h>

#include <cstdio>
#include <string>

namespace demo {
namespace {

int rank()
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

} // namespace

Processes::Processes(int& argc, char**& argv)
{
  int level = 0; // which Keramos looks at
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
}
Processes::~Processes() { MPI_Finalize(); }

int Processes::count() const
{
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}
bool Processes::is_first() const { return rank() == 0; }

void Processes::check(int wanted) const
{
  if (wanted == 0 || wanted == count()) return;
  const std::string n = std::to_string(wanted);
  throw InputError("--ranks " + n, "",
                   n + " processes, as mpirun -n " + n + " keramos_demo or ./keramos demo --ranks " + n + " start them",
                   std::to_string(count()));
}

bool Processes::any_says(const std::string& complaint) const
{
  int first = complaint.empty() ? count() : rank();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == rank()) std::fprintf(stderr, "keramos_demo: %s\n", complaint.c_str());
  return first < count();
}

void Processes::run_shot(const Where& where, const Volume& velocity, const Survey& survey, Results* results) const
{
  const Keramos::Cartesian<3> slabs(MPI_COMM_WORLD, {0, 1, 1});
  DistributedShot shot(where, slabs, velocity, survey);
  demo::run_shot(shot, velocity, results);
}

int Processes::end_all(int exit_code) const
{
  if (count() > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
  return exit_code;
}

} // namespace demo
