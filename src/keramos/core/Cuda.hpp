// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every call of CUDA's runtime needs: its error as an exception, and the GPU of an execution space instance.
#pragma once

#include "Error.hpp"

#include <Kokkos_Core.hpp>

#include <stdexcept>

#ifdef KOKKOS_ENABLE_CUDA

namespace Keramos::cuda {

/// what() tells what was tried.
template <class What>
void require_success(cudaError_t error, const What& what)
{
  if (error != cudaSuccess)
    throw std::runtime_error(
        core::text("Keramos: ", what(), " failed: ", cudaGetErrorName(error), ", ", cudaGetErrorString(error)));
}

/// Makes the instance's GPU the current one for a while. A process that sees one GPU has no other, so nothing is asked.
class CurrentDevice {
public:
  explicit CurrentDevice(const Kokkos::Cuda& space)
  {
    if (is_only_device()) return;
    int current = 0;
    require_success(cudaGetDevice(&current), [] { return "cudaGetDevice"; });
    if (current == space.cuda_device()) return;
    require_success(cudaSetDevice(space.cuda_device()), [] { return "cudaSetDevice"; });
    previous_ = current;
  }
  ~CurrentDevice()
  {
    if (previous_ >= 0) cudaSetDevice(previous_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

private:
  static bool is_only_device()
  {
    static const bool only = [] {
      int count = 0;
      return cudaGetDeviceCount(&count) == cudaSuccess && count == 1;
    }();
    return only;
  }

  int previous_ = -1; ///< to go back to; none: it was current already
};

} // namespace Keramos::cuda
#endif
