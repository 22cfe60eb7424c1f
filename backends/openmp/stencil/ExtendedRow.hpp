// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a stretch of a row of `in` is copied, with what the edges make of it beyond its ends: where each element comes from is the
// same for every row. Compiled once.
#pragma once

#include "../../../src/keramos/stencil/Problem.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

template <class T>
class ExtendedRow {
public:
  /// For the points [begin, end) of a run and what taps reach of them; `in` and `axes` stay where they are.
  ExtendedRow(const core::Field<const T, 3>& in, const core::ProblemAxes<T>& axes, std::int64_t begin,
              std::int64_t end);

  std::int64_t length() const { return length_; }
  /// Copies the row at (j, k), which the rules of these axes may turn into another one or into constants; with `inside` it is
  /// known to be a row of `in`, at its own indices.
  void copy(std::int64_t j, std::int64_t k, bool inside, T* to) const;

private:
  const core::Field<const T, 3>& in_;
  const core::ProblemAxes<T>& axes_;
  std::int64_t begin_, length_;      ///< indices of the first element of a row along the run
  std::vector<std::int64_t> source_; ///< where the edge rule finds an element in its row, or no_index
  std::vector<T> value_;             ///< of the rule, where source_ is no_index
};

extern template class ExtendedRow<float>;
extern template class ExtendedRow<double>;

} // namespace Keramos::openmp::stencil
