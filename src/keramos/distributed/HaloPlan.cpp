// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HaloPlan.hpp"

#include "Partition.hpp"

#include <algorithm>
#include <optional>

namespace Keramos::core {
namespace {

using Kind = HaloRun::Kind;

/// One point of the halo as a run of its own; nothing where nothing fills it. `index` is global.
std::optional<HaloRun> image_of(const HaloAxis& axis, int part, std::int64_t index)
{
  const std::int64_t extent = axis.extent();
  HaloRun run;
  run.kind = Kind::image;
  run.begin = index - axis.cuts[static_cast<std::size_t>(part)];
  run.end = run.begin + 1;
  run.source = index;
  if (index < 0 || index >= extent) {
    const bool is_low = index < 0;
    const EdgeRule& rule = is_low ? axis.rule.low : axis.rule.high;
    const bool beside_ghost = axis.rule.low.kind == Edge::ghost || axis.rule.high.kind == Edge::ghost;
    if (rule.kind == Edge::interior) return std::nullopt;
    if (rule.kind == Edge::constant) {
      run.kind = Kind::constant;
      run.value = rule.value;
      return run;
    }
    if (rule.kind != Edge::ghost)
      run.source = beside_ghost ? edge_index_beside_ghost(rule.kind, is_low, index, extent)
                                : edge_index(rule.kind, index, extent);
  }
  // What an application keeps beyond the ends under `ghost`, the parts at the ends have.
  run.part = part_of(axis.cuts, std::clamp<std::int64_t>(run.source, 0, extent - 1));
  return run;
}

/// The first run with the second behind it, where both are one run.
bool append(HaloRun& run, const HaloRun& next)
{
  if (next.kind != run.kind || next.begin != run.end) return false;
  if (run.kind == Kind::constant) {
    if (next.value != run.value) return false;
  } else {
    const std::int64_t length = run.end - run.begin, step = next.source - (run.source + run.step * (length - 1));
    if (next.part != run.part || step < -1 || step > 1) return false;
    if (length == 1)
      run.step = static_cast<int>(step);
    else if (step != run.step)
      return false;
  }
  run.end = next.end;
  return true;
}

bool is_beyond(const HaloRun& run) { return run.kind != Kind::own; }

HaloPiece product(const std::array<const HaloRun*, 3>& runs)
{
  HaloPiece piece;
  for (int k = 0; k < 3; ++k) {
    const HaloRun& run = *runs[static_cast<std::size_t>(k)];
    piece.begin[k] = run.begin;
    piece.extent[k] = run.end - run.begin;
    piece.part[k] = run.part;
    piece.source[k] = run.source;
    piece.step[k] = run.step;
    if (run.kind == Kind::constant) {
      piece.is_constant = true;
      piece.value = run.value;
    }
  }
  return piece;
}

/// How far a part's own data go beyond the points that it owns: the parts at the ends have the application's ghosts.
std::array<std::int64_t, 2> own_ghosts(const HaloAxis& axis, int part)
{
  const bool has_low = axis.rule.low.kind == Edge::ghost && part == part_of(axis.cuts, 0);
  const bool has_high = axis.rule.high.kind == Edge::ghost && part == part_of(axis.cuts, axis.extent() - 1);
  return {has_low ? axis.low : 0, has_high ? axis.high : 0};
}

} // namespace

std::vector<HaloRun> halo_runs(const HaloAxis& axis, int part)
{
  const std::int64_t first = axis.cuts[static_cast<std::size_t>(part)],
                     last = axis.cuts[static_cast<std::size_t>(part) + 1];
  std::vector<HaloRun> runs;
  if (first == last) return runs; // without points there is nothing to read a halo
  const auto add_halo = [&](std::int64_t begin, std::int64_t end) {
    const std::size_t before = runs.size();
    for (std::int64_t index = begin; index < end; ++index)
      if (const auto run = image_of(axis, part, index))
        if (runs.size() == before || !append(runs.back(), *run)) runs.push_back(*run);
  };
  const auto [below, above] = own_ghosts(axis, part);
  add_halo(first - axis.low, first - below);
  runs.push_back({Kind::own, -below, last - first + above, part, first - below, 1, 0});
  add_halo(last + above, last + axis.high);
  return runs;
}

std::vector<HaloPiece> halo_pieces(const std::array<HaloAxis, 3>& axes, const Kokkos::Array<int, 3>& part, bool corners)
{
  std::array<std::vector<HaloRun>, 3> runs;
  for (int k = 0; k < 3; ++k) runs[static_cast<std::size_t>(k)] = halo_runs(axes[static_cast<std::size_t>(k)], part[k]);
  std::vector<HaloPiece> pieces;
  for (const HaloRun& i : runs[0])
    for (const HaloRun& j : runs[1])
      for (const HaloRun& k : runs[2]) {
        const int beyond = is_beyond(i) + is_beyond(j) + is_beyond(k);
        if (beyond == 1 || (beyond > 1 && corners)) pieces.push_back(product({&i, &j, &k}));
      }
  return pieces;
}

} // namespace Keramos::core
