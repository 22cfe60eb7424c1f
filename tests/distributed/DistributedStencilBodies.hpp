// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils on several ranks against one: the bodies of the tests, which every rank of a communicator runs.
#pragma once

#include <memory>

#include "../../src/keramos/distributed/Communicator.hpp"

namespace test {

using Ranks = std::shared_ptr<Keramos::core::Communicator>;

void stencils_are_those_of_one_rank(const Ranks& ranks, unsigned seed);
void epilogues_are_those_of_one_rank(const Ranks& ranks, unsigned seed);
void steps_are_those_of_one_rank(const Ranks& ranks, unsigned seed);
void halos_are_filled(const Ranks& ranks, unsigned seed);
void fields_are_exchanged_together(const Ranks& ranks, unsigned seed);
void layouts_may_differ_between_ranks(const Ranks& ranks, unsigned seed);
void rules_may_differ_where_nothing_is_sent(const Ranks& ranks, unsigned seed);
void components_are_those_of_one_rank(const Ranks& ranks, unsigned seed);
void wrong_use_is_refused_on_every_rank(const Ranks& ranks);
#ifdef Keramos_TEST_RANKS_ON_GPU
void no_call_waits_on_the_host(const Ranks& ranks);
#endif

} // namespace test
