// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the openmp backend partitions a transpose in place: square blocks of some tiles, each with its mirror image, and within
// them pairs of tiles.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../../../src/keramos/transpose/Problem.hpp"
#include "../simd/Transpose.hpp"
#include "Partition.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::openmp::transpose {

/// A pair of tiles that trade places: offsets in elements from the first element of all.
struct SwapPair {
  std::int64_t a, b, x_extent, y_extent;
  /// The same in so many neighbours of the stack; more than one only where a tile is a whole matrix.
  std::int64_t matrices;
};

/// Transposes in place: pairs of tiles, block (i, j) with block (j, i) of each matrix. Trivially copyable.
class SwapJob {
public:
  SwapJob(std::int64_t order, std::int64_t fast, std::int64_t slow, const core::MoveAxes& stack, int size);

  /// What runs; `behind` stands between it and the name of the instruction set.
  core::Text variant(const char* behind) const;
  /// Partitions so that `threads` threads share the work evenly.
  void share(int threads);
  std::int64_t tasks() const { return tasks_.count(); }

  /// Calls body(pair, next) for every pair of tiles of a task, where `next` is the pair that follows, if any, else the same.
  template <class Body>
  void for_each_pair(std::int64_t task, const Body& body) const
  {
    SwapPair now{};
    const auto visit = [&](const SwapPair& next) {
      if (now.matrices > 0) body(now, next);
      now = next;
    };
    for (std::int64_t index = tasks_.begin(task); index < tasks_.end(task); ++index) {
      const BlockPair pair = block_pair(index);
      const std::int64_t i_end = std::min(order_, pair.i + block_), j_end = std::min(order_, pair.j + block_);
      for (std::int64_t i = pair.i; i < i_end; i += tile_)
        for (std::int64_t j = pair.i == pair.j ? i : pair.j; j < j_end; j += tile_)
          visit({pair.base + i * slow_ + j * fast_, pair.base + j * slow_ + i * fast_, std::min(tile_, order_ - i),
                 std::min(tile_, order_ - j), pair.matrices});
    }
    if (now.matrices > 0) body(now, now);
  }

  void swap(const SwapPair& pair, const SwapPair& next, void* data) const;
  /// All pairs of a task of a plain move.
  void run(std::int64_t task, void* data) const;

  std::int64_t fast() const { return fast_; }
  std::int64_t slow() const { return slow_; }
  std::int64_t matrix() const { return stack_[0].out; }

private:
  /// Where two blocks that mirror each other begin, in so many neighbours of the stack.
  struct BlockPair {
    std::int64_t base, matrices, i, j;
  };
  std::int64_t blocks() const { return core::ceil_div(order_, block_); }
  std::int64_t pairs_per_matrix() const { return blocks() * (blocks() + 1) / 2; }
  std::int64_t groups() const { return core::ceil_div(stack_[0].extent, group_); }
  std::int64_t block_pairs() const { return groups() * stack_.size(1) * pairs_per_matrix(); }
  BlockPair block_pair(std::int64_t index) const;

  std::int64_t order_, fast_, slow_;
  core::MoveAxes stack_;
  int size_;
  std::int64_t tile_, block_; ///< elements along a side; a block is some tiles
  std::int64_t group_ = 1; ///< small matrices, neighbours along the first axis of the stack, that are swapped together
  Tasks tasks_;
};

} // namespace Keramos::openmp::transpose
