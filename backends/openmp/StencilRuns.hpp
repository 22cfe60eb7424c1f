// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of one run of points, or of the same run in four planes: which rows of `in` the taps read, with
// everything that edges make of them. Compiled once.
//
//     fastest axis ->   | low strip |        clear points          | high strip |
//
// At a clear point every tap stays inside its row, so a tap is a pointer: into `in`, or into a row of constants where
// the rule of another axis says so. The strips are as long as the operator reaches; their rows are copied, edges
// applied, into padded pieces, and the taps point there. Where only one row is read at an offset (a star, a line along
// the run) its piece is as long as the run: copying it costs less than three short kernel calls.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "simd/Stencil.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace Keramos::openmp {

/// Points a run at most: the epilogue's buffers of a block are 8 or 16 KiB.
inline constexpr std::int64_t longest_run = 512;

/// What all tasks of a call share.
template <class T>
struct StencilArguments {
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  const T* weight;
  const Kokkos::Array<int, 3>* offset;
  int taps;
  bool fused = false;                     ///< the kernel writes `out` itself
  std::vector<std::int64_t> displacement; ///< of every tap, in elements of `in`

  /// The operator as a block kernel sees it: taps (0, 0, -radius ... radius), and the rest. Radius 0: there is no such
  /// column.
  int column_radius = 0;
  std::vector<int> column, rest; ///< indices of taps
  std::vector<T> column_weight, rest_weight;

  StencilArguments(const core::Field<const T, 3>& in, const core::Field<T, 3>& out, const core::ProblemAxes<T>& axes,
                   const T* weight, const Kokkos::Array<int, 3>* offset, int taps);

  /// Planes a call of StencilRuns::select takes at once.
  int planes() const { return column_radius > 0 ? block_planes : 1; }

private:
  void find_column();
};

/// A task's view of one run after the other.
template <class T>
class StencilRuns {
public:
  explicit StencilRuns(const StencilArguments<T>& arguments);

  /// The run [first, last), at most longest_run long, at (j, k), (j, k + 1), ... in `planes` planes: 1 or block_planes.
  void select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes);
  /// out[p][0 ... last - first) = the sums of plane k + p.
  void sum(T* const* out);
  /// The wave update, straight into the output field.
  void leap_frog(const core::LeapFrogFields<T>& fields);

private:
  /// Pointers of every tap, plane by plane.
  using Taps = std::vector<const T*>[block_planes];

  /// A stretch of the rows that the edges reach, the same for every row of the task: points [begin, end), and the
  /// pieces that their taps read.
  struct Strip {
    std::int64_t begin, end;
    std::int64_t piece_begin, piece_length;
    std::vector<std::int64_t>
        place;             ///< of every element of a piece: where the edge rule finds it in the row, or no_index
    std::vector<T> value;  ///< of the rule, where place is no_index
    std::vector<T> pieces; ///< plane by plane
    Taps tap;              ///< taps with an offset along the row point into the pieces once and for all
  };

  void point_taps_at_rows(int plane);
  const T* constant_row(T value);
  Strip& strip_at(std::int64_t begin, std::int64_t end);
  void fill_strip(Strip& strip, int plane);
  void fill_piece(const Strip& strip, int tap, int plane, T* to) const;
  void run_kernels(bool leap_frog);
  void run_part(std::int64_t begin, std::int64_t end, const Taps& taps, std::int64_t skip, bool leap_frog);

  const StencilArguments<T>& arguments_;
  std::vector<int> piece_tap_; ///< of every piece: a tap that reads it
  std::vector<int> piece_of_;  ///< of every tap: the piece it reads in a strip, or -1: the row itself
  std::deque<Strip> strips_;
  std::vector<std::vector<T>> constants_;

  std::int64_t first_ = 0, last_ = 0, j_ = 0, k_ = 0;
  int planes_ = 1;
  Taps tap_; ///< at the first point of the run
  T* out_[block_planes] = {};
  LeapFrogRow<T> leap_frog_[block_planes] = {};
  std::vector<const T*> row_tap_, column_, rest_tap_; ///< what a kernel is called with
};

extern template struct StencilArguments<float>;
extern template struct StencilArguments<double>;
extern template class StencilRuns<float>;
extern template class StencilRuns<double>;

} // namespace Keramos::openmp
