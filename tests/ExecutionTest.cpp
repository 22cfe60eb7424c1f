// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call may run: which execution spaces are the host's.
#include <Keramos.hpp>

#include <gtest/gtest.h>

namespace {

/// A GPU whose memory the host reaches: its kernels run elsewhere all the same.
struct UnifiedMemoryDevice {
  using execution_space = UnifiedMemoryDevice;
  using memory_space = Kokkos::HostSpace;
  using device_type = Kokkos::Device<Kokkos::DefaultExecutionSpace, memory_space>;
  using size_type = memory_space::size_type;
};

TEST(HostSpaces, AreKnownByWhatTheyAre)
{
  using Keramos::core::is_host;
  EXPECT_TRUE(is_host<Kokkos::DefaultHostExecutionSpace>);
  EXPECT_FALSE(is_host<UnifiedMemoryDevice>);
#ifdef KOKKOS_ENABLE_SERIAL
  EXPECT_TRUE(is_host<Kokkos::Serial>);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  EXPECT_TRUE(is_host<Kokkos::OpenMP>);
#endif
#ifdef KOKKOS_ENABLE_THREADS
  EXPECT_TRUE(is_host<Kokkos::Threads>);
#endif
#ifdef KOKKOS_ENABLE_CUDA // whichever memory Kokkos was told to give it: CudaSpace, or unified memory
  EXPECT_FALSE(is_host<Kokkos::Cuda>);
#endif
}

} // namespace
