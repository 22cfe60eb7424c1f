// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a gather-sum is dealt out on a GPU: which kernel, how many targets a thread, and how many chunks of sources. What
// depends on the GPU stands in GatherSumCut.cpp, a table by architecture.
#pragma once

#include "../../src/core/GatherSumProblem.hpp"
#include "Device.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Keramos::cuda {

inline constexpr int gather_threads = 128; ///< of a block whose threads own targets
inline constexpr int few_threads = 256;    ///< of a block whose threads own sources

/// The kernels: targets of a thread in a line across a grid; anywhere; sources of a thread, targets of a group of warps.
enum class GatherShape { grid, points, few };

/// Targets of a thread (few: of a group of warps) in each shape, compiled in; none: the shape is not there.
struct GatherReach {
  int grid, points, few;
};

/// Of the built-in kernels, as measured (RadialPairs.hpp has the figures): targets on a grid share much of a pair, so that
/// 8 pay; with a gradient a target has four sums, and in double registers are twice as wide.
template <class T, bool WithGradient>
struct BuiltInReach {
  static constexpr int few = (sizeof(T) == 4 ? 8 : 4) / (WithGradient ? 2 : 1);
  static constexpr GatherReach value{WithGradient ? 4 : 8, 4, few};
};
/// Of a user's functor, which may be large: one line of code there becomes this many.
struct FunctorReach {
  static constexpr GatherReach value{0, 4, 4};
};

struct GatherCut {
  GatherShape shape = GatherShape::points;
  int reach = 1;                 ///< targets of a thread, few: of a group
  int along = 1;                 ///< grid: the axis of the sorted problem that they lie along
  std::int64_t tiles = 1;        ///< blocks side by side over the targets
  std::int64_t column_tiles = 1; ///< grid: of them in a layer of `reach` targets
  int groups = 1;                ///< few: of a block's warps, a power of two up to 8
  std::int64_t chunk = 0;        ///< sources of a chunk, a multiple of core::source_block
  std::int64_t chunks = 1;       ///< more than one: their sums meet in scratch
};

/// The cut of a call with these extents of the sorted problem's output.
GatherCut cut_gather_sum(const Device& device, const core::Index3& extent, bool on_grid, std::int64_t sources,
                         const GatherReach& reach);

/// Bytes of scratch for so many sums of a target.
std::size_t scratch_bytes(const GatherCut& cut, std::int64_t targets, int components);

/// "grid x8", "points x4 gradient", "few targets x8 shuffle chunked".
std::string cut_text(const GatherCut& cut, bool with_gradient);

} // namespace Keramos::cuda
