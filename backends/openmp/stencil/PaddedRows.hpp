// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a stretch of a run that are copied, with what the edges make of them beyond their ends: where each element
// comes from is the same for every row. Compiled once.
#pragma once

#include "Operands.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

template <class T>
class PaddedRows {
public:
  /// For the points [begin, end) of runs in `planes` planes.
  PaddedRows(const StencilOperands<T>& operands, std::int64_t begin, std::int64_t end, int planes);

  /// What `tap`, which must have such a row, reads of plane `plane`, from the point `begin` on. It stays where it is.
  const T* of(int tap, int plane) const;
  /// Copies the rows of the run at (j, k). `inside`: all of them are rows of `in`, at their own indices.
  void fill(std::int64_t j, std::int64_t k, bool inside);

private:
  void fill_row(int tap, std::int64_t j, std::int64_t k, bool inside, T* to) const;

  const StencilOperands<T>& operands_;
  std::int64_t begin_, length_; ///< indices of the first element of a row and of the stretch along the run
  int planes_;
  std::vector<std::int64_t> source_; ///< where the edge rule finds an element in its row, or no_index
  std::vector<T> value_;             ///< of the rule, where source_ is no_index
  std::vector<T> rows_;              ///< plane by plane
};

extern template class PaddedRows<float>;
extern template class PaddedRows<double>;

} // namespace Keramos::openmp::stencil
