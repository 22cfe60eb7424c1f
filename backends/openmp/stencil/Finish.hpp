// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application's epilogue over the sums of a run, which lie in the first-level cache: a loop that compilers vectorise
// through the functor where runs are contiguous (half the time of a wave update with one), point by point elsewhere. With
// it, the store of sums where `out` is strided.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../../src/keramos/stencil/IndexedEpilogue.hpp"
#include "../Vectorised.hpp"
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
  /// Results by itself: it returns none, or they do not go to contiguous runs, or they are made one by one (apply_points).
  bool stores() const { return !core::returns_value<Epilogue, T> || goes_by_points(); }

private:
  static constexpr int count = Epilogue::operands;
  /// Points of a loop whose length compilers know: at -O2 g++ makes vectors of no other. Of up to 16 it would be unrolled first, which nvcc does
  /// not let it be told not to.
#if defined(__CUDACC__)
  static constexpr int block = 32;
#else
  static constexpr int block = 64 / sizeof(T);
#endif
  using Operands = std::make_index_sequence<count>;

  bool goes_by_points() const { return !operands_.unit_strides || order_ == AxisOrder::mixed; }

  static void apply(const void* context, const SumPiece<T>& piece)
  {
    const auto& finisher = *static_cast<const RunFinisher*>(context);
    constexpr bool strided = Epilogue::form::in_library; // or it would not come here
    if (strided || finisher.goes_by_points()) return finisher.apply_points(piece);
    if constexpr (core::takes_indices<Epilogue>)
      if (finisher.order_ == AxisOrder::backwards)
        return run_unfused([&] { finisher.template apply_rows<AxisOrder::backwards>(piece, Operands()); });
    if constexpr (!strided) run_unfused([&] { finisher.template apply_rows<AxisOrder::forwards>(piece, Operands()); });
  }

  void apply_points(const SumPiece<T>& piece) const
  {
    for (int p = 0; p < piece.planes; ++p)
      for (int r = 0; r < piece.rows; ++r) {
        const T* const sum = piece.sum + p * piece.sum_plane + r * piece.sum_pitch;
        const std::int64_t j = run_.j + piece.row + r, k = run_.k + piece.plane + p;
        for (std::int64_t n = 0, i = run_.first + piece.x; n < piece.count; ++n, ++i)
          core::finish(epilogue_, operands_.out, sum[n], operands_.in(i, j, k), i, j, k);
      }
  }

  /// What the run reads of a field, or a row of numbers.
  struct Base {
    const T* data = nullptr;
    std::int64_t along = 0, row = 0, plane = 0;

    const T* at(const SumPiece<T>& piece, int p) const
    {
      return data + along * piece.x + row * piece.row + plane * (piece.plane + p);
    }
  };
  Base base_of(const core::Field<const T, 3>& field) const
  {
    return {&field(run_.first, run_.j, run_.k), 1, field.stride[1], field.stride[2]};
  }

  /// What the functor reads in a row to come.
  static void prefetch(const T* row, std::int64_t length)
  {
    constexpr std::int64_t line = 64 / sizeof(T);
    for (std::int64_t n = 0; n < length; n += line) __builtin_prefetch(row + n, 0, 2);
  }

  /// Of a row, from one of its points on.
  struct Points {
    const T *sum, *centre;
    T* result;
    std::array<const T*, count> operand;
    std::int64_t i, j, k;
  };

  template <AxisOrder order, std::size_t... N>
  void apply_rows(const SumPiece<T>& piece, std::index_sequence<N...>) const
  {
    [[maybe_unused]] const int rows_ahead = run_.kind == RunKind::star_block ? star_rows : 1;
    const std::int64_t length = piece.count;
    for (int p = 0; p < piece.planes; ++p) {
      Points row{piece.sum + p * piece.sum_plane, centre_.at(piece, p), piece.result + p * piece.result_plane,
                 {operand_[N].at(piece, p)...},   run_.first + piece.x, run_.j + piece.row,
                 run_.k + piece.plane + p};
      for (int r = 0; r < piece.rows; ++r) {
        if (operands_.streaming.rows) (prefetch(row.operand[N] + rows_ahead * operand_[N].row, length), ...);
        std::int64_t n = 0;
        for (; n + block <= length; n += block) apply_block<order, block>(row, n, Operands());
        apply_rest<order, block / 2>(row, n, length);
        row.sum += piece.sum_pitch;
        row.centre += centre_.row;
        row.result += piece.result_pitch;
        ((row.operand[N] += operand_[N].row), ...);
        ++row.j;
      }
    }
  }

  /// Fewer than 2 * Count points: as few loops as possible, each of which is known when it is compiled.
  template <AxisOrder order, int Count>
  void apply_rest(const Points& points, std::int64_t n, std::int64_t length) const
  {
    if constexpr (Count > 0) {
      if (n + Count <= length) {
        apply_block<order, Count>(points, n, Operands());
        n += Count;
      }
      apply_rest<order, Count / 2>(points, n, length);
    }
  }

  /// The loop is told that points do not depend on each other: operands that `out` writes are read at their own point.
  template <AxisOrder order, int Count, std::size_t... N>
  void apply_block(const Points& points, std::int64_t begin, std::index_sequence<N...>) const
  {
    using Index = core::FunctorIndex<Epilogue>;
    const auto i = static_cast<Index>(points.i + begin), j = static_cast<Index>(points.j),
               k = static_cast<Index>(points.k);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety) unroll(disable)
#else
#pragma GCC ivdep
#if !defined(__CUDACC__)
#pragma GCC unroll 1
#endif
#endif
    for (int x = 0; x < Count; ++x) {
      const std::int64_t n = begin + x;
      const Kokkos::Array<T, count> at_point{points.operand[N][n]...};
      if constexpr (core::returns_value<Epilogue, T>)
        points.result[n] =
            static_cast<T>(core::finished<order>(epilogue_, points.sum[n], points.centre[n], at_point, i + x, j, k));
      else
        core::finished<order>(epilogue_, points.sum[n], points.centre[n], at_point, i + x, j, k);
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
