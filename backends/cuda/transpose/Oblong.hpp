// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that are not square, in place: their bands move as plain transposes do, and then cells of some megabytes trade places
// (OblongCut.hpp). Each element moves twice.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "OblongCut.hpp"

#include <Kokkos_Core.hpp>

namespace Keramos::cuda::transpose {

struct OblongPlan {
  Kernel kernel;
  OblongCut cut;
  char* data;
  char* scratch;
};

void launch(const OblongPlan& plan, const Kokkos::Cuda& space);

} // namespace Keramos::cuda::transpose
