// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilRuns.hpp"

#include "HostKernels.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

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
  if (in.extent[0] == 1) in.stride[0] = 1; // as good as any
  find_column();
  find_pieces();
  for (int t = 0; t < taps; ++t) {
    add(all, t);
    if (offset[t][2] == 0 || column_radius == 0) add(rest, t);
  }
}

template <class T>
void StencilArguments<T>::find_column()
{
  const int radius = axes[2].reach_low;
  if (gathers() || radius == 0 || radius > block_radius || axes[2].reach_high != radius || taps < 2 * radius) return;
  const auto is_at = [&](int tap, int distance) {
    return offset[tap][0] == 0 && offset[tap][1] == 0 && offset[tap][2] == distance;
  };
  for (int distance = 1; distance <= radius; ++distance) // the first and the last taps, since they are in order
    if (!is_at(radius - distance, -distance) || !is_at(taps - 1 - radius + distance, distance)) return;
  for (int t = radius; t < taps - radius; ++t)
    if (offset[t][2] != 0) return;
  column_radius = radius;
  for (int distance = -radius; distance <= radius; ++distance)
    column_weight.push_back(weight[distance < 0 ? radius + distance : taps - 1 - radius + distance]);
}

template <class T>
void StencilArguments<T>::find_pieces()
{
  std::map<std::pair<int, int>, int> piece_of_row;
  for (int t = 0; t < taps; ++t)
    if (gathers() || offset[t][0] != 0)
      if (piece_of_row.try_emplace({offset[t][1], offset[t][2]}, static_cast<int>(piece_tap.size())).second)
        piece_tap.push_back(t);
  for (int t = 0; t < taps; ++t) {
    const auto piece = piece_of_row.find({offset[t][1], offset[t][2]});
    piece_of_tap.push_back(piece == piece_of_row.end() ? -1 : piece->second);
  }
}

template <class T>
void StencilArguments<T>::add(TapList<T>& list, int tap)
{
  const bool piece = piece_of_tap[tap] >= 0;
  if (list.stretches.empty() || list.stretches.back().piece != piece) list.stretches.push_back({0, piece});
  list.tap.push_back(tap);
  list.weight.push_back(weight[tap]);
  list.stretches.back().end = static_cast<int>(list.tap.size());
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

/// The row that a tap with this offset reads, from the part's first point on.
template <class T>
const T* StencilRuns<T>::row(const Part& part, const Kokkos::Array<int, 3>& offset, int plane)
{
  const auto& in = arguments_.in;
  const auto& axes = arguments_.axes;
  // The place of the row: an x that is surely inside, so that only the rules of the other two axes speak.
  core::Index3 place{axes[0].valid_begin, j_ + offset[1], k_ + plane + offset[2]};
  T value{};
  if (!plain_ && !axes.resolve(place, value)) return constant_row(value);
  return in.data + part.begin + offset[0] + place[1] * in.stride[1] + place[2] * in.stride[2];
}

/// Sets the pointers of the rows that the part's taps read, if they are not there yet; answers how far they are shifted.
template <class T>
std::int64_t StencilRuns<T>::set_rows(Part& part)
{
  const auto& stride = arguments_.in.stride;
  const auto& offset = arguments_.offset;
  if (plain_ && part.is_set) return (j_ - part.set_j) * stride[1] + (k_ - part.set_k) * stride[2];
  part.is_set = plain_;
  part.set_j = j_;
  part.set_k = k_;
  const auto& taps = taps_of(part).tap;
  for (std::size_t t = 0; t < taps.size(); ++t) {
    if (part.padded && arguments_.piece_of_tap[taps[t]] >= 0) continue;
    for (int plane = 0; plane < part.planes; ++plane)
      part.tap[t * part.planes + plane] = row(part, offset[taps[t]], plane);
  }
  if (part.planes == 1 || arguments_.column_radius == 0) return 0;
  part.column.clear();
  for (int s = 0; s < 2 * arguments_.column_radius + block_planes; ++s)
    part.column.push_back(row(part, {0, 0, -arguments_.column_radius}, s));
  return 0;
}

// ---- Pieces --------------------------------------------------------------------------------------------------------

template <class T>
typename StencilRuns<T>::Part& StencilRuns<T>::part_at(std::int64_t begin, std::int64_t end, bool padded)
{
  for (Part& part : parts_)
    if (part.begin == begin && part.end == end && part.planes == planes_) return part;
  Part& part = parts_.emplace_back(Part{begin, end, planes_, padded});
  const TapList<T>& taps = taps_of(part);
  part.tap.resize(taps.tap.size() * part.planes);
  if (padded) {
    for (const auto& stretch : taps.stretches) part.segments.push_back({stretch.end, 0});
    make_pieces(part);
  } else {
    part.segments.push_back({static_cast<int>(taps.tap.size()), 0});
  }
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
  const auto& taps = taps_of(part).tap;
  for (std::size_t t = 0; t < taps.size(); ++t)
    for (int plane = 0; plane < part.planes; ++plane)
      if (const int piece = arguments_.piece_of_tap[taps[t]]; piece >= 0)
        part.tap[t * part.planes + plane] =
            &part.pieces[(plane * rows + piece) * part.piece_length] + axis.reach_low + arguments_.offset[taps[t]][0];
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
    if (is_row) return part.place[x] != core::no_index ? row[part.place[x] * in.stride[0]] : part.value[x];
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
  if (is_row && arguments_.gathers())
    for (std::int64_t x = valid_begin; x < valid_end; ++x) to[x] = row[(part.piece_begin + x) * in.stride[0]];
  else if (is_row)
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
  const bool is_piece = arguments_.gathers() || (!is_clear && arguments_.piece_tap.size() == 1);
  if (is_piece) clear_begin = clear_end = last_; // the whole run
  if (first_ < clear_begin) run_part(part_at(first_, clear_begin, true), leap_frog);
  if (clear_begin < clear_end) run_part(part_at(clear_begin, clear_end, false), leap_frog);
  if (clear_end < last_) run_part(part_at(clear_end, last_, true), leap_frog);
}

template <class T>
void StencilRuns<T>::run_part(Part& part, bool leap_frog)
{
  const std::int64_t shift = set_rows(part), skip = part.begin - first_, length = part.end - part.begin;
  const TapList<T>& list = taps_of(part);
  for (std::size_t s = 0; s < part.segments.size(); ++s)
    part.segments[s].shift = part.padded && list.stretches[s].piece ? 0 : shift;
  if (part.padded) fill_pieces(part);
  const auto moved = [&](int plane) -> LeapFrogRow<T> {
    const auto& [centre, previous, scale, scale_value] = leap_frog_[plane];
    if (!leap_frog) return {};
    return {centre + skip, previous + skip, scale ? scale + skip : nullptr, scale_value};
  };
  const StencilTaps<T> taps{part.tap.data(), list.weight.data(), part.segments.data(),
                            static_cast<int>(part.segments.size())};
  if (part.planes == 1) {
    const StencilRow<T> row{taps, length, out_[0] + skip, moved(0)};
    return (leap_frog ? kernels<T>().leap_frog : kernels<T>().sum)(row);
  }
  StencilBlock<T> block{part.column.data(), arguments_.column_weight.data(), shift, taps, length, {}, {}};
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
  arguments_.fused ? select_fields(fields) : gather_fields(fields);
  run_parts(true);
  if (!arguments_.fused) scatter_fields();
}

/// The fields' runs where they are.
template <class T>
void StencilRuns<T>::select_fields(const core::LeapFrogFields<T>& fields)
{
  for (int plane = 0; plane < planes_; ++plane) {
    const std::int64_t k = k_ + plane;
    out_[plane] = &arguments_.out(first_, j_, k);
    leap_frog_[plane] = {&arguments_.in(first_, j_, k), &fields.previous(first_, j_, k),
                         fields.scale.data ? &fields.scale(first_, j_, k) : nullptr, fields.scale_value};
  }
}

/// Copies of strided runs, because the kernels round as no other code does.
template <class T>
void StencilRuns<T>::gather_fields(const core::LeapFrogFields<T>& fields)
{
  gathered_.resize(4 * block_planes * longest_run);
  T* next = gathered_.data();
  const auto gathered = [&](const core::Field<const T, 3>& field, std::int64_t k) -> const T* {
    if (!field.data) return nullptr;
    for (std::int64_t i = first_; i < last_; ++i) next[i - first_] = field(i, j_, k);
    return std::exchange(next, next + longest_run);
  };
  for (int plane = 0; plane < planes_; ++plane) {
    const std::int64_t k = k_ + plane;
    leap_frog_[plane] = {gathered(arguments_.in, k), gathered(fields.previous, k), gathered(fields.scale, k),
                         fields.scale_value};
    out_[plane] = std::exchange(next, next + longest_run);
  }
}

template <class T>
void StencilRuns<T>::scatter_fields()
{
  for (int plane = 0; plane < planes_; ++plane)
    for (std::int64_t i = first_; i < last_; ++i) arguments_.out(i, j_, k_ + plane) = out_[plane][i - first_];
}

template struct StencilArguments<float>;
template struct StencilArguments<double>;
template class StencilRuns<float>;
template class StencilRuns<double>;

} // namespace Keramos::openmp
