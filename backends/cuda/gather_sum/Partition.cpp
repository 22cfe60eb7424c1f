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

using core::ceil_div, core::count_of;

// Measured on an H200, 3946, 3177 and 2000 Gpairs/s on a grid, at points and with few targets. No other architecture
// has asked for numbers of its own.
constexpr double points_cost = 1.3, few_cost = 1.9;     ///< of a pair, where one on a grid costs 1
constexpr int wanted_blocks = 8, wanted_few_blocks = 2; ///< per multiprocessor, to divide the sources for

/// The maximum number of chunks that sources are worth: a block of them each where threads own targets, 4 for each
/// thread that owns sources.
std::int64_t max_chunks(const GatherPartition& partition, std::int64_t sources)
{
  const std::int64_t min_chunk =
      partition.shape == GatherShape::few ? 4 * few_threads / partition.groups : core::source_block;
  return std::max<std::int64_t>(sources / std::max(min_chunk, core::source_block), 1);
}

GatherPartition on_grid(const core::Index3& extent, int along, int targets_per_thread)
{
  GatherPartition partition{GatherShape::grid, targets_per_thread, along};
  partition.column_tiles = ceil_div(extent[0] * extent[3 - along], gather_threads);
  partition.tiles = partition.column_tiles * ceil_div(extent[along], targets_per_thread);
  return partition;
}

GatherPartition at_points(std::int64_t targets, int targets_per_thread)
{
  GatherPartition partition{GatherShape::points, targets_per_thread};
  partition.tiles = ceil_div(targets, std::int64_t{gather_threads} * targets_per_thread);
  return partition;
}

GatherPartition of_few(std::int64_t targets, int targets_per_thread)
{
  GatherPartition partition{GatherShape::few, targets_per_thread};
  while (partition.groups < few_threads / 32 && partition.groups * targets_per_thread < targets) partition.groups *= 2;
  partition.tiles = ceil_div(targets, partition.groups * targets_per_thread);
  return partition;
}

/// Time, up to a factor: what is paid for includes targets that only fill blocks, and multiprocessors without a block.
double cost_of(const GatherPartition& partition, double of_pair, std::int64_t sources, const Device& device)
{
  const int owners = partition.shape == GatherShape::few ? partition.groups : gather_threads; // of targets, in a block
  const double targets = static_cast<double>(partition.tiles) * partition.targets_per_thread * owners;
  const double blocks = static_cast<double>(partition.tiles * max_chunks(partition, sources));
  return targets * of_pair * std::max(1.0, 2.0 * device.multiprocessors / std::max(blocks, 1.0));
}

GatherPartition partition_targets(const Device& device, const core::Index3& extent, bool grid, std::int64_t sources,
                                  const TargetsPerThread& targets_per_thread)
{
  GatherPartition best = at_points(count_of(extent), targets_per_thread.points);
  double min_cost = cost_of(best, points_cost, sources, device);
  const auto consider = [&](const GatherPartition& partition, double of_pair) {
    if (const double cost = cost_of(partition, of_pair, sources, device); cost < min_cost) {
      min_cost = cost;
      best = partition;
    }
  };
  consider(of_few(count_of(extent), targets_per_thread.few), few_cost);
  for (int along = 1; grid && targets_per_thread.grid && along < 3; ++along)
    consider(on_grid(extent, along, targets_per_thread.grid), 1);
  return best;
}

} // namespace

GatherPartition partition_gather_sum(const Device& device, const core::Index3& extent, bool on_grid,
                                     std::int64_t sources, const TargetsPerThread& targets_per_thread)
{
  GatherPartition partition = partition_targets(device, extent, on_grid, sources, targets_per_thread);
  const int wanted = partition.shape == GatherShape::few ? wanted_few_blocks : wanted_blocks;
  const std::int64_t full = std::int64_t{device.multiprocessors} * wanted;
  if (partition.tiles > 0 && partition.tiles <= full / 2)
    partition.chunks = std::min(max_chunks(partition, sources), full / partition.tiles);
  partition.chunk = core::round_up(ceil_div(sources, partition.chunks), core::source_block);
  if (partition.chunk > 0) partition.chunks = ceil_div(sources, partition.chunk);
  return partition;
}

std::size_t scratch_bytes(const GatherPartition& partition, std::int64_t targets, int components)
{
  return partition.chunks > 1 ? sizeof(double) * static_cast<std::size_t>(partition.chunks * targets * components) : 0;
}

std::string partition_text(GatherShape shape, int targets_per_thread, bool with_gradient, bool chunked)
{
  const char* kernel = shape == GatherShape::grid     ? "grid x"
                       : shape == GatherShape::points ? "points x"
                                                      : "few targets x";
  return core::text(kernel, targets_per_thread, shape == GatherShape::few ? " shuffle" : "",
                    with_gradient ? " gradient" : "", chunked ? " chunked" : "");
}

} // namespace Keramos::cuda::gather_sum
