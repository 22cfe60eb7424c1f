// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Links.hpp"

#include <mpi.h>

namespace perf::distributed {
namespace {

class HostLink final : public Link {
public:
  using Link::Link;

  void exchange(std::size_t bytes) override
  {
    if (partner() < 0) return;
    const int count = static_cast<int>(bytes);
    MPI_Sendrecv(out_.data(), count, MPI_BYTE, partner(), 0, in_.data(), count, MPI_BYTE, partner(), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
};

} // namespace

std::vector<LinkWay> link_ways()
{
  return {{"mpi", [](std::size_t bytes) { return std::make_unique<HostLink>(bytes); }}};
}

} // namespace perf::distributed
