// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OblongCut.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "../Memory.hpp"
#include "Shapes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace Keramos::cuda::transpose {
namespace {

/// Scratch: an eighth of the matrix, but no more than the larger of both. 16, 32, 64 and 128 MiB make 35.4, 35.2, 37.7 and 38.0% of a copy of
/// f32 15013x10001 on an H200, 40.8, 41.5, 43.5 and 43.7 of 12288x16384; 32 MiB hold what sides without a helpful divisor leave over up to
/// matrices of some 4 GB.
constexpr std::int64_t most_scratch_bytes = 64 << 20, most_scratch_part = 64;
constexpr std::int64_t shortest_run_bytes = 64;

/// What waits as a whole: no more scratch than large matrices have. By an H200 in a loop, us, through scratch and by cells: f32 300x500 10.6 and 74,
/// 2053x1031 10.3 and 94, 3001x2003 26 and 77, 4001x4003 (64 MB) 71 and 109, f64 3001x2003 55 and 106, bytes 7001x9001 75 and 161; 8192x6144
/// (201 MB) would still take 200 for 242.
constexpr std::int64_t most_whole_bytes = most_scratch_bytes;

/// What makes one cut cheaper than another, in bytes of the matrix that would be moved in the same time, chosen: a step of bands by itself (on an
/// H200 0.3 to 2.4 us, 0.6 to 5 MB, or nothing where it reads early); how often what is left over counts; by how many elements tiles reach
/// beyond the sides of cells, and runs beyond their lines.
constexpr std::int64_t step_bytes = 6 << 20, times_left_over = 4, beyond_cells = 8;
constexpr std::int64_t most_more_bands = 4; ///< times those that scratch asks for

std::int64_t floor_to(std::int64_t extent, std::int64_t unit)
{
  while (unit > extent && unit > 1) unit /= 2;
  return extent / unit * unit;
}

/// Elements behind the last run of a row, or the words of 4 bytes that hold its end would reach beyond the matrix.
std::int64_t spared(std::int64_t row, int size) { return row * size % 4 == 0 ? 0 : 4 / size - 1; }

/// Bands that move together, of so many that can. Cycles have 2 * bands / gcd(bands, step) cells at most, and short ones leave more of the matrix to
/// be moved at the same time.
std::int64_t step_of(std::int64_t bands, std::int64_t most)
{
  std::int64_t best = most;
  for (std::int64_t step = most; 4 * step > 3 * most; --step)
    if (std::gcd(bands, step) > std::gcd(bands, best)) best = step;
  return best;
}

/// Cuts for numbers of bands, of which it keeps the cheapest. Neighbours that are moved together keep to units of so many bytes, or to what the
/// rows keep to.
class CheapestCut {
public:
  CheapestCut(const OblongCut& sides, std::int64_t room, std::int64_t unit_bytes)
      : sides_(sides), room_(room), unit_bytes_(unit_bytes)
  {
  }

  void consider(std::int64_t bands)
  {
    OblongCut cut = sides_;
    cut.bands = bands;
    cut.run = floor_to((cut.longer - spared(cut.longer, cut.size)) / bands, unit_of(cut.longer));
    cut.rest = cut.longer - bands * cut.run;
    cut.cell_rows = std::min(bands, cut.shorter);
    cut.cell_height = floor_to(cut.shorter / cut.cell_rows, unit_of(cut.shorter));
    cut.lead = cut.shorter - cut.cell_rows * cut.cell_height;
    const std::int64_t left_over = (cut.lead * cut.longer + cut.rest * cut.shorter) * cut.size;
    if (cut.run * cut.size < shortest_run_bytes || left_over > room_) return;
    const std::int64_t fit = (room_ - left_over) / (cut.band_elements() * cut.size);
    if (fit < 1) return;
    cut.at_once = cut.places_of_row() > 1 ? 1 : step_of(bands, std::min(fit, bands - 1));
    const std::int64_t beside = cut.cell_height > 1 ? cut.cell_height : cut.cell_rows; // of the runs in a tile
    const std::int64_t bytes = cut.longer * cut.shorter * cut.size;
    const std::int64_t cost = core::ceil_div(bands, cut.at_once) * step_bytes + left_over * times_left_over +
                              bytes / cut.run * (beyond_cells + line_bytes / cut.size) + bytes / beside * beyond_cells;
    if (cost >= cost_) return;
    cost_ = cost;
    best_ = cut;
  }
  const std::optional<OblongCut>& best() const { return best_; }

private:
  std::int64_t unit_of(std::int64_t row) const { return std::gcd(unit_bytes_, row * sides_.size) / sides_.size; }

  OblongCut sides_;
  std::int64_t room_, unit_bytes_, cost_ = std::numeric_limits<std::int64_t>::max();
  std::optional<OblongCut> best_;
};

std::optional<OblongCut> cheapest_cut(const OblongCut& sides, std::int64_t room, std::int64_t unit_bytes)
{
  const std::int64_t least = core::ceil_div(sides.longer * sides.shorter * sides.size, room);
  const std::int64_t most = most_more_bands * least;
  CheapestCut cheapest(sides, room, unit_bytes);
  for (std::int64_t bands = least; bands <= std::min(most, sides.shorter); ++bands) cheapest.consider(bands);
  const std::int64_t of_runs = core::round_up(least, sides.shorter); // cells that are one run each
  for (std::int64_t bands = of_runs; bands <= std::max(most, of_runs); bands += sides.shorter) cheapest.consider(bands);
  return cheapest.best();
}

} // namespace

std::int64_t OblongCut::rest_begin() const { return core::round_up(lead * longer * size, scratch_alignment); }
std::int64_t OblongCut::waiting_begin() const
{
  return rest_begin() + core::round_up(rest * shorter * size, scratch_alignment);
}

std::optional<OblongCut> cut_oblong(std::int64_t rows, std::int64_t columns, int size, const void* data)
{
  OblongCut cut{};
  cut.is_high = rows >= columns;
  cut.size = size;
  cut.longer = std::max(rows, columns);
  cut.shorter = std::min(rows, columns);
  const std::int64_t bytes = rows * columns * size;
  cut.scratch_bytes = std::min(bytes / 8, std::max(most_scratch_bytes, bytes / most_scratch_part));
  const std::int64_t room = cut.scratch_bytes - 3 * scratch_alignment;
  if (room <= 0 || cut.shorter < 2 || !is_aligned(data, 4)) return std::nullopt;
  const auto by_lines = cheapest_cut(cut, room, line_bytes);
  return by_lines ? by_lines : cheapest_cut(cut, room, size); // small ones, of which lines leave over too much
}

std::optional<OblongWay> oblong_way(std::int64_t rows, std::int64_t columns, int size, const void* data)
{
  if (rows * columns * size <= most_whole_bytes) return OblongWhole{rows, columns, size};
  return cut_oblong(rows, columns, size, data);
}

std::int64_t scratch_bytes(const OblongWay& way)
{
  if (const auto* const cut = std::get_if<OblongCut>(&way)) return cut->scratch_bytes;
  const auto& whole = std::get<OblongWhole>(way);
  return whole.rows * whole.columns * whole.size + scratch_alignment;
}

} // namespace Keramos::cuda::transpose
