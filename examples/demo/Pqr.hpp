// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the point charges of a molecule from a PQR file: a PDB file with charge and radius in place of occupancy and
// temperature factor, fields separated by white space.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace demo {

struct Molecule {
  std::vector<std::array<double, 3>> position; ///< angstrom
  std::vector<double> charge;                  ///< elementary charges
};

/// Every ATOM and HETATM record, with or without a chain identifier: the last five fields are x, y, z, charge and
/// radius. Throws InputError, which names the line, for a record that is not so, for a number with which float cannot
/// compute, for an unknown record, and for a file without atoms.
Molecule read_pqr(const std::string& file);

} // namespace demo
