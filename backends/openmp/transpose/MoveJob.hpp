// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the openmp backend partitions a transpose into parts and which vector kernel moves a part. Element types are erased
// here; Transpose.hpp launches the tasks and knows the user's functor.
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"
#include "../../../src/keramos/transpose/Problem.hpp"
#include "../simd/Transpose.hpp"
#include "Partition.hpp"

#include <array>
#include <cstdint>

namespace Keramos::openmp::transpose {

/// A kernel of simd/Transpose.hpp.
enum class MoveKind {
  runs,       ///< contiguous in both arrays; read in the order of the input
  tiles,      ///< the unit axes differ: transposes in registers
  groups,     ///< the same of neighbours that stay together, shorter than runs
  components, ///< packed points of few components, to planes
  interleave, ///< planes to packed points of few components
  boxes       ///< the rest: short runs, small planes, strides on either side, through a buffer in the cache
};

/// A number for each axis of a job.
using PerAxis = Kokkos::Array<std::int64_t, core::max_rank>;

/// One part of a move: offsets in elements and the extents along the axes of the job.
struct Part {
  std::int64_t in = 0, out = 0;
  PerAxis extent{};
};

/// A buffer on one side of the kernels, of so many elements. Parts then go through it piece by piece, other than tiles that it
/// would stand before: their kernels have their own.
struct PieceBuffer {
  enum Side { none, before, behind } side = none;
  std::int64_t elements = INT64_MAX;
};

/// A move partitioned along every axis. Trivially copyable; the pointers come with each call.
class MoveJob {
public:
  MoveJob(const core::MoveAxes& axes, int size, const PieceBuffer& buffer = {});

  MoveKind kind() const { return kind_; }
  /// Of runs: the axis along which those of a part follow each other, as near as the input has them.
  int axis_of_runs() const { return y_; }
  /// "tiles 4B": the kernel and its element, which is larger than the user's where neighbours always travel together.
  /// `behind` stands between it and the name of the instruction set.
  core::Text variant(const char* behind) const;

  /// Partitions so that `threads` threads share the work evenly.
  void share(int threads);
  std::int64_t tasks() const { return tasks_.count(); }

  /// Calls body(piece, next) for every piece of a task's parts, where `next` is the piece that follows, if any, else the same.
  template <class Body>
  void for_each_piece(std::int64_t task, const Body& body) const
  {
    const std::int64_t end = tasks_.end(task);
    for (std::int64_t p = tasks_.begin(task); p < end; ++p) {
      const Part whole = part(p);
      const std::int64_t pieces = count(whole, piece_extent_);
      Part now = cut(whole, piece_extent_, 0);
      for (std::int64_t at = 1; at <= pieces; ++at) {
        const Part next = at < pieces   ? cut(whole, piece_extent_, at)
                          : p + 1 < end ? cut(part(p + 1), piece_extent_, 0)
                                        : now;
        body(now, next);
        now = next;
      }
    }
  }

  /// Moves one part or piece whose first elements are at `in` and `out`. Either side may be a buffer: the strides (elements)
  /// replace those of the problem. `next`, if any, is the part that will follow, to be prefetched.
  void move(const Part& part, const void* in, const PerAxis& in_stride, void* out, const PerAxis& out_stride,
            const void* next = nullptr) const;

  /// The same of tiles in both arrays, whose elements come through a functor.
  void convert(const Part& part, const void* in, void* out, const Conversion& conversion, const void* next) const;

  /// All parts of a task of a plain move.
  void run(std::int64_t task, const void* in, void* out) const;

  const core::MoveAxes& axes() const { return axes_; }
  PerAxis in_strides() const;
  PerAxis out_strides() const;

private:
  void choose_kind(PieceBuffer::Side buffer);
  void choose_part(const PieceBuffer& buffer);
  bool choose_groups();
  void choose_tiles();
  void choose_beyond();
  std::int64_t side(int k) const;
  Plane plane(const Part& part, const unsigned char* in, const PerAxis& in_stride, std::int64_t in_size,
              unsigned char* out, const PerAxis& out_stride) const;
  Box box(const Part& part, const unsigned char* in, const PerAxis& in_stride, unsigned char* out,
          const PerAxis& out_stride, const unsigned char* next) const;
  int inner_loop(const Part& part, const PerAxis& in_stride, const std::array<int, core::max_rank>& order,
                 bool groups) const;
  Part part(std::int64_t index) const { return cut(whole(), part_extent_, index); }
  Part whole() const;
  /// What is cut into boxes of `extent`: how many there are, and one of them, neighbours along the first axis of order_ one after
  /// the other.
  std::int64_t count(const Part& what, const PerAxis& extent) const;
  Part cut(const Part& what, const PerAxis& extent, std::int64_t index) const;

  core::MoveAxes axes_; ///< at least one
  int size_;            ///< bytes of an element
  MoveKind kind_ = MoveKind::boxes;
  int x_ = 0, y_ = 0;                 ///< the axes of the kernel: neighbours of the output, neighbours of the input
  int beyond_x_ = -1, beyond_y_ = -1; ///< those that continue them, where short axes of a plane come together, or -1
  bool streaming_ = false;
  PerAxis part_extent_{}, piece_extent_{};
  std::array<int, core::max_rank> order_{0, 1, 2, 3, 4, 5}; ///< in which parts follow each other
  Tasks tasks_;
};

} // namespace Keramos::openmp::transpose
