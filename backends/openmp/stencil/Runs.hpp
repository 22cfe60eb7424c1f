// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task's runs of points, one after the other: the stretches that edges divide a run into, and the kernels for them. Compiled once.
//
//     fastest axis ->   | low end |        clear points          | high end |
//
// At a clear point every tap stays inside its row, so a tap is a pointer: into `in`, or into a row of constants where the
// rule of another axis says so. The ends are as long as the operator reaches; there the rows that are read at an offset
// are copied, edges applied, into padded rows, and those taps point there. Where there is only one such row (a star, a line
// along the run) the padded row is as long as the run: copying it costs less than two short kernel calls more.
//
// Where the contiguous axis has a single point, runs lie along another one, and every row that taps read is copied.
#pragma once

#include "DirectBlocks.hpp"
#include "FieldRows.hpp"
#include "InputRows.hpp"
#include "Run.hpp"
#include "StarBlocks.hpp"
#include "Stretch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

/// What the taps may reach along a run, both sides together: where it meets an edge, its rows are copied with that much
/// more, and a task keeps that for one plane and for four (2.7 MB with one row of float).
inline constexpr std::int64_t max_reach = std::int64_t{1} << 17;
/// The same of all rows together, which a task keeps in as many copies (84 MB of float; chosen, not measured).
inline constexpr std::int64_t max_padding = std::int64_t{1} << 22;

template <class T>
class StencilRuns {
public:
  /// For runs within [begin, end).
  StencilRuns(const StencilOperands<T>& operands, const core::Index3& begin, const core::Index3& end)
      : operands_(operands), input_(operands, begin, end), fields_(operands), stars_(operands), direct_(operands)
  {
  }
  ~StencilRuns();
  StencilRuns(const StencilRuns&) = delete;
  StencilRuns& operator=(const StencilRuns&) = delete;

  /// How many planes are gone through at once from plane k on, in a tile that ends at end_k.
  int planes_at(std::int64_t first, std::int64_t last, std::int64_t k, std::int64_t end_k) const;
  /// Whether this run may have block_planes planes: those of a tap lie a pitch apart, but for a column's.
  bool takes_block(const Run& run) const
  {
    return run.planes == block_planes && (operands_.column_radius > 0 || input_.inside_planes(run.k, block_planes));
  }
  /// Whether one kernel takes all of it: all of its points must be clear, as those of several rows are.
  bool takes_direct(const Run& run) const
  {
    if (run.planes != operands_.walk.direct_planes) return false;
    return run.planes > 1 ? input_.inside(run.j, run.k, run.planes) : run.rows >= direct_.least_rows();
  }
  /// Whether this run may have star_rows rows, in a tile that ends at end_j: all of its points must be clear.
  bool takes_star(const Run& run, std::int64_t end_j) const
  {
    return stars_.has_kernel() && run.planes == block_planes && run.j + star_rows <= end_j &&
           is_clear(run.first, run.last) && input_.inside(run.j, run.k, run.planes, star_rows);
  }
  /// The rows that this run may have, in a tile that ends at end_j: more than one if all of their points are clear.
  int rows_at_once(const Run& run, std::int64_t end_j) const
  {
    const bool stages = run.planes > 1 && operands_.streaming.rows && !operands_.streaming.blocks;
    if (stages || operands_.gathers() || !is_clear(run.first, run.last) || !input_.inside(run.j, run.k, run.planes))
      return 1;
    return static_cast<int>(std::min(end_j, operands_.axes[1].valid_end - operands_.axes[1].reach_high) - run.j);
  }
  /// The sums, into the output field, where runs are contiguous.
  void store(const Run& run);
  /// What the library's epilogue with these operands makes of the sums, into the output field.
  void update(const Run& run, const core::EpilogueOperand<T>* operand);
  /// What the application's functor makes of them, into the output field, or wherever it stores by itself.
  void apply(const Run& run, const Functor<T>& functor, bool stores);

private:
  /// As far as the fastest axis has a say.
  bool is_clear(std::int64_t first, std::int64_t last) const
  {
    const auto& axis = operands_.axes[0];
    return first - axis.reach_low >= axis.valid_begin && last + axis.reach_high <= axis.valid_end;
  }
  void into_field(const Run& run, const RunRows<T>& rows, const FinishedKernels<T>& kernels);
  void compute(const Run& run, const RunRows<T>& rows, const FinishedKernels<T>& kernels);
  Stretch<T>& stretch_at(std::int64_t begin, std::int64_t end, int planes, bool pads);

  const StencilOperands<T>& operands_;
  InputRows<T> input_;
  FieldRows<T> fields_;
  StarBlocks<T> stars_;
  DirectBlocks<T> direct_;
  std::vector<Stretch<T>> stretches_; ///< of the runs [first_, last_)
  std::int64_t first_ = 0, last_ = 0;
};

extern template class StencilRuns<float>;
extern template class StencilRuns<double>;

} // namespace Keramos::openmp::stencil
