// EXPECT: Keramos::member: the member must be a number or an array of numbers
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

struct Particle {
  double stress[3][3];
};

int main()
{
  Kokkos::View<Particle*, Kokkos::HostSpace> all("all", 8);
  Keramos::member(all, &Particle::stress);
}
