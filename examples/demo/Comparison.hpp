// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table at the end of the demo: each operator beside plain Kokkos and beside what this machine can do at best.
#pragma once

#include "Electrostatics.hpp"
#include "Machine.hpp"
#include "Shot.hpp"

#include <string>
#include <vector>

namespace demo {

struct Comparison {
  std::string operation, work;
  Keramos::Kernel kernel;
  double speed, plain_speed; ///< in `unit` a second, in billions
  std::string unit;
  double fraction;                   ///< of the ceiling
  std::string ceiling, ceiling_text; ///< "copy", "60.1 GB/s"
};

/// Measures; the wave is advanced by some steps.
Comparison compare_wave_update(const Where& where, Wave& wave, const CopyBandwidth& copy);
Comparison compare_transpose(const Where& where, int receivers, int steps, const CopyBandwidth& copy);
Comparison compare_gather_sum(const Where& where, const Keramos::UniformGrid<3>& grid, const Charges& charges,
                              const View3D& potential);

/// For people: aligned columns, one line a comparison.
std::string table(const std::vector<Comparison>& comparisons);

} // namespace demo
