// EXPECT: Keramos::permute: name one axis for each View index
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float***, Kokkos::HostSpace> in("in", 8, 8, 8), out("out", 8, 8, 8);
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, out);
}
