// EXPECT: Keramos::gather_sum: Exact\{kernel\} is for calls of one process\.
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Distributed.hpp>

int main()
{
  const Kokkos::DefaultHostExecutionSpace exec;
  const Kokkos::View<float*[3], Kokkos::HostSpace> positions("positions", 8), points("points", 8);
  const Kokkos::View<float*, Kokkos::HostSpace> weights("weights", 8), out("out", 8);
  const Keramos::Cartesian<1> ranks(MPI_COMM_WORLD, {0});
  const Keramos::DistributedSources sources(ranks, Keramos::Sources{positions, weights});
  Keramos::gather_sum(exec, Keramos::Exact{Keramos::Coulomb{}}, points, sources, out);
}
