// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where the library launches a CUDA kernel: on the stream and the GPU of an execution space instance,
// reported to Kokkos Tools under the Kernel's name, and with the error of the launch as an exception. Nothing here
// allocates, blocks or touches another stream, so that a call can be captured in a graph.
#pragma once

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace Keramos::cuda {

/// Blocks, threads of a block, and bytes of dynamic shared memory.
struct LaunchShape {
  dim3 blocks, threads;
  unsigned shared_bytes = 0;
};

inline void require_success(cudaError_t error, const std::string& what)
{
  if (error != cudaSuccess)
    throw std::runtime_error("Keramos: " + what + " failed: " + cudaGetErrorName(error) + ", " +
                             cudaGetErrorString(error));
}

/// Makes the instance's GPU the current one for a while.
class CurrentDevice {
public:
  explicit CurrentDevice(const Kokkos::Cuda& space)
  {
    require_success(cudaGetDevice(&previous_), "cudaGetDevice");
    if (previous_ != space.cuda_device()) require_success(cudaSetDevice(space.cuda_device()), "cudaSetDevice");
  }
  ~CurrentDevice()
  {
    int now = previous_;
    if (cudaGetDevice(&now) == cudaSuccess && now != previous_) cudaSetDevice(previous_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

private:
  int previous_ = 0;
};

/// Launches kernel(arguments...) under the label `name`. Arguments are converted to the kernel's parameter types here.
template <class... Parameters>
void launch_kernel(const std::string& name, const Kokkos::Cuda& space, void (*kernel)(Parameters...),
                   const LaunchShape& shape, const std::type_identity_t<std::remove_cvref_t<Parameters>>&... arguments)
{
  constexpr unsigned shared_without_asking = 48 << 10;
  const CurrentDevice device(space);
  if (shape.shared_bytes > shared_without_asking)
    require_success(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.shared_bytes)),
        "shared memory for " + name);
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = space.cuda_stream();
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};

  std::uint64_t id = 0;
  const bool reported = Kokkos::Tools::profileLibraryLoaded();
  if (reported) Kokkos::Tools::beginParallelFor(name, Kokkos::Tools::Experimental::device_id(space), &id);
  const cudaError_t error = cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), pointers);
  if (reported) Kokkos::Tools::endParallelFor(id);
  require_success(error, "the launch of " + name);
}

} // namespace Keramos::cuda
