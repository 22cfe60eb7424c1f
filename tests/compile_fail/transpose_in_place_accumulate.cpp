// EXPECT: Keramos::transpose_in_place: takes no Accumulate, because the matrix is both what is moved and what holds the sum
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float**, Kokkos::HostSpace> matrix("matrix", 8, 8);
  Keramos::transpose_in_place(exec, matrix, Keramos::Accumulate{});
}
