// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "steps.hpp"

#include <Keramos.hpp>

namespace app::by_keramos {

/// One explicit step in time.
struct Step {
  double rate;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(double laplacian, double centre, Index...) const
  {
    return centre + rate * laplacian;
  }
};

void diffuse(const Exec& exec, double rate, const Field& in, const Field& out)
{
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 2>(1.0, 1.0, 1.0);
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::constant(0), Step{rate});
}

void turn(const Exec& exec, const Matrix& in, const Matrix& out) { Keramos::transpose(exec, in, out); }

void potential(const Exec& exec, const Points& position, const Numbers& charge, const Numbers& out)
{
  Keramos::gather_sum(exec, Keramos::Coulomb{}, position, Keramos::Sources{position, charge}, out);
}

} // namespace app::by_keramos
