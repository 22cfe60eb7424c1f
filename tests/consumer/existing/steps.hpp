// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this application computes, written by hand as it was before, and with one call each.
#pragma once

#include <Kokkos_Core.hpp>

namespace app {

using Exec = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<double***>;
using Matrix = Kokkos::View<double**>;
using Points = Kokkos::View<double* [3]>;
using Numbers = Kokkos::View<double*>;

namespace by_hand {
/// out = in + rate * (sum of the 6 neighbours - 6 in), zero outside.
void diffuse(const Exec& exec, double rate, const Field& in, const Field& out);
/// out(j, i) = in(i, j)
void turn(const Exec& exec, const Matrix& in, const Matrix& out);
/// out(i) = sum over j != i of charge(j) / distance
void potential(const Exec& exec, const Points& position, const Numbers& charge, const Numbers& out);
} // namespace by_hand

namespace by_keramos {
void diffuse(const Exec& exec, double rate, const Field& in, const Field& out);
void turn(const Exec& exec, const Matrix& in, const Matrix& out);
void potential(const Exec& exec, const Points& position, const Numbers& charge, const Numbers& out);
} // namespace by_keramos

} // namespace app
