// EXPECT: Keramos::member: what follows the structs must be pointers to data members
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

struct Particle {
  double x;
};

int main()
{
  Kokkos::View<Particle*, Kokkos::HostSpace> all("all", 8);
  Keramos::member(all, 3);
}
