// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The potential of point charges in vacuum: direct Coulomb sums, by Keramos::gather_sum. Lengths are in angstrom,
// charges in elementary charges, potentials in e/angstrom (times 14.3996 gives volts).
#pragma once

#include "Pqr.hpp"
#include "Setting.hpp"

#include <Keramos_GatherSum.hpp>

#include <string>

namespace demo {

/// The charges of a molecule where the sums are computed.
struct Charges {
  Kokkos::View<float* [3], Kokkos::LayoutRight, Space> position;
  View1D charge;

  Charges(const Space& space, const Molecule& molecule);
  auto sources() const { return Keramos::Sources{position, charge}; }
};

/// A cubic grid of n points a side, the molecule in its middle and `margin` of it free on all sides.
Keramos::UniformGrid<3> grid_around(const Molecule& molecule, int n, double margin);

/// The same sum in double precision on the host, straight from the definition: what the fast one is checked against. It
/// takes charges and target where the fast one does, at coordinates rounded to float.
double potential_in_double(const Molecule& molecule, const std::array<double, 3>& at);

/// Largest relative difference to potential_in_double over `samples` points spread through the grid. Where the potential
/// happens to be small, the difference is a share of the samples' root mean square instead.
double max_error(const Molecule& molecule, const Keramos::UniformGrid<3>& grid, const Volume& potential, int samples);

/// What the ion nearest to the middle feels of all others: -potential * distance of its nearest neighbour / its charge.
/// In an ionic crystal this is Madelung's constant. By gather_sum in double; the ion itself adds nothing to it.
double madelung_constant(const Where& where, const Molecule& molecule);

/// The plane through the middle of the grid's third axis, computed anew at every pixel.
void draw_potential(const std::string& file, const Where& where, const Charges& charges,
                    const Keramos::UniformGrid<3>& grid, int n);

} // namespace demo
