// EXPECT: Keramos::gather_sum: a View has the wrong rank.*coordinates that stand apart, rank 1
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float*[3], Kokkos::HostSpace> positions("positions", 8), points("points", 8);
  Kokkos::View<float*, Kokkos::HostSpace> x("x", 8), weights("weights", 8), out("out", 8);
  Keramos::gather_sum(exec, Keramos::Coulomb{}, points, Keramos::Sources{positions, x, x, weights}, out);
}
