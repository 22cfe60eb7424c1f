// EXPECT-COMPILES
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float*[3], Kokkos::HostSpace> positions("positions", 8), points("points", 8), gradient("gradient", 8);
  Kokkos::View<float*, Kokkos::HostSpace> weights("weights", 8), out("out", 8);
  Keramos::gather_sum(exec, Keramos::Coulomb{}, points, Keramos::Sources{positions, weights},
                      Keramos::PotentialAndGradient{out, gradient});
  Keramos::gather_sum(exec, Keramos::Exact{Keramos::Coulomb{}}, points, Keramos::Sources{positions, weights}, out);
  const auto kernel = [](float square) { return 1 / (1 + square); };
  Keramos::gather_sum(exec, kernel, points, Keramos::Sources{positions, weights}, out);
  Keramos::gather_sum(exec, Keramos::Exact{Keramos::Coulomb{}}, points, Keramos::Sources{positions, weights},
                      Keramos::Gradient{gradient}, Keramos::Cutoff{1});
}
