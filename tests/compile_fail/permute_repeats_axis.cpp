// EXPECT: Keramos::permute: each axis from 0 to rank - 1 must be named once
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float***, Kokkos::HostSpace> in("in", 8, 8, 8), out("out", 8, 8, 8);
  Keramos::permute<2, 0, 2>(exec, in, out);
}
