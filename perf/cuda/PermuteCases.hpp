// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of cuda_transpose that stand in a file of their own.
#pragma once

namespace perf {

void add_permute_cases();
void add_matrix_cases();
void add_in_place_cases();
void add_functor_cases();

} // namespace perf
