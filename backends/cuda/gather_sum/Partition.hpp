// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of a gather-sum on a GPU: which kernel, how many targets per thread, and how many chunks of sources.
// The numbers about the kernels that it needs stand here, and what was measured in Partition.cpp.
#pragma once

#include "../../../src/keramos/gather_sum/Problem.hpp"
#include "../Device.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Keramos::cuda::gather_sum {

inline constexpr int gather_threads = 128; ///< of a block whose threads own targets
inline constexpr int few_threads = 256;    ///< of a block whose threads own sources

/// The kernels: a thread owns targets in a line across a grid; targets anywhere; sources, whose sums with few targets a
/// group of warps adds.
enum class GatherShape { grid, points, few };

/// Targets per thread (few: of its group of warps) in each shape, compiled in; none: the shape is not there.
struct TargetsPerThread {
  int grid, points, few;
};

/// Of the built-in kernels, as measured (RadialPairs.hpp has the figures): targets on a grid share much of a pair, so
/// that 8 pay; with a gradient a target has four sums, and in double registers are twice as wide.
template <class T, bool WithGradient>
struct BuiltInTargets {
  static constexpr int few = (sizeof(T) == 4 ? 8 : 4) / (WithGradient ? 2 : 1);
  static constexpr TargetsPerThread per_thread{WithGradient ? 4 : 8, 4, few};
};
/// Of a user's functor, which may be large: one line of code there becomes this many.
struct FunctorTargets {
  static constexpr TargetsPerThread per_thread{0, 4, 4};
};

struct GatherPartition {
  GatherShape shape = GatherShape::points;
  int targets_per_thread = 1;
  int along = 1;                 ///< grid: the axis of the sorted problem that a thread's targets lie along
  std::int64_t tiles = 1;        ///< blocks side by side over the targets
  std::int64_t column_tiles = 1; ///< grid: of them in a layer of `targets_per_thread` targets
  int groups = 1;                ///< few: of a block's warps, a power of two up to 8
  std::int64_t chunk = 0;        ///< sources of a chunk, a multiple of core::source_block
  std::int64_t chunks = 1;       ///< more than one: their sums meet in scratch
};

/// The partition of a call with these extents of the sorted problem's output.
GatherPartition partition_gather_sum(const Device& device, const core::Index3& extent, bool on_grid,
                                     std::int64_t sources, const TargetsPerThread& targets_per_thread);

/// Bytes of scratch for so many sums of a target.
std::size_t scratch_bytes(const GatherPartition& partition, std::int64_t targets, int components);

/// "grid x8", "points x4 gradient", "few targets x8 shuffle chunked".
std::string partition_text(GatherShape shape, int targets_per_thread, bool with_gradient, bool chunked);

} // namespace Keramos::cuda::gather_sum
