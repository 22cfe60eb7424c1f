// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExtendedRow.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {

template <class T>
ExtendedRow<T>::ExtendedRow(const core::Field<const T, 3>& in, const core::ProblemAxes<T>& axes, std::int64_t begin,
                            std::int64_t end)
    : in_(in), axes_(axes), begin_(begin - axes[0].reach_low), length_(end + axes[0].reach_high - begin_),
      value_(length_)
{
  source_.reserve(length_);
  for (std::int64_t x = 0; x < length_; ++x) source_.push_back(axes[0].resolve(begin_ + x, value_[x]));
}

template <class T>
void ExtendedRow<T>::copy(std::int64_t j, std::int64_t k, bool inside, T* to) const
{
  core::Index3 source{axes_[0].valid_begin, j, k};
  T value{};
  const bool is_row = inside || axes_.resolve(source, value);
  const T* row = is_row ? in_.data + source[1] * in_.stride[1] + source[2] * in_.stride[2] : nullptr;
  const auto element = [&](std::int64_t x) -> T {
    if (is_row) return source_[x] != core::no_index ? row[source_[x] * in_.stride[0]] : value_[x];
    core::Index3 both{begin_ + x, j, k}; // a row of constants has ends, too
    T corner{};
    axes_.resolve(both, corner);
    return corner;
  };
  const std::int64_t valid_begin = std::clamp<std::int64_t>(axes_[0].valid_begin - begin_, 0, length_);
  const std::int64_t valid_end = std::clamp<std::int64_t>(axes_[0].valid_end - begin_, valid_begin, length_);
  for (std::int64_t x = 0; x < valid_begin; ++x) to[x] = element(x);
  if (is_row && in_.stride[0] != 1)
    for (std::int64_t x = valid_begin; x < valid_end; ++x) to[x] = row[(begin_ + x) * in_.stride[0]];
  else if (is_row)
    std::copy_n(row + begin_ + valid_begin, valid_end - valid_begin, to + valid_begin);
  else
    std::fill(to + valid_begin, to + valid_end, value);
  for (std::int64_t x = valid_end; x < length_; ++x) to[x] = element(x);
}

template class ExtendedRow<float>;
template class ExtendedRow<double>;

} // namespace Keramos::openmp::stencil
