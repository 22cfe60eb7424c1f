// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small application over MPI: ranks, a partition and a field with a halo, and how many points all ranks have together.
#include <Keramos_Distributed.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdlib>
#include <iostream>

namespace {

bool run()
{
  const Kokkos::DefaultExecutionSpace exec;
  const Keramos::Cartesian<2> ranks(MPI_COMM_WORLD, {0, 1});
  const Keramos::Partition<2> cut(ranks, {70, 30});
  const Keramos::Distributed<Kokkos::View<float**>> field(exec, "field", cut, 4);
  long here = static_cast<long>(field.owned().size()), all = 0;
  MPI_Allreduce(&here, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  std::cout << "rank " << ranks.rank() << " of " << ranks.size() << ": " << here << " of " << all << " points\n";
  return all == 70 * 30 && field.local().extent(1) == 38;
}

} // namespace

int main(int argc, char** argv)
{
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  bool good = false;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    good = run();
  }
  MPI_Finalize();
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
