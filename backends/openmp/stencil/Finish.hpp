// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application's epilogue over the sums of a run, which lie in the first-level cache: a loop that compilers vectorise
// through the functor where runs are contiguous (half the time of a wave update with one), point by point elsewhere. With
// it, the store of sums where `out` is strided.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "Runs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Keramos::openmp::stencil {

using core::AxisOrder;

/// A task's epilogue.
template <class T, class Epilogue>
class RunFinisher {
public:
  RunFinisher(const Epilogue& epilogue, const StencilOperands<T>& operands)
      : epilogue_(epilogue), operands_(operands), order_(core::axis_order(epilogue)), functor_{apply, this}
  {
    if constexpr (count > 0)
      for (int n = 0; n < count; ++n) {
        number_row_[n].fill(epilogue.operand[n].number);
        operand_[n].data = number_row_[n].data();
      }
  }
  RunFinisher(const RunFinisher&) = delete;
  RunFinisher& operator=(const RunFinisher&) = delete;

  /// For the kernels of this run; it holds until the next one.
  const Functor<T>& functor(const Run& run)
  {
    run_ = run;
    centre_ = base_of(operands_.in);
    if constexpr (count > 0)
      for (int n = 0; n < count; ++n)
        if (epilogue_.operand[n].is_field()) operand_[n] = base_of(epilogue_.operand[n].field);
    return functor_;
  }
  /// Results by itself: it returns none, or they do not go to contiguous runs.
  bool stores() const { return !core::returns_value<Epilogue, T> || !operands_.unit_strides; }

private:
  static constexpr int count = Epilogue::operands;
  using Operands = std::make_index_sequence<count>;

  static void apply(const void* context, const SumPiece<T>& piece)
  {
    const auto& finisher = *static_cast<const RunFinisher*>(context);
    for (int r = 0; r < piece.rows; ++r) finisher.apply_row(piece, r);
  }

  void apply_row(const SumPiece<T>& piece, int r) const
  {
    const Row row{piece.sum + r * piece.sum_pitch,
                  piece.result + r * piece.result_pitch,
                  piece.x,
                  piece.count,
                  piece.row + r,
                  piece.plane};
    if (operands_.unit_strides && order_ == AxisOrder::forwards) return unit_row<AxisOrder::forwards>(row, Operands());
    if constexpr (core::takes_indices<Epilogue>)
      if (operands_.unit_strides && order_ == AxisOrder::backwards)
        return unit_row<AxisOrder::backwards>(row, Operands());
    const std::int64_t j = run_.j + row.row, k = run_.k + row.plane;
    for (std::int64_t n = 0, i = run_.first + row.x; n < row.length; ++n, ++i)
      core::finish(epilogue_, operands_.out, row.sum[n], operands_.in(i, j, k), i, j, k);
  }

  /// Points x, x + 1, ... of the run in one of its rows.
  struct Row {
    const T* sum;
    T* result;
    std::int64_t x, length;
    int row, plane;
  };

  /// What the run reads of a field, or a row of numbers.
  struct Base {
    const T* data = nullptr;
    std::int64_t along = 0, row = 0, plane = 0;

    const T* at(const Row& point) const { return data + along * point.x + row * point.row + plane * point.plane; }
  };
  Base base_of(const core::Field<const T, 3>& field) const
  {
    return {&field(run_.first, run_.j, run_.k), 1, field.stride[1], field.stride[2]};
  }

  /// What the functor reads in the rows to come.
  void prefetch_next(const Base& base, const Row& row, int rows) const
  {
    constexpr std::int64_t line = 64 / sizeof(T);
    const T* const next = base.at(row) + rows * base.row;
    for (std::int64_t n = 0; n < row.length; n += line) __builtin_prefetch(next + n, 0, 2);
  }

  /// The loop is told that points do not depend on each other: operands that `out` writes are read at their own point.
  template <AxisOrder order, std::size_t... N>
  void unit_row(const Row& row, std::index_sequence<N...>) const
  {
    const T *sum = row.sum, *centre = centre_.at(row);
    [[maybe_unused]] T* const result = row.result;
    [[maybe_unused]] const std::array<const T*, count> rows{operand_[N].at(row)...};
    if (operands_.streaming.rows)
      (prefetch_next(operand_[N], row, run_.kind == RunKind::star_block ? star_rows : 1), ...);
    const std::int64_t first = run_.first + row.x, j = run_.j + row.row, k = run_.k + row.plane, length = row.length;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::int64_t n = 0; n < length; ++n) {
      const Kokkos::Array<T, count> at_point{rows[N][n]...};
      if constexpr (core::returns_value<Epilogue, T>)
        result[n] = static_cast<T>(core::finished<order>(epilogue_, sum[n], centre[n], at_point, first + n, j, k));
      else
        core::finished<order>(epilogue_, sum[n], centre[n], at_point, first + n, j, k);
    }
  }

  const Epilogue& epilogue_;
  const StencilOperands<T>& operands_;
  AxisOrder order_;
  Functor<T> functor_;
  Run run_{};
  Base centre_;                                                              ///< of the run
  std::array<Base, count> operand_;                                          ///< of the run
  std::array<std::array<T, max_piece_bytes / sizeof(T)>, count> number_row_; ///< of operands that are numbers
};

} // namespace Keramos::openmp::stencil
