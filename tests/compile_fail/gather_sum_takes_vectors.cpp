// EXPECT: Keramos::gather_sum: a functor that says takes_vectors must be a template
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

struct OfFloat {
  static constexpr bool takes_vectors = true;
  KOKKOS_FUNCTION float operator()(float r_squared) const { return r_squared; }
};

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float*[3], Kokkos::HostSpace> positions("positions", 8), points("points", 8);
  Kokkos::View<float*, Kokkos::HostSpace> weights("weights", 8), out("out", 8);
  Keramos::gather_sum(exec, OfFloat{}, points, Keramos::Sources{positions, weights}, out);
}
