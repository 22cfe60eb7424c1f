// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KERAMOS_LOG: with "dispatch" one line on stderr a call, and one for what was not proved; with "summary" each of these
// lines once, at the exit; with another word one complaint, without it nothing. CTest runs this program in each of the
// four environments.
#include "Support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

using namespace test;
using Keramos::Backend, Keramos::Kernel;
using Keramos::core::text;

std::string request()
{
  const char* const value = std::getenv("KERAMOS_LOG");
  return value ? value : "";
}

/// What call() writes to stderr.
template <class Call>
std::string said(const Call& call)
{
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

/// The first call of the process, which reads the environment.
class FirstCall : public testing::Environment {
  void SetUp() override
  {
    const Array<int, 1> a({3}, Memory::right), b({3}, Memory::right);
    Kernel kernel;
    const std::string words = said([&] { kernel = Keramos::copy(Host(), a.view, b.view); });
    if (request().empty() || request() == "summary")
      EXPECT_EQ(words, "");
    else if (request() == "dispatch")
      EXPECT_EQ(words, text("Keramos: copy on ", Host::name(), ": ", kernel, " (the first choice)\n"));
    else
      EXPECT_EQ(words, text("Keramos: KERAMOS_LOG: expected one of dispatch, summary, got ", request(),
                            "; logging nothing\n"));
  }
};
[[maybe_unused]] const auto* first_call = testing::AddGlobalTestEnvironment(new FirstCall);

/// One line with this reason, or silence.
template <class Call>
void expect_line(const char* operation, const char* reason, const Call& call)
{
  Kernel kernel;
  const std::string words = said([&] { kernel = call(); });
  const std::string line = text("Keramos: ", operation, " on ", Host::name(), ": ", kernel, " (", reason, ")\n");
  EXPECT_EQ(words, request() == "dispatch" ? line : "");
}

TEST(Log, TellsTheKernelOfACallAndWhy)
{
  const Host exec;
  const Array<float, 2> a({8, 9}, Memory::right), b({8, 9}, Memory::right), none({0, 9}, Memory::right);
  const Array<float, 2> turned({9, 8}, Memory::right);
  const Array<float, 2> positions({5, 3}, Memory::right);
  const Array<float, 1> weights({5}, Memory::right), out({5}, Memory::right);
  const Keramos::Star<2, 1> star(-4, {1});
  const Keramos::SparseStencil<2, 1> far({{{0, 1 << 18}}}, {1});
  const auto stencil = [&](const auto& where, const auto& from, const auto& to) {
    return [&, where] { return Keramos::apply_stencil(where, star, from.view, to.view, Keramos::periodic); };
  };
  expect_line("apply_stencil", "the first choice", stencil(exec, a, b));
  expect_line("apply_stencil", "not covered by openmp",
              [&] { return Keramos::apply_stencil(exec, far, a.view, b.view, Keramos::periodic); });
  expect_line("apply_stencil", "the only backend allowed",
              stencil(Keramos::with_backend(exec, Backend::portable), a, b));
  expect_line("apply_stencil", "the first choice; dry run", stencil(Keramos::dry_run(exec), a, b));
  expect_line("apply_stencil", "the first choice; nothing to launch", stencil(exec, none, none));
  expect_line("transpose", "the first choice", [&] { return Keramos::transpose(exec, a.view, turned.view); });
  expect_line("gather_sum", "the first choice", [&] {
    return Keramos::gather_sum(exec, Keramos::Coulomb{}, positions.view, Keramos::Sources{positions.view, weights.view},
                               out.view);
  });
}

/// In front of the call; its text was copied. Where nobody reads it, nothing is kept.
TEST(Log, TellsTheLabelOfACall)
{
  const Array<float, 2> a({8, 9}, Memory::right), b({8, 9}, Memory::right);
  const auto labelled = [](std::string label) { return Keramos::with_label(Keramos::dry_run(Host()), label); };
  const auto where = labelled("the temperature of the whole field");
  Kernel kernel;
  const std::string words = said([&] { kernel = Keramos::copy(where, a.view, b.view); });
  const std::string line = text("Keramos: the temperature of the whole field: copy on ", Host::name(), ": ", kernel,
                                " (the first choice; dry run)\n");
  EXPECT_EQ(words, request() == "dispatch" ? line : "");
  const bool is_read = request() == "dispatch" || request() == "summary";
  EXPECT_EQ(kernel.label, is_read ? "the temperature of the whole field" : "");
  EXPECT_EQ(kernel.name().starts_with("the temperature of the whole field: Keramos::copy::openmp::"), is_read);
  // The outer one of two counts, and other requests keep it.
  const auto again = Keramos::with_backend(Keramos::with_label(where, "flux"), Backend::portable);
  EXPECT_EQ(Keramos::copy(again, a.view, b.view).label, is_read ? "flux" : "");
}

/// Strides with which a check of bounded length ends without an answer: the call is allowed, and the log says so.
TEST(Log, TellsWhatWasNotProved)
{
  char memory[2]; // which a dry run does not touch
  const auto view = [&](std::size_t first, std::size_t slow, std::size_t fast) {
    const Kokkos::LayoutStride layout(3000000, slow, 3000000, fast);
    return Kokkos::View<char**, Kokkos::LayoutStride, Host, Kokkos::MemoryUnmanaged>(memory + first, layout);
  };
  const auto in = view(0, 1000000007, 998244353), out = view(1, 1000000009, 999999937);
  Kernel kernel;
  const std::string words = said([&] { kernel = Keramos::copy(Keramos::dry_run(Host()), in, out); });
  const auto unproved = [](const char* expected) {
    return text("Keramos: copy: argument 'out': expected ", expected, ", which was not proved for these strides\n");
  };
  const std::string lines = unproved("a View in which every index is its own element") +
                            unproved("no element in common with 'in'") +
                            text("Keramos: copy on ", Host::name(), ": ", kernel, " (the first choice; dry run)\n");
  EXPECT_EQ(words, request() == "dispatch" ? lines : "");
}

TEST(Log, IsSilentAboutWrongUse)
{
  const Array<float, 2> a({8, 9}, Memory::right);
  EXPECT_EQ(said([&] { message([&] { Keramos::transpose(Host(), a.view, a.view); }); }), "");
}

/// The summary of a process of its own: GoogleTest starts this program once more, with the variable, for the one test.
class LogDeathTest : public testing::Test {
  void SetUp() override
  {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    setenv("KERAMOS_LOG", "summary", 1);
  }
  void TearDown() override
  {
    if (request_.empty())
      unsetenv("KERAMOS_LOG");
    else
      setenv("KERAMOS_LOG", request_.c_str(), 1);
  }

  const std::string request_ = request();
};

/// Both begin together and do nothing but count: where they run at once and do not exclude each other, counts are lost.
void count_on_two_threads()
{
  std::barrier begin(2);
  const auto count = [&begin] {
    begin.arrive_and_wait();
    for (int call = 0; call < 100000; ++call) Keramos::core::log_call("A line of two threads");
  };
  std::thread other(count);
  count();
  other.join();
}

TEST_F(LogDeathTest, SumsUpAtTheExit)
{
  const Host exec;
  const Array<int, 1> a({3}, Memory::right), b({3}, Memory::right);
  const Array<float, 2> f({8, 9}, Memory::right), g({8, 9}, Memory::right);
  const auto ask = [&] { return Keramos::copy(Keramos::dry_run(exec), a.view, b.view); };
  const auto far = [&](const auto& where) { // more than the vector kernels reach
    const Keramos::SparseStencil<2, 1> op({{{0, 1 << 18}}}, {1});
    return Keramos::apply_stencil(where, op, f.view, g.view, Keramos::periodic);
  };
  const auto run = [&] {
    count_on_two_threads();
    for (int call = 0; call < 3; ++call) far(exec);
    for (int call = 0; call < 2; ++call) far(Keramos::with_backend(exec, Backend::portable));
    for (int call = 0; call < 2; ++call) far(Keramos::with_label(exec, "diffusion of u"));
    std::exit(EXIT_SUCCESS);
  };
  const Kernel copy = ask(), portable = far(Keramos::dry_run(exec));
  const auto line = [](const Kernel& kernel, const char* behind) {
    return text("Keramos: ", kernel.operation, " on ", Host::name(), ": ", kernel, behind, '\n');
  };
  std::string summary = "Keramos: the calls of this process, of which 5 fell to portable:\n";
  summary += "A line of two threads: 200000 calls\n";
  summary += line(portable, " (not covered by openmp): 3 calls");
  summary += line(portable, " (the only backend allowed): 2 calls");
  summary += text("Keramos: diffusion of u: apply_stencil on ", Host::name(), ": ", portable,
                  " (not covered by openmp): 2 calls\n");
  summary += line(portable, " (not covered by openmp; dry run): 1 call");
  summary += line(copy, " (the first choice): 1 call"); // FirstCall's
  summary += line(copy, " (the first choice; dry run): 1 call");
  EXPECT_EXIT(run(), testing::ExitedWithCode(EXIT_SUCCESS), testing::HasSubstr(summary));
}

} // namespace
