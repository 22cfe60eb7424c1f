// EXPECT: Keramos::Epilogue: a field is a Kokkos::View of the output.s rank and value type, or a number
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float***, Kokkos::HostSpace> in("in", 8, 8, 8), out("out", 8, 8, 8);
  std::array<float, 3> field{};
  const auto f = [](float value, float, float z) { return value + z; };
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(0.1, 0.1, 0.1);
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::periodic, Keramos::Epilogue{f, field});
}
