// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of one run of points: which rows of `in` the taps read, with everything that edges make of them.
// Compiled once.
//
//     fastest axis ->   | low strip |        clear points          | high strip |
//
// At a clear point every tap stays inside its row, so a tap is a pointer: into `in`, or into a row of constants where
// the rule of another axis says so. The strips are as long as the operator reaches; their rows are copied, edges
// applied, into padded pieces, and the taps point there.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "simd/Stencil.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp {

/// Points a run at most: the epilogue's buffer and the rows of a run stay in the first-level cache.
inline constexpr std::int64_t longest_run = 1024;

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
  std::vector<int> piece;     ///< of every tap: which padded piece it reads in a strip, or -1 for the row itself
  std::vector<int> piece_tap; ///< of every piece: a tap that reads it

  StencilArguments(const core::Field<const T, 3>& in, const core::Field<T, 3>& out, const core::ProblemAxes<T>& axes,
                   const T* weight, const Kokkos::Array<int, 3>* offset, int taps);
};

/// A task's view of one run after the other.
template <class T>
class StencilRuns {
public:
  explicit StencilRuns(const StencilArguments<T>& arguments);

  /// The run [first, last) at (j, k); it is at most longest_run long.
  void select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k);
  /// out[0 ... last - first) = the sums.
  void sum(T* out);
  /// The wave update, straight into the output field.
  void leap_frog(const core::LeapFrogFields<T>& fields);

private:
  using Row = StencilRow<T>;

  /// A strip and where its padded piece comes from: the same for every row of the task.
  struct Strip {
    std::int64_t begin, end;             ///< the strip's points
    std::int64_t piece_begin, piece_end; ///< with the reach on both sides

    std::vector<std::int64_t> place; ///< of every element of the piece: where the edge rule finds it, or no_index
  };

  void point_taps_at_rows();
  void point_taps_at_pieces(std::int64_t begin, std::int64_t end);
  void fill_piece(int piece, const Strip& strip, T* to) const;
  const Strip& strip_at(std::int64_t begin, std::int64_t end);
  const T* constant_row(T value);
  template <class Call>
  void for_each_part(Row row, Call call);

  const StencilArguments<T>& arguments_;
  std::vector<const T*> tap_; ///< at the first point of the run
  std::vector<const T*> strip_tap_;
  std::vector<Strip> strips_;
  std::vector<T> pieces_;
  std::vector<std::vector<T>> constants_;
  std::int64_t first_ = 0, last_ = 0, j_ = 0, k_ = 0;
};

extern template struct StencilArguments<float>;
extern template struct StencilArguments<double>;
extern template class StencilRuns<float>;
extern template class StencilRuns<double>;

} // namespace Keramos::openmp
