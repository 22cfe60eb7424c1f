// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels whose messages are MPI's: from the memory of the host, from that of a GPU where MPI takes it, and from that of
// a GPU through pinned memory of the host.
#pragma once

#include "../Communicator.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace Keramos::core {

/// A communicator of MPI that lives as long as somebody uses it.
using SharedComm = std::shared_ptr<const MPI_Comm>;

/// MPI reads and writes the buffers themselves: those of the host, or of a GPU where MPI is aware of it. In pieces of so many
/// bytes, as MPI counts in int.
std::unique_ptr<Channel> open_direct(SharedComm comm, int tag, std::size_t piece, const std::vector<Message>& sends,
                                     const std::vector<Message>& receives, Place place);

#ifdef KOKKOS_ENABLE_CUDA
/// Buffers of a GPU that travel through pinned memory of the host, in pieces: while MPI has one, another is copied.
std::unique_ptr<Channel> open_staged(SharedComm comm, int tag, const std::vector<Message>& sends,
                                     const std::vector<Message>& receives);
#endif

} // namespace Keramos::core
