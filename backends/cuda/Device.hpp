// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What choose() knows of a GPU: a few numbers, so that the choice for any GPU can be asked, and tested, without one.
#pragma once

#include <Kokkos_Core.hpp>

namespace Keramos::cuda {

struct Device {
  int architecture = 0; ///< compute capability, 90 for 9.0
  int multiprocessors = 0;
  int shared_per_block = 0;          ///< bytes that a block may have when it asks for them
  int shared_per_multiprocessor = 0; ///< bytes that the blocks of a multiprocessor share
  int memory_bits = 0;               ///< of the bus to global memory: 5120 on an H100, 6016 on an H200
};

inline Device device_of(const Kokkos::Cuda& space)
{
  const cudaDeviceProp& properties = space.cuda_device_prop();
  return {properties.major * 10 + properties.minor, properties.multiProcessorCount,
          static_cast<int>(properties.sharedMemPerBlockOptin), static_cast<int>(properties.sharedMemPerMultiprocessor),
          properties.memoryBusWidth};
}

/// An H200's or more: it brings so much that what a kernel does beside waiting for it counts, of which an H100 hides more.
inline bool has_fast_memory(const Device& device) { return device.memory_bits > 5120; }

/// What Ampere does not have is compiled only for architectures that do.
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
inline constexpr bool compiled_for_hopper = true;
#else
inline constexpr bool compiled_for_hopper = false;
#endif

/// Bulk and tensor copies.
inline bool has_bulk_copies(const Device& device) { return compiled_for_hopper && device.architecture >= 90; }

} // namespace Keramos::cuda
