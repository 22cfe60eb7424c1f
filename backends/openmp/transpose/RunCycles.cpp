// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunCycles.hpp"
#include "../HostKernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace Keramos::openmp::transpose {
namespace {

/// Pieces and ranges for each worker, so that all have an even share.
constexpr std::int64_t pieces_per_worker = 4, ranges_per_worker = 32;
/// A piece is worth starting.
constexpr std::int64_t min_piece = 64;

/// Hops on their way to the kernel that makes them, some of them ahead, to be prefetched.
class HopQueue {
public:
  HopQueue(std::int64_t bytes, bool streaming) : bytes_(bytes), streaming_(streaming) {}

  void push(const unsigned char* from, unsigned char* to)
  {
    if (count_ == most) move(most - ahead);
    from_[count_] = from;
    to_[count_++] = to;
  }
  void finish() { move(count_); }

private:
  static constexpr int most = 64, ahead = max_hops_ahead;

  void move(int hops)
  {
    transpose_kernels().hops({from_, to_, hops, count_, bytes_, streaming_});
    count_ -= hops;
    std::copy_n(from_ + hops, count_, from_);
    std::copy_n(to_ + hops, count_, to_);
  }

  const unsigned char* from_[most];
  unsigned char* to_[most];
  int count_ = 0;
  std::int64_t bytes_;
  bool streaming_;
};

} // namespace

RunCycles::RunCycles(const RunGrid& grid, int workers, bool streaming)
    : grid_(grid), streaming_(streaming),
      piece_(std::max(min_piece, core::ceil_div(grid.runs(), pieces_per_worker * workers))),
      max_cuts_(std::min<std::int64_t>(2 * pieces_per_worker * workers, 2 * (grid.runs() / min_piece))),
      ranges_(std::min<std::int64_t>(ranges_per_worker * workers, words()))
{
}

std::int64_t RunCycles::scratch_bytes() const
{
  return static_cast<std::int64_t>(sizeof(std::int64_t) + sizeof(Cut) * max_cuts_ + sizeof(Word) * words()) +
         max_cuts_ * grid_.run_bytes;
}

void RunCycles::use(unsigned char* scratch)
{
  cut_count_ = reinterpret_cast<std::int64_t*>(scratch);
  cut_ = reinterpret_cast<Cut*>(cut_count_ + 1);
  taken_ = reinterpret_cast<Word*>(cut_ + max_cuts_);
  saved_ = reinterpret_cast<unsigned char*>(taken_ + words());
}

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
  *cut_count_ = 0;
  std::memset(taken_, 0, words() * sizeof(Word));
  for (std::int64_t slot = next_clear(0); slot < grid_.runs(); slot = next_clear(slot + 1)) mark_cycle(slot);
}

/// The cycle's slots from its least one on. A cut cycle has n pieces of piece_ runs and a last one of fewer: no more than two
/// cuts for each of the former.
void RunCycles::mark_cycle(std::int64_t first) const
{
  const std::int64_t first_cut = *cut_count_;
  std::int64_t cuts = first_cut, left = piece_;
  for (std::int64_t slot = grid_.source(first); slot != first; slot = grid_.source(slot)) {
    set(slot);
    if (--left > 0) continue;
    cut_[cuts] = {slot, cuts + 1};
    ++cuts;
    left = piece_;
  }
  const bool moves = left < piece_ || cuts > first_cut;
  if (moves && cuts == first_cut) return;
  set(first);
  if (!moves) return;
  cut_[cuts] = {first, first_cut};
  *cut_count_ = cuts + 1;
}

void RunCycles::save(std::int64_t cut) const
{
  if (cut < *cut_count_) std::memcpy(saved(cut), grid_.run(cut_[cut].slot), grid_.run_bytes);
}

void RunCycles::walk(std::int64_t task) const
{
  if (task < max_cuts_) {
    if (task >= *cut_count_) return;
    const Cut& cut = cut_[task];
    return follow(cut.slot, cut_[cut.next].slot, saved(cut.next));
  }
  const std::int64_t share = core::ceil_div(words(), ranges_), range = task - max_cuts_;
  const std::int64_t end = std::min((range + 1) * share * bits, grid_.runs());
  for (std::int64_t slot = next_clear(range * share * bits); slot < end; slot = next_clear(slot + 1)) {
    alignas(64) unsigned char kept[RunGrid::max_run_bytes];
    std::memcpy(kept, grid_.run(slot), grid_.run_bytes);
    follow(slot, slot, kept);
  }
}

/// Runs come to their slots from `slot` on, until one should come from `end`, whose run is `last`.
void RunCycles::follow(std::int64_t slot, std::int64_t end, const unsigned char* last) const
{
  HopQueue hops(grid_.run_bytes, streaming_);
  unsigned char* to = grid_.run(slot);
  for (std::int64_t from = grid_.source(slot); from != end; from = grid_.source(from)) {
    unsigned char* const source = grid_.run(from);
    hops.push(source, to);
    to = source;
  }
  hops.push(last, to);
  hops.finish();
}

} // namespace Keramos::openmp::transpose
