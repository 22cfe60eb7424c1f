// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunCycles.hpp"
#include "../HostKernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace Keramos::openmp::transpose {
namespace {

/// Pieces, and ranges for each worker, so that all have an even share: a permutation may be ten cycles of one length. 6144x8192 f32, runs of
/// 1 KiB, two Zen 4 cores: the walk took 23 ms before cycles of a 32nd of all runs were cut and the list was dealt out, and 12 since.
constexpr std::int64_t min_pieces = 32, pieces_per_worker = 4, ranges_per_worker = 32;
/// A piece is worth starting, and a cycle as long as that worth a place in the list: those that are shorter begin anywhere.
constexpr std::int64_t min_piece = 64;

constexpr std::int64_t pieces(int workers) { return std::max(min_pieces, pieces_per_worker * workers); }

} // namespace

/// Hops on their way to the kernel that makes them, some of them ahead, to be prefetched: those of several cycles one after the
/// other.
class RunCycles::HopQueue {
public:
  HopQueue(std::int64_t bytes, bool streaming) : bytes_(bytes), streaming_(streaming) {}

  /// What lies at `run`, until it has moved.
  const unsigned char* keep(const unsigned char* run)
  {
    if (kept_count_ == most_kept) finish();
    unsigned char* const to = kept_[kept_count_++];
    std::memcpy(to, run, bytes_);
    return to;
  }

  void push(const unsigned char* from, unsigned char* to)
  {
    if (count_ == most) move(most - ahead);
    from_[count_] = from;
    to_[count_++] = to;
  }
  void finish()
  {
    move(count_);
    kept_count_ = 0;
  }

private:
  static constexpr int most = 64, ahead = max_hops_ahead, most_kept = 8;

  void move(int hops)
  {
    transpose_kernels().hops({from_, to_, hops, count_, bytes_, streaming_});
    count_ -= hops;
    std::copy_n(from_ + hops, count_, from_);
    std::copy_n(to_ + hops, count_, to_);
  }

  const unsigned char* from_[most];
  unsigned char* to_[most];
  int count_ = 0, kept_count_ = 0;
  alignas(64) unsigned char kept_[most_kept][RunGrid::max_run_bytes];
  std::int64_t bytes_;
  bool streaming_;
};

RunCycles::RunCycles(const RunGrid& grid, int workers, bool streaming)
    : grid_(grid), streaming_(streaming), piece_(std::max(min_piece, core::ceil_div(grid.runs(), pieces(workers)))),
      max_cuts_(std::min<std::int64_t>(2 * pieces(workers), 2 * (grid.runs() / min_piece))),
      ranges_(std::min<std::int64_t>(ranges_per_worker * workers, words()))
{
}

std::int64_t RunCycles::scratch_bytes() const
{
  return static_cast<std::int64_t>(sizeof(Counts) + sizeof(Cut) * max_cuts_ + sizeof(std::int64_t) * max_listed() +
                                   sizeof(Word) * words()) +
         max_cuts_ * grid_.run_bytes;
}

void RunCycles::use(unsigned char* data, unsigned char* scratch)
{
  grid_.data = data;
  counts_ = reinterpret_cast<Counts*>(scratch);
  cut_ = reinterpret_cast<Cut*>(counts_ + 1);
  listed_ = reinterpret_cast<std::int64_t*>(cut_ + max_cuts_);
  taken_ = reinterpret_cast<Word*>(listed_ + max_listed());
  saved_ = reinterpret_cast<unsigned char*>(taken_ + words());
}

std::int64_t RunCycles::max_listed() const { return grid_.runs() / min_piece; }

/// From `slot` on, or a number that is no less than that of the runs.
std::int64_t RunCycles::next_clear(std::int64_t slot) const
{
  std::int64_t word = slot / bits;
  if (word >= words()) return grid_.runs();
  Word clear = ~taken_[word] & ~Word{0} << slot % bits;
  while (clear == 0) {
    if (++word == words()) return grid_.runs();
    clear = ~taken_[word];
  }
  return word * bits + std::countr_zero(clear);
}

void RunCycles::mark() const
{
  *counts_ = {};
  std::memset(taken_, 0, words() * sizeof(Word));
  for (std::int64_t slot = next_clear(0); slot < grid_.runs(); slot = next_clear(slot + 1)) mark_cycle(slot);
}

/// The cycle's slots from its least one on. A cut cycle has n pieces of piece_ runs and a last one of fewer: no more than two
/// cuts for each of the former.
void RunCycles::mark_cycle(std::int64_t first) const
{
  const std::int64_t first_cut = counts_->cuts;
  std::int64_t cuts = first_cut, left = piece_;
  for (std::int64_t slot = grid_.source(first); slot != first; slot = grid_.source(slot)) {
    set(slot);
    if (--left > 0) continue;
    cut_[cuts] = {slot, cuts + 1};
    ++cuts;
    left = piece_;
  }
  const std::int64_t length = (cuts - first_cut) * piece_ + piece_ - left + 1;
  if (1 < length && length < min_piece) return;
  set(first);
  if (length == 1) return;
  if (cuts == first_cut) {
    listed_[counts_->listed++] = first;
  } else {
    cut_[cuts] = {first, first_cut};
    counts_->cuts = cuts + 1;
  }
}

void RunCycles::save(std::int64_t cut) const
{
  if (cut < counts_->cuts) std::memcpy(saved(cut), grid_.run(cut_[cut].slot), grid_.run_bytes);
}

/// The least slots of long cycles are near each other: the list is dealt out, and what is short is walked by ranges.
void RunCycles::walk(std::int64_t task) const
{
  HopQueue hops(grid_.run_bytes, streaming_);
  const auto whole = [&](std::int64_t slot) { follow(hops, slot, slot, hops.keep(grid_.run(slot))); };
  if (task < max_cuts_) {
    if (task >= counts_->cuts) return;
    const Cut& cut = cut_[task];
    follow(hops, cut.slot, cut_[cut.next].slot, saved(cut.next));
  } else {
    const std::int64_t share = core::ceil_div(words(), ranges_), range = task - max_cuts_;
    const std::int64_t end = std::min((range + 1) * share * bits, grid_.runs());
    for (std::int64_t n = range; n < counts_->listed; n += ranges_) whole(listed_[n]);
    for (std::int64_t slot = next_clear(range * share * bits); slot < end; slot = next_clear(slot + 1)) whole(slot);
  }
  hops.finish();
}

/// Runs come to their slots from `slot` on, until one should come from `end`, whose run is `last`.
void RunCycles::follow(HopQueue& hops, std::int64_t slot, std::int64_t end, const unsigned char* last) const
{
  unsigned char* to = grid_.run(slot);
  for (std::int64_t from = grid_.source(slot); from != end; from = grid_.source(from)) {
    unsigned char* const source = grid_.run(from);
    hops.push(source, to);
    to = source;
  }
  hops.push(last, to);
}

} // namespace Keramos::openmp::transpose
