// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of plain moves, which are compiled once, in the library: a source file for each file of kernels.
#pragma once

#include "Plan.hpp"

namespace Keramos::cuda::transpose {

void run_tile(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_tile_vector(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_tile_unaligned(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in,
                        void* out);
void run_tile_joined(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_tile_small(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_matrices(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_rows(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_box_rows(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_box(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_narrow(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);
void run_swap(const SwapPlan& plan, const Kernel& taken, const Kokkos::Cuda& space, void* data);

/// Whichever of them a plan wants.
void run_move(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out);

} // namespace Keramos::cuda::transpose
