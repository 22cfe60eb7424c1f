// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Oblong.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "../Launch.hpp"
#include "../Memory.hpp"
#include "Plan.hpp"
#include "Run.hpp"
#include "RunCycles.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace Keramos::cuda::transpose {
namespace {

using core::MoveAxis;

/// Scratch, an eighth of the matrix at most; what moves through it together; runs. H200, % of the copy, f32 12288x16384, 15013x10001, 66666666x3,
/// 100x1000000: 27.7, 15.9, 15.7, 25.1; scratch of 16 MiB 24.2, 11.7, 13.9, 22.0; of 64, with runs of 4096 bytes, 25.4, 14.3, 15.0, 22.0; chunks of 8 27.8,
/// 14.2, 12.5, 20.1, of 32 27.8, 16.2, 15.5, 20.9; runs of 1024 bytes 26.4, 15.5, 14.4, 23.3, of 4096 -, -, 15.0, 22.0. The other numbers are chosen.
constexpr std::int64_t max_scratch_bytes = 32 << 20, max_chunk_bytes = 16 << 20;
constexpr std::int64_t longest_run_bytes = 2048, shortest_run_bytes = 64, run_unit_bytes = 128;
constexpr std::int64_t min_cut_every = 32;
constexpr std::int64_t scratch_alignment = 256; ///< of parts of scratch

/// The longest run that divides the longer side, if it is not much shorter than others could be; else the longest. 0: none.
std::int64_t run_of(std::int64_t longer, std::int64_t shorter, int size, std::int64_t room)
{
  const std::int64_t unit = run_unit_bytes / size, most = std::min(longest_run_bytes / size, longer);
  const std::int64_t undivided = std::min(most, room / (shorter * size)) / unit * unit;
  for (std::int64_t run = undivided; 2 * run > undivided; run -= unit)
    if (longer % run == 0) return run;
  const std::int64_t with_rest = std::min(most, room / (2 * shorter * size)); // which is as much at most
  const std::int64_t vector = 16 / size,
                     run = with_rest >= unit ? with_rest / unit * unit : with_rest / vector * vector;
  return run * size >= shortest_run_bytes ? run : 0;
}

} // namespace

std::optional<OblongCut> cut_oblong(std::int64_t rows, std::int64_t columns, int size, const void* data)
{
  OblongCut cut{};
  cut.is_high = rows >= columns;
  cut.size = size;
  cut.longer = std::max(rows, columns);
  cut.shorter = std::min(rows, columns);
  const std::int64_t scratch = std::min(max_scratch_bytes, rows * columns * size / 8),
                     room = scratch - 3 * scratch_alignment;
  if (room <= 0 || cut.shorter < 2 || !is_aligned(data, 16)) return std::nullopt;
  cut.run = run_of(cut.longer, cut.shorter, size, room);
  if (cut.run == 0) return std::nullopt;
  cut.runs = cut.longer / cut.run;
  cut.rest = cut.longer % cut.run;
  if (cut.runs > INT32_MAX / cut.shorter) return std::nullopt;
  cut.rest_bytes = core::round_up(cut.rest * cut.shorter * size, scratch_alignment);
  cut.band_bytes = (scratch - scratch_alignment - cut.rest_bytes) / scratch_alignment * scratch_alignment;
  cut.scratch_bytes = scratch;
  const std::int64_t run_bytes = cut.run * size, count = cut.runs * cut.shorter;
  cut.cut_every = min_cut_every;
  while (core::ceil_div(count, cut.cut_every) * run_bytes > cut.band_bytes) cut.cut_every *= 2;
  while (std::gcd(cut.cut_every, count - 1) > 1)
    ++cut.cut_every; // along a cycle a place is multiplied modulo count - 1
  return cut;
}

namespace {

/// One call: its parts of scratch, and its moves.
class OblongRun {
public:
  OblongRun(const OblongPlan& plan, const Kokkos::Cuda& space)
      : plan_(plan), cut_(plan.cut), space_(space), device_(device_of(space)), s_(cut_.size)
  {
    const auto begin = core::round_up(reinterpret_cast<std::intptr_t>(plan.scratch), scratch_alignment);
    rest_ = reinterpret_cast<char*>(begin);
    band_ = rest_ + cut_.rest_bytes;
  }

  void high() const
  {
    const auto [s, size] = std::pair(cut_.shorter, s_);
    char* const behind = plan_.data + cut_.cut_bytes() * s;
    if (cut_.rest > 0) copy(behind, rest_, cut_.rest * s);
    turn_bands(cut_.run, s);
    trade_places(cut_.runs, s);
    if (cut_.rest == 0) return;
    spread_rows();
    move({{cut_.rest, s, 1}, {s, 1, cut_.longer}}, rest_, plan_.data + cut_.cut_bytes());
  }

  void wide() const
  {
    const std::int64_t s = cut_.shorter;
    if (cut_.rest > 0) {
      move({{s, cut_.longer, 1}, {cut_.rest, 1, s}}, plan_.data + cut_.cut_bytes(), rest_);
      gather_rows();
    }
    trade_places(s, cut_.runs);
    turn_bands(s, cut_.run);
    if (cut_.rest > 0) copy(rest_, plan_.data + cut_.cut_bytes() * s, cut_.rest * s);
  }

private:
  void move(std::initializer_list<MoveAxis> axes, const char* in, char* out) const
  {
    const auto normalised = core::normalised(axes.begin(), static_cast<int>(axes.size()));
    if (const auto plan = plan_move(device_, normalised, s_, in, out)) run_move(*plan, plan_.kernel, space_, in, out);
  }
  void copy(const char* in, char* out, std::int64_t elements) const { move({{elements, 1, 1}}, in, out); }

  /// Elements that move through scratch together.
  std::int64_t chunk() const { return std::min(cut_.band_bytes, max_chunk_bytes) / s_; }

  /// Each band, a matrix of rows x columns that lies by itself, is transposed; as many at once as fit.
  void turn_bands(std::int64_t rows, std::int64_t columns) const
  {
    const std::int64_t band = rows * columns, at_once = std::max<std::int64_t>(1, chunk() / band);
    for (std::int64_t first = 0; first < cut_.runs; first += at_once) {
      const std::int64_t count = std::min(at_once, cut_.runs - first);
      char* const here = plan_.data + first * band * s_;
      copy(here, band_, count * band);
      move({{count, band, band}, {rows, columns, 1}, {columns, 1, rows}}, band_, here);
    }
  }

  /// Of a matrix of runs.
  void trade_places(std::int64_t rows, std::int64_t columns) const
  {
    const std::int64_t count = rows * columns;
    move({{core::ceil_div(count, cut_.cut_every), cut_.cut_every * cut_.run, cut_.run}, {cut_.run, 1, 1}}, plan_.data,
         band_);
    const RunCyclesJob job{block_divisor(rows), static_cast<unsigned>(columns), static_cast<unsigned>(count),
                           block_divisor(cut_.cut_every), static_cast<unsigned>(cut_.run * s_ / 16)};
    launch_kernel<run_cycles_kernel>(plan_.kernel, space_,
                                     {static_cast<unsigned>(core::ceil_div(count, cycle_threads)), cycle_threads},
                                     reinterpret_cast<uint4*>(plan_.data), reinterpret_cast<const uint4*>(band_), job);
  }

  /// Rows of runs alone to where the rest has room behind each, from the last one on; and back, from the first one on.
  void spread_rows() const
  {
    const std::int64_t row = cut_.runs * cut_.run, at_once = std::max<std::int64_t>(1, chunk() / row);
    for (std::int64_t end = cut_.shorter; end > 0; end -= at_once) {
      const std::int64_t first = std::max<std::int64_t>(0, end - at_once);
      for (std::int64_t part_end = row; part_end > 0; part_end -= chunk()) {
        const std::int64_t part = std::max<std::int64_t>(0, part_end - chunk());
        shift_rows(first, end - first, part, part_end - part, row, cut_.longer);
      }
    }
  }
  void gather_rows() const
  {
    const std::int64_t row = cut_.runs * cut_.run, at_once = std::max<std::int64_t>(1, chunk() / row);
    for (std::int64_t first = 0; first < cut_.shorter; first += at_once)
      for (std::int64_t part = 0; part < row; part += chunk())
        shift_rows(first, std::min(at_once, cut_.shorter - first), part, std::min(chunk(), row - part), cut_.longer,
                   row);
  }
  void shift_rows(std::int64_t first, std::int64_t rows, std::int64_t part, std::int64_t length,
                  std::int64_t from_pitch, std::int64_t to_pitch) const
  {
    move({{rows, from_pitch, length}, {length, 1, 1}}, plan_.data + (first * from_pitch + part) * s_, band_);
    move({{rows, length, to_pitch}, {length, 1, 1}}, band_, plan_.data + (first * to_pitch + part) * s_);
  }

  const OblongPlan& plan_;
  const OblongCut& cut_;
  const Kokkos::Cuda& space_;
  Device device_;
  int s_;
  char *rest_, *band_;
};

} // namespace

void launch(const OblongPlan& plan, const Kokkos::Cuda& space)
{
  const OblongRun run(plan, space);
  plan.cut.is_high ? run.high() : run.wide();
}

} // namespace Keramos::cuda::transpose
