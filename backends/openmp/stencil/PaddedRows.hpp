// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a stretch of a run that are copied, extended by what the edges make of them beyond their ends. Compiled once.
#pragma once

#include "ExtendedRow.hpp"
#include "Operands.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

template <class T>
class PaddedRows {
public:
  /// For the points [begin, end) of runs in `planes` planes.
  PaddedRows(const StencilOperands<T>& operands, std::int64_t begin, std::int64_t end, int planes);

  /// What `tap`, which must have such a row, reads of the first plane, from the point `begin` on. It stays where it is.
  const T* of(int tap) const;
  /// From one plane to the next.
  std::int64_t pitch() const { return operands_.padded_rows * row_.length(); }
  /// Copies the rows of the run at (j, k). `inside`: all of them are rows of `in`, at their own indices.
  void fill(std::int64_t j, std::int64_t k, bool inside);

private:
  const StencilOperands<T>& operands_;
  ExtendedRow<T> row_;
  int planes_;
  std::vector<T> rows_; ///< plane by plane
};

extern template class PaddedRows<float>;
extern template class PaddedRows<double>;

} // namespace Keramos::openmp::stencil
