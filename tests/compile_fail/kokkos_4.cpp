// EXPECT: Keramos needs Kokkos 5
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#undef KOKKOS_VERSION
#define KOKKOS_VERSION 40701 // as Kokkos 4.7.1 says
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float**, Kokkos::HostSpace> in("in", 4, 5), out("out", 5, 4);
  Keramos::transpose(exec, in, out);
}
