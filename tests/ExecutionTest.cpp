// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call may run: which execution spaces are the host's, and which instruction set KERAMOS_SIMD asks for.
#include "../backends/openmp/HostKernels.hpp"

#include <Keramos.hpp>

#include <gtest/gtest.h>

namespace {

/// A GPU whose memory the host reaches: its kernels run elsewhere all the same.
template <class Memory>
struct UnifiedMemoryDevice {
  using execution_space = UnifiedMemoryDevice;
  using memory_space = Memory;
};

TEST(HostSpaces, AreKnownByWhatTheyAre)
{
  using Keramos::core::is_host;
  EXPECT_TRUE(is_host<Kokkos::DefaultHostExecutionSpace>);
  EXPECT_FALSE(is_host<UnifiedMemoryDevice<Kokkos::HostSpace>>);
  EXPECT_FALSE(is_host<UnifiedMemoryDevice<Kokkos::SharedSpace>>); // CudaUVMSpace where Kokkos has CUDA
#ifdef KOKKOS_ENABLE_SERIAL
  EXPECT_TRUE(is_host<Kokkos::Serial>);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  EXPECT_TRUE(is_host<Kokkos::OpenMP>);
#endif
#ifdef KOKKOS_ENABLE_THREADS
  EXPECT_TRUE(is_host<Kokkos::Threads>);
#endif
#ifdef KOKKOS_ENABLE_CUDA
  EXPECT_FALSE(is_host<Kokkos::Cuda>);
#endif
}

TEST(InstructionSets, AWishThatCannotBeHadIsNamed)
{
  using Keramos::openmp::choose_instruction_set, Keramos::openmp::InstructionSet;
  const auto choice = [](const char* wish, InstructionSet widest) {
    const auto [set, complaint] = choose_instruction_set(wish, widest);
    return std::pair(set, complaint);
  };
  const auto quiet = [](InstructionSet set) { return std::pair(set, std::string()); };
  using enum InstructionSet;
  for (const auto widest : {baseline, avx2, avx512}) {
    EXPECT_EQ(choice(nullptr, widest), quiet(widest));
    EXPECT_EQ(choice("", widest), quiet(widest));
    EXPECT_EQ(choice("baseline", widest), quiet(baseline));
  }
  EXPECT_EQ(choice("avx2", avx512), quiet(avx2));
  EXPECT_EQ(choice("avx512", avx512), quiet(avx512));
  EXPECT_EQ(choice("avx-2", avx512), std::pair(avx512, std::string("Keramos: KERAMOS_SIMD: expected one of baseline, "
                                                                   "avx2, avx512, got avx-2; taking avx512")));
  EXPECT_EQ(choice("avx512", avx2),
            std::pair(avx2, std::string("Keramos: KERAMOS_SIMD: expected one of baseline, avx2, "
                                        "got avx512; taking avx2")));
  EXPECT_EQ(
      choice("AVX2", baseline),
      std::pair(baseline, std::string("Keramos: KERAMOS_SIMD: expected one of baseline, got AVX2; taking baseline")));
}

} // namespace
