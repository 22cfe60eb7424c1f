// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a rank of the distributed tests computes: on the host alone, as a rank may be a thread there, or on a GPU, in memory
// that the host reaches as well.
#pragma once

#include "../../src/keramos/core/Kernel.hpp"

#include <Kokkos_Core.hpp>

namespace test {

#ifdef Keramos_TEST_RANKS_ON_GPU
using RankExec = Kokkos::Cuda;
using RankMemory = Kokkos::SharedSpace;
inline RankExec own_space() { return {}; }
inline constexpr auto foreign_backend = Keramos::Backend::openmp;
#else
using RankExec = Kokkos::Serial;
using RankMemory = Kokkos::HostSpace;
/// Each rank that is a thread has an instance of its own.
inline RankExec own_space() { return RankExec(Kokkos::NewInstance{}); }
inline constexpr auto foreign_backend = Keramos::Backend::cuda;
#endif

/// The host may touch fields now.
inline void settle() { RankExec().fence(); }

} // namespace test
