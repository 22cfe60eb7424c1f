// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils over ranks of one process, whose messages come late and in any order.
#include "DistributedStencilBodies.hpp"
#include "Loopback.hpp"
#include "Relays.hpp"

#include "../../src/Keramos_Distributed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

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
TEST(LoopbackStencil, FieldsAreExchangedTogether) { on_any_ranks(30, test::fields_are_exchanged_together); }
TEST(LoopbackStencil, LayoutsMayDifferBetweenRanks) { on_any_ranks(30, test::layouts_may_differ_between_ranks); }
TEST(LoopbackStencil, RulesMayDifferWhereNothingIsSent)
{
  on_any_ranks(10, test::rules_may_differ_where_nothing_is_sent);
}
TEST(LoopbackStencil, ComponentsAreThoseOfOneRank) { on_any_ranks(30, test::components_are_those_of_one_rank); }
TEST(LoopbackStencil, WrongUseIsRefusedOnEveryRank)
{
  for (const int count : counts) test::on_ranks(count, 0, test::wrong_use_is_refused_on_every_rank);
}

/// Messages do not travel before every rank has computed its interior: who waited for one earlier would wait forever. What
/// waits for messages is not written before.
TEST(LoopbackStencil, TheInteriorNeedsNoMessage)
{
  using View = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Field = Keramos::Distributed<View>;
  test::on_ranks(3, 1, [](const test::Ranks& ranks) {
    const Kokkos::Serial exec;
    const auto relay = std::make_shared<test::Relay>(ranks);
    const Keramos::Partition<2> slabs(Keramos::Cartesian<2>(relay, {3, 1}), {30, 8});
    const Field u(exec, "u", slabs, Keramos::Halo<2>({2, 0})), out(exec, "out", slabs);
    const auto written = [&] { return std::ranges::count(out.local().data(), out.local().data() + 80, 0.); };
    Kokkos::deep_copy(out.local(), -1.); // the sum over zeros is 0
    relay->on_wait = [&] {
      EXPECT_EQ(written(), (ranks->rank() == 1 ? 6 : 8) * 8);
      test::release_messages(*ranks);
    };
    test::withhold_messages(*ranks);
    Keramos::apply_stencil(exec, Keramos::Star<2, 2>(), u, out, Keramos::nearest);
    EXPECT_EQ(written(), 80);
  });
}

double place_of(double, double, std::int64_t i, std::int64_t j) { return static_cast<double>(100 * i + j); }

/// An epilogue may be a function, by its name as by its address.
TEST(LoopbackStencil, AFunctionGetsGlobalIndices)
{
  using Field = Keramos::Distributed<Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>>;
  test::on_ranks(3, 1, [](const test::Ranks& ranks) {
    const Kokkos::Serial exec;
    const Keramos::Partition<2> slabs(Keramos::Cartesian<2>(ranks, {3, 1}), {30, 8});
    const Field u(exec, "u", slabs), out(exec, "out", slabs);
    const auto check = [&](const auto& apply) {
      Kokkos::deep_copy(out.local(), -1.);
      apply();
      for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 8; ++j) EXPECT_EQ(out.owned()(i, j), 100 * (10 * ranks->rank() + i) + j);
    };
    check([&] { Keramos::apply_stencil(exec, Keramos::Star<2, 1>(), u, out, Keramos::nearest, place_of); });
    check([&] { Keramos::apply_stencil(exec, Keramos::Star<2, 1>(), u, out, Keramos::nearest, &place_of); });
  });
}

/// Only the first call of a kind makes anything; an exchange of the application's own is another kind.
TEST(LoopbackStencil, LaterCallsOpenNothing)
{
  using Field = Keramos::Distributed<Kokkos::View<float***, Kokkos::LayoutRight, Kokkos::HostSpace>>;
  test::on_ranks(2, 1, [](const test::Ranks& ranks) {
    const Kokkos::Serial exec;
    const auto relay = std::make_shared<test::Relay>(ranks);
    const Keramos::Partition<3> cut(Keramos::Cartesian<3>(relay, {0, 1, 1}), {12, 6, 6});
    const Field u(exec, "u", cut, 2), v(exec, "v", cut, 2);
    const auto op = Keramos::FiniteDifference::laplacian<3, 4>(1, 1, 1);
    const auto steps = [&] {
      Keramos::apply_stencil(exec, op, u, v, Keramos::constant(std::nan("")));
      Keramos::apply_stencil(exec, op, v, u, Keramos::periodic, Keramos::LeapFrog{u, 0.5f});
      Keramos::exchange_halo(exec, u, Keramos::periodic);
    };
    steps();
    EXPECT_EQ(relay->opened.size(), 3u);
    steps();
    EXPECT_EQ(relay->opened.size(), 3u);
  });
}

/// Also between the halves of an exchange: others would wait for a rank that cannot go on.
TEST(LoopbackStencil, AFailureWhileAHaloArrivesEndsAllRanks)
{
  using Field = Keramos::Distributed<Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>>;
  std::string said;
  try {
    test::on_ranks(3, 1, [](const test::Ranks& ranks) {
      const Kokkos::Serial exec;
      const auto relay = std::make_shared<test::Relay>(ranks);
      const Keramos::Partition<2> cut(Keramos::Cartesian<2>(relay, {3, 1}), {12, 5});
      const Field u(exec, "u", cut, Keramos::Halo<2>({2, 0}));
      const auto halo = Keramos::begin_exchange(exec, u, Keramos::periodic);
      if (ranks->rank() == 1) relay->on_wait = [] { throw std::runtime_error("the network is gone"); };
      halo.finish(exec);
    });
  } catch (const std::exception& error) {
    said = error.what();
  }
  EXPECT_EQ(said, "aborted: Keramos::begin_exchange: the network is gone");
}

/// All components go in the messages that one field needs; one of them is the same field at every call.
TEST(LoopbackStencil, ComponentsShareMessages)
{
  using Views = Kokkos::View<float** [3], Kokkos::LayoutRight, Kokkos::HostSpace>;
  test::on_ranks(3, 1, [](const test::Ranks& ranks) {
    const Kokkos::Serial exec;
    const auto relay = std::make_shared<test::Relay>(ranks);
    const Keramos::Partition<2> cut(Keramos::Cartesian<2>(relay, {3, 1}), {12, 5});
    const Keramos::Distributed<Views> u(exec, "u", cut, Keramos::Halo<2>({2, 0}));
    const Keramos::Distributed<Views> v = u; // another handle
    Keramos::exchange_halo(exec, u, Keramos::periodic);
    EXPECT_EQ(relay->messages, 4u); // two neighbours, there and back
    EXPECT_EQ(relay->opened.back(), 4 * 2 * 5 * 3 * sizeof(float));
    Keramos::exchange_halo(exec, v, Keramos::periodic);
    EXPECT_EQ(relay->opened.size(), 1u);
    Keramos::exchange_halo(exec, u.component(1), Keramos::periodic);
    EXPECT_EQ(relay->opened.size(), 2u);
    EXPECT_EQ(relay->opened.back(), 4 * 2 * 5 * sizeof(float));
    Keramos::exchange_halo(exec, v.component(1), Keramos::periodic);
    EXPECT_EQ(relay->opened.size(), 2u);
  });
}

/// A number in the place of a field that is no more is another kind of call, on which ranks agree: on some of them the field
/// may live longer.
TEST(LoopbackStencil, AFieldThatIsGoneIsNoNumber)
{
  using Field = Keramos::Distributed<Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>>;
  test::on_ranks(1, 1, [](const test::Ranks& ranks) {
    const Kokkos::Serial exec;
    const auto relay = std::make_shared<test::Relay>(ranks);
    const Keramos::Partition<2> cut(Keramos::Cartesian<2>(relay, {1, 1}), {6, 6});
    const Field u(exec, "u", cut), v(exec, "v", cut);
    const Keramos::Star<2, 1> op;
    const auto step = [&](const auto& scale) {
      Keramos::apply_stencil(exec, op, u, v, Keramos::periodic, Keramos::LeapFrog{v, scale});
    };
    step(Field(exec, "scale", cut));
    const int before = relay->gathers;
    step(0.5);
    EXPECT_GT(relay->gathers, before);
    const int after = relay->gathers;
    step(0.5);
    EXPECT_EQ(relay->gathers, after);
  });
}

} // namespace
