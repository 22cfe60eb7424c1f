// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main() of the tests that mpiexec starts: every rank runs all of them, rank 0 reports, and the others say what failed there.
// The exit code is the same on all ranks. A rank that leaves a test early, by ASSERT_* or an exception, ends the program:
// the others would wait for it.
#include "../Run.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace {

constexpr int exit_skipped = 77; // SKIP_RETURN_CODE in tests/CMakeLists.txt

/// What failed, from any rank: one line at once, so that those of several ranks do not mix.
class Failures : public testing::EmptyTestEventListener {
public:
  explicit Failures(int rank) : rank_(rank) {}

private:
  /// GoogleTest holds its lock while it reports a failure: who asks it then for the test waits forever.
  void OnTestStart(const testing::TestInfo& test) override
  {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }

  void OnTestPartResult(const testing::TestPartResult& result) override
  {
    if (!result.failed()) return;
    std::ostringstream line;
    line << "rank " << rank_ << ": " << test_ << ": " << (result.file_name() ? result.file_name() : "") << ':'
         << result.line_number() << ": " << result.message() << '\n';
    std::cerr << line.str() << std::flush;
    if (result.fatally_failed()) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }

  int rank_;
  std::string test_ = "before the first test";
};

/// As tests/Main.cpp: a run without tests fails, and one that skipped all of them says so.
int run_tests()
{
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (result != 0 || GTEST_FLAG_GET(list_tests)) return result;
  if (tests.test_to_run_count() == 0) {
    std::cerr << "No test matches: a run without tests proves nothing.\n";
    return EXIT_FAILURE;
  }
  return tests.skipped_test_count() == tests.test_to_run_count() ? exit_skipped : EXIT_SUCCESS;
}

/// Failure on any rank is failure; skipped is what all ranks have skipped.
int common_exit_code(int mine)
{
  const int failed = mine != EXIT_SUCCESS && mine != exit_skipped, ran = mine == EXIT_SUCCESS;
  const int here[2] = {failed, ran};
  int anywhere[2] = {};
  MPI_Allreduce(here, anywhere, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (anywhere[0]) return EXIT_FAILURE;
  return anywhere[1] ? EXIT_SUCCESS : exit_skipped;
}

} // namespace

int main(int argc, char** argv)
{
  int level = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank > 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Failures(rank));
  int result = EXIT_FAILURE;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    if (rank == 0)
      std::cout << "Keramos tests on " << size << " ranks, each with " << Kokkos::DefaultExecutionSpace::name() << " ("
                << Kokkos::DefaultExecutionSpace().concurrency() << " threads)" << std::endl;
    result = common_exit_code(run_tests());
  }
  MPI_Finalize();
  return result;
}
