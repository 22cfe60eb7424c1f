// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of a gather-sum whose sources are cut into chunks: the caller's, or allocated and freed in the order of the
// instance's stream, which neither blocks nor keeps a call from being captured in a graph.
#pragma once

#include "../../src/core/Error.hpp"
#include "../../src/core/GatherSumProblem.hpp"
#include "Launch.hpp"

#include <cstddef>

namespace Keramos::cuda {

/// Wrong use of the caller's scratch is an error before any work.
inline void check_workspace(const core::GatherWorkspace& workspace, std::size_t bytes)
{
  if (!workspace.given || bytes == 0) return;
  if (workspace.bytes < bytes)
    core::fail("gather_sum", "workspace", core::text("at least ", bytes, " bytes, as gather_sum_workspace_size tells"),
               core::text(workspace.bytes));
}

class GatherScratch {
public:
  GatherScratch(const Kokkos::Cuda& space, const core::GatherWorkspace& workspace, std::size_t bytes) : space_(space)
  {
    if (bytes == 0) return;
    if (workspace.given) {
      data_ = static_cast<double*>(workspace.data);
      return;
    }
    const CurrentDevice device(space);
    require_success(cudaMallocAsync(reinterpret_cast<void**>(&data_), bytes, space.cuda_stream()),
                    "scratch for gather_sum");
    owned_ = true;
  }
  ~GatherScratch()
  {
    if (owned_) cudaFreeAsync(data_, space_.cuda_stream());
  }
  GatherScratch(const GatherScratch&) = delete;
  GatherScratch& operator=(const GatherScratch&) = delete;

  double* data() const { return data_; }

private:
  const Kokkos::Cuda& space_;
  double* data_ = nullptr;
  bool owned_ = false;
};

} // namespace Keramos::cuda
