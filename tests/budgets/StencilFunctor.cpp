// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same call with a functor of the user's: what it takes longer to compile than Stencil.cpp is what a functor costs.
#include <Keramos_Stencil.hpp>

using Space = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<float***, Space>;

struct Relax {
  float rate;
  KOKKOS_FUNCTION float operator()(float value, float centre, int, int, int) const { return centre + rate * value; }
};

void step(const Space& exec, const Field& u, const Field& out)
{
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(1, 1, 1);
  Keramos::apply_stencil(exec, laplacian, u, out, Keramos::nearest, Relax{0.1f});
}
