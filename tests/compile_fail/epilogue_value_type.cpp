// EXPECT: Keramos::Epilogue: a field that is a View must have the rank and the value type of the output
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float***, Kokkos::HostSpace> in("in", 8, 8, 8), out("out", 8, 8, 8);
  Kokkos::View<double***, Kokkos::HostSpace> field("field", 8, 8, 8);
  const auto f = [](float value, float, float z) { return value + z; };
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(0.1, 0.1, 0.1);
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::periodic, Keramos::Epilogue{f, field});
}
