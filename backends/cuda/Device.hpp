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
};

inline Device device_of(const Kokkos::Cuda& space)
{
  const cudaDeviceProp& properties = space.cuda_device_prop();
  return {properties.major * 10 + properties.minor, properties.multiProcessorCount,
          static_cast<int>(properties.sharedMemPerBlockOptin), static_cast<int>(properties.sharedMemPerMultiprocessor)};
}

/// Bulk and tensor copies are compiled only for architectures that have them.
inline bool has_bulk_copies([[maybe_unused]] const Device& device)
{
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
  return device.architecture >= 90;
#else
  return false;
#endif
}

/// A kernel that calls wait_for_kernel_before() may begin before that one has ended; on the same architectures.
inline bool has_dependent_launches(const Device& device) { return has_bulk_copies(device); }

} // namespace Keramos::cuda
