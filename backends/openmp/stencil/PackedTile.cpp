// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedTile.hpp"

#include <algorithm>
#include <limits>

namespace Keramos::openmp::stencil {

template <class T>
PackedTile<T>::PackedTile(const StencilOperands<T>& operands, const core::Index3& begin, const core::Index3& end)
    : operands_(operands), row_(operands.in, operands.axes, begin[0], end[0]), tap_(operands.taps + max_column_rows),
      segment_(operands.taps), packed_(operands)
{
  const auto& axes = operands.axes;
  for (int p = 0; p < 3; ++p) low_[p] = begin[p] - axes[p].reach_low;
  rows_ = end[1] - begin[1] + axes[1].reach_low + axes[1].reach_high;
  const std::int64_t planes = std::min(end[2] - begin[2], packed_planes) + axes[2].reach_low + axes[2].reach_high;
  copy_.resize(row_.length() * rows_ * planes);
  packed_.in.stride = {1, row_.length(), row_.length() * rows_};
  for (int p = 0; p < 3; ++p) { // nothing lies beyond an edge any more
    packed_.axes.axis[p].valid_begin = std::numeric_limits<std::int64_t>::min() / 4;
    packed_.axes.axis[p].valid_end = std::numeric_limits<std::int64_t>::max() / 4;
  }
}

template <class T>
const StencilOperands<T>& PackedTile<T>::planes(std::int64_t first, std::int64_t last)
{
  const auto& axes = operands_.axes;
  const auto& stride = packed_.in.stride;
  const std::int64_t low = first - axes[2].reach_low, wanted = last - first + axes[2].reach_low + axes[2].reach_high;
  // Planes that are there already come first.
  const std::int64_t passed = std::min(low - low_[2], filled_);
  std::copy(copy_.begin() + passed * stride[2], copy_.begin() + filled_ * stride[2], copy_.begin());
  filled_ -= passed;
  low_[2] = low;
  for (; filled_ < wanted; ++filled_)
    for (std::int64_t row = 0; row < rows_; ++row)
      row_.copy(low_[1] + row, low_[2] + filled_, false, &copy_[filled_ * stride[2] + row * stride[1]]);
  packed_.in.data = copy_.data() - (low_[0] + low_[1] * stride[1] + low_[2] * stride[2]);
  set_direct_taps(packed_, tap_.data(), segment_.data(), tap_.data() + operands_.taps);
  return packed_;
}

template class PackedTile<float>;
template class PackedTile<double>;

} // namespace Keramos::openmp::stencil
