// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the openmp backend cuts a transpose into tasks and which vector kernel each piece of a task takes. Element types
// are erased here; Transpose.hpp launches the tasks and knows the user's functor.
#pragma once

#include "../../src/core/TransposeProblem.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace Keramos::openmp {

struct Box;

/// A kernel of simd/Transpose.hpp.
enum class MoveKind {
  runs,       ///< contiguous in both arrays
  tiles,      ///< the unit axes differ: transposes in registers
  components, ///< packed points of few components, to planes
  interleave, ///< planes to packed points of few components
  boxes       ///< the rest: short runs, small planes, strides on either side, through a buffer in the cache
};

/// One piece of a move: offsets in elements and the extents along the axes of the job.
struct MovePiece {
  std::int64_t in = 0, out = 0;
  Kokkos::Array<std::int64_t, core::max_rank> extent{};
};

/// A move cut into pieces: chunk by chunk along every axis. Trivially copyable; the pointers come with each call.
class MoveJob {
public:
  /// `largest_piece` bounds the elements of a piece where each goes through a buffer (with a functor); 0: no bound.
  MoveJob(const core::MoveAxes& axes, int size, std::int64_t largest_piece);

  MoveKind kind() const { return kind_; }
  /// "tiles 4B": the kernel and its element, which is larger than the user's where neighbours always travel together.
  std::string variant() const;

  /// Cuts the pieces so that `threads` threads share them evenly.
  void share(int threads);
  std::int64_t tasks() const { return (pieces() + pieces_a_task_ - 1) / pieces_a_task_; }

  /// Calls body(piece) for every piece of a task.
  template <class Body>
  void for_each_piece(std::int64_t task, const Body& body) const
  {
    const std::int64_t last = std::min(pieces(), (task + 1) * pieces_a_task_);
    for (std::int64_t p = task * pieces_a_task_; p < last; ++p) body(piece(p));
  }

  /// Moves one piece whose first elements are at `in` and `out`. `in_stride` (elements, one an axis) replaces that of
  /// the problem: the piece may come from a buffer.
  /// `next`, if any, is the piece that will follow, to be called into the cache.
  void move(const MovePiece& piece, const void* in, const std::int64_t* in_stride, void* out,
            const void* next = nullptr) const;

  /// All pieces of a task of a plain move.
  void run(std::int64_t task, const void* in, void* out) const;

  /// Axes by the stride of the input, fastest first: the order in which a buffer is filled.
  Kokkos::Array<int, core::max_rank> input_order() const;
  const core::MoveAxes& axes() const { return axes_; }

private:
  void widen_elements();
  void choose_kind();
  void choose_chunks(std::int64_t largest_piece);
  void choose_box(std::int64_t elements);
  Box box(const MovePiece& piece, const unsigned char* in, const std::int64_t* in_stride, unsigned char* out,
          const unsigned char* next) const;
  int inner_loop(const MovePiece& piece, const std::int64_t* in_stride, bool groups) const;
  std::int64_t pieces() const;
  MovePiece piece(std::int64_t index) const;
  std::int64_t grid(int k) const { return (axes_[k].extent + chunk_[k] - 1) / chunk_[k]; }

  core::MoveAxes axes_; ///< at least one
  int size_;            ///< bytes of an element
  MoveKind kind_ = MoveKind::boxes;
  int x_ = 0, y_ = 0; ///< the axes of the kernel: neighbours of the output, neighbours of the input
  bool streaming_ = false;
  Kokkos::Array<std::int64_t, core::max_rank> chunk_{};
  std::int64_t pieces_a_task_ = 1;
};

/// A pair of tiles that trade places: offsets in elements from the first element of all.
struct SwapPiece {
  std::int64_t a, b, x_extent, y_extent;
  std::int64_t
      matrices; ///< the same in so many neighbours of the stack; more than one only where a tile is a whole matrix
  bool ahead;   ///< the next pair is the one along y, as large as this one
};

/// Transposes in place: pairs of tiles, block (i, j) with block (j, i) of each matrix.
class SwapJob {
public:
  SwapJob(std::int64_t order, std::int64_t fast, std::int64_t slow, const core::MoveAxes& stack, int size);

  std::string variant() const;
  void share(int threads);
  std::int64_t tasks() const { return (works() + works_a_task_ - 1) / works_a_task_; }

  /// Calls body(piece) for every pair of tiles of a task.
  template <class Body>
  void for_each_piece(std::int64_t task, const Body& body) const
  {
    const std::int64_t last = std::min(works(), (task + 1) * works_a_task_);
    for (std::int64_t w = task * works_a_task_; w < last; ++w) {
      const BlockPair pair = block_pair(w);
      const std::int64_t i_end = std::min(order_, pair.i + block_), j_end = std::min(order_, pair.j + block_);
      for (std::int64_t i = pair.i; i < i_end; i += tile_)
        for (std::int64_t j = pair.i == pair.j ? i : pair.j; j < j_end; j += tile_)
          body(SwapPiece{pair.base + i * slow_ + j * fast_, pair.base + j * slow_ + i * fast_,
                         std::min(tile_, order_ - i), std::min(tile_, order_ - j), pair.matrices,
                         j + 2 * tile_ <= j_end});
    }
  }

  void swap(const SwapPiece& piece, void* data) const;
  void run(std::int64_t task, void* data) const;

  std::int64_t fast() const { return fast_; }
  std::int64_t slow() const { return slow_; }
  std::int64_t matrix() const { return stack_[0].out; }

private:
  struct BlockPair {
    std::int64_t base, matrices, i, j;
  };
  std::int64_t blocks() const { return (order_ + block_ - 1) / block_; }
  std::int64_t block_pairs() const { return blocks() * (blocks() + 1) / 2; }
  std::int64_t groups() const { return (stack_[0].extent + group_ - 1) / group_; }
  std::int64_t works() const { return groups() * stack_.size(1) * block_pairs(); }
  BlockPair block_pair(std::int64_t work) const;

  std::int64_t order_, fast_, slow_;
  core::MoveAxes stack_;
  int size_;
  std::int64_t tile_, block_; ///< elements along a side; a block is some tiles
  std::int64_t group_ = 1;    ///< small matrices, neighbours along the first axis of the stack, that make one piece
  bool streaming_ = false;
  std::int64_t works_a_task_ = 1;
};

} // namespace Keramos::openmp
