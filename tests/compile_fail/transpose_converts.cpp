// EXPECT: Keramos: the input and the output must have one value type; pass Keramos::Convert
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float**, Kokkos::HostSpace> in("in", 8, 8);
  Kokkos::View<double**, Kokkos::HostSpace> out("out", 8, 8);
  Keramos::transpose(exec, in, out);
}
