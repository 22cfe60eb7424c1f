// EXPECT: Keramos::gather_sum: the kernel of Exact{kernel} must take double and return double
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

struct OfFloat {
  KOKKOS_FUNCTION float operator()(float r_squared) const { return r_squared; }
};

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float*[3], Kokkos::HostSpace> positions("positions", 8), points("points", 8);
  Kokkos::View<float*, Kokkos::HostSpace> weights("weights", 8), out("out", 8);
  Keramos::gather_sum(exec, Keramos::Exact{OfFloat{}}, points, Keramos::Sources{positions, weights}, out);
}
