// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InputRows.hpp"

#include <algorithm>
#include <cstring>

namespace Keramos::openmp::stencil {

template <class T>
InputRows<T>::InputRows(const StencilOperands<T>& operands, const core::Index3& begin, const core::Index3& end)
    : operands_(operands), begin_(begin), end_(end)
{
  const auto view_index = [&](int p) {
    const auto& position = operands.axes.position;
    return std::find(position.data(), position.data() + 3, p) - position.data();
  };
  y_decides_ = view_index(1) > view_index(2);
}

/// What taps reach of the points, if a table holds that many.
template <class T>
void InputRows<T>::fill(int p)
{
  const auto& axis = operands_.axes[p];
  const std::int64_t first = begin_[p] - axis.reach_low, last = end_[p] + axis.reach_high;
  Table& table = tables_[p - 1];
  table.is_filled = true;
  if (last - first > max_places) return;
  table.first = first;
  table.places.reserve(last - first);
  for (std::int64_t index = first; index < last; ++index) table.places.push_back(ask(p, index));
}

template <class T>
auto InputRows<T>::ask(int p, std::int64_t index) -> Place
{
  T value{};
  const std::int64_t source = operands_.axes[p].resolve(index, value);
  if (source == core::no_index) return {0, constant_row(value)};
  return {source * operands_.in.stride[p], nullptr};
}

template <class T>
const T* InputRows<T>::constant_row(T value)
{
  for (const auto& row : constants_)
    if (std::memcmp(row.data(), &value, sizeof(T)) == 0) return row.data(); // bits, so that NaN finds itself
  return constants_.emplace_back(max_run, value).data();
}

template class InputRows<float>;
template class InputRows<double>;

} // namespace Keramos::openmp::stencil
