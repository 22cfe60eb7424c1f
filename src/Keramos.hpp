// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of Keramos: stencils, transposes and gather-sums over Kokkos Views.
#pragma once

#include "Keramos_FiniteDifference.hpp"
#include "Keramos_GatherSum.hpp"
#include "Keramos_Stencil.hpp"
#include "Keramos_Transpose.hpp"

#include <Keramos_Version.hpp> // which CMake writes
