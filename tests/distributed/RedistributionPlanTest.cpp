// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sends what to whom, against the definition: every element goes from the rank that owns it in one partition to the one
// that owns its place in the other.
#include "../../src/keramos/distributed/RedistributionPlan.hpp"

#include "../Property.hpp"
#include "RandomPartition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace {

using Keramos::core::Index3;

template <int Rank>
using Index = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

/// f(index) for every point of a box.
template <int Rank, class F>
void for_points(const Keramos::Subdomain<Rank>& box, const F& f)
{
  if (box.empty()) return;
  Index<Rank> at = box.begin;
  while (true) {
    f(at);
    int axis = Rank - 1;
    while (axis >= 0 && ++at[axis] == box.end[axis]) {
      at[axis] = box.begin[axis];
      --axis;
    }
    if (axis < 0) return;
  }
}

/// By looking at every part of every axis.
template <int Rank>
int owner(const Keramos::core::Cuts<Rank>& cuts, const Index<Rank>& at)
{
  int rank = 0;
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    const auto& list = cuts[axis];
    std::size_t part = 0;
    while (!(list[part] <= at[axis] && at[axis] < list[part + 1])) ++part;
    rank = rank * static_cast<int>(list.size() - 1) + static_cast<int>(part);
  }
  return rank;
}

template <int Rank>
Index<Rank> picked(const Index<Rank>& from, const Index<Rank>& axes)
{
  Index<Rank> result;
  for (std::size_t k = 0; k < Rank; ++k) result[k] = from[axes[k]];
  return result;
}

/// A case: two partitions, an order of axes, and the plans of all ranks.
template <int Rank>
struct Case {
  int ranks;
  Index<Rank> extents, axes;
  Keramos::core::Cuts<Rank> in, out;
  std::vector<Keramos::core::RedistributionPlan<Rank>> plans;

  explicit Case(test::Dice& dice) : ranks(static_cast<int>(dice.between(1, 12)))
  {
    for (auto& extent : extents) extent = dice.one_of({0, 1, 2, 3, 5, 8, 11});
    if (dice.between(0, 3) > 0)
      for (auto& extent : extents) extent = std::max<std::int64_t>(extent, 1);
    const auto order = dice.permutation(Rank);
    std::copy(order.begin(), order.end(), axes.begin());
    in = test::random_cuts(dice, extents, test::random_grid<Rank>(dice, ranks));
    out = test::random_cuts(dice, picked<Rank>(extents, axes), test::random_grid<Rank>(dice, ranks));
    for (int rank = 0; rank < ranks; ++rank)
      plans.push_back(Keramos::core::redistribution_plan<Rank>(in, out, axes, rank));
  }
};

template <int Rank>
void check_elements(const Case<Rank>& c)
{
  std::map<Index<Rank>, std::pair<int, int>> sent, received; // by index of out: from which rank to which
  const auto note = [](auto& moves, const Index<Rank>& at, int from, int to) {
    EXPECT_TRUE(moves.insert({at, {from, to}}).second) << "an element moves twice";
  };
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto& plan = c.plans[static_cast<std::size_t>(rank)];
    const auto send = [&](int to, const Keramos::Subdomain<Rank>& box) {
      for_points<Rank>(box, [&](const auto& at) { note(sent, picked<Rank>(at, c.axes), rank, to); });
    };
    const auto receive = [&](int from, const Keramos::Subdomain<Rank>& box) {
      for_points<Rank>(box, [&](const auto& at) { note(received, at, from, rank); });
    };
    send(rank, plan.own_in);
    receive(rank, plan.own_out);
    for (const auto& piece : plan.sends) send(piece.rank, piece.box);
    for (const auto& piece : plan.receives) receive(piece.rank, piece.box);
  }
  EXPECT_EQ(sent, received);
  std::map<Index<Rank>, std::pair<int, int>> expected;
  Keramos::Subdomain<Rank> all;
  all.end = c.extents;
  for_points<Rank>(all, [&](const auto& at) {
    const auto there = picked<Rank>(at, c.axes);
    expected[there] = {owner<Rank>(c.in, at), owner<Rank>(c.out, there)};
  });
  EXPECT_EQ(sent, expected);
}

/// No message to oneself, none twice, none empty; and in the step with number s all ranks have partners s apart.
template <int Rank>
void check_order(const Case<Rank>& c)
{
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto check = [&](const auto& pieces, int direction) {
      int last = 0;
      for (const auto& piece : pieces) {
        const int step = (direction * (piece.rank - rank) + c.ranks) % c.ranks;
        EXPECT_GT(step, last);
        EXPECT_FALSE(piece.box.empty());
        last = step;
      }
    };
    check(c.plans[static_cast<std::size_t>(rank)].sends, 1);
    check(c.plans[static_cast<std::size_t>(rank)].receives, -1);
  }
}

/// What one rank sends another is what that one receives: the same box, with its axes reordered.
template <int Rank>
void check_boxes(const Case<Rank>& c)
{
  std::map<std::pair<int, int>, Keramos::Subdomain<Rank>> sent, received;
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto& plan = c.plans[static_cast<std::size_t>(rank)];
    for (const auto& piece : plan.sends)
      sent[{rank, piece.rank}] = {picked<Rank>(piece.box.begin, c.axes), picked<Rank>(piece.box.end, c.axes)};
    for (const auto& piece : plan.receives) received[{piece.rank, rank}] = piece.box;
    if (!plan.own_in.empty()) {
      EXPECT_EQ(picked<Rank>(plan.own_in.begin, c.axes), plan.own_out.begin);
      EXPECT_EQ(picked<Rank>(plan.own_in.end, c.axes), plan.own_out.end);
    }
  }
  EXPECT_TRUE(sent == received);
}

template <int Rank>
void check_random_cases()
{
  test::for_random_cases(400, [](test::Dice& dice) {
    const Case<Rank> c(dice);
    check_elements(c);
    check_order(c);
    check_boxes(c);
  });
}

TEST(RedistributionPlan, Rank1MovesEveryElementOnce) { check_random_cases<1>(); }
TEST(RedistributionPlan, Rank2MovesEveryElementOnce) { check_random_cases<2>(); }
TEST(RedistributionPlan, Rank3MovesEveryElementOnce) { check_random_cases<3>(); }

TEST(RedistributionPlan, TheDrawing)
{
  const Keramos::core::Cuts<2> in{{{0, 2, 4, 6}, {0, 9}}}, out{{{0, 3, 6, 9}, {0, 6}}};
  const auto plan = Keramos::core::redistribution_plan<2>(in, out, {1, 0}, 1);
  ASSERT_EQ(plan.sends.size(), 2u);
  ASSERT_EQ(plan.receives.size(), 2u);
  EXPECT_EQ(plan.sends[0].rank, 2);
  EXPECT_EQ(plan.sends[0].box, (Keramos::Subdomain<2>{{2, 6}, {4, 9}}));
  EXPECT_EQ(plan.sends[1].rank, 0);
  EXPECT_EQ(plan.sends[1].box, (Keramos::Subdomain<2>{{2, 0}, {4, 3}}));
  EXPECT_EQ(plan.receives[0].rank, 0);
  EXPECT_EQ(plan.receives[0].box, (Keramos::Subdomain<2>{{3, 0}, {6, 2}}));
  EXPECT_EQ(plan.receives[1].rank, 2);
  EXPECT_EQ(plan.receives[1].box, (Keramos::Subdomain<2>{{3, 4}, {6, 6}}));
  EXPECT_EQ(plan.own_in, (Keramos::Subdomain<2>{{2, 3}, {4, 6}}));
  EXPECT_EQ(plan.own_out, (Keramos::Subdomain<2>{{3, 2}, {6, 4}}));
}

// ---- Rounds ----

std::int64_t volume(const Index3& extents) { return extents[0] * extents[1] * extents[2]; }

Index3 random_extents(test::Dice& dice)
{
  return {dice.one_of({1, 2, 3, 7, 10}), dice.one_of({1, 2, 5, 6}), dice.one_of({1, 2, 4, 9, 300})};
}

TEST(RedistributionPlan, RoundsCarryEveryElementOnce)
{
  test::for_random_cases(1000, [](test::Dice& dice) {
    const Index3 extents = random_extents(dice);
    const std::int64_t rounds = dice.between(1, volume(extents) + 2);
    const Index3 part = Keramos::core::part_extents(extents, rounds);
    std::vector<int> carried(static_cast<std::size_t>(volume(extents)));
    for (std::int64_t round = 0; round < rounds; ++round) {
      const auto [begin, extent] = Keramos::core::message_part(extents, part, round);
      EXPECT_TRUE(round > 0 || volume(extent) == volume(part)) << "the first is not the largest";
      for (int axis = 0; axis < 3; ++axis) EXPECT_LE(extent[axis], part[axis]);
      for (std::int64_t k = 0; k < extent[2]; ++k)
        for (std::int64_t j = 0; j < extent[1]; ++j)
          for (std::int64_t i = 0; i < extent[0]; ++i)
            ++carried[static_cast<std::size_t>(begin[0] + i +
                                               extents[0] * (begin[1] + j + extents[1] * (begin[2] + k)))];
    }
    EXPECT_EQ(std::count(carried.begin(), carried.end(), 1), volume(extents));
  });
}

TEST(RedistributionPlan, LongPartsBeginWhereLinesDo)
{
  EXPECT_EQ(Keramos::core::part_extents({8192, 8192, 1}, 13), (Index3{8192, 640, 1}));
  EXPECT_EQ(Keramos::core::part_extents({8192, 8192, 1}, 16), (Index3{8192, 512, 1}));
  EXPECT_EQ(Keramos::core::part_extents({5, 7, 300}, 2), (Index3{5, 7, 256}));
  EXPECT_EQ(Keramos::core::part_extents({5, 200, 300}, 450), (Index3{5, 200, 1}));
  EXPECT_EQ(Keramos::core::part_extents({5, 200, 300}, 300), (Index3{5, 200, 1}));
  EXPECT_EQ(Keramos::core::part_extents({5, 200, 1}, 2), (Index3{5, 100, 1}));
  EXPECT_EQ(Keramos::core::part_extents({5, 130, 1}, 1), (Index3{5, 130, 1}));
}

TEST(RedistributionPlan, RoundsAreAsFewAsTheLimitAllows)
{
  test::for_random_cases(1000, [](test::Dice& dice) {
    std::vector<Index3> messages;
    for (auto count = dice.between(0, 5); count > 0; --count) messages.push_back(random_extents(dice));
    const auto together = [&](std::int64_t rounds) {
      std::int64_t sum = 0;
      for (const Index3& extents : messages) sum += volume(Keramos::core::part_extents(extents, rounds));
      return sum;
    };
    const std::int64_t limit = dice.between(0, together(1) + 1);
    const std::int64_t rounds = Keramos::core::rounds_within(messages, limit);
    const auto least = static_cast<std::int64_t>(messages.size());
    EXPECT_LE(together(rounds), std::max(limit, least));
    if (rounds > 1) {
      EXPECT_GT(together(rounds - 1), std::max(limit, least));
    }
    for (std::int64_t more = rounds; more < rounds + 10; ++more) EXPECT_LE(together(more + 1), together(more));
  });
}

} // namespace
