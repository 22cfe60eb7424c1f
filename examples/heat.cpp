// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils: a hot square on a cold plate cools down. One call a time step: the Laplacian, and the step as its epilogue.
#include <Keramos.hpp>
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>

using Plate = Kokkos::View<double**>;

/// new = old + dt * laplacian(old), Euler's step of the heat equation u_t = laplacian(u).
struct EulerStep {
  double dt;
  KOKKOS_FUNCTION double operator()(double laplacian, double old, std::int64_t, std::int64_t) const
  {
    return old + dt * laplacian;
  }
};

double heat_of(const Plate& plate)
{
  double sum = 0;
  Kokkos::parallel_reduce(
      "heat", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {plate.extent_int(0), plate.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j, double& partial) { partial += plate(i, j); }, sum);
  return sum;
}

int main(int argc, char** argv)
{
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int n = 256, steps = 2000;
  const double h = 1.0 / n, dt = 0.2 * h * h;

  Plate now("now", n, n), next("next", n, n);
  Kokkos::deep_copy(Kokkos::subview(now, std::pair(n / 4, n / 2), std::pair(n / 4, n / 2)), 1.0);
  const double before = heat_of(now);

  const auto laplacian = Keramos::FiniteDifference::laplacian<2, 2>(h, h);
  Keramos::Kernel kernel;
  for (int step = 0; step < steps; ++step) {
    kernel =
        Keramos::apply_stencil(exec, laplacian, now, next, Keramos::reflect, EulerStep{dt}); // no heat leaves the plate
    std::swap(now, next);
  }

  const double after = heat_of(now);
  std::printf("%d steps on %d x %d points by %s: heat %.6f before, %.6f after\n", steps, n, n, kernel.name().c_str(),
              before, after);
  return std::abs(after / before - 1) < 1e-10 ? 0 : 1;
}
