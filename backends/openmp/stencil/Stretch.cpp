// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stretch.hpp"

namespace Keramos::openmp::stencil {
template <class T>
Stretch<T>::Stretch(const StencilOperands<T>& operands, InputRows<T>& rows, std::int64_t begin, std::int64_t end,
                    int planes, bool pads)
    : operands_(operands), rows_(rows), begin_(begin), end_(end), planes_(planes)
{
  tap_.resize(operands.taps - 2 * first_tap());
  if (planes > 1 && operands.column_radius > 0) column_.resize(2 * operands.column_radius + block_planes);
  if (pads) padded_.emplace(operands, begin, end, planes);
}

template <class T>
void Stretch<T>::compute(const Run& run, bool inside, const RunRows<T>& rows, const FinishedKernels<T>& kernels)
{
  set(run, inside);
  if (padded_) padded_->fill(run.j, run.k, inside);
  const StencilTaps<T> taps{tap_.data(), operands_.weight + first_tap(), segments_.data(),
                            static_cast<int>(segments_.size())};
  compute_points(operands_, {run, begin_, end_, inside, taps, column_.data(), column_shift_}, rows, kernels);
}

template <class T>
void Stretch<T>::set(const Run& run, bool inside)
{
  const auto& stride = operands_.in.stride;
  if (!(inside && is_set_)) {
    set_taps(run);
    set_column(run);
    is_set_ = inside;
    set_j_ = run.j;
    set_k_ = run.k;
  }
  const std::int64_t shift = (run.j - set_j_) * stride[1] + (run.k - set_k_) * stride[2];
  for (std::size_t s = 0; s < segments_.size(); ++s) segments_[s].shift = kinds_[s] == Kind::in ? shift : 0;
  column_shift_ = shift;
}

template <class T>
void Stretch<T>::set_taps(const Run& run)
{
  segments_.clear();
  kinds_.clear();
  int line_end = 0; // in blocks there are none: a line's taps are loaded one by one as others are
  for (int n = 0; n < static_cast<int>(tap_.size()); ++n) {
    const int tap = first_tap() + n;
    const auto& offset = operands_.offset[tap];
    Kind kind = Kind::padded;
    if (padded_ && operands_.row_of_tap[tap] >= 0) {
      tap_[n] = padded_->of(tap);
    } else {
      const InputRow<T> row = rows_.at(run.j + offset[1], run.k + offset[2]);
      kind = row.is_constant ? Kind::constant : Kind::in;
      tap_[n] = row.is_constant ? row.data : row.data + begin_ + offset[0];
    }
    const bool begins_line = operands_.line_radius > 0 && offset[0] == -operands_.line_radius;
    if (begins_line && planes_ == 1 && kind != Kind::constant) line_end = n + 2 * operands_.line_radius + 1;
    const bool is_line = n < line_end;
    if (kinds_.empty() || kinds_.back() != kind || begins_line || segments_.back().is_line != is_line) {
      kinds_.push_back(kind);
      segments_.push_back({0, is_line, 0, pitch(kind)});
    }
    segments_.back().end = n + 1;
  }
}

template <class T>
std::int64_t Stretch<T>::pitch(Kind kind) const
{
  return kind == Kind::in ? operands_.in.stride[2] : kind == Kind::padded ? padded_->pitch() : 0;
}

template <class T>
void Stretch<T>::set_column(const Run& run)
{
  for (std::size_t s = 0; s < column_.size(); ++s) {
    const InputRow<T> row = rows_.at(run.j, run.k + static_cast<int>(s) - operands_.column_radius);
    column_[s] = row.is_constant ? row.data : row.data + begin_;
  }
}

template class Stretch<float>;
template class Stretch<double>;

} // namespace Keramos::openmp::stencil
