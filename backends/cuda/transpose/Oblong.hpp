// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that are not square, in place: small ones wait in scratch as a whole; of others bands move as plain transposes do, and
// then cells of some megabytes trade places (OblongCut.hpp). Each element moves twice.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "OblongCut.hpp"

#include <Kokkos_Core.hpp>

namespace Keramos::cuda::transpose {

struct OblongPlan {
  Kernel kernel;
  OblongWay way;
  char* data;
  char* scratch;
};

core::Text variant(const OblongWay& way);

void launch(const OblongPlan& plan, const Kokkos::Cuda& space);

} // namespace Keramos::cuda::transpose
