// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums of several ranks that are threads of one process; and what needs no ranks beside this one.
#include "../../src/Keramos_Distributed.hpp"

#include "../Property.hpp"
#include "Alone.hpp"
#include "DistributedSumBodies.hpp"
#include "Loopback.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

extern std::atomic<long> allocations; // Allocations.cpp

namespace {

using test::Ranks;

constexpr int rank_counts[] = {1, 2, 3, 4, 7};

TEST(DistributedSum, SumsAreThoseOfOneRank)
{
  for (const int count : rank_counts)
    test::for_random_cases(20, [&](test::Dice& dice) {
      const auto seed = static_cast<std::uint64_t>(dice.between(0, 1 << 30));
      test::on_ranks(count, seed, [&](const Ranks& ranks) { test::sums_are_those_of_one_rank(ranks, seed); });
    });
}

template <class Body>
void on_all_counts(const Body& body)
{
  for (const int count : rank_counts) test::on_ranks(count, static_cast<std::uint64_t>(count), body);
}

TEST(DistributedSum, LongSumsAreThoseOfOneRank)
{
  for (const int count : {1, 3}) test::on_ranks(count, 1, test::long_sums_are_those_of_one_rank);
}
TEST(DistributedSum, TakesFunctions) { on_all_counts(test::sums_take_functions); }
TEST(DistributedSum, ARankMayHaveNothing) { on_all_counts(test::a_rank_may_have_nothing); }
TEST(DistributedSum, ADrySumMovesNothing) { on_all_counts(test::a_dry_sum_moves_nothing); }
TEST(DistributedSum, WrongUseIsRefusedOnEveryRank) { on_all_counts(test::wrong_sums_are_refused); }

TEST(DistributedSum, LaterCallsAllocateNothing)
{
  const Kokkos::Serial exec;
  const Keramos::Cartesian<2> line(std::make_shared<test::Alone>(), {0, 1});
  using Rows = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::Serial>;
  const Keramos::Distributed<Rows> out(exec, "out", Keramos::Partition<2>(line, {9, 8}));
  const Rows many("many", 50000, 3), few("few", 10, 3); // every rank says what this one does: of three times as many
  const Keramos::DistributedSources sources(line, Keramos::Sources{many});
  const Keramos::UniformGrid<2> grid{{-1, -1}, {0.1, 0.2}};
  Keramos::gather_sum(exec, Keramos::Coulomb{}, grid, sources, out);
  for (const Rows& next : {few, many}) {
    sources.assign(Keramos::Sources{next});
    const long before = allocations;
    Keramos::gather_sum(exec, Keramos::Coulomb{}, grid, sources, out);
    EXPECT_EQ(allocations - before, 0) << next.extent(0) << " sources";
  }
}

} // namespace
