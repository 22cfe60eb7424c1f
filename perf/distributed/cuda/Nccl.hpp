// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bare NCCL, where Keramos is built with it: one communicator of all ranks.
#pragma once

#ifdef Keramos_HAS_NCCL

#include "../Ranks.hpp"

#include <mpi.h>
#include <nccl.h>

#include <stdexcept>
#include <string>

namespace perf::distributed {

inline void require_nccl(ncclResult_t result, const char* call)
{
  if (result != ncclSuccess) throw std::runtime_error(std::string(call) + ": " + ncclGetErrorString(result));
}

/// (collective at the first call, which stands in no group of NCCL's calls) Never destroyed: the program's end does that.
inline ncclComm_t nccl()
{
  static const ncclComm_t comm = [] {
    ncclUniqueId id{};
    if (rank() == 0) require_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    ncclComm_t made;
    require_nccl(ncclCommInitRank(&made, ranks(), id, rank()), "ncclCommInitRank");
    return made;
  }();
  return comm;
}

} // namespace perf::distributed

#endif
