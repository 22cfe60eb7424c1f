// EXPECT: Keramos::member: the size and the alignment of the struct must be multiples
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

#pragma pack(push, 1)
struct Packed {
  char kind;
  double x;
};
#pragma pack(pop)

int main()
{
  Kokkos::View<Packed*, Kokkos::HostSpace> all("all", 8);
  Keramos::member(all, &Packed::x);
}
