// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutes, transposes and copies between partitions: the bodies of the tests, which every rank of a communicator runs.
#pragma once

#include "../../src/keramos/distributed/Communicator.hpp"

#include <cstdint>
#include <memory>

namespace test {

using Ranks = std::shared_ptr<Keramos::core::Communicator>;

/// Random partitions, layouts, halos and limits; every size of elements and every order of axes.
void elements_arrive(const Ranks& ranks, std::uint64_t seed);
/// LayoutLeft and LayoutRight, by every public call.
void layouts_are_mixed(const Ranks& ranks);
/// To one rank and back.
void fields_are_gathered(const Ranks& ranks);
/// Messages stay within the limit, and only the first call of a kind opens a channel.
void limits_are_kept(const Ranks& ranks);
void a_limit_may_be_none(const Ranks& ranks);
void a_dead_field_is_forgotten(const Ranks& ranks);
void a_dry_run_moves_nothing(const Ranks& ranks);
void wrong_redistributions_are_refused(const Ranks& ranks);

} // namespace test
