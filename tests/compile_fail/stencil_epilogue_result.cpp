// EXPECT: Keramos::apply_stencil: an epilogue of \(value, centre, i...\) must return the value to store
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

#include <complex>

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float**, Kokkos::HostSpace> in("in", 8, 8), out("out", 8, 8);
  const auto f = [](float value, float, int, int) { return std::complex<float>(value); };
  Keramos::apply_stencil(exec, Keramos::Star<2, 1>(), in, out, Keramos::periodic, f);
}
