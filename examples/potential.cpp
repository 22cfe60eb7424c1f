// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums: a charged spherical shell, made of points. Outside it acts as if all charge sat in its middle, inside
// there is no field: the potential is total charge / max(r, radius).
#include <Keramos.hpp>
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int charges = 20'000, n = 48;
  const double radius = 1;

  Kokkos::View<float* [3]> position("position", charges);
  Kokkos::View<float*> charge("charge", charges);
  Kokkos::parallel_for(
      "shell", charges, KOKKOS_LAMBDA(int s) { // a spiral from pole to pole covers the sphere evenly
        const double z = 1 - (2 * s + 1.0) / charges, turn = s * Kokkos::numbers::pi * (3 - Kokkos::sqrt(5.0));
        position(s, 0) = static_cast<float>(radius * Kokkos::sqrt(1 - z * z) * Kokkos::cos(turn));
        position(s, 1) = static_cast<float>(radius * Kokkos::sqrt(1 - z * z) * Kokkos::sin(turn));
        position(s, 2) = static_cast<float>(radius * z);
        charge(s) = 1.0f / charges;
      });

  // A grid from the middle of the shell to four radii away along each axis.
  const double h = 4 * radius / n;
  const Keramos::UniformGrid<3> grid{{0, 0, 0}, {h, h, h}};
  Kokkos::View<float***> potential("potential", n, n, n);
  const auto kernel =
      Keramos::gather_sum(exec, Keramos::Coulomb{}, grid, Keramos::Sources{position, charge}, potential);

  double largest = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {n, n, n}),
      KOKKOS_LAMBDA(int i, int j, int k, double& error) {
        const double r = h * Kokkos::sqrt(1.0 * i * i + j * j + k * k);
        if (Kokkos::abs(r - radius) < 0.1) return; // near the shell its single points are felt
        error = Kokkos::max(error, Kokkos::abs(potential(i, j, k) - 1 / Kokkos::max(r, radius)));
      },
      Kokkos::Max<double>(largest));
  std::printf("%d charges at %d^3 points by %s: largest error %.1e\n", charges, n, kernel.name().c_str(), largest);
  return largest < 1e-3 ? 0 : 1;
}
