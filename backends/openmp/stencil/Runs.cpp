// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runs.hpp"

#include "../HostKernels.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace Keramos::openmp::stencil {
namespace {

template <class T>
const StencilKernelsOf<T>& kernels()
{
  if constexpr (sizeof(T) == 4) return stencil_kernels().f32;
  if constexpr (sizeof(T) == 8) return stencil_kernels().f64;
}

} // namespace

// ---- Rows ----------------------------------------------------------------------------------------------------------

template <class T>
void StencilRuns<T>::select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes)
{
  if (first != first_ || last != last_) stretches_.clear();
  first_ = first;
  last_ = last;
  j_ = j;
  k_ = k;
  planes_ = planes;
  inside_ = inside();
}

template <class T>
bool StencilRuns<T>::inside() const
{
  const auto within = [](const core::ProblemAxis<T>& axis, std::int64_t low, std::int64_t high) {
    return low - axis.reach_low >= axis.valid_begin && high + axis.reach_high < axis.valid_end;
  };
  return within(operands_.axes[1], j_, j_) && within(operands_.axes[2], k_, k_ + planes_ - 1);
}

template <class T>
const T* StencilRuns<T>::constant_row(T value)
{
  for (const auto& row : constants_)
    if (std::memcmp(row.data(), &value, sizeof(T)) == 0) return row.data(); // bits, so that NaN finds itself
  return constants_.emplace_back(max_run, value).data();
}

/// The row that a tap with this offset reads, from the stretch's first point on.
template <class T>
const T* StencilRuns<T>::row(const Stretch& stretch, const Kokkos::Array<int, 3>& offset, int plane)
{
  const auto& in = operands_.in;
  const auto& axes = operands_.axes;
  // Where the row is: an x that is surely inside, so that only the rules of the other two axes speak.
  core::Index3 source{axes[0].valid_begin, j_ + offset[1], k_ + plane + offset[2]};
  T value{};
  if (!inside_ && !axes.resolve(source, value)) return constant_row(value);
  return in.data + stretch.begin + offset[0] + source[1] * in.stride[1] + source[2] * in.stride[2];
}

/// Sets the pointers of the rows that the stretch's taps read, if they are not there yet; answers how far they are shifted.
template <class T>
std::int64_t StencilRuns<T>::set_rows(Stretch& stretch)
{
  const auto& stride = operands_.in.stride;
  if (inside_ && stretch.is_set) return (j_ - stretch.set_j) * stride[1] + (k_ - stretch.set_k) * stride[2];
  stretch.is_set = inside_;
  stretch.set_j = j_;
  stretch.set_k = k_;
  const T** next = stretch.tap.data();
  for (int tap = first_tap(stretch); tap < end_tap(stretch); ++tap, next += stretch.planes) {
    if (reads_padded(stretch, tap)) continue;
    for (int plane = 0; plane < stretch.planes; ++plane) next[plane] = row(stretch, operands_.offset[tap], plane);
  }
  for (std::size_t s = 0; s < stretch.column.size(); ++s)
    stretch.column[s] = row(stretch, {0, 0, -operands_.column_radius}, static_cast<int>(s));
  return 0;
}

// ---- Stretches -----------------------------------------------------------------------------------------------------

template <class T>
typename StencilRuns<T>::Stretch& StencilRuns<T>::stretch_at(std::int64_t begin, std::int64_t end, bool padded)
{
  for (Stretch& stretch : stretches_)
    if (stretch.begin == begin && stretch.end == end && stretch.planes == planes_) return stretch;
  Stretch& stretch = stretches_.emplace_back(Stretch{begin, end, planes_});
  if (padded) stretch.padded.emplace(operands_, begin, end, planes_);
  list_taps(stretch);
  return stretch;
}

/// Room for the taps' pointers, of which those into padded rows never change; and the segments of either kind.
template <class T>
void StencilRuns<T>::list_taps(Stretch& stretch) const
{
  const int first = first_tap(stretch), end = end_tap(stretch);
  stretch.tap.resize((end - first) * stretch.planes);
  if (stretch.planes > 1 && operands_.column_radius > 0)
    stretch.column.resize(2 * operands_.column_radius + block_planes);
  for (int tap = first; tap < end; ++tap) {
    const char moves = !reads_padded(stretch, tap);
    if (stretch.moves.empty() || stretch.moves.back() != moves) {
      stretch.moves.push_back(moves);
      stretch.segments.push_back({0, 0});
    }
    stretch.segments.back().end = tap + 1 - first;
    for (int plane = 0; plane < stretch.planes && !moves; ++plane)
      stretch.tap[(tap - first) * stretch.planes + plane] = stretch.padded->of(tap, plane);
  }
}

// ---- Kernels -------------------------------------------------------------------------------------------------------

/// The stretches of the run: what the edges reach, and the clear points.
template <class T>
void StencilRuns<T>::run_stretches(const FinishedKernels<T>& kernels)
{
  const auto& axis = operands_.axes[0];
  std::int64_t clear_begin = std::clamp(axis.valid_begin + axis.reach_low, first_, last_);
  std::int64_t clear_end = std::clamp(axis.valid_end - axis.reach_high, clear_begin, last_);
  const bool is_clear = clear_begin == first_ && clear_end == last_;
  if (operands_.gathers() || (!is_clear && operands_.padded_rows == 1)) clear_begin = clear_end = last_; // all padded
  if (first_ < clear_begin) run_stretch(stretch_at(first_, clear_begin, true), kernels);
  if (clear_begin < clear_end) run_stretch(stretch_at(clear_begin, clear_end, false), kernels);
  if (clear_end < last_) run_stretch(stretch_at(clear_end, last_, true), kernels);
}

template <class T>
void StencilRuns<T>::run_stretch(Stretch& stretch, const FinishedKernels<T>& kernels)
{
  const std::int64_t shift = set_rows(stretch), skip = stretch.begin - first_, length = stretch.end - stretch.begin;
  for (std::size_t s = 0; s < stretch.segments.size(); ++s) stretch.segments[s].shift = stretch.moves[s] ? shift : 0;
  if (stretch.padded) stretch.padded->fill(j_, k_, inside_);
  const auto moved = [&](int plane) {
    OperandRows<T> rows = operand_rows_[plane];
    if (rows.centre) rows.centre += skip;
    for (auto& operand : rows.operand)
      if (operand) operand += skip;
    return rows;
  };
  const StencilTaps<T> taps{stretch.tap.data(), operands_.weight + first_tap(stretch), stretch.segments.data(),
                            static_cast<int>(stretch.segments.size())};
  if (stretch.planes == 1) return kernels.row({taps, length, out_[0] + skip, moved(0)});
  StencilBlock<T> block{stretch.column.data(), operands_.column_weight, shift, taps, length, {}, {}};
  for (int p = 0; p < block_planes; ++p) {
    block.out[p] = out_[p] + skip;
    block.operands[p] = moved(p);
  }
  kernels.block[operands_.column_radius](block);
}

template <class T>
void StencilRuns<T>::sum(T* const* out)
{
  std::copy(out, out + planes_, out_);
  run_stretches(kernels<T>().store);
}

template <class T>
void StencilRuns<T>::update(const core::EpilogueOperand<T>* operand)
{
  operands_.unit_strides ? select_operands(operand) : gather_operands(operand);
  run_stretches(kernels<T>().leap_frog);
  if (!operands_.unit_strides) scatter_out();
}

// ---- The operands of the library's epilogue ------------------------------------------------------------------------

/// Their runs where they are.
template <class T>
void StencilRuns<T>::select_operands(const core::EpilogueOperand<T>* operand)
{
  for (int plane = 0; plane < planes_; ++plane) {
    const std::int64_t k = k_ + plane;
    OperandRows<T>& rows = operand_rows_[plane];
    out_[plane] = &operands_.out(first_, j_, k);
    rows.centre = &operands_.in(first_, j_, k);
    for (int n = 0; n < kernel_operands; ++n) {
      rows.operand[n] = operand[n].is_field() ? &operand[n].field(first_, j_, k) : nullptr;
      rows.number[n] = operand[n].number;
    }
  }
}

/// Copies of strided runs, because the kernels round as no other code does.
template <class T>
void StencilRuns<T>::gather_operands(const core::EpilogueOperand<T>* operand)
{
  gathered_.resize((kernel_operands + 2) * block_planes * max_run);
  T* next = gathered_.data();
  const auto gathered = [&](const core::Field<const T, 3>& field, std::int64_t k) -> const T* {
    if (!field.data) return nullptr;
    for (std::int64_t i = first_; i < last_; ++i) next[i - first_] = field(i, j_, k);
    return std::exchange(next, next + max_run);
  };
  for (int plane = 0; plane < planes_; ++plane) {
    const std::int64_t k = k_ + plane;
    OperandRows<T>& rows = operand_rows_[plane];
    rows.centre = gathered(operands_.in, k);
    for (int n = 0; n < kernel_operands; ++n) {
      rows.operand[n] = gathered(operand[n].field, k);
      rows.number[n] = operand[n].number;
    }
    out_[plane] = std::exchange(next, next + max_run);
  }
}

template <class T>
void StencilRuns<T>::scatter_out()
{
  for (int plane = 0; plane < planes_; ++plane)
    for (std::int64_t i = first_; i < last_; ++i) operands_.out(i, j_, k_ + plane) = out_[plane][i - first_];
}

template class StencilRuns<float>;
template class StencilRuns<double>;

} // namespace Keramos::openmp::stencil
