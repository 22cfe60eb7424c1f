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

#include <cstdint>

namespace Keramos::openmp::transpose {

/// A kernel of simd/Transpose.hpp.
enum class MoveKind {
  runs,       ///< contiguous in both arrays
  tiles,      ///< the unit axes differ: transposes in registers
  components, ///< packed points of few components, to planes
  interleave, ///< planes to packed points of few components
  boxes       ///< the rest: short runs, small planes, strides on either side, through a buffer in the cache
};

/// One part of a move: offsets in elements and the extents along the axes of the job.
struct Part {
  std::int64_t in = 0, out = 0;
  Kokkos::Array<std::int64_t, core::max_rank> extent{};
};

/// A move partitioned along every axis. Trivially copyable; the pointers come with each call.
class MoveJob {
public:
  /// `max_part` bounds the elements of a part where each goes through a buffer (with a functor); 0: no bound.
  MoveJob(const core::MoveAxes& axes, int size, std::int64_t max_part);

  MoveKind kind() const { return kind_; }
  /// "tiles 4B": the kernel and its element, which is larger than the user's where neighbours always travel together.
  /// `behind` stands between it and the name of the instruction set.
  core::Text variant(const char* behind) const;

  /// Partitions so that `threads` threads share the work evenly.
  void share(int threads);
  std::int64_t tasks() const { return tasks_.count(); }

  /// Calls body(part) for every part of a task.
  template <class Body>
  void for_each_part(std::int64_t task, const Body& body) const
  {
    for (std::int64_t p = tasks_.begin(task); p < tasks_.end(task); ++p) body(part(p));
  }

  /// Moves one part whose first elements are at `in` and `out`. `in_stride` (elements, one per axis) replaces that of
  /// the problem: the part may come from a buffer.
  /// `next`, if any, is the part that will follow, to be prefetched.
  void move(const Part& part, const void* in, const std::int64_t* in_stride, void* out,
            const void* next = nullptr) const;

  /// All parts of a task of a plain move.
  void run(std::int64_t task, const void* in, void* out) const;

  const core::MoveAxes& axes() const { return axes_; }

private:
  void choose_kind();
  void choose_part(std::int64_t max_part);
  Box box(const Part& part, const unsigned char* in, const std::int64_t* in_stride, unsigned char* out,
          const unsigned char* next) const;
  int inner_loop(const Part& part, const std::int64_t* in_stride, bool groups) const;
  std::int64_t parts() const;
  Part part(std::int64_t index) const;
  std::int64_t parts_along(int k) const { return core::ceil_div(axes_[k].extent, part_extent_[k]); }

  core::MoveAxes axes_; ///< at least one
  int size_;            ///< bytes of an element
  MoveKind kind_ = MoveKind::boxes;
  int x_ = 0, y_ = 0; ///< the axes of the kernel: neighbours of the output, neighbours of the input
  bool streaming_ = false;
  Kokkos::Array<std::int64_t, core::max_rank> part_extent_{};
  Tasks tasks_;
};

} // namespace Keramos::openmp::transpose
