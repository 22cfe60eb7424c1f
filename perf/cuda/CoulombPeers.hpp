// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands beside Keramos in Coulomb sums: plain Kokkos, the classics, the roots that all of them need, and programs for the host.
#pragma once

#include "../PlainSums.hpp"
#include "CoulombData.hpp"

#include <string>
#include <vector>

namespace perf {

Contender by_kokkos(const Data& data);
Contender by_kokkos_teams(const Data& data);

/// No rival: it reads no sources.
Contender by_roots(const Data& data);

std::vector<Contender> classics(const Data& data, int side, int rows_of_scatter);

/// On one thread of the host; the answer goes to the GPU to be checked there.
Contender by_host(const Data& data, const std::string& name, void (*order)(const GridOfSources<float>&, int, float*));

} // namespace perf
