// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demo's operators as one writes them in Kokkos without a library: what the table compares with.
#pragma once

#include "Electrostatics.hpp"
#include "Shot.hpp"

namespace demo {

/// The wave update of Wave::advance at all points whose neighbourhood lies inside.
void plain_wave_update(const Space& space, const Wave& wave);

/// out(j, i) = in(i, j).
void plain_transpose(const Space& space, const View2D& in, const View2D& out);

/// The potential on the first `planes` planes of the grid.
void plain_potential(const Space& space, const Keramos::UniformGrid<3>& grid, const Charges& charges, const View3D& out,
                     int planes);

} // namespace demo
