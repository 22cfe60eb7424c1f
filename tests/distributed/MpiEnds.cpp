// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// keramos_MpiEnds KIND: programs that must end, for tests/checks/mpi_ends.py. Of some, one rank cannot go on while the others
// wait for it, or compute; that rank prints the time. Others use MPI wrongly and print what they are told.
#include "../../src/keramos/core/Error.hpp"
#include "../../src/keramos/core/Log.hpp"
#include "../../src/keramos/distributed/Partition.hpp"

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using Ranks = std::shared_ptr<Keramos::core::Communicator>;

/// What only the rank that fails leaves.
void wait_forever(Ranks ranks, const std::string& where)
{
  const int failing = 1;
  if (where == "message") {
    const auto channel = ranks->open({}, {{failing, 8}});
    const Kokkos::Serial exec;
    channel->post(Keramos::core::Queue(exec));
    channel->wait(Keramos::core::Queue(exec));
  } else if (where == "collective") {
    int mine = 0;
    std::vector<int> all(static_cast<std::size_t>(ranks->size()));
    ranks->all_gather(&mine, sizeof mine, all.data());
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(60));
  }
}

/// WHERE the others are, and how rank 1 ends: KIND is "abort.message", "throw.compute", "caught.collective", ...
void one_cannot_go_on(const std::string& kind)
{
  const auto dot = kind.find('.');
  const Ranks ranks = Keramos::core::mpi_communicator(MPI_COMM_WORLD);
  if (ranks->rank() != 1) {
    wait_forever(ranks, kind.substr(dot + 1));
    return;
  }
  if (kind.substr(dot + 1) == "message") // the others open the channel together with this rank
    static_cast<void>(ranks->open({}, {}));
  std::this_thread::sleep_for(std::chrono::milliseconds(200)); // the others do wait
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::cout << std::fixed << "failing at " << std::chrono::duration<double>(now).count() << std::endl;
  if (kind.substr(0, dot) == "abort") ranks->abort("no memory for a test");
  throw std::runtime_error("no memory for a test");
}

int told(MPI_Comm comm)
{
  try {
    const Keramos::Cartesian<1> ranks(comm, {0});
    std::cout << "no error" << std::endl;
  } catch (const Keramos::Error& error) {
    std::cout << error.what() << std::endl;
  }
  return EXIT_SUCCESS;
}

void initialise(int level)
{
  int got = 0;
  MPI_Init_thread(nullptr, nullptr, level, &got);
}

int run(const std::string& kind)
{
  if (kind == "uninitialised") return told(MPI_COMM_WORLD);
  initialise(kind == "single" ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED);
  if (kind == "other_thread") {
    std::thread(told, MPI_COMM_WORLD).join();
  } else if (kind == "outlived") { // freed after MPI_Finalize
    const auto ranks = Keramos::core::mpi_communicator(MPI_COMM_WORLD);
    const auto channel = ranks->open({{ranks->rank(), 8}}, {{ranks->rank(), 8}});
    MPI_Finalize();
    return told(MPI_COMM_WORLD);
  } else if (kind == "single" || kind == "null") {
    told(kind == "null" ? MPI_COMM_NULL : MPI_COMM_WORLD);
  } else {
    one_cannot_go_on(kind);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}

} // namespace

/// As run(), but what is thrown passes the end of everything that is distributed before somebody ends the ranks.
int run_and_catch(const std::string& kind)
{
  try {
    return run(kind);
  } catch (const std::exception& error) {
    Keramos::core::write_line(error.what()); // in one piece: mpiexec writes about the end at the same time
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  return EXIT_FAILURE;
}

int main(int argc, char** argv)
{
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::string kind = argc > 1 ? argv[1] : "";
  return kind.substr(0, 6) == "caught" ? run_and_catch(kind) : run(kind);
}
