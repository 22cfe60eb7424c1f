// EXPECT: Keramos::transpose_in_place: with in and out takes Views of rank 2
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float***, Kokkos::HostSpace> in("in", 2, 3, 4), out(in.data(), 2, 4, 3);
  Kokkos::View<char*, Kokkos::HostSpace> scratch("scratch", 4096);
  Keramos::transpose_in_place(exec, in, out, Keramos::Workspace{scratch});
}
