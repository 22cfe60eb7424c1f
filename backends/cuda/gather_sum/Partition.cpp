// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of a gather-sum: the shape whose padded targets cost least, then as many chunks of sources as it takes
// to fill the GPU.
#include "Partition.hpp"

#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"

#include <algorithm>

namespace Keramos::cuda::gather_sum {
namespace {

using core::ceil_div;

// Measured on an H200, 3946 and 3177 Gpairs/s on a grid and at points, 2670 with few targets in float; others read a source from
// shared memory for half as many pairs. No other architecture has asked for numbers of its own.
constexpr double points_cost = 1.3, few_cost = 1.5; ///< of a pair, where one on a grid costs 1
constexpr double small_group_cost = 1.9;            ///< of few targets in groups that are never of five
/// Sources with which more targets than a thread block has threads count as few: 400 with 10^5 and 10^6 of them 31 and 154 us, at points
/// 26 and 196.
constexpr std::int64_t many_sources = 200'000;
constexpr int filling_threads = 256; ///< per multiprocessor, below which time no longer falls
constexpr int wanted_threads = 1024; ///< per multiprocessor, to divide the sources for
constexpr int schedulers = 4;        ///< of a multiprocessor
/// What a scheduler loses with its warps' first and last instructions, in warps: with chunks, and by warps, whose totals meet. Fitted to 850
/// sums on an H200 (docs/tuning/gather-sums.md); 3000 points and sources 11.3 us by warps, 17.0 by chunks.
constexpr double lost_warps = 0.2, lost_warps_of_warps = 0.45;
/// What a warp without a block of sources costs, of one that has: the others of its thread block are not on all schedulers. H200, Yukawa in
/// float, 32^3 targets with 500 sources: 25.2 us where two of four warps have them, at points, where there are but two, 21.4.
constexpr double idle_warp = 0.25;
constexpr double second_kernel_cycles = 6000; ///< 3 us: what the second pass over chunks costs a small sum
/// Of the thread block of a product, for each target that a thread has: before its first source, and to store a sum, which each does one
/// after the other, in scratch or in the output. Fitted to 143 products on an H200: 5 to 9% off their times (root mean square).
constexpr double product_start_cycles = 130, scratch_store_cycles = 1400, output_store_cycles = 700;
constexpr std::int64_t max_chunks = 65535; ///< blocks of a grid along its second axis

std::int64_t block_count(std::int64_t sources) { return ceil_div(sources, core::source_block); }

/// The lowest level that a chunk can be of: few targets take `step` blocks at once.
int min_level(const GatherPartition& partition)
{
  int level = 0;
  while (core::node_blocks(level) < partition.step) ++level;
  return level;
}

GatherPartition on_axes(const core::Index3& extent, int targets_per_thread)
{
  GatherPartition partition{GatherShape::grid, targets_per_thread};
  partition.column_tiles = ceil_div(extent[0] * extent[2], gather_threads);
  partition.tiles = partition.column_tiles * ceil_div(extent[1], targets_per_thread);
  return partition;
}

GatherPartition at_points(std::int64_t targets, int targets_per_thread)
{
  GatherPartition partition{GatherShape::points, targets_per_thread};
  partition.tiles = ceil_div(targets, std::int64_t{gather_threads} * targets_per_thread);
  return partition;
}

/// As many groups as there are targets for, up to so many threads, and about as many in each thread block, in whole warps.
GatherPartition of_few(std::int64_t targets, int step, int targets_per_thread, int max_threads)
{
  GatherPartition partition{GatherShape::few, targets_per_thread};
  partition.step = step;
  const std::int64_t groups = std::max<std::int64_t>(ceil_div(targets, targets_per_thread), 1);
  const std::int64_t tiles = ceil_div(groups, max_threads / step);
  partition.threads = static_cast<int>(ceil_div(ceil_div(groups, tiles) * step, 32) * 32);
  partition.tiles = ceil_div(targets, partition.threads / step * targets_per_thread);
  return partition;
}

/// Time, up to a factor: what is paid for includes targets and blocks of sources that only fill thread blocks, and
/// multiprocessors without threads.
double cost_of(const GatherPartition& partition, double of_pair, std::int64_t sources, const Device& device)
{
  const double owners = partition.shape == GatherShape::few ? partition.threads / partition.step : gather_threads;
  const std::int64_t blocks = std::max<std::int64_t>(block_count(sources), 1);
  const std::int64_t steps = ceil_div(blocks, partition.step),
                     chunks = ceil_div(blocks, core::node_blocks(min_level(partition)));
  const double idle = static_cast<double>(steps * partition.step) / static_cast<double>(blocks);
  const double tiles = static_cast<double>(std::max<std::int64_t>(partition.tiles, 1));
  const double threads = tiles * static_cast<double>(chunks) * partition.threads;
  return tiles * partition.targets_per_thread * owners * of_pair * idle *
         std::max(1.0, filling_threads * device.multiprocessors / threads);
}

GatherPartition partition_targets(const Device& device, std::int64_t targets, const core::Index3* on_grid,
                                  std::int64_t sources, const TargetsPerThread& targets_per_thread)
{
  GatherPartition best = at_points(targets, targets_per_thread.points);
  if (targets_per_thread.many_points) // as many thread blocks as run at once, half of those with fewer targets
    if (const GatherPartition many = at_points(targets, targets_per_thread.many_points);
        many.tiles >= 4 * device.multiprocessors)
      best = many;
  double min_cost = cost_of(best, points_cost, sources, device);
  const auto consider = [&](const GatherPartition& partition, double of_pair) {
    if (const double cost = cost_of(partition, of_pair, sources, device); cost < min_cost) {
      min_cost = cost;
      best = partition;
    }
  };
  const int few = targets_per_thread.few;
  if (targets <= few_threads || sources >= many_sources)
    for (const int step : {8, max_few_step})
      consider(of_few(targets, step, few, few_threads), few == varying_group ? few_cost : small_group_cost);
  if (on_grid && targets_per_thread.grid) consider(on_axes(*on_grid, targets_per_thread.grid), 1);
  return best;
}

/// Chunks that fill the GPU: of the largest nodes with which there are twice as many thread blocks as it holds, so that the
/// last chunk, which may be a short one, matters little; or of larger ones, or none, where there were more chunks than a grid has.
void divide_sources(GatherPartition& partition, const Device& device, std::int64_t sources)
{
  const std::int64_t blocks = block_count(sources);
  const std::int64_t full = std::int64_t{device.multiprocessors} * wanted_threads / partition.threads;
  partition.chunk = blocks * core::source_block;
  partition.level = core::tree_levels - 1;
  if (partition.tiles == 0 || partition.tiles > full / 2) return;
  const auto chunks = [&](int level) { return ceil_div(blocks, core::node_blocks(level)); };
  while (partition.level > min_level(partition) && chunks(partition.level) * partition.tiles < 2 * full &&
         chunks(partition.level - 1) <= max_chunks)
    --partition.level;
  if (chunks(partition.level) > max_chunks) return;
  partition.chunk = core::node_blocks(partition.level) * core::source_block;
  partition.chunks = std::max<std::int64_t>(chunks(partition.level), 1);
}

/// Cycles of a scheduler that few targets take: of its warps, as if they were one after the other, and one that is alone longer.
/// Fitted to 453 variants on an H200, Coulomb in float, 1 to 320 targets and 10^5 to 10^7 sources: the one that costs least is in the mean
/// 1% slower than the best that was measured; 8 targets of 3x10^6 sources, which was not among them, took 13% more than before.
double few_cycles(const GatherPartition& few, const Device& device, std::int64_t sources)
{
  const bool alone = few.targets_per_thread == 1, wide = few.step == max_few_step;
  const double of_pair = (alone                                     ? 23
                          : few.targets_per_thread == smaller_group ? 12
                                                                    : 11.4) *
                         (wide ? 1.32 : 1) * (few.threads == 32 ? 1.15 : 1); // whose slices are short
  const std::int64_t at_once = ceil_div(few.tiles * few.chunks, device.multiprocessors);
  const std::int64_t rounds = ceil_div(std::min(few.chunk, sources), few.step * core::source_block);
  return (static_cast<double>(at_once * few.threads) / 128 + (alone ? 1.1 : 0.75)) * static_cast<double>(rounds) *
         few.targets_per_thread * of_pair;
}

/// Few targets in fives, fours or alone, whatever is fastest. 64 blocks side by side only where they fill the multiprocessors:
/// they are for a few targets with which 8 leave lanes without a target.
GatherPartition fastest_few(const Device& device, std::int64_t targets, std::int64_t sources)
{
  GatherPartition best;
  double min_cycles = 0;
  const auto consider = [&](int step, int targets_per_thread, int max_threads) {
    GatherPartition few = of_few(targets, step, targets_per_thread, max_threads);
    divide_sources(few, device, sources);
    if (const double cycles = few_cycles(few, device, sources); best.tiles == 0 || cycles < min_cycles) {
      min_cycles = cycles;
      best = few;
    }
  };
  best.tiles = 0;
  const bool fill_with_wide = sources >= device.multiprocessors * max_few_step * core::source_block;
  for (const int targets_per_thread : {1, smaller_group, varying_group}) {
    if (fill_with_wide) consider(max_few_step, targets_per_thread, few_threads);
    if (fill_with_wide && targets_per_thread == 1) continue; // 3x10^6 sources, 8 targets: 36 us, by 64 in fours 32
    for (const int max_threads : {few_threads, 128, 64}) consider(8, targets_per_thread, max_threads);
  }
  return best;
}

/// Bytes of a block that come to shared memory together, four times: of 8 blocks a quarter of each, so that all are on their way at
/// once. Of 64 a slice that lets as many thread blocks run as have work. H200, float, 10^7 sources, slices of 8 and 16: 1 target 54.0
/// and 55.2 us, 8 of them 67 and 73, 16 113 and 102; 3x10^6 sources and 1 target 25.6 and 23.0.
int slice_bytes(const GatherPartition& few, const Device& device)
{
  if (few.step < max_few_step) return few.threads < 64 ? 512 : 1024;
  const bool many = few.tiles * few.chunks > 3 * std::int64_t{device.multiprocessors} && few.threads <= 128;
  return many ? 128 : 256;
}

/// All sources by the warps of a thread block, in as few rounds as they can be; a thread for each target at least, for it
/// stores one.
GatherPartition by_warps(GatherShape shape, std::int64_t column_tiles, std::int64_t rows, std::int64_t sources,
                         int targets_per_thread)
{
  GatherPartition partition{shape, targets_per_thread};
  const std::int64_t blocks = block_count(sources), rounds = ceil_div(blocks, max_warps);
  partition.column_tiles = column_tiles;
  partition.tiles = column_tiles * ceil_div(rows, targets_per_thread);
  partition.threads = 32 * std::max(targets_per_thread, static_cast<int>(ceil_div(blocks, rounds)));
  partition.chunk = blocks * core::source_block;
  partition.level = core::tree_levels - 1;
  return partition;
}

/// Cycles of the busiest scheduler.
double cycles_of(const GatherPartition& partition, const PairCycles& pair, std::int64_t sources, const Device& device)
{
  const bool takes_warps =
      partition.shape == GatherShape::grid_by_warps || partition.shape == GatherShape::points_by_warps;
  const bool on_grid = partition.shape == GatherShape::grid || partition.shape == GatherShape::grid_by_warps;
  const double of_pair = (on_grid ? pair.on_grid : pair.at_points) + pair.source / partition.targets_per_thread +
                         (takes_warps ? pair.table : 0);
  const std::int64_t blocks = ceil_div(std::min(partition.chunk, sources), core::source_block);
  const std::int64_t warps = partition.threads / 32, at_work = takes_warps ? std::min(blocks, warps) : warps;
  const std::int64_t rounds = takes_warps ? ceil_div(blocks, warps) : blocks;
  const std::int64_t at_once = ceil_div(partition.tiles * partition.chunks, device.multiprocessors);
  const double of_scheduler = static_cast<double>(at_once) / schedulers *
                              (static_cast<double>(at_work) + idle_warp * static_cast<double>(warps - at_work));
  return (of_scheduler + (takes_warps ? lost_warps_of_warps : lost_warps)) *
             static_cast<double>(rounds * core::source_block * partition.targets_per_thread) * of_pair +
         (partition.chunks > 1 ? second_kernel_cycles : 0);
}

/// The partition, or one by warps where that is faster: it needs no second kernel, and shorter threads fill the GPU.
GatherPartition or_by_warps(const GatherPartition& partition, const Device& device, std::int64_t targets,
                            const core::Index3* on_grid, std::int64_t sources,
                            const TargetsPerThread& targets_per_thread)
{
  if (partition.chunks == 1 || partition.shape == GatherShape::few) return partition;
  GatherPartition best = partition;
  double min_cycles = cycles_of(partition, targets_per_thread.pair_cycles, sources, device);
  const auto consider = [&](const GatherPartition& other) {
    if (const double cycles = cycles_of(other, targets_per_thread.pair_cycles, sources, device); cycles < min_cycles) {
      min_cycles = cycles;
      best = other;
    }
  };
  if (const int targets_of_lane = targets_per_thread.points_by_warps)
    consider(by_warps(GatherShape::points_by_warps, 1, ceil_div(targets, 32), sources, targets_of_lane));
  if (const int targets_of_lane = targets_per_thread.grid_by_warps; on_grid && targets_of_lane)
    consider(by_warps(GatherShape::grid_by_warps, ceil_div((*on_grid)[0] * (*on_grid)[2], 32), (*on_grid)[1], sources,
                      targets_of_lane));
  return best;
}

/// Cycles of the busiest multiprocessor, whose thread blocks, with registers and shared memory for one or two, are as if they came one
/// after the other. A wide tile's sums take as long to store as a block of sources takes: H200, float, 64^3 targets with 500 sources 79 us,
/// in narrow tiles 43.
double product_cycles(const GatherPartition& partition, const ProductTileSize& size, std::int64_t targets,
                      std::int64_t sources, const Device& device)
{
  const double blocks = static_cast<double>(std::min(partition.chunk, sources)) / core::source_block;
  const double of_tiles = static_cast<double>(partition.tiles) * size.rows * size.columns;
  const double store_cycles = partition.chunks > 1 ? scratch_store_cycles : output_store_cycles;
  const std::int64_t at_once = ceil_div(partition.tiles * partition.chunks, device.multiprocessors);
  return (static_cast<double>(at_once) + size.lost_tiles) *
             (blocks * size.block_cycles +
              size.targets * (product_start_cycles + store_cycles * static_cast<double>(targets) / of_tiles)) +
         (partition.chunks > 1 ? second_kernel_cycles : 0);
}

struct ProductChoice {
  GatherPartition partition;
  double cycles;
};

/// By tiles of one size, in chunks that fill the GPU, in fewer and longer ones, or in none, whatever is fastest: every chunk's sums are
/// stored, and with 60000 sources that takes wide tiles of 64^3 targets as long as the sources do. Measured are those that fill it.
ProductChoice by_tiles(const Device& device, std::int64_t rows, std::int64_t columns, std::int64_t sources,
                       const ProductTileSize& size)
{
  const std::int64_t along_rows = ceil_div(rows, size.rows), blocks = block_count(sources);
  GatherPartition partition{GatherShape::product, size.targets, along_rows * ceil_div(columns, size.columns),
                            along_rows, size.threads};
  divide_sources(partition, device, sources);
  const auto cycles = [&] { return product_cycles(partition, size, rows * columns, sources, device); };
  ProductChoice best{partition, cycles()};
  const auto consider = [&](int level, std::int64_t chunk) {
    partition.level = level;
    partition.chunk = chunk;
    partition.chunks = ceil_div(sources, chunk);
    if (const double taken = cycles(); taken < best.cycles) best = {partition, taken};
  };
  for (int level = partition.level + 1; partition.chunks > 1 && level < core::tree_levels; ++level)
    consider(level, core::node_blocks(level) * core::source_block);
  if (partition.chunks > 1) consider(core::tree_levels - 1, blocks * core::source_block);
  return best;
}

} // namespace

GatherPartition partition_gather_sum(const Device& device, std::int64_t targets, const core::Index3* on_grid,
                                     std::int64_t sources, const TargetsPerThread& targets_per_thread)
{
  GatherPartition partition = partition_targets(device, targets, on_grid, sources, targets_per_thread);
  if (partition.shape == GatherShape::few && targets_per_thread.few == varying_group)
    partition = fastest_few(device, targets, sources);
  else
    divide_sources(partition, device, sources);
  if (partition.shape == GatherShape::few) partition.slice_bytes = slice_bytes(partition, device);
  return or_by_warps(partition, device, targets, on_grid, sources, targets_per_thread);
}

GatherPartition partition_product(const Device& device, std::int64_t rows, std::int64_t columns, std::int64_t sources,
                                  const ProductTileSize& wide, const ProductTileSize& narrow)
{
  const ProductChoice by_wide = by_tiles(device, rows, columns, sources, wide),
                      by_narrow = by_tiles(device, rows, columns, sources, narrow);
  return by_narrow.cycles < by_wide.cycles ? by_narrow.partition : by_wide.partition;
}

std::size_t scratch_bytes(const GatherPartition& partition, std::int64_t targets, int components)
{
  return partition.chunks > 1 ? sizeof(double) * static_cast<std::size_t>(partition.chunks * targets * components) : 0;
}

std::string partition_text(GatherShape shape, int targets_per_thread, const char* sums, bool chunked)
{
  const bool takes_warps = shape == GatherShape::grid_by_warps || shape == GatherShape::points_by_warps;
  const char* kernel = shape == GatherShape::grid || shape == GatherShape::grid_by_warps       ? "grid x"
                       : shape == GatherShape::points || shape == GatherShape::points_by_warps ? "points x"
                       : shape == GatherShape::few                                             ? "few targets x"
                                                                                               : "product x";
  return core::text(kernel, targets_per_thread,
                    shape == GatherShape::few ? " shuffle"
                    : takes_warps             ? " by warps"
                                              : "",
                    sums, chunked ? " chunked" : "");
}

} // namespace Keramos::cuda::gather_sum
