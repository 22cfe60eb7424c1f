// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels between the ranks of one machine: a sender writes into the receiver's memory and then a counter beside it,
// which the receiver waits for. On GPUs all of that stands in streams, and no host waits.
#pragma once

#include "SharedMemory.hpp"

#include <mpi.h>

#include <memory>
#include <vector>

namespace Keramos::core {

/// (collective) host: kernels that pack write into the receiver's part of a window of MPI. ipc: GPUs copy into each other's
/// memory, `beside` other kernels by copy engines. host_mapped: messages of GPUs that go through a window, for GPUs
/// that do not reach each other. Null, on all ranks, where the machine cannot.
std::unique_ptr<Channel> open_peer(Communicator& ranks, MPI_Comm node, Retirement& retirement,
                                   const std::vector<Message>& sends, const std::vector<Message>& receives,
                                   Sharing sharing, bool beside = false);

} // namespace Keramos::core
