// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilRuns.hpp"

#include "HostKernels.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace Keramos::openmp {
namespace {

template <class T>
const StencilKernelsOf<T>& kernels()
{
  if constexpr (sizeof(T) == 4) return stencil_kernels().f32;
  if constexpr (sizeof(T) == 8) return stencil_kernels().f64;
}

} // namespace

template <class T>
StencilArguments<T>::StencilArguments(const core::Field<const T, 3>& the_in, const core::Field<T, 3>& the_out,
                                      const core::ProblemAxes<T>& the_axes, const T* the_weight,
                                      const Kokkos::Array<int, 3>* the_offset, int the_taps)
    : in(the_in), out(the_out), axes(the_axes), weight(the_weight), offset(the_offset), taps(the_taps)
{
  in.stride[0] = 1; // it is, or there is one point
  for (int t = 0; t < taps; ++t)
    displacement.push_back(offset[t][0] * in.stride[0] + offset[t][1] * in.stride[1] + offset[t][2] * in.stride[2]);
  find_column();
}

template <class T>
void StencilArguments<T>::find_column()
{
  std::map<int, int> tap_at; // offset along axis 2 -> tap, of taps on that axis
  for (int t = 0; t < taps; ++t)
    if (offset[t][0] == 0 && offset[t][1] == 0) tap_at.try_emplace(offset[t][2], t);
  while (column_radius < block_radius && tap_at.count(column_radius + 1) && tap_at.count(-column_radius - 1) &&
         tap_at.count(0))
    ++column_radius;
  for (int distance = -column_radius; column_radius > 0 && distance <= column_radius; ++distance) {
    column.push_back(tap_at[distance]);
    column_weight.push_back(weight[column.back()]);
  }
  for (int t = 0; t < taps; ++t)
    if (std::find(column.begin(), column.end(), t) == column.end()) {
      rest.push_back(t);
      rest_weight.push_back(weight[t]);
    }
}

template <class T>
StencilRuns<T>::StencilRuns(const StencilArguments<T>& arguments)
    : arguments_(arguments), row_tap_(arguments.taps), column_(arguments.column.size() + block_planes - 1),
      rest_tap_(arguments.rest.size() * block_planes)
{
  std::map<std::pair<int, int>, int> piece_of_row;
  for (int t = 0; t < arguments.taps; ++t) {
    const auto& offset = arguments.offset[t];
    piece_of_.push_back(-1);
    if (offset[0] == 0) continue;
    const auto [entry, is_new] = piece_of_row.try_emplace({offset[1], offset[2]}, static_cast<int>(piece_tap_.size()));
    if (is_new) piece_tap_.push_back(t);
    piece_of_[t] = entry->second;
  }
  for (auto& taps : tap_) taps.resize(arguments.taps);
}

template <class T>
void StencilRuns<T>::select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes)
{
  first_ = first;
  last_ = last;
  j_ = j;
  k_ = k;
  planes_ = planes;
  for (int plane = 0; plane < planes; ++plane) point_taps_at_rows(plane);
}

template <class T>
void StencilRuns<T>::point_taps_at_rows(int plane)
{
  const auto& [in, axes] = std::tie(arguments_.in, arguments_.axes);
  const std::int64_t k = k_ + plane;
  const auto inside = [](const core::ProblemAxis<T>& axis, std::int64_t index) {
    return index - axis.reach_low >= axis.valid_begin && index + axis.reach_high < axis.valid_end;
  };
  const T* centre = in.data + first_ * in.stride[0] + j_ * in.stride[1] + k * in.stride[2];
  auto& tap = tap_[plane];
  if (inside(axes[1], j_) && inside(axes[2], k)) {
    for (int t = 0; t < arguments_.taps; ++t) tap[t] = centre + arguments_.displacement[t];
    return;
  }
  for (int t = 0; t < arguments_.taps; ++t) {
    const auto& offset = arguments_.offset[t];
    // The place of the row: an x that is surely inside, so that only the rules of the other two axes speak.
    core::Index3 place{axes[0].valid_begin, j_ + offset[1], k + offset[2]};
    T value{};
    if (axes.resolve(place, value))
      tap[t] = in.data + (first_ + offset[0]) * in.stride[0] + place[1] * in.stride[1] + place[2] * in.stride[2];
    else
      tap[t] = constant_row(value);
  }
}

template <class T>
const T* StencilRuns<T>::constant_row(T value)
{
  for (const auto& row : constants_)
    if (std::memcmp(row.data(), &value, sizeof(T)) == 0) return row.data(); // bits, so that NaN finds itself
  return constants_.emplace_back(longest_run, value).data();
}

template <class T>
typename StencilRuns<T>::Strip& StencilRuns<T>::strip_at(std::int64_t begin, std::int64_t end)
{
  for (Strip& strip : strips_)
    if (strip.begin == begin && strip.end == end) return strip;
  const auto& axis = arguments_.axes[0];
  const std::int64_t piece_begin = begin - axis.reach_low, length = end + axis.reach_high - piece_begin;
  Strip& strip = strips_.emplace_back();
  strip.begin = begin;
  strip.end = end;
  strip.piece_begin = piece_begin;
  strip.piece_length = length;
  strip.value.resize(length);
  for (std::int64_t x = 0; x < length; ++x) strip.place.push_back(axis.resolve(piece_begin + x, strip.value[x]));
  strip.pieces.resize(block_planes * piece_tap_.size() * length);
  for (int plane = 0; plane < block_planes; ++plane) {
    strip.tap[plane].resize(arguments_.taps);
    for (int t = 0; t < arguments_.taps; ++t)
      if (piece_of_[t] >= 0) {
        const std::size_t piece = plane * piece_tap_.size() + piece_of_[t];
        strip.tap[plane][t] = &strip.pieces[piece * length + begin - piece_begin + arguments_.offset[t][0]];
      }
  }
  return strip;
}

/// The pieces of one plane, and the taps that read whole rows.
template <class T>
void StencilRuns<T>::fill_strip(Strip& strip, int plane)
{
  for (std::size_t piece = 0; piece < piece_tap_.size(); ++piece)
    fill_piece(strip, piece_tap_[piece], plane,
               &strip.pieces[(plane * piece_tap_.size() + piece) * strip.piece_length]);
  for (int t = 0; t < arguments_.taps; ++t)
    if (piece_of_[t] < 0) strip.tap[plane][t] = tap_[plane][t] + (strip.begin - first_);
}

/// The row that `tap` reads, extended beyond its ends.
template <class T>
void StencilRuns<T>::fill_piece(const Strip& strip, int tap, int plane, T* to) const
{
  const auto& [in, axes] = std::tie(arguments_.in, arguments_.axes);
  const auto& offset = arguments_.offset[tap];
  core::Index3 place{axes[0].valid_begin, j_ + offset[1], k_ + plane + offset[2]};
  T value{};
  const bool is_row = axes.resolve(place, value);
  const T* row = is_row ? in.data + place[1] * in.stride[1] + place[2] * in.stride[2] : nullptr;
  const auto element = [&](std::int64_t x) -> T {
    if (is_row) return strip.place[x] != core::no_index ? row[strip.place[x]] : strip.value[x];
    core::Index3 both{strip.piece_begin + x, j_ + offset[1],
                      k_ + plane + offset[2]}; // a row of constants has ends, too
    T corner{};
    axes.resolve(both, corner);
    return corner;
  };
  const std::int64_t valid_begin =
      std::clamp<std::int64_t>(axes[0].valid_begin - strip.piece_begin, 0, strip.piece_length);
  const std::int64_t valid_end =
      std::clamp<std::int64_t>(axes[0].valid_end - strip.piece_begin, valid_begin, strip.piece_length);
  for (std::int64_t x = 0; x < valid_begin; ++x) to[x] = element(x);
  if (is_row)
    std::copy_n(row + strip.piece_begin + valid_begin, valid_end - valid_begin, to + valid_begin);
  else
    std::fill(to + valid_begin, to + valid_end, value);
  for (std::int64_t x = valid_end; x < strip.piece_length; ++x) to[x] = element(x);
}

/// Points [begin, end) in all planes of the run; `taps` stand `skip` points before begin.
template <class T>
void StencilRuns<T>::run_part(std::int64_t begin, std::int64_t end, const Taps& taps, std::int64_t skip, bool leap_frog)
{
  const auto moved = [&](int plane) -> LeapFrogRow<T> {
    if (!leap_frog) return {};
    const auto& [centre, previous, scale, scale_value] = leap_frog_[plane];
    const std::int64_t by = begin - first_;
    return {centre + by, previous + by, scale ? scale + by : nullptr, scale_value};
  };
  if (planes_ == 1) {
    for (int t = 0; t < arguments_.taps; ++t) row_tap_[t] = taps[0][t] + skip;
    const StencilRow<T> row{row_tap_.data(), arguments_.weight,          arguments_.taps,
                            end - begin,     out_[0] + (begin - first_), moved(0)};
    return (leap_frog ? kernels<T>().leap_frog : kernels<T>().sum)(row);
  }
  const auto& [column, rest] = std::tie(arguments_.column, arguments_.rest);
  const int last = static_cast<int>(column.size()) - 1;
  for (int s = 0; s < last + block_planes; ++s)
    column_[s] = (s <= last ? taps[0][column[s]] : taps[s - last][column[last]]) + skip;
  for (std::size_t t = 0; t < rest.size(); ++t)
    for (int p = 0; p < block_planes; ++p) rest_tap_[t * block_planes + p] = taps[p][rest[t]] + skip;
  StencilBlock<T> block{column_.data(),
                        arguments_.column_weight.data(),
                        rest_tap_.data(),
                        arguments_.rest_weight.data(),
                        static_cast<int>(rest.size()),
                        end - begin,
                        {},
                        {}};
  for (int p = 0; p < block_planes; ++p) {
    block.out[p] = out_[p] + (begin - first_);
    block.leap_frog[p] = moved(p);
  }
  (leap_frog ? kernels<T>().leap_frog_block : kernels<T>().sum_block)[arguments_.column_radius](block);
}

/// The parts of the run: what the edges reach, and the clear points.
template <class T>
void StencilRuns<T>::run_kernels(bool leap_frog)
{
  const auto& axis = arguments_.axes[0];
  std::int64_t clear_begin = std::clamp(axis.valid_begin + axis.reach_low, first_, last_);
  std::int64_t clear_end = std::clamp(axis.valid_end - axis.reach_high, clear_begin, last_);
  const bool is_clear = clear_begin == first_ && clear_end == last_;
  if (!is_clear && piece_tap_.size() == 1) clear_begin = clear_end = last_; // the whole run is one strip
  for (const auto& [begin, end] : {std::pair{first_, clear_begin}, std::pair{clear_end, last_}}) {
    if (begin == end) continue;
    Strip& strip = strip_at(begin, end);
    for (int plane = 0; plane < planes_; ++plane) fill_strip(strip, plane);
    run_part(begin, end, strip.tap, 0, leap_frog);
  }
  if (clear_begin < clear_end) run_part(clear_begin, clear_end, tap_, clear_begin - first_, leap_frog);
}

template <class T>
void StencilRuns<T>::sum(T* const* out)
{
  std::copy(out, out + planes_, out_);
  run_kernels(false);
}

template <class T>
void StencilRuns<T>::leap_frog(const core::LeapFrogFields<T>& fields)
{
  for (int plane = 0; plane < planes_; ++plane) {
    const std::int64_t k = k_ + plane;
    out_[plane] = &arguments_.out(first_, j_, k);
    leap_frog_[plane] = {&arguments_.in(first_, j_, k), &fields.previous(first_, j_, k),
                         fields.scale.data ? &fields.scale(first_, j_, k) : nullptr, fields.scale_value};
  }
  run_kernels(true);
}

template struct StencilArguments<float>;
template struct StencilArguments<double>;
template class StencilRuns<float>;
template class StencilRuns<double>;

} // namespace Keramos::openmp
