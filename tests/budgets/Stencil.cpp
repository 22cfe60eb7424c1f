// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that the library has compiled: what the budgets compare StencilFunctor.cpp with.
#include <Keramos_Stencil.hpp>

using Space = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<float***, Space>;

void step(const Space& exec, const Field& u, const Field& out)
{
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(1, 1, 1);
  Keramos::apply_stencil(exec, laplacian, u, out, Keramos::nearest);
}
