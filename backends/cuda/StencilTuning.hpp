// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the stencil kernels, each with its reason. Shapes of tiles are compile-time, because registers are; how
// a grid is cut into blocks is decided at run time from the numbers of the GPU.
#pragma once

#include "Device.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::cuda {

/// Largest radius with an unrolled star or line kernel; beyond it the tile kernel takes over.
inline constexpr int largest_radius = 8;

constexpr std::int64_t pieces(std::int64_t length, std::int64_t size) { return (length + size - 1) / size; }
constexpr int rounded_up(int number, int multiple) { return (number + multiple - 1) / multiple * multiple; }

/// How a block of the star kernel is built. A thread owns `rows` rows of 16 bytes.
struct StarShape {
  int width;  ///< threads along the fastest axis (two axes: at most)
  int height; ///< threads along the middle axis
  int rows;   ///< rows of a thread
  int depth;  ///< planes in flight
  int turns;  ///< planes that the march is unrolled by
  int blocks; ///< blocks a multiprocessor, which bounds the registers
  int halo;   ///< columns beside the tile in shared memory, so that rows start at 16 bytes
  constexpr int threads() const { return width * height; }
  constexpr int tile_rows() const { return height * rows; }
};

constexpr StarShape star_shape(int rank, int radius, int element_bytes)
{
  const int halo = rounded_up(radius, 16 / element_bytes);
  // Two axes: planes are single rows. 256 threads are 4 KiB a plane.
  if (rank == 2) return {256, 1, 1, 4, 4, radius <= 4 ? 3 : 2, halo};
  // Three axes, radius 1 to 4: two rows a thread share most of their operands along the middle axis; the queue takes
  // (2 * radius + 1) * 8 of the 128 registers that two blocks leave.
  if (radius <= 4) return {32, 8, 2, 2, 2, 2, halo};
  // Radius 5 to 8: the queue leaves room for one row a thread, and 16 of them bound the share of the halo.
  return {32, 16, 1, 2, 2, 1, halo};
}

/// Bytes of dynamic shared memory: the block's place, depth + 1 planes with their halo, and the rings of the threads' own
/// points: `depth` slots for the input, depth + 1 for each of `companions` fields of the epilogue.
constexpr int star_shared_bytes(const StarShape& shape, int rank, int radius, int element_bytes, int width,
                                int companions)
{
  const int slot = shape.rows * width * shape.height * 16;
  const int pitch = width * 16 + 2 * shape.halo * element_bytes;
  const int plane_rows = rank == 2 ? 1 : shape.tile_rows() + 2 * radius;
  return 16 + shape.depth * slot + (shape.depth + 1) * (plane_rows * pitch + companions * slot);
}

/// Rows (along: of the line; across: of the operands) that one thread of a line kernel computes. Its operands are all
/// asked for at once, so more of them hide more of the memory's latency; fewer make more threads.
struct LineShape {
  int items;
};

constexpr LineShape line_shape(int axis, int radius)
{
  if (axis == 0) return {2};
  return {radius <= 4 ? 4 : 8}; // a thread reads items + 2 * radius operands, at most 3 for each result
}

/// Points of a thread of the tile kernels: a box of radius 1 reads 9 * (8 + 2) values for them instead of 27 * 8.
inline constexpr int tile_columns = 8;

/// Largest radius of a box with an unrolled kernel.
inline constexpr int largest_box_radius = 2;

/// Blocks that a multiprocessor runs at once. A block also takes 1 KiB for the system.
inline int resident_blocks(const Device& device, int shared_bytes, int by_registers)
{
  return std::clamp(device.shared_per_multiprocessor / (shared_bytes + 1024), 1, by_registers);
}

/// Cuts `planes` planes into chunks so that whole waves of blocks take the least time. A chunk costs its planes and
/// `ramp` planes more, for filling the queue.
inline std::int64_t chunk_count(std::int64_t planes, std::int64_t columns, std::int64_t slots, std::int64_t ramp)
{
  const std::int64_t most = std::min<std::int64_t>(planes, 8 * pieces(slots, columns) + 8);
  std::int64_t best = 1, best_cost = INT64_MAX;
  for (std::int64_t chunks = 1; chunks <= most; ++chunks) {
    const std::int64_t cost = pieces(columns * chunks, slots) * (pieces(planes, chunks) + ramp);
    if (cost < best_cost) best = chunks, best_cost = cost;
  }
  return best;
}

} // namespace Keramos::cuda
