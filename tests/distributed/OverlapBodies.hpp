// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That messages between GPUs travel while the interior is computed: the bodies of the tests, which every rank runs.
#pragma once

#include <memory>

#include "../../src/keramos/distributed/Communicator.hpp"

namespace test {

using Ranks = std::shared_ptr<Keramos::core::Communicator>;

void the_interior_waits_for_no_message(const Ranks& ranks);
void messages_travel_beside_the_interior(const Ranks& ranks);

} // namespace test
