// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PaddedRows.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {

template <class T>
PaddedRows<T>::PaddedRows(const StencilOperands<T>& operands, std::int64_t begin, std::int64_t end, int planes)
    : operands_(operands), begin_(begin - operands.axes[0].reach_low),
      length_(end + operands.axes[0].reach_high - begin_), planes_(planes), value_(length_)
{
  source_.reserve(length_);
  for (std::int64_t x = 0; x < length_; ++x) source_.push_back(operands.axes[0].resolve(begin_ + x, value_[x]));
  rows_.resize(planes * operands.padded_rows * length_);
}

template <class T>
const T* PaddedRows<T>::of(int tap, int plane) const
{
  const std::int64_t row = plane * operands_.padded_rows + operands_.row_of_tap[tap];
  return &rows_[row * length_] + operands_.axes[0].reach_low + operands_.offset[tap][0];
}

template <class T>
void PaddedRows<T>::fill(std::int64_t j, std::int64_t k, bool inside)
{
  T* to = rows_.data();
  for (int plane = 0; plane < planes_; ++plane)
    for (int row = 0; row < operands_.padded_rows; ++row, to += length_)
      fill_row(operands_.tap_of_row[row], j, k + plane, inside, to);
}

/// The row that `tap` reads, extended beyond its ends.
template <class T>
void PaddedRows<T>::fill_row(int tap, std::int64_t j, std::int64_t k, bool inside, T* to) const
{
  const auto& in = operands_.in;
  const auto& axes = operands_.axes;
  const auto& offset = operands_.offset[tap];
  core::Index3 source{axes[0].valid_begin, j + offset[1], k + offset[2]};
  T value{};
  const bool is_row = inside || axes.resolve(source, value);
  const T* row = is_row ? in.data + source[1] * in.stride[1] + source[2] * in.stride[2] : nullptr;
  const auto element = [&](std::int64_t x) -> T {
    if (is_row) return source_[x] != core::no_index ? row[source_[x] * in.stride[0]] : value_[x];
    core::Index3 both{begin_ + x, j + offset[1], k + offset[2]}; // a row of constants has ends, too
    T corner{};
    axes.resolve(both, corner);
    return corner;
  };
  const std::int64_t valid_begin = std::clamp<std::int64_t>(axes[0].valid_begin - begin_, 0, length_);
  const std::int64_t valid_end = std::clamp<std::int64_t>(axes[0].valid_end - begin_, valid_begin, length_);
  for (std::int64_t x = 0; x < valid_begin; ++x) to[x] = element(x);
  if (is_row && operands_.gathers())
    for (std::int64_t x = valid_begin; x < valid_end; ++x) to[x] = row[(begin_ + x) * in.stride[0]];
  else if (is_row)
    std::copy_n(row + begin_ + valid_begin, valid_end - valid_begin, to + valid_begin);
  else
    std::fill(to + valid_begin, to + valid_end, value);
  for (std::int64_t x = valid_end; x < length_; ++x) to[x] = element(x);
}

template class PaddedRows<float>;
template class PaddedRows<double>;

} // namespace Keramos::openmp::stencil
