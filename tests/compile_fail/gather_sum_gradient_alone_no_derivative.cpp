// EXPECT: Keramos::gather_sum: a gradient needs the derivative of the kernel
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

struct Bare {
  KOKKOS_FUNCTION float operator()(float r_squared) const { return r_squared; }
};

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float*[3], Kokkos::HostSpace> positions("positions", 8), points("points", 8), gradient("gradient", 8);
  Kokkos::View<float*, Kokkos::HostSpace> weights("weights", 8);
  Keramos::gather_sum(exec, Bare{}, points, Keramos::Sources{positions, weights}, Keramos::Gradient{gradient});
}
