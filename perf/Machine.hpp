// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a result must say about where it comes from.
#pragma once

namespace perf {

/// Adds processor, threads, compiler, Kokkos and commit to the context in the JSON, and each way to copy with its rate.
void describe_machine();

} // namespace perf
