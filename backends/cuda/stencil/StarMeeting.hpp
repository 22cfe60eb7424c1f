// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads of a block of StarKernel.hpp meet, once in a plane: each has put its own points into the plane, and is done
// with the plane before.
#pragma once

#include "../../../src/keramos/stencil/IndexedEpilogue.hpp"
#include "../BulkCopy.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::stencil {

/// Barriers that wait by phase begin with Hopper; over two axes they were not tried.
template <class T, int Rank, class Epilogue>
__device__ constexpr bool star_runs_apart()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return Rank == 3 && warps_run_apart(core::takes_indices<Epilogue>, Epilogue::operands, sizeof(T));
#else
  return false;
#endif
}

/// `RunsApart`: each says so as early as it can, and waits for the others when it wants to read; otherwise at one barrier.
template <bool RunsApart>
struct StarMeeting {
  SharedAddress barrier;
  unsigned parity = 0;

  __device__ explicit StarMeeting(std::int64_t* shared) : barrier(shared_address(shared))
  {
    if constexpr (RunsApart) {
      if (threadIdx.x == 0) init_barrier(barrier, blockDim.x);
      __syncthreads();
    }
  }
  __device__ void arrive() const { cuda::arrive(barrier); }
  __device__ void wait()
  {
    if constexpr (RunsApart) {
      wait_for_phase(barrier, parity);
      parity ^= 1;
    } else {
      __syncthreads();
    }
  }
};

} // namespace Keramos::cuda::stencil
