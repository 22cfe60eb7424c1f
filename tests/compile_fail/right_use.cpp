// EXPECT-COMPILES
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float***, Kokkos::HostSpace> in("in", 8, 8, 8), out("out", 8, 8, 8);
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(0.1, 0.1, 0.1);
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::periodic);
  const auto f = [](float value, float, float z) { return value + z; };
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::periodic, Keramos::Epilogue{f, in});
  const auto of_indices = [](float value, float, int, unsigned, std::size_t) { return value; };
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::periodic, of_indices);
}
