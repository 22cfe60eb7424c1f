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

// ---- The operator --------------------------------------------------------------------------------------------------

template <class T>
StencilArguments<T>::StencilArguments(const core::Field<const T, 3>& the_in, const core::Field<T, 3>& the_out,
                                      const core::ProblemAxes<T>& the_axes, const T* the_weight,
                                      const Kokkos::Array<int, 3>* the_offset, int the_taps)
    : in(the_in), out(the_out), axes(the_axes), weight(the_weight), offset(the_offset), taps(the_taps)
{
  in.stride[0] = 1; // it is, or there is one point
  find_column();
  sort_taps();
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
    column.tap.push_back(tap_at[distance]);
    column.weight.push_back(weight[tap_at[distance]]);
  }
}

template <class T>
void StencilArguments<T>::sort_taps()
{
  std::map<std::pair<int, int>, int> piece_of_row;
  for (int t = 0; t < taps; ++t) {
    const auto add = [&](TapSet<T>& set) {
      set.tap.push_back(t);
      set.weight.push_back(weight[t]);
    };
    const bool is_level = offset[t][0] == 0;
    const bool in_column = std::count(column.tap.begin(), column.tap.end(), t) > 0;
    add(all);
    if (!in_column) add(rest);
    if (is_level) add(level);
    if (is_level && !in_column) add(level_rest);
    if (is_level) continue;
    add(along);
    const int next = static_cast<int>(piece_tap.size());
    const auto [entry, is_new] = piece_of_row.try_emplace({offset[t][1], offset[t][2]}, next);
    if (is_new) piece_tap.push_back(t);
    piece_of_along.push_back(entry->second);
  }
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

template <class T>
void StencilRuns<T>::select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes)
{
  if (first != first_ || last != last_) parts_.clear();
  first_ = first;
  last_ = last;
  j_ = j;
  k_ = k;
  planes_ = planes;
  plain_ = plain();
}

template <class T>
bool StencilRuns<T>::plain() const
{
  const auto inside = [](const core::ProblemAxis<T>& axis, std::int64_t low, std::int64_t high) {
    return low - axis.reach_low >= axis.valid_begin && high + axis.reach_high < axis.valid_end;
  };
  return inside(arguments_.axes[1], j_, j_) && inside(arguments_.axes[2], k_, k_ + planes_ - 1);
}

template <class T>
const T* StencilRuns<T>::constant_row(T value)
{
  for (const auto& row : constants_)
    if (std::memcmp(row.data(), &value, sizeof(T)) == 0) return row.data(); // bits, so that NaN finds itself
  return constants_.emplace_back(longest_run, value).data();
}

/// Sets the pointers of the rows that the part's taps read, if they are not there yet; answers how far they are shifted.
template <class T>
std::int64_t StencilRuns<T>::set_rows(Part& part)
{
  const auto& in = arguments_.in; // no structured bindings: clang 14 captures none
  const auto& axes = arguments_.axes;
  const auto& offset = arguments_.offset;
  if (plain_ && part.is_set) return (j_ - part.set_j) * in.stride[1] + (k_ - part.set_k) * in.stride[2];
  part.is_set = plain_;
  part.set_j = j_;
  part.set_k = k_;
  const auto row = [&](int tap, int plane) -> const T* {
    // The place of the row: an x that is surely inside, so that only the rules of the other two axes speak.
    core::Index3 place{axes[0].valid_begin, j_ + offset[tap][1], k_ + plane + offset[tap][2]};
    T value{};
    if (!plain_ && !axes.resolve(place, value)) return constant_row(value);
    return in.data + part.begin + offset[tap][0] + place[1] * in.stride[1] + place[2] * in.stride[2];
  };
  const bool block = part.planes == block_planes;
  const auto& taps = block ? (part.padded ? arguments_.level_rest : arguments_.rest)
                           : (part.padded ? arguments_.level : arguments_.all);
  part.tap.clear();
  for (const int tap : taps.tap)
    for (int plane = 0; plane < part.planes; ++plane) part.tap.push_back(row(tap, plane));
  part.column.clear();
  if (!block) return 0;
  for (const int tap : arguments_.column.tap) part.column.push_back(row(tap, 0));
  for (int plane = 1; plane < block_planes; ++plane) part.column.push_back(row(arguments_.column.tap.back(), plane));
  return 0;
}

// ---- Pieces --------------------------------------------------------------------------------------------------------

template <class T>
typename StencilRuns<T>::Part& StencilRuns<T>::part_at(std::int64_t begin, std::int64_t end, bool padded)
{
  for (Part& part : parts_)
    if (part.begin == begin && part.end == end && part.planes == planes_) return part;
  Part& part = parts_.emplace_back(Part{begin, end, planes_, padded});
  if (padded) make_pieces(part);
  return part;
}

template <class T>
void StencilRuns<T>::make_pieces(Part& part)
{
  const auto& axis = arguments_.axes[0];
  part.piece_begin = part.begin - axis.reach_low;
  part.piece_length = part.end + axis.reach_high - part.piece_begin;
  part.value.resize(part.piece_length);
  for (std::int64_t x = 0; x < part.piece_length; ++x)
    part.place.push_back(axis.resolve(part.piece_begin + x, part.value[x]));
  const std::size_t rows = arguments_.piece_tap.size();
  part.pieces.resize(part.planes * rows * part.piece_length);
  for (std::size_t t = 0; t < arguments_.along.tap.size(); ++t)
    for (int plane = 0; plane < part.planes; ++plane) {
      const T* piece = &part.pieces[(plane * rows + arguments_.piece_of_along[t]) * part.piece_length];
      part.along.push_back(piece + axis.reach_low + arguments_.offset[arguments_.along.tap[t]][0]);
    }
}

template <class T>
void StencilRuns<T>::fill_pieces(Part& part)
{
  T* to = part.pieces.data();
  for (int plane = 0; plane < part.planes; ++plane)
    for (const int tap : arguments_.piece_tap) {
      fill_piece(part, tap, plane, to);
      to += part.piece_length;
    }
}

/// The row that `tap` reads, extended beyond its ends.
template <class T>
void StencilRuns<T>::fill_piece(const Part& part, int tap, int plane, T* to) const
{
  const auto& in = arguments_.in;
  const auto& axes = arguments_.axes;
  const auto& offset = arguments_.offset[tap];
  core::Index3 place{axes[0].valid_begin, j_ + offset[1], k_ + plane + offset[2]};
  T value{};
  const bool is_row = plain_ || axes.resolve(place, value);
  const T* row = is_row ? in.data + place[1] * in.stride[1] + place[2] * in.stride[2] : nullptr;
  const auto element = [&](std::int64_t x) -> T {
    if (is_row) return part.place[x] != core::no_index ? row[part.place[x]] : part.value[x];
    core::Index3 both{part.piece_begin + x, j_ + offset[1], k_ + plane + offset[2]}; // a row of constants has ends, too
    T corner{};
    axes.resolve(both, corner);
    return corner;
  };
  const std::int64_t valid_begin =
      std::clamp<std::int64_t>(axes[0].valid_begin - part.piece_begin, 0, part.piece_length);
  const std::int64_t valid_end =
      std::clamp<std::int64_t>(axes[0].valid_end - part.piece_begin, valid_begin, part.piece_length);
  for (std::int64_t x = 0; x < valid_begin; ++x) to[x] = element(x);
  if (is_row)
    std::copy_n(row + part.piece_begin + valid_begin, valid_end - valid_begin, to + valid_begin);
  else
    std::fill(to + valid_begin, to + valid_end, value);
  for (std::int64_t x = valid_end; x < part.piece_length; ++x) to[x] = element(x);
}

// ---- Kernels -------------------------------------------------------------------------------------------------------

/// The parts of the run: what the edges reach, and the clear points.
template <class T>
void StencilRuns<T>::run_parts(bool leap_frog)
{
  const auto& axis = arguments_.axes[0];
  std::int64_t clear_begin = std::clamp(axis.valid_begin + axis.reach_low, first_, last_);
  std::int64_t clear_end = std::clamp(axis.valid_end - axis.reach_high, clear_begin, last_);
  const bool is_clear = clear_begin == first_ && clear_end == last_;
  if (!is_clear && arguments_.piece_tap.size() == 1) clear_begin = clear_end = last_; // the whole run is one piece
  if (first_ < clear_begin) run_part(part_at(first_, clear_begin, true), leap_frog);
  if (clear_begin < clear_end) run_part(part_at(clear_begin, clear_end, false), leap_frog);
  if (clear_end < last_) run_part(part_at(clear_end, last_, true), leap_frog);
}

template <class T>
void StencilRuns<T>::run_part(Part& part, bool leap_frog)
{
  const std::int64_t shift = set_rows(part), skip = part.begin - first_, length = part.end - part.begin;
  if (part.padded) fill_pieces(part);
  const auto moved = [&](int plane) -> LeapFrogRow<T> {
    const auto& [centre, previous, scale, scale_value] = leap_frog_[plane];
    if (!leap_frog) return {};
    return {centre + skip, previous + skip, scale ? scale + skip : nullptr, scale_value};
  };
  const auto taps = [](const std::vector<const T*>& tap, const TapSet<T>& set) {
    return StencilTaps<T>{tap.data(), set.weight.data(), static_cast<int>(set.tap.size())};
  };
  const StencilTaps<T> along = part.padded ? taps(part.along, arguments_.along) : StencilTaps<T>{};
  if (part.planes == 1) {
    const auto rows = taps(part.tap, part.padded ? arguments_.level : arguments_.all);
    const StencilRow<T> row{rows, shift, along, length, out_[0] + skip, moved(0)};
    return (leap_frog ? kernels<T>().leap_frog : kernels<T>().sum)(row);
  }
  const auto rows = taps(part.tap, part.padded ? arguments_.level_rest : arguments_.rest);
  StencilBlock<T> block{part.column.data(), arguments_.column.weight.data(), rows, shift, along, length, {}, {}};
  for (int p = 0; p < block_planes; ++p) {
    block.out[p] = out_[p] + skip;
    block.leap_frog[p] = moved(p);
  }
  (leap_frog ? kernels<T>().leap_frog_block : kernels<T>().sum_block)[arguments_.column_radius](block);
}

template <class T>
void StencilRuns<T>::sum(T* const* out)
{
  std::copy(out, out + planes_, out_);
  run_parts(false);
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
  run_parts(true);
}

template struct StencilArguments<float>;
template struct StencilArguments<double>;
template class StencilRuns<float>;
template class StencilRuns<double>;

} // namespace Keramos::openmp
