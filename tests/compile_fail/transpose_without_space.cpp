// EXPECT: Keramos::transpose: the first argument must be an execution space
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  Kokkos::View<float**, Kokkos::HostSpace> in("in", 8, 8), out("out", 8, 8);
  Keramos::transpose(in, out);
}
