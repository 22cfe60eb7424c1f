// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OblongJob.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../HostKernels.hpp"
#include "Partition.hpp"

#include <algorithm>
#include <cstring>

namespace Keramos::openmp::transpose {
namespace {

constexpr std::int64_t line = 64;

/// A band, which stays in a third-level cache beside its slot; but runs are no shorter than a line. 12288 x 8192 f32 on one Zen 3
/// core: 114 ms in all, with 4 MiB and so runs of half the length 136 ms; 16 MiB gain nothing more.
constexpr std::int64_t max_band_bytes = 8 << 20;

/// So many lengths of runs are tried for one that leaves few rows over.
constexpr std::int64_t tried_runs = 64;

} // namespace

OblongJob::OblongJob(std::int64_t rows, std::int64_t columns, int size, int threads)
    : tall_(rows >= columns), size_(size), length_(std::max(rows, columns)), depth_(std::min(rows, columns)),
      cycles_(grid(), 1, false)
{
  choose_run(threads);
  const std::int64_t most = length_ * depth_ * size_ / 8 / (slot_bytes() + kept_bytes());
  workers_ = std::max<std::int64_t>(1, std::min<std::int64_t>({most, bands_, threads}));
  cycles_ = RunCycles(grid(), static_cast<int>(workers_), streaming());
}

core::Text OblongJob::variant(int size)
{
  return [size] { return core::text("bands and runs ", size, "B ", instruction_set_name()); };
}

bool OblongJob::streaming() const { return length_ * depth_ * size_ >= streaming_bytes; }

/// As long as the limits allow, down to half of that: the length that leaves the fewest rows over. Where a line of
/// memory divides the longer side, it divides the runs, too, so that runs are whole lines.
void OblongJob::choose_run(int threads)
{
  const std::int64_t per_line = std::max<std::int64_t>(1, line / size_);
  const std::int64_t step = length_ % per_line == 0 ? per_line : 1;
  const std::int64_t most_bytes = std::min(RunGrid::max_run_bytes, max_band_bytes / depth_);
  const std::int64_t even = length_ / (8 * static_cast<std::int64_t>(threads)); // a share for each thread
  const std::int64_t most = std::min(length_, std::max(per_line, std::min(most_bytes / size_, even) / step * step));
  run_ = most;
  for (std::int64_t tried = 1, run = most - step; tried < tried_runs && run >= std::max(per_line, most / 2);
       ++tried, run -= step)
    if (length_ % run < length_ % run_) run_ = run;
  bands_ = length_ / run_;
  rest_ = length_ % run_;
}

std::size_t OblongJob::scratch_bytes() const
{
  return static_cast<std::size_t>(line + workers_ * (slot_bytes() + kept_bytes()) + cycles_.scratch_bytes());
}

void OblongJob::use(void* data, void* scratch)
{
  data_ = static_cast<Byte*>(data);
  auto* const bytes = static_cast<Byte*>(scratch);
  scratch_ = bytes + (line - reinterpret_cast<std::uintptr_t>(bytes) % line) % line;
  cycles_ = RunCycles(grid(), static_cast<int>(workers_), streaming());
  cycles_.use(kept(workers_));
}

void OblongJob::keep(std::int64_t worker) const
{
  std::memcpy(kept(worker), band(first_band(worker + 1)), rest_ * depth_ * size_);
}

void OblongJob::give_back(std::int64_t worker) const
{
  std::memcpy(band(first_band(worker + 1)), kept(worker), rest_ * depth_ * size_);
}

void OblongJob::move_bands(std::int64_t worker) const
{
  if (tall_)
    move_tall(worker);
  else
    move_wide(worker);
}

/// The runs of a band, where they are neighbours in memory: body(first of them within the band, how many, their memory,
/// the row of runs whose gap follows or -1).
template <class Body>
void OblongJob::for_each_stretch(std::int64_t band, const Body& body) const
{
  const RunGrid runs = grid();
  const std::int64_t begin = band * depth_, end = begin + depth_;
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t row = at / bands_, row_end = (row + 1) * bands_;
    const std::int64_t until = rest_ == 0 ? end : std::min(end, row_end);
    body(at - begin, until - at, runs.run(at), rest_ > 0 && until == row_end ? row : -1);
    at = until;
  }
}

/// Last band first: where a band comes to lies beyond its own place only in what the one after it has left.
void OblongJob::move_tall(std::int64_t worker) const
{
  const std::int64_t row_bytes = depth_ * size_, run_bytes = run_ * size_, first = first_band(worker);
  Byte* const here = slot(worker);
  for (std::int64_t b = first_band(worker + 1) - 1; b >= first; --b) {
    const std::int64_t aside = b == first && worker > 0 ? rest_ : 0;
    if (aside > 0) turn({kept(worker - 1), here, aside, depth_, row_bytes, run_bytes});
    turn({band(b) + aside * row_bytes, here + aside * size_, run_ - aside, depth_, row_bytes, run_bytes});
    for_each_stretch(b, [&](std::int64_t run, std::int64_t runs, Byte* memory, std::int64_t gap_of) {
      put(here + run * run_bytes, memory, runs * run_bytes);
      if (gap_of >= 0) turn({rest_rows() + gap_of * size_, memory + runs * run_bytes, rest_, 1, row_bytes, size_});
    });
  }
}

/// First band first: where a band comes to lies before its own place only in what the one before it has left.
void OblongJob::move_wide(std::int64_t worker) const
{
  const std::int64_t row_bytes = depth_ * size_, run_bytes = run_ * size_, first = first_band(worker);
  Byte* const here = slot(worker);
  for (std::int64_t b = first; b < first_band(worker + 1); ++b) {
    for_each_stretch(b, [&](std::int64_t run, std::int64_t runs, const Byte* memory, std::int64_t gap_of) {
      turn({memory, here + run * size_, runs, run_, run_bytes, row_bytes});
      if (gap_of >= 0) turn({memory + runs * run_bytes, rest_rows() + gap_of * size_, 1, rest_, size_, row_bytes});
    });
    const std::int64_t aside = b == first && worker > 0 ? rest_ * row_bytes : 0;
    if (aside > 0) std::memcpy(kept(worker - 1), here, aside);
    put(here + aside, band(b) + aside, run_ * row_bytes - aside);
  }
}

/// What is turned stays in the caches.
void OblongJob::turn(const Turned& t) const
{
  const int entry = table_entry(size_);
  if (t.out_pitch == t.x_extent * size_ && t.out_pitch < min_streamed_bytes)
    transpose_kernels().interleave[entry]({t.in, t.out, t.y_extent, t.x_extent, t.in_pitch, false});
  else
    transpose_kernels().plane[entry]({t.in, t.out, t.x_extent, t.y_extent, {t.in_pitch}, {t.out_pitch}, false});
}

void OblongJob::put(const Byte* from, Byte* to, std::int64_t bytes) const
{
  transpose_kernels().runs({from, to, bytes, 1, 0, 0, streaming()});
}

} // namespace Keramos::openmp::transpose
