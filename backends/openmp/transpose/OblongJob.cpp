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

/// A band, but runs are no shorter than a line: its runs are the longer, but it may have to wait. 4096 x 16384 f32 on two Zen 4
/// cores: 17.1, 18.3 and 19.4 GB/s with 4, 8 and 16 MiB.
constexpr std::int64_t max_band_bytes = 16 << 20;

/// Bands at least, so that what waits in scratch is a small part, but for runs of less than 1 KiB (chosen, not measured).
constexpr std::int64_t min_bands = 32, min_bands_of_short_runs = 16, short_run_bytes = 1 << 10;

/// Small bands move together in steps of so much for each thread, but no fewer steps than this (chosen, not measured).
constexpr std::int64_t step_bytes = 2 << 20, min_steps = 8;

/// A part of a band has some times that many runs (chosen, not measured).
constexpr std::int64_t part_step = 64;

/// So many lengths of runs are tried for one that leaves few rows over.
constexpr std::int64_t tried_runs = 64;

} // namespace

OblongJob::OblongJob(std::int64_t rows, std::int64_t columns, int size, int threads)
    : tall_(rows >= columns), size_(size), length_(std::max(rows, columns)), depth_(std::min(rows, columns)),
      cycles_(grid(), 1, false)
{
  choose_run();
  choose_tasks(threads);
  cycles_ = RunCycles(grid(), threads, streaming());
}

core::Text OblongJob::variant(int size)
{
  return [size] { return core::text("bands and runs ", size, "B ", instruction_set_name()); };
}

bool OblongJob::streaming() const { return length_ * depth_ * size_ >= streaming_bytes; }

RunGrid OblongJob::grid() const
{
  const std::int64_t rows = tall_ ? bands_ : depth_, columns = tall_ ? depth_ : bands_;
  return {rows, columns, tall_ ? shift_ : 0, tall_ ? 0 : bands_ - shift_, bands_, run_bytes(), rest_ * size_, data_};
}

/// As long as the limits allow, down to half of that: the length that leaves the fewest rows over. Where a line of
/// memory divides the longer side, it divides the runs, too, so that runs are whole lines.
void OblongJob::choose_run()
{
  const std::int64_t per_line = std::max<std::int64_t>(1, line / size_);
  const std::int64_t step = length_ % per_line == 0 ? per_line : 1;
  const std::int64_t most_bytes = std::min(RunGrid::max_run_bytes, max_band_bytes / depth_);
  const std::int64_t even = std::clamp(short_run_bytes / size_, length_ / min_bands, length_ / min_bands_of_short_runs);
  const std::int64_t most = std::min(length_, std::max(per_line, std::min(most_bytes / size_, even) / step * step));
  run_ = most;
  for (std::int64_t tried = 1, run = most - step; tried < tried_runs && run >= std::max(per_line, most / 2);
       ++tried, run -= step)
    if (length_ % run < length_ % run_) run_ = run;
  bands_ = length_ / run_;
  rest_ = length_ % run_;
}

void OblongJob::choose_tasks(int threads)
{
  const std::int64_t band_bytes = run_ * row_bytes(), most = bands_ / min_steps;
  shift_ = std::clamp<std::int64_t>(threads * step_bytes / band_bytes, 1, std::max<std::int64_t>(1, most));
  const std::int64_t bytes = std::min(task_bytes, shift_ * band_bytes / (tasks_per_thread * threads));
  group_ = std::max<std::int64_t>(1, bytes / band_bytes);
  width_ = core::round_up(std::max<std::int64_t>(1, bytes / run_bytes()), part_step);
}

std::size_t OblongJob::scratch_bytes() const
{
  const std::int64_t rows = shift_ * run_ + rest_;
  return static_cast<std::size_t>(line + core::round_up(rows * row_bytes(), line) + cycles_.scratch_bytes());
}

void OblongJob::use(void* data, void* scratch)
{
  data_ = static_cast<Byte*>(data);
  auto* const bytes = static_cast<Byte*>(scratch);
  scratch_ = bytes + (line - reinterpret_cast<std::uintptr_t>(bytes) % line) % line;
  cycles_.use(data_, scratch_ + core::round_up((shift_ * run_ + rest_) * row_bytes(), line));
}

/// What waits comes last.
OblongJob::Bands OblongJob::bands_of(std::int64_t step) const
{
  const std::int64_t waiting = bands_ - shift_, moved = (step - 1) * shift_;
  if (step == 0 || moved >= waiting) return {waiting, bands_};
  if (tall_) return {std::max<std::int64_t>(0, waiting - moved - shift_), waiting - moved};
  return {moved, std::min(moved + shift_, waiting)};
}

std::int64_t OblongJob::tasks(std::int64_t step) const
{
  const Bands bands = bands_of(step);
  return core::ceil_div(bands.end - bands.begin, group_) * parts();
}

void OblongJob::move(std::int64_t step, std::int64_t task) const
{
  const Bands bands = bands_of(step);
  const std::int64_t begin = task % parts() * width_;
  const Part part{begin, std::min(begin + width_, depth_)};
  const std::int64_t first = bands.begin + task / parts() * group_, end = std::min(first + group_, bands.end);
  for (std::int64_t b = first; b < end; ++b) {
    if (step == 0)
      save(b, part);
    else
      turn_band(b, part, bands.end == bands_);
  }
  if (rest_ == 0 || task > 0) return;
  const std::int64_t rest_bytes = rest_ * row_bytes();
  if (tall_ && step == 0) std::memcpy(rest_rows(), band(bands_), rest_bytes);
  if (!tall_ && step == steps() - 1) std::memcpy(band(bands_), rest_rows(), rest_bytes);
}

/// The runs of a part at a place, where they are neighbours in memory: body(first of them within the place, how many, their
/// memory, the row of runs whose gap follows or -1).
template <class Body>
void OblongJob::for_each_stretch(std::int64_t place, const Part& part, const Body& body) const
{
  const RunGrid runs = grid();
  const std::int64_t begin = place * depth_, end = begin + part.end;
  for (std::int64_t at = begin + part.begin; at < end;) {
    const std::int64_t row = at / bands_, row_end = (row + 1) * bands_;
    const std::int64_t until = rest_ == 0 ? end : std::min(end, row_end);
    body(at - begin, until - at, runs.run(at), rest_ > 0 && until == row_end ? row : -1);
    at = until;
  }
}

/// From its place to scratch, whole rows of a tall matrix or runs of a wide one.
void OblongJob::save(std::int64_t band, const Part& part) const
{
  if (tall_) {
    const std::int64_t first = run_ * part.begin / depth_, end = run_ * part.end / depth_;
    std::memcpy(waiting(band) + first * row_bytes(), this->band(band) + first * row_bytes(),
                (end - first) * row_bytes());
    return;
  }
  for_each_stretch(place_of(band), part,
                   [&](std::int64_t run, std::int64_t runs, const Byte* memory, std::int64_t gap_of) {
                     std::memcpy(waiting(band) + run * run_bytes(), memory, runs * run_bytes());
                     if (gap_of >= 0) take_gap(memory + runs * run_bytes(), gap_of);
                   });
}

void OblongJob::turn_band(std::int64_t index, const Part& part, bool waits) const
{
  if (tall_) {
    const Byte* const from = waits ? waiting(index) : band(index);
    for_each_stretch(
        place_of(index), part, [&](std::int64_t run, std::int64_t runs, Byte* memory, std::int64_t gap_of) {
          turn({from + run * size_, memory, run_, runs, row_bytes(), run_bytes()});
          if (gap_of >= 0)
            turn({rest_rows() + gap_of * size_, memory + runs * run_bytes(), rest_, 1, row_bytes(), size_});
        });
    return;
  }
  const auto to_band = [&](std::int64_t run, std::int64_t runs, const Byte* memory) {
    turn({memory, band(index) + run * size_, runs, run_, run_bytes(), row_bytes()});
  };
  if (waits) return to_band(part.begin, part.end - part.begin, waiting(index) + part.begin * run_bytes());
  for_each_stretch(place_of(index), part,
                   [&](std::int64_t run, std::int64_t runs, const Byte* memory, std::int64_t gap_of) {
                     to_band(run, runs, memory);
                     if (gap_of >= 0) take_gap(memory + runs * run_bytes(), gap_of);
                   });
}

void OblongJob::take_gap(const Byte* gap, std::int64_t row) const
{
  turn({gap, rest_rows() + row * size_, 1, rest_, size_, row_bytes()});
}

void OblongJob::turn(const Turned& t) const
{
  const int entry = table_entry(size_);
  if (t.out_pitch == t.x_extent * size_ && t.out_pitch < min_streamed_bytes)
    transpose_kernels().interleave[entry]({t.in, t.out, t.y_extent, t.x_extent, t.in_pitch, streaming()});
  else
    transpose_kernels().plane[entry]({t.in,
                                      t.out,
                                      t.x_extent,
                                      t.y_extent,
                                      {t.in_pitch},
                                      {t.out_pitch},
                                      streaming() && t.x_extent * size_ >= min_streamed_bytes});
}

} // namespace Keramos::openmp::transpose
