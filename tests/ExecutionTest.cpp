// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call may run: which execution spaces are the host's, and which instruction set KERAMOS_SIMD asks for. And what
// tells where it ran, the Kernel.
#include "../backends/openmp/HostKernels.hpp"

#include <Keramos.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>

namespace {

using Keramos::Backend, Keramos::Kernel;

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

/// 1 where the caller computes.
struct IsCaller {
  std::thread::id caller;

  KOKKOS_FUNCTION float operator()(float, float, std::int64_t, std::int64_t, std::int64_t) const
  {
    KOKKOS_IF_ON_HOST((return std::this_thread::get_id() == caller ? 1.f : 0.f;))
    KOKKOS_IF_ON_DEVICE((return 0.f;))
  }
};

TEST(HostStencils, OfLittleWorkWaitForNoOtherThread)
{
  using Space = Kokkos::DefaultHostExecutionSpace;
  constexpr int n = 8;
  const Kokkos::View<float***, Kokkos::LayoutRight, Space> in("in", n, n, n), out("out", n, n, n);
  const auto op = Keramos::FiniteDifference::laplacian<3, 2>(1.0, 1.0, 1.0);
  Keramos::apply_stencil(Space(), op, in, out, Keramos::periodic, IsCaller{std::this_thread::get_id()});
  Kokkos::fence();
  EXPECT_EQ(std::count(out.data(), out.data() + out.size(), 1.f), n * n * n);
}

TEST(InstructionSets, ARequestThatCannotBeMetIsNamed)
{
  using Keramos::openmp::choose_instruction_set, Keramos::openmp::InstructionSet;
  const auto choice = [](const char* request, InstructionSet widest) {
    const auto [set, complaint] = choose_instruction_set(request, widest);
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

// ---- Kernel -----------------------------------------------------------------------------------------------------------

int texts_made = 0;

/// A variant whose making is counted.
Kernel counted(int radius)
{
  return {Backend::openmp, "apply_stencil", [radius] {
            ++texts_made;
            return Keramos::core::text("star<3,", radius, "> rows");
          }};
}

TEST(KernelOfACall, TextIsMadeWhenItIsRead)
{
  texts_made = 0;
  const Kernel kernel = counted(4), copy = kernel;
  EXPECT_EQ(texts_made, 0);
  const std::string variant = copy.variant;
  EXPECT_EQ(texts_made, 1);
  EXPECT_EQ(variant, "star<3,4> rows");
}

TEST(KernelOfACall, Prints)
{
  std::ostringstream out;
  out << counted(4);
  EXPECT_EQ(out.str(), "openmp: star<3,4> rows");
  EXPECT_EQ(counted(4).name(), "Keramos::apply_stencil::openmp::star<3,4> rows");
  EXPECT_EQ(Kernel{}.variant.str(), "");
}

/// By what it says: that of another call, made of other numbers, may be the same kernel.
TEST(KernelOfACall, Compares)
{
  EXPECT_EQ(counted(4), counted(4));
  EXPECT_EQ(counted(4), (Kernel{Backend::openmp, "apply_stencil", "star<3,4> rows"}));
  EXPECT_NE(counted(4), counted(5));
  EXPECT_NE(counted(4), (Kernel{Backend::portable, "apply_stencil", "star<3,4> rows"}));
  EXPECT_NE(counted(4), (Kernel{Backend::openmp, "copy", "star<3,4> rows"}));
  EXPECT_EQ(counted(4).variant, "star<3,4> rows");
  EXPECT_NE(counted(4).variant, std::string("star<3,4>"));
}

TEST(KernelOfACall, AWordBehindTheVariantTakesTheOnePlace)
{
  const auto totals = counted(4).variant.followed_by(" totals");
  EXPECT_EQ(totals, "star<3,4> rows totals");
  EXPECT_EQ(totals.followed_by(" again"), "star<3,4> rows again");
  EXPECT_EQ(counted(4).variant, "star<3,4> rows");
}

} // namespace
