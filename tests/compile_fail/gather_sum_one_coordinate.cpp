// EXPECT: Keramos::Points: expected two or three Views of rank 1
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_GatherSum.hpp>

int main()
{
  Kokkos::View<float*, Kokkos::HostSpace> x("x", 8);
  const Keramos::Points points{x};
}
