// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils over ranks of one process, whose messages come late and in any order.
#include "DistributedStencilBodies.hpp"
#include "Loopback.hpp"

#include <gtest/gtest.h>

namespace {

constexpr int counts[] = {1, 2, 3, 4, 7, 12};

void on_any_ranks(int rounds, const std::function<void(const test::Ranks&, unsigned)>& body)
{
  for (const int count : counts)
    for (int round = 0; round < rounds; ++round) {
      const auto seed = static_cast<unsigned>(1000 * count + round);
      SCOPED_TRACE(testing::Message() << count << " ranks, seed " << seed);
      test::on_ranks(count, seed, [&](const test::Ranks& ranks) { body(ranks, seed); });
      if (testing::Test::HasFailure()) return;
    }
}

TEST(LoopbackStencil, IsThatOfOneRank) { on_any_ranks(100, test::stencils_are_those_of_one_rank); }
TEST(LoopbackStencil, WithEpilogues) { on_any_ranks(30, test::epilogues_are_those_of_one_rank); }
TEST(LoopbackStencil, StepByStep) { on_any_ranks(20, test::steps_are_those_of_one_rank); }
TEST(LoopbackStencil, HalosAreFilled) { on_any_ranks(30, test::halos_are_filled); }
TEST(LoopbackStencil, WrongUseIsRefusedOnEveryRank)
{
  for (const int count : counts) test::on_ranks(count, 0, test::wrong_use_is_refused_on_every_rank);
}

} // namespace
