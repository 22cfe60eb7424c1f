// EXPECT: Keramos::transpose_in_place: in and out are the same memory and must have one value type
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float**, Kokkos::HostSpace> in("in", 2, 3);
  Kokkos::View<int**, Kokkos::HostSpace> out(reinterpret_cast<int*>(in.data()), 3, 2);
  Kokkos::View<char*, Kokkos::HostSpace> scratch("scratch", 4096);
  Keramos::transpose_in_place(exec, in, out, Keramos::Workspace{scratch});
}
