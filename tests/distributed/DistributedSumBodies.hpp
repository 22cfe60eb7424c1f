// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums of several ranks: the bodies of the tests, which every rank of a communicator runs.
#pragma once

#include "../../src/keramos/distributed/Communicator.hpp"

#include <cstdint>
#include <memory>

namespace test {

using Ranks = std::shared_ptr<Keramos::core::Communicator>;

/// Random kernels, targets, partitions, layouts and shares of the sources; two calls with other numbers of sources.
void sums_are_those_of_one_rank(const Ranks& ranks, std::uint64_t seed);
/// More sources than travel at once, and than a node of the next level of the tree has.
void long_sums_are_those_of_one_rank(const Ranks& ranks);
#ifndef Keramos_TEST_RANKS_ON_GPU // which calls no function of the host
/// Functions that are named, or pointed to, as kernels.
void sums_take_functions(const Ranks& ranks);
#endif
/// One rank has neither targets nor sources, in arrays that were never allocated and are of no dimension.
void a_rank_may_have_nothing(const Ranks& ranks);
void a_dry_sum_moves_nothing(const Ranks& ranks);
void wrong_sums_are_refused(const Ranks& ranks);

} // namespace test
