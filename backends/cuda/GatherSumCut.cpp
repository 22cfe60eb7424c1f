// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cut of a gather-sum: the shape whose padded targets cost least, then as many chunks of sources as it takes to
// fill the GPU.
#include "GatherSumCut.hpp"

#include <algorithm>
#include <iterator>

namespace Keramos::cuda {
namespace {

constexpr std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// What a GPU wants, from this compute capability on.
struct GatherTuning {
  int architecture;
  double points_cost, few_cost; ///< of a pair, where one on a grid costs 1: 3946, 3177, 2000 Gpairs/s on an H200
  int blocks, few_blocks;       ///< a multiprocessor, to divide the sources for
};
constexpr GatherTuning tunings[] = {
    {80, 1.3, 1.9, 8, 2},
    {90, 1.3, 1.9, 8, 2},
};

const GatherTuning& tuning_of(const Device& device)
{
  const GatherTuning* chosen = std::begin(tunings);
  for (const GatherTuning& tuning : tunings)
    if (tuning.architecture <= device.architecture) chosen = &tuning;
  return *chosen;
}

/// The most chunks that sources are worth: a block of them each where threads own targets, 4 for each thread that owns
/// sources.
std::int64_t most_chunks(const GatherCut& cut, std::int64_t sources)
{
  const std::int64_t least = cut.shape == GatherShape::few ? 4 * few_threads / cut.groups : core::source_block;
  return std::max<std::int64_t>(sources / std::max(least, core::source_block), 1);
}

std::int64_t count_of(const core::Index3& extent) { return extent[0] * extent[1] * extent[2]; }

GatherCut on_grid_cut(const core::Index3& extent, int along, int reach)
{
  GatherCut cut{GatherShape::grid, reach, along};
  cut.column_tiles = ceiling(extent[0] * extent[3 - along], gather_threads);
  cut.tiles = cut.column_tiles * ceiling(extent[along], reach);
  return cut;
}

/// Time, up to a factor: what is paid for includes targets that only fill blocks, and multiprocessors without a block.
double cost_of(const GatherCut& cut, double of_pair, std::int64_t sources, const Device& device)
{
  const double targets =
      static_cast<double>(cut.tiles) * cut.reach * (cut.shape == GatherShape::few ? cut.groups : gather_threads);
  const double blocks = static_cast<double>(cut.tiles * most_chunks(cut, sources));
  return targets * of_pair * std::max(1.0, 2.0 * device.multiprocessors / std::max(blocks, 1.0));
}

GatherCut cut_targets(const Device& device, const core::Index3& extent, bool on_grid, std::int64_t sources,
                      const GatherReach& reach)
{
  const GatherTuning& tuning = tuning_of(device);
  GatherCut points{GatherShape::points, reach.points}, few{GatherShape::few, reach.few};
  points.tiles = ceiling(count_of(extent), std::int64_t{gather_threads} * reach.points);
  while (few.groups < few_threads / 32 && few.groups * few.reach < count_of(extent)) few.groups *= 2;
  few.tiles = ceiling(count_of(extent), few.groups * few.reach);
  GatherCut best = points;
  double least = cost_of(points, tuning.points_cost, sources, device);
  const auto consider = [&](const GatherCut& cut, double of_pair) {
    if (const double cost = cost_of(cut, of_pair, sources, device); cost < least) {
      least = cost;
      best = cut;
    }
  };
  consider(few, tuning.few_cost);
  for (int along = 1; on_grid && reach.grid && along < 3; ++along) consider(on_grid_cut(extent, along, reach.grid), 1);
  return best;
}

} // namespace

GatherCut cut_gather_sum(const Device& device, const core::Index3& extent, bool on_grid, std::int64_t sources,
                         const GatherReach& reach)
{
  GatherCut cut = cut_targets(device, extent, on_grid, sources, reach);
  const GatherTuning& tuning = tuning_of(device);
  const std::int64_t full =
      std::int64_t{device.multiprocessors} * (cut.shape == GatherShape::few ? tuning.few_blocks : tuning.blocks);
  if (cut.tiles > 0 && cut.tiles <= full / 2) cut.chunks = std::min(most_chunks(cut, sources), full / cut.tiles);
  cut.chunk = ceiling(ceiling(sources, cut.chunks), core::source_block) * core::source_block;
  if (cut.chunk > 0) cut.chunks = ceiling(sources, cut.chunk);
  return cut;
}

std::size_t scratch_bytes(const GatherCut& cut, std::int64_t targets, int components)
{
  return cut.chunks > 1 ? sizeof(double) * static_cast<std::size_t>(cut.chunks * targets * components) : 0;
}

std::string cut_text(const GatherCut& cut, bool with_gradient)
{
  const char* shape = cut.shape == GatherShape::grid     ? "grid x"
                      : cut.shape == GatherShape::points ? "points x"
                                                         : "few targets x";
  return core::text(shape, cut.reach, cut.shape == GatherShape::few ? " shuffle" : "", with_gradient ? " gradient" : "",
                    cut.chunks > 1 ? " chunked" : "");
}

} // namespace Keramos::cuda
