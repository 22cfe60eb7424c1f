// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of one run of points, or of the same run in four planes: which rows of `in` the taps read, with everything
// that edges make of them. Compiled once.
//
//     fastest axis ->   | low end |        clear points          | high end |
//
// At a clear point every tap stays inside its row, so a tap is a pointer: into `in`, or into a row of constants where the
// rule of another axis says so. The ends are as long as the operator reaches; there the rows that are read at an offset
// are copied, edges applied, into padded rows, and those taps point there. Where there is only one such row (a star, a line
// along the run) the padded row is as long as the run: copying it costs less than two short kernel calls more.
//
// From one row of a tile to the next, away from the edges, all pointers into `in` move by the same distance: they are set
// once, and the kernels are told the distance (`shift`).
//
// Where the contiguous axis has a single point, runs lie along another one, and every row that taps read is copied.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "Operands.hpp"
#include "PaddedRows.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace Keramos::openmp::stencil {

/// Points per run at most: the sums of a block are 8 or 16 KiB.
inline constexpr std::int64_t max_run = 512;
/// What the taps may reach along a run, both sides together: where it meets an edge, its rows are copied with that much
/// more, and a task keeps up to 32 such copies (70 MB with one row of float).
inline constexpr std::int64_t max_reach = std::int64_t{1} << 17;

/// A task's view of one run after the other.
template <class T>
class StencilRuns {
public:
  explicit StencilRuns(const StencilOperands<T>& operands) : operands_(operands) {}

  /// The run [first, last), at most max_run long, at (j, k), (j, k + 1), ... in `planes` planes: 1 or block_planes.
  void select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes);
  /// out[p][0 ... last - first) = the sums of plane k + p.
  void sum(T* const* out);
  /// What the library's epilogue with these operands makes of the sums, into the output field.
  void update(const core::EpilogueOperand<T>* operand);

private:
  /// A stretch [begin, end) of the runs of this task in so many planes.
  struct Stretch {
    std::int64_t begin, end;
    int planes;
    std::optional<PaddedRows<T>> padded{}; ///< where edges reach
    // The taps: those that read padded rows stay, the others are where they were at (set_j, set_k); where the run is
    // inside_ they are there shifted.
    std::vector<const T*> column{}, tap{};
    std::vector<TapSegment> segments{};
    std::vector<char> moves{}; ///< of every segment: its taps are not in padded rows
    bool is_set = false;
    std::int64_t set_j = 0, set_k = 0;
  };

  bool inside() const;
  const T* constant_row(T value);
  Stretch& stretch_at(std::int64_t begin, std::int64_t end, bool padded);
  /// The taps of a block are those without the column, but with its centre.
  int first_tap(const Stretch& stretch) const { return stretch.planes == 1 ? 0 : operands_.column_radius; }
  int end_tap(const Stretch& stretch) const { return operands_.taps - first_tap(stretch); }
  bool reads_padded(const Stretch& stretch, int tap) const { return stretch.padded && operands_.row_of_tap[tap] >= 0; }
  void list_taps(Stretch& stretch) const;
  const T* row(const Stretch& stretch, const Kokkos::Array<int, 3>& offset, int plane);
  std::int64_t set_rows(Stretch& stretch);
  void run_stretches(const FinishedKernels<T>& kernels);
  void run_stretch(Stretch& stretch, const FinishedKernels<T>& kernels);
  void select_operands(const core::EpilogueOperand<T>* operand);
  void gather_operands(const core::EpilogueOperand<T>* operand);
  void scatter_out();

  const StencilOperands<T>& operands_;
  std::deque<Stretch> stretches_;
  std::vector<std::vector<T>> constants_;
  std::vector<T> gathered_; ///< fields of an epilogue whose runs are strided
  std::int64_t first_ = 0, last_ = 0, j_ = 0, k_ = 0;
  int planes_ = 1;
  bool inside_ = false; ///< every row of every plane is a row of `in`, at its own indices
  T* out_[block_planes] = {};
  OperandRows<T> operand_rows_[block_planes] = {};
};

extern template class StencilRuns<float>;
extern template class StencilRuns<double>;

} // namespace Keramos::openmp::stencil
