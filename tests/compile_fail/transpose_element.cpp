// EXPECT: Keramos: transposes, permutes and copies move trivially copyable elements of 1, 2, 4, 8 or 16 bytes
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Transpose.hpp>

int main()
{
  struct Twelve {
    float x, y, z;
  };
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<Twelve**, Kokkos::HostSpace> in("in", 8, 8), out("out", 8, 8);
  Keramos::transpose(exec, in, out);
}
