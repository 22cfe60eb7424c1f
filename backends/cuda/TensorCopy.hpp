// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hopper's tensor copies (sm_90 and later): one thread moves a box of an array of three axes from global to shared memory.
// What of the box lies outside of the array becomes zero. Barriers count its bytes as those of a bulk copy (BulkCopy.hpp).
#pragma once

#include "BulkCopy.hpp"

#include <cuda.h>

namespace Keramos::cuda {

/// Announces so many bytes to the barrier and arrives.
__device__ inline void arrive_with_bytes(SharedAddress barrier, unsigned bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// Starts the copy of the box that begins at these coordinates; `to` aligned to 128 bytes, the map a kernel's parameter.
__device__ inline void copy_box(SharedAddress to, const CUtensorMap& map, int x, int y, int z, SharedAddress barrier)
{
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
          "r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(barrier)
      : "memory");
}

/// An array, contiguous along x, and the box of a copy.
struct TensorBox {
  const void* data;  ///< on 16 bytes
  int element_bytes; ///< 4: float, 8: double
  std::uint64_t extent[3];
  std::uint64_t pitch[2]; ///< from a row, and from a plane, to the next: bytes, multiples of 16
  unsigned columns, rows; ///< of the box, which has one plane
};

/// What the driver makes of it; throws where it refuses.
CUtensorMap tensor_map(const TensorBox& box);

} // namespace Keramos::cuda
