// EXPECT: Keramos::member: the first argument must be a Kokkos::View of structs, of rank 1
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

struct Particle {
  double x;
};

int main()
{
  Kokkos::View<double**, Kokkos::HostSpace> all("all", 8, 3);
  Keramos::member(all, &Particle::x);
}
