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
  double points_cost, few_cost; ///< of a pair, where one on a grid costs 1
  int blocks;                   ///< that keep a multiprocessor busy
};
constexpr GatherTuning tunings[] = {
    {80, 1.1, 1.5, 4},
    {90, 1.1, 1.5, 4},
};

const GatherTuning& tuning_of(const Device& device)
{
  const GatherTuning* chosen = std::begin(tunings);
  for (const GatherTuning& tuning : tunings)
    if (tuning.architecture <= device.architecture) chosen = &tuning;
  return *chosen;
}

/// Fewer sources are not worth a chunk: 2 blocks of them where threads own targets, 8 for each thread that owns sources.
constexpr std::int64_t least_chunk(GatherShape shape)
{
  return shape == GatherShape::few ? 8 * few_threads : 2 * core::source_block;
}

std::int64_t count_of(const core::Index3& extent) { return extent[0] * extent[1] * extent[2]; }

GatherCut on_grid_cut(const core::Index3& extent, int along, int reach)
{
  GatherCut cut{GatherShape::grid, reach, along};
  cut.column_tiles = ceiling(extent[0] * extent[3 - along], gather_threads);
  cut.tiles = cut.column_tiles * ceiling(extent[along], reach);
  return cut;
}

/// Targets with those that only fill blocks: what is paid for.
double padded_targets(const GatherCut& cut)
{
  return static_cast<double>(cut.tiles) * cut.reach * (cut.shape == GatherShape::few ? 1 : gather_threads);
}

GatherCut cut_targets(const GatherTuning& tuning, const core::Index3& extent, bool on_grid, const GatherReach& reach)
{
  GatherCut points{GatherShape::points, reach.points}, few{GatherShape::few, reach.few};
  points.tiles = ceiling(count_of(extent), std::int64_t{gather_threads} * reach.points);
  few.tiles = ceiling(count_of(extent), reach.few);
  GatherCut best = points;
  double least = padded_targets(points) * tuning.points_cost;
  const auto consider = [&](const GatherCut& cut, double cost) {
    if (const double all = padded_targets(cut) * cost; all < least) {
      least = all;
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
  const GatherTuning& tuning = tuning_of(device);
  GatherCut cut = cut_targets(tuning, extent, on_grid, reach);
  const std::int64_t full = std::int64_t{device.multiprocessors} * tuning.blocks;
  if (cut.tiles > 0 && cut.tiles <= full / 2)
    cut.chunks = std::clamp<std::int64_t>(sources / least_chunk(cut.shape), 1, ceiling(full, cut.tiles));
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
