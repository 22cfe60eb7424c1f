// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which row of `in` an operand lies in, edge rules applied. The rules of either axis are asked once a tile, because in a
// small grid most rows are near an edge. Taps that reach far, as those of a SparseStencil may, ask each time. Compiled once.
#pragma once

#include "Operands.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

/// A row that taps read: of `in`, from index 0 on, or of as many constants as a run has points.
template <class T>
struct InputRow {
  const T* data;
  bool is_constant;
};

template <class T>
class InputRows {
public:
  /// For the points [begin, end) and what taps reach of them.
  InputRows(const StencilOperands<T>& operands, const core::Index3& begin, const core::Index3& end);
  InputRows(const InputRows&) = delete;
  InputRows& operator=(const InputRows&) = delete;

  /// Whether all rows that the runs at (j, k), (j, k + 1), ... read, and those at j + 1, ..., are rows of `in`, at their own indices.
  bool inside(std::int64_t j, std::int64_t k, int planes, int rows = 1) const
  {
    return within(operands_.axes[1], j, j + rows) && inside_planes(k, planes);
  }
  /// Whether they are as far as k has a say.
  bool inside_planes(std::int64_t k, int planes) const { return within(operands_.axes[2], k, k + planes); }
  /// The row at (j, k), which may lie beyond the edges of these axes. It stays where it is.
  InputRow<T> at(std::int64_t j, std::int64_t k)
  {
    const Place y = place_of(1, j), z = place_of(2, k);
    if (!y.constants && !z.constants) return {operands_.in.data + y.offset + z.offset, false};
    return {y.constants && (!z.constants || y_decides_) ? y.constants : z.constants, true};
  }

private:
  /// Where an index of an axis leads: so many elements from index 0, or to a row of constants.
  struct Place {
    std::int64_t offset;
    const T* constants;
  };
  /// Those of neighbouring indices.
  struct Table {
    bool is_filled = false; ///< at the first question: most tiles meet no edge
    std::int64_t first = 0;
    std::vector<Place> places;
  };
  /// The most of them, 16 KiB: where taps reach further, a tile reads few of all that lie between (chosen, not measured).
  static constexpr std::int64_t max_places = 1024;

  static bool within(const core::ProblemAxis<T>& axis, std::int64_t begin, std::int64_t end)
  {
    return begin - axis.reach_low >= axis.valid_begin && end + axis.reach_high <= axis.valid_end;
  }
  void fill(int p); ///< that of axis p
  Place ask(int p, std::int64_t index);
  Place place_of(int axis, std::int64_t index)
  {
    const Table& table = tables_[axis - 1];
    if (!table.is_filled) fill(axis);
    const auto n = static_cast<std::size_t>(index - table.first);
    return n < table.places.size() ? table.places[n] : ask(axis, index);
  }
  const T* constant_row(T value);

  const StencilOperands<T>& operands_;
  core::Index3 begin_, end_;
  std::vector<std::vector<T>> constants_;
  Table tables_[2]; ///< of axes 1 and 2
  bool y_decides_;  ///< where both axes say constant: the last View index does
};

extern template class InputRows<float>;
extern template class InputRows<double>;

} // namespace Keramos::openmp::stencil
