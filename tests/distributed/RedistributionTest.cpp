// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutes, transposes and copies between partitions, with ranks that are threads and messages that come late and in any
// order; and what needs no ranks beside this one.
#include "../../src/keramos/distributed/RedistributionCalls.hpp"

#include "../Property.hpp"
#include "Alone.hpp"
#include "Loopback.hpp"
#include "RedistributionBodies.hpp"
#include "Relays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern std::atomic<long> allocations; // Allocations.cpp

namespace {

using test::Ranks;

constexpr int rank_counts[] = {1, 2, 3, 4, 7};

TEST(Redistribution, ElementsArrive)
{
  for (const int count : rank_counts)
    test::for_random_cases(3, [&](test::Dice& dice) {
      const auto seed = static_cast<std::uint64_t>(dice.between(0, 1 << 30));
      test::on_ranks(count, seed, [&](const Ranks& ranks) { test::elements_arrive(ranks, seed); });
    });
}

template <class Body>
void on_all_counts(const Body& body)
{
  for (const int count : rank_counts) test::on_ranks(count, static_cast<std::uint64_t>(count), body);
}

TEST(Redistribution, LayoutsAreMixed) { on_all_counts(test::layouts_are_mixed); }
TEST(Redistribution, FieldsAreGathered) { on_all_counts(test::fields_are_gathered); }
TEST(Redistribution, LimitsAreKept) { on_all_counts(test::limits_are_kept); }
TEST(Redistribution, ALimitMayBeNone) { on_all_counts(test::a_limit_may_be_none); }
TEST(Redistribution, ADeadFieldIsForgotten) { on_all_counts(test::a_dead_field_is_forgotten); }
TEST(Redistribution, ADryRunMovesNothing) { on_all_counts(test::a_dry_run_moves_nothing); }
TEST(Redistribution, WrongUseIsRefusedOnEveryRank) { on_all_counts(test::wrong_redistributions_are_refused); }

using Field = Keramos::Distributed<Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::Serial>>;

TEST(Redistribution, ARankThatFailsLaterEndsAll)
{
  std::string said;
  try {
    test::on_ranks(3, 1, [](const Ranks& ranks) {
      const Kokkos::Serial exec(Kokkos::NewInstance{});
      const auto relay = std::make_shared<test::Relay>(ranks);
      const Field u(exec, "u", Keramos::Partition<2>(Keramos::Cartesian<2>(relay, {0, 1}), {6, 6}));
      const Field v(exec, "v", Keramos::Partition<2>(Keramos::Cartesian<2>(relay, {1, 0}), {6, 6}));
      Keramos::copy(exec, u, v);
      if (ranks->rank() == 1) relay->on_post = [] { throw std::runtime_error("the network is gone"); };
      Keramos::copy(exec, u, v);
      ADD_FAILURE() << "a rank went on";
    });
  } catch (const std::exception& error) {
    said = error.what();
  }
  EXPECT_EQ(said, "aborted: Keramos::copy: the network is gone");
}

/// Own work is launched while messages travel: these come only after post() of all ranks, and post() sees `out` untouched.
TEST(Redistribution, TheOwnPieceFollowsThePost)
{
  test::on_ranks(2, 1, [](const Ranks& ranks) {
    const Kokkos::Serial exec(Kokkos::NewInstance{});
    const auto relay = std::make_shared<test::Relay>(ranks);
    const Field u(exec, "u", Keramos::Partition<2>(Keramos::Cartesian<2>(relay, {0, 1}), {6, 6}));
    const Field v(exec, "v", Keramos::Partition<2>(Keramos::Cartesian<2>(relay, {1, 0}), {6, 6}));
    Kokkos::deep_copy(exec, u.local(), 1.);
    relay->on_post = [&] {
      for (std::size_t i = 0; i < v.local().size(); ++i) EXPECT_EQ(v.local().data()[i], 0.);
    };
    Keramos::copy(exec, u, v);
    for (std::size_t i = 0; i < v.local().size(); ++i) EXPECT_EQ(v.local().data()[i], 1.);
  });
}

TEST(Redistribution, LaterCallsAllocateNothing)
{
  const Kokkos::Serial exec;
  const auto ranks = std::make_shared<test::Alone>();
  const Field u(exec, "u", Keramos::Partition<2>(Keramos::Cartesian<2>(ranks, {0, 1}), {20, 21}), 1);
  const Field v(exec, "v", Keramos::Partition<2>(Keramos::Cartesian<2>(ranks, {0, 1}), {21, 20}));
  for (const std::size_t limit : {std::size_t{1} << 20, std::size_t{300}}) {
    const Field w(exec, "w", v.partition());
    Keramos::transpose(exec, u, w, {limit});
    const long before = allocations;
    Keramos::transpose(exec, u, w, {limit});
    EXPECT_EQ(allocations - before, 0) << "limit " << limit;
  }
}

} // namespace
