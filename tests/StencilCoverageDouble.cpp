// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StencilCoverage.hpp"

template void test::stencil_coverage::run_type<double>(const Cell&);
