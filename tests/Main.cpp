// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main() of every test binary: starts Kokkos, then GoogleTest. Exits with 77, which CTest shows as "Skipped", where this
// processor lacks the instruction set that KERAMOS_SIMD asks for, or every test skipped itself; a run that selects no test
// fails instead of passing.
#include "../backends/openmp/HostKernels.hpp"
#include "Run.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace {

constexpr int exit_skipped = 77; // SKIP_RETURN_CODE in tests/CMakeLists.txt

/// 0, or the exit code with which a run under this KERAMOS_SIMD has to end before it begins.
int check_instruction_set()
{
  const char* taken = Keramos::openmp::instruction_set_name();
  const char* request = std::getenv("KERAMOS_SIMD");
  if (!request || std::strcmp(request, taken) == 0) return EXIT_SUCCESS;
  for (const char* known : {"baseline", "avx2", "avx512"})
    if (std::strcmp(request, known) == 0) {
      std::cout << "Skipped: KERAMOS_SIMD=" << request << ", but this processor and library go up to " << taken
                << ".\n";
      return exit_skipped;
    }
  return EXIT_FAILURE; // the library has said what it expects
}

} // namespace

int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  if (const int code = check_instruction_set()) return code;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  test::in_graphs(); // before the first View: replays must know all memory
  std::cout << "Keramos tests on " << Kokkos::DefaultExecutionSpace::name() << " ("
            << Kokkos::DefaultExecutionSpace().concurrency()
            << " threads), host kernels: " << Keramos::openmp::instruction_set_name() << std::endl;
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (result == 0 && !GTEST_FLAG_GET(list_tests) && tests.test_to_run_count() == 0) {
    std::cerr << "No test matches: a run without tests proves nothing.\n";
    return EXIT_FAILURE;
  }
  if (result == 0 && tests.skipped_test_count() > 0 && tests.skipped_test_count() == tests.test_to_run_count())
    return exit_skipped;
  return result;
}
