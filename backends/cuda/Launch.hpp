// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where the library launches a CUDA kernel: on the stream and the GPU of an execution space instance,
// reported to Kokkos Tools under the Kernel's name, and with the error of the launch as an exception. Nothing here
// allocates, blocks or touches another stream, so that a call can be captured in a graph.
#pragma once

#include "../../src/keramos/core/Cuda.hpp"
#include "../../src/keramos/core/Kernel.hpp"
#include "Device.hpp"

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace Keramos::cuda {

/// Blocks, threads of a block, and bytes of dynamic shared memory. `begins_early`: on Hopper and later the kernel may begin while the
/// one before it in its stream still runs; all its threads call wait_for_kernel_before() before they touch memory, or before they
/// write where nothing that they read is written by that kernel (MovePlan::reads_early).
struct LaunchShape {
  dim3 blocks, threads;
  unsigned shared_bytes = 0;
  bool begins_early = false;
};

/// Waits until the kernel before this one in its stream has ended: what it wrote can be read, and what it read be overwritten.
__device__ inline void wait_for_kernel_before()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The kernel after this one may begin, if it begins early, as soon as all blocks of this one have come here.
__device__ inline void let_next_kernel_begin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// Graphs get plain dependencies: not all that may become of a graph knows others.
inline bool can_begin_early(const Kokkos::Cuda& space)
{
  if (!compiled_for_hopper || space.cuda_device_prop().major < 9) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(space.cuda_stream(), &status) == cudaSuccess && status == cudaStreamCaptureStatusNone;
}

/// Lets a kernel take all the dynamic shared memory that the current GPU, the instance's, offers. CUDA is asked once per
/// kernel and GPU, because it takes its time to answer.
template <auto kernel>
void allow_shared_memory(const Kernel& taken, const Kokkos::Cuda& space)
{
  static std::atomic<std::uint64_t> allowed{0}; // a bit per GPU; of more than 64 GPUs, the last ones ask every time
  const int device = space.cuda_device();
  const std::uint64_t bit = device < 64 ? std::uint64_t(1) << device : 0;
  if (allowed.load(std::memory_order_relaxed) & bit) return;
  const auto what = [&] { return "shared memory for " + taken.name(); };
  cudaFuncAttributes attributes{};
  require_success(cudaFuncGetAttributes(&attributes, kernel), what);
  const std::size_t offered = space.cuda_device_prop().sharedMemPerBlockOptin - attributes.sharedSizeBytes;
  require_success(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(offered)),
                  what);
  allowed.fetch_or(bit, std::memory_order_relaxed);
}

/// The launch itself, the same for all kernels; `arguments` point to values of the kernel's parameter types.
inline void launch_erased(const Kernel& taken, const Kokkos::Cuda& space, const void* kernel, const LaunchShape& shape,
                          void** arguments)
{
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = space.cuda_stream();
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &early;
  config.numAttrs = shape.begins_early && can_begin_early(space) ? 1 : 0;
  std::uint64_t id = 0;
  const bool reported = Kokkos::Tools::profileLibraryLoaded();
  if (reported) Kokkos::Tools::beginParallelFor(taken.name(), Kokkos::Tools::Experimental::device_id(space), &id);
  const cudaError_t error = cudaLaunchKernelExC(&config, kernel, arguments);
  if (reported) Kokkos::Tools::endParallelFor(id);
  require_success(error, [&] { return "the launch of " + taken.name(); });
}

/// Converts arguments to the parameter types of the kernel, which is passed twice so that these are deduced.
template <auto kernel, class... Parameters>
void launch_converted(void (*)(Parameters...), const Kernel& taken, const Kokkos::Cuda& space, const LaunchShape& shape,
                      const std::type_identity_t<std::remove_cvref_t<Parameters>>&... arguments)
{
  const CurrentDevice device(space);
  // A launch need not ask for up to 48 KiB, but what the kernel itself declares counts as well, and only CUDA knows it.
  if (shape.shared_bytes > 0) allow_shared_memory<kernel>(taken, space);
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  launch_erased(taken, space, reinterpret_cast<const void*>(kernel), shape, pointers);
}

/// Launches kernel(arguments...) under the label of `taken`:
///
///     launch_kernel<star_kernel<float, 3, 4>>(plan.kernel, space, {blocks, threads, shared_bytes}, in, out);
template <auto kernel, class... Arguments>
void launch_kernel(const Kernel& taken, const Kokkos::Cuda& space, const LaunchShape& shape,
                   const Arguments&... arguments)
{
  launch_converted<kernel>(kernel, taken, space, shape, arguments...);
}

} // namespace Keramos::cuda
