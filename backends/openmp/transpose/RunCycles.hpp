// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix of runs, transposed in place: whole runs move along the cycles of the permutation, each once. Who walks them is
// settled before: one look at all cycles cuts the long ones into pieces of even length, and marks where the others begin.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"

#include <cstdint>

namespace Keramos::openmp::transpose {

/// `rows` x `columns` runs, row by row, become `columns` x `rows`. Before that, rows and columns begin so many on, round the
/// end. Behind every `period` of runs lies a gap.
struct RunGrid {
  std::int64_t rows, columns, row_shift, column_shift, period;
  std::int64_t run_bytes, gap_bytes; ///< a run has max_run_bytes at most
  unsigned char* data;

  static constexpr std::int64_t max_run_bytes = 4096; ///< chosen, not measured

  std::int64_t runs() const { return rows * columns; }
  /// Nothing moves.
  bool trivial() const { return rows <= 1 || columns <= 1; }
  /// The slot whose run comes to this one.
  std::int64_t source(std::int64_t slot) const
  {
    const std::int64_t row = slot % rows + row_shift, column = slot / rows + column_shift;
    return (row < rows ? row : row - rows) * columns + (column < columns ? column : column - columns);
  }
  unsigned char* run(std::int64_t slot) const { return data + slot * run_bytes + slot / period * gap_bytes; }
};

/// The order of calls: mark(), then all save(), then all walk(); those of a kind at once. Trivially copyable.
class RunCycles {
public:
  RunCycles(const RunGrid& grid, int workers, bool streaming);

  /// Scratch: a bit for each run, and some runs for each worker.
  std::int64_t scratch_bytes() const;
  void use(unsigned char* data, unsigned char* scratch); ///< scratch on 8 bytes

  void mark() const;

  std::int64_t cuts() const { return max_cuts_; }
  void save(std::int64_t cut) const;

  std::int64_t tasks() const { return max_cuts_ + ranges_; }
  void walk(std::int64_t task) const;

private:
  class HopQueue;
  using Word = std::uint64_t;
  static constexpr std::int64_t bits = 64;
  /// Where a piece of a cycle begins, and the cut where it ends.
  struct Cut {
    std::int64_t slot, next;
  };
  struct Counts {
    std::int64_t cuts, listed;
  };

  std::int64_t max_listed() const;
  std::int64_t words() const { return core::ceil_div(grid_.runs(), bits); }
  void set(std::int64_t slot) const { taken_[slot / bits] |= Word{1} << slot % bits; }
  std::int64_t next_clear(std::int64_t slot) const;
  void mark_cycle(std::int64_t first) const;
  unsigned char* saved(std::int64_t cut) const { return saved_ + cut * grid_.run_bytes; }
  void follow(HopQueue& hops, std::int64_t slot, std::int64_t end, const unsigned char* last) const;

  RunGrid grid_;
  bool streaming_;
  std::int64_t piece_;             ///< runs; a shorter cycle is walked by one worker
  std::int64_t max_cuts_, ranges_; ///< ranges of words in which whole cycles begin
  Counts* counts_ = nullptr;
  Cut* cut_ = nullptr;
  std::int64_t* listed_ = nullptr; ///< where long cycles begin that are walked as a whole
  Word* taken_ = nullptr;          ///< clear where a short one begins
  unsigned char* saved_ = nullptr; ///< what lay where a piece begins
};

} // namespace Keramos::openmp::transpose
