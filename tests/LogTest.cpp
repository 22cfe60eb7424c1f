// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KERAMOS_LOG: with "dispatch" one line on stderr a call, and one for what was not proved; with another word one
// complaint, without it nothing. CTest runs this program in each of the three environments.
#include "Support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

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
    if (request().empty())
      EXPECT_EQ(words, "");
    else if (request() == "dispatch")
      EXPECT_EQ(words, text("Keramos: copy on ", Host::name(), ": ", kernel, " (the first choice)\n"));
    else
      EXPECT_EQ(words, text("Keramos: KERAMOS_LOG: expected dispatch, got ", request(), "\n"));
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
  const Array<float, 2> turned({9, 8}, Memory::right), spread({8, 9}, Memory::spread);
  const Array<float, 2> positions({5, 3}, Memory::right);
  const Array<float, 1> weights({5}, Memory::right), out({5}, Memory::right);
  const Keramos::Star<2, 1> star(-4, {1});
  const auto stencil = [&](const auto& where, const auto& from, const auto& to) {
    return [&, where] { return Keramos::apply_stencil(where, star, from.view, to.view, Keramos::periodic); };
  };
  expect_line("apply_stencil", "the first choice", stencil(exec, a, b));
  expect_line("apply_stencil", "not covered by openmp", stencil(exec, spread, b));
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

} // namespace
