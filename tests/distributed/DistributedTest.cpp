// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that is distributed, over MPI: the same bodies that run over ranks of one process.
#include "../../src/Keramos_Distributed.hpp"

#include "DistributedStencilBodies.hpp"
#include "DistributedSumBodies.hpp"
#include "OverlapBodies.hpp"
#include "RedistributionBodies.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <cstdlib>
#include <memory>
#include <string>

namespace {

/// So many ranks in a row are taken for those of one machine; 0: as they are.
int ranks_a_machine()
{
  const char* const ranks = std::getenv("Keramos_TEST_RANKS_A_MACHINE");
  return ranks ? std::atoi(ranks) : 0;
}

const test::Ranks& ranks()
{
  using Keramos::core::MpiCommunicator;
  static const test::Ranks world = std::make_shared<MpiCommunicator>(MPI_COMM_WORLD, Keramos::Transport::automatic,
                                                                     MpiCommunicator::default_piece, ranks_a_machine());
  return world;
}

#ifdef Keramos_TEST_RANKS_ON_GPU
/// NCCL wants a GPU for each rank.
class EnoughGpus final : public testing::Environment {
  void SetUp() override
  {
    const char* transport = std::getenv("KERAMOS_TRANSPORT");
    if (transport && std::string(transport) == "nccl" && ranks()->size() > Kokkos::num_devices())
      GTEST_SKIP() << "NCCL wants a GPU for each of " << ranks()->size() << " ranks, and there are "
                   << Kokkos::num_devices();
  }
};
const testing::Environment* const enough_gpus = testing::AddGlobalTestEnvironment(new EnoughGpus);
#endif

template <class Body>
void repeat(unsigned rounds, const Body& body)
{
  for (unsigned seed = 1; seed <= rounds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    body(ranks(), seed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Distributed, StencilsAreThoseOfOneRank) { repeat(100, test::stencils_are_those_of_one_rank); }
TEST(Distributed, EpiloguesAreThoseOfOneRank) { repeat(20, test::epilogues_are_those_of_one_rank); }
TEST(Distributed, StepsAreThoseOfOneRank) { repeat(10, test::steps_are_those_of_one_rank); }
TEST(Distributed, HalosAreFilled) { repeat(20, test::halos_are_filled); }
TEST(Distributed, FieldsAreExchangedTogether) { repeat(20, test::fields_are_exchanged_together); }
TEST(Distributed, LayoutsMayDifferBetweenRanks) { repeat(20, test::layouts_may_differ_between_ranks); }
TEST(Distributed, RulesMayDifferWhereNothingIsSent) { repeat(1, test::rules_may_differ_where_nothing_is_sent); }
TEST(Distributed, ComponentsAreThoseOfOneRank) { repeat(20, test::components_are_those_of_one_rank); }
TEST(Distributed, WrongUseIsRefusedOnEveryRank) { test::wrong_use_is_refused_on_every_rank(ranks()); }

#ifdef Keramos_TEST_RANKS_ON_GPU
/// For messages between machines, and for all of an MPI that takes pointers of GPUs.
bool host_waits()
{
  using Keramos::core::Place;
  ranks()->choose_transport(Place::device);
  const bool by_mpi = std::string(ranks()->transport(Place::device)) == "mpi";
  const bool are_apart = ranks_a_machine() > 0 && ranks_a_machine() < ranks()->size();
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return by_mpi && (are_apart || MPIX_Query_cuda_support() == 1);
#else
  return by_mpi && are_apart;
#endif
}

TEST(Distributed, NoCallWaitsOnTheHost)
{
  if (ranks()->size() > 1 && host_waits()) GTEST_SKIP() << "the host waits for messages of MPI";
  test::no_call_waits_on_the_host(ranks());
}
TEST(Distributed, TheInteriorWaitsForNoMessage)
{
  if (ranks()->size() == 1) GTEST_SKIP() << "one rank has no messages";
  if (host_waits()) GTEST_SKIP() << "the host waits for messages of MPI";
  test::the_interior_waits_for_no_message(ranks());
}
TEST(Distributed, MessagesTravelBesideTheInterior)
{
  if (ranks()->size() == 1) GTEST_SKIP() << "one rank has no messages";
  if (ranks()->size() > Kokkos::num_devices()) GTEST_SKIP() << "ranks on one GPU take turns";
  test::messages_travel_beside_the_interior(ranks());
}
#endif
TEST(Distributed, SumsAreThoseOfOneRank) { repeat(40, test::sums_are_those_of_one_rank); }
TEST(Distributed, LongSumsAreThoseOfOneRank) { test::long_sums_are_those_of_one_rank(ranks()); }
#ifndef Keramos_TEST_RANKS_ON_GPU
TEST(Distributed, SumsTakeFunctions) { test::sums_take_functions(ranks()); }
#endif
TEST(Distributed, ARankMayHaveNothingToSum) { test::a_rank_may_have_nothing(ranks()); }
TEST(Distributed, ADrySumMovesNothing) { test::a_dry_sum_moves_nothing(ranks()); }
TEST(Distributed, WrongSumsAreRefused) { test::wrong_sums_are_refused(ranks()); }

TEST(Distributed, ElementsArrive) { repeat(5, test::elements_arrive); }
TEST(Distributed, LayoutsAreMixed) { test::layouts_are_mixed(ranks()); }
TEST(Distributed, FieldsAreGathered) { test::fields_are_gathered(ranks()); }
TEST(Distributed, LimitsAreKept) { test::limits_are_kept(ranks()); }
TEST(Distributed, ALimitMayBeNone) { test::a_limit_may_be_none(ranks()); }
TEST(Distributed, ADeadFieldIsForgotten) { test::a_dead_field_is_forgotten(ranks()); }
TEST(Distributed, ADryRunMovesNothing) { test::a_dry_run_moves_nothing(ranks()); }
TEST(Distributed, WrongRedistributionsAreRefused) { test::wrong_redistributions_are_refused(ranks()); }

} // namespace
