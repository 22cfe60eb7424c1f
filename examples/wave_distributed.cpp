// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A standing wave between walls, in slabs, by the calls of one process: mpirun -n 4 keramos_example_wave_distributed
#include <Keramos_Distributed.hpp>
#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cmath>
#include <cstdio>

using Exec = Kokkos::DefaultHostExecutionSpace;
using Field = Keramos::Distributed<Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>>;
constexpr std::int64_t n = 64;
constexpr double pi = 3.14159265358979323846;

/// The wave at time t: walls lie half a spacing beyond the first and the last point of each axis.
double wave(double t, std::int64_t i, std::int64_t j, std::int64_t k)
{
  const auto mode = [](std::int64_t index) { return std::cos(pi * (static_cast<double>(index) + 0.5) / n); };
  return std::cos(std::sqrt(3.0) * pi * t) * mode(i) * mode(j) * mode(k);
}

void for_owned(const Field& u, const auto& visit)
{
  const auto owned = u.owned();
  const auto first = u.box().begin;
  for (std::size_t i = 0; i < owned.extent(0); ++i)
    for (std::size_t j = 0; j < owned.extent(1); ++j)
      for (std::size_t k = 0; k < owned.extent(2); ++k) visit(owned(i, j, k), i + first[0], j + first[1], k + first[2]);
}

int main(int argc, char** argv)
{
  int level, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level); // Kokkos has threads of its own
  double error = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const Exec exec;
    const double h = 1.0 / n, dt = 0.2 * h;
    const Keramos::Cartesian<3> ranks(MPI_COMM_WORLD, {0, 1, 1});
    const Keramos::Partition<3> slabs(ranks, {n, n, n});
    Field u(exec, "u", slabs, Keramos::Halo<3>({4, 0, 0})), before(exec, "before", slabs, Keramos::Halo<3>({4, 0, 0}));
    for_owned(u, [](double& value, auto... index) { value = wave(0, index...); });
    for_owned(before, [&](double& value, auto... index) { value = wave(-dt, index...); });
    const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(h, h, h);
    for (int step = 0; step < 100; ++step) {
      Keramos::apply_stencil(exec, laplacian, u, before, Keramos::reflect, Keramos::LeapFrog{before, dt * dt});
      std::swap(u, before);
    }
    for_owned(u, [&](double value, auto... at) { error = std::fmax(error, std::abs(value - wave(100 * dt, at...))); });
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) std::printf("100 steps on %d ranks: largest error %.1e\n", size, error);
  MPI_Finalize();
  return error < 1e-4 ? 0 : 1;
}
