// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of a gather-sum on a GPU: which kernel, how many targets per thread, and how many chunks of sources.
// The numbers about the kernels that it needs stand here, and what was measured in Partition.cpp.
#pragma once

#include "../../../src/keramos/gather_sum/Problem.hpp"
#include "../../../src/keramos/gather_sum/RadialKernels.hpp"
#include "../Device.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Keramos::cuda::gather_sum {

inline constexpr int gather_threads = 128; ///< of a block whose threads own targets
inline constexpr int few_threads = 320;    ///< of a block whose threads own blocks of sources, at most
inline constexpr int max_warps = 16;       ///< of a block whose warps own blocks of sources
inline constexpr int max_few_step = 64;    ///< blocks of sources side by side in such a block: 8 or 64
/// Few targets go to a group of threads in fives where the kernel has them, else in fours, or each alone, by the same kernel:
/// H200, float, 64 targets with 2^20 sources 35.3 us in fours, 45.9 in fives.
inline constexpr int varying_group = 5, smaller_group = 4;

/// The kernels: a thread owns targets in a line across a grid; targets anywhere; a block of sources, which it sums for a
/// few targets. By warps: a thread owns targets, and a warp blocks of sources. For the same targets they have the same
/// bits. A Gaussian on a grid has a kernel of its own, a matrix product.
enum class GatherShape { grid, points, few, grid_by_warps, points_by_warps, product };

/// Cycles of a scheduler that a warp takes for a pair, fitted to sums on an H200 (docs/tuning/gather-sums.md): its arithmetic, and reading
/// a source from shared memory, which the targets of a thread share.
struct PairCycles {
  double on_grid = 0, at_points = 0, source = 0;
  double table = 0; ///< by warps, which read powers of two from global memory
};

/// Targets per thread (few: of its group of threads) in each shape, compiled in; none: the shape is not there.
struct TargetsPerThread {
  int grid, points, few;
  int grid_by_warps = 0, points_by_warps = 0;
  int many_points = 0; ///< instead of `points` where they fill the GPU
  PairCycles pair_cycles{};
};

/// Of the built-in kernels. Four targets on a grid or at points, and one by warps, take a pair of Coulomb in float 9.6, 11.1 and 17.8
/// cycles, in double 18.8, 24.8 and 37.5. With the gradient only Coulomb was measured, and a Gaussian on a grid, elsewhere a product, not.
template <class T, bool WithGradient, class K>
constexpr PairCycles pair_cycles()
{
  constexpr bool is_float = sizeof(T) == 4;
  if (WithGradient) return is_float ? PairCycles{11, 14.4, 16} : PairCycles{28, 35, 23};
  if (std::is_same_v<K, Yukawa>) return is_float ? PairCycles{14.8, 15.5, 9} : PairCycles{36, 42, 17, 4};
  if (std::is_same_v<K, Gaussian>) return is_float ? PairCycles{8.3, 9.8, 9} : PairCycles{25, 29, 17, 4};
  return is_float ? PairCycles{7.3, 8.8, 9} : PairCycles{14.5, 20.5, 17};
}

/// Of the built-in kernels, as measured (RadialPairs.hpp has the figures): targets on a grid share much of a pair, so
/// that 8 pay; with a gradient a target has four sums, and in double registers are twice as wide. A Gaussian at points issues
/// most of all: H200, float, 4 and 8 targets, 1.05x10^6 with 16384 sources 2703 and 2901 Gpairs/s, 10^7 with 100 2601 and 2692;
/// Coulomb 3067 and 3035.
template <class T, bool WithGradient, class K = Coulomb>
struct BuiltInTargets {
  static constexpr int few = (sizeof(T) == 4 ? 5 : 2) / (WithGradient ? 2 : 1);
  static constexpr int by_warps = sizeof(T) == 4 ? 4 : 2;
  static constexpr int many_points = std::is_same_v<K, Gaussian> && sizeof(T) == 4 && !WithGradient ? 8 : 0;
  static constexpr TargetsPerThread per_thread{
      WithGradient ? 4 : 8, 4, few, WithGradient ? 0 : by_warps, 1, many_points, pair_cycles<T, WithGradient, K>()};
};
/// Of a user's functor, which may be large: one line of code there becomes this many.
template <bool IsRadial, bool WithGradient>
struct FunctorTargets {
  static constexpr TargetsPerThread per_thread{!IsRadial ? 0 : WithGradient ? 4 : 8, 4, 2};
};

struct GatherPartition {
  GatherShape shape = GatherShape::points;
  int targets_per_thread = 1;
  std::int64_t tiles = 1;        ///< thread blocks side by side over the targets
  std::int64_t column_tiles = 1; ///< grid: of them in a layer of `targets_per_thread` targets; product: along rows
  int threads = gather_threads;  ///< of a thread block
  int step = 1;                  ///< few: threads of a group, each with a block of sources; a group has its own targets
  int slice_bytes = 0;           ///< few: of a block's sources that come to shared memory together
  int level = 0;                 ///< of the tree of blocks: a chunk of sources is one node of it, or all sources
  std::int64_t chunk = 0;        ///< its sources
  std::int64_t chunks = 1;       ///< more than one: their sums meet in scratch
  /// The coordinates of x, y and z: r^2 is y^2 + (x^2 + z^2), and a thread's targets on a grid lie along y.
  Kokkos::Array<int, 3> order{0, 1, 2};
  bool z_first = false;       ///< grid: the first axis of the kernel's call is z, the third x
  bool reads_records = false; ///< the sources are records as shared memory has them
};

/// The partition of so many targets; on_grid: extents along a kernel's axes, none where no kernel of the grid may run.
GatherPartition partition_gather_sum(const Device& device, std::int64_t targets, const core::Index3* on_grid,
                                     std::int64_t sources, const TargetsPerThread& targets_per_thread);

/// A tile of a matrix product.
struct ProductTileSize {
  int rows, columns, targets, threads; ///< targets: of a thread
  double block_cycles;                 ///< of a multiprocessor, for a block of sources
  double lost_tiles;                   ///< by the last thread block, where two together are on a multiprocessor
};

/// Its partition; the sizes are those that are compiled.
GatherPartition partition_product(const Device& device, std::int64_t rows, std::int64_t columns, std::int64_t sources,
                                  const ProductTileSize& wide, const ProductTileSize& narrow);

/// Bytes of scratch for so many sums of a target.
std::size_t scratch_bytes(const GatherPartition& partition, std::int64_t targets, int components);

/// "grid x8", "points x4 gradient", "few targets x8 shuffle chunked"; sums: "" or " gradient", say.
std::string partition_text(GatherShape shape, int targets_per_thread, const char* sums, bool chunked);

} // namespace Keramos::cuda::gather_sum
