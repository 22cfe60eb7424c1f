// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of a gather-sum whose sources are partitioned into chunks: the caller's, or allocated and freed in the order
// of the instance's stream, which neither blocks nor keeps a call from being captured in a graph.
#pragma once

#include "../../../src/keramos/gather_sum/Problem.hpp"
#include "../Launch.hpp"

#include <cstddef>

namespace Keramos::cuda::gather_sum {

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
                    [] { return "scratch for gather_sum"; });
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

} // namespace Keramos::cuda::gather_sum
