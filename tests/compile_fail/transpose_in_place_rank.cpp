// EXPECT: Keramos::transpose_in_place: takes Views of rank 2 to 6
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float*, Kokkos::HostSpace> line("line", 8);
  Keramos::transpose_in_place(exec, line);
}
