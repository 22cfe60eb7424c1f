// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PaddedRows.hpp"

namespace Keramos::openmp::stencil {

template <class T>
PaddedRows<T>::PaddedRows(const StencilOperands<T>& operands, std::int64_t begin, std::int64_t end, int planes)
    : operands_(operands), row_(operands.in, operands.axes, begin, end), planes_(planes),
      rows_(planes * operands.padded_rows * row_.length())
{
}

template <class T>
const T* PaddedRows<T>::of(int tap) const
{
  return &rows_[operands_.row_of_tap[tap] * row_.length()] + operands_.axes[0].reach_low + operands_.offset[tap][0];
}

template <class T>
void PaddedRows<T>::fill(std::int64_t j, std::int64_t k, bool inside)
{
  T* to = rows_.data();
  for (int plane = 0; plane < planes_; ++plane)
    for (int row = 0; row < operands_.padded_rows; ++row, to += row_.length()) {
      const auto& offset = operands_.offset[operands_.tap_of_row[row]];
      row_.copy(j + offset[1], k + plane + offset[2], inside, to);
    }
}

template class PaddedRows<float>;
template class PaddedRows<double>;

} // namespace Keramos::openmp::stencil
