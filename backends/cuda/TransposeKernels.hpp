// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of plain moves, a file of kernels each; run_move() in TransposePlan.cpp deals them out.
#pragma once

#include "TransposePlan.hpp"

namespace Keramos::cuda {

void run_tile(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out);
void run_tile_vector(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in,
                     void* out);
void run_tile_shifted(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in,
                      void* out);
void run_copy_rows(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out);
void run_box(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out);
void run_narrow(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out);

} // namespace Keramos::cuda
