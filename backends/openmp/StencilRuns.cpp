// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilRuns.hpp"

#include "HostKernels.hpp"
#include "Stencil.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace Keramos::openmp {

template <class T>
StencilArguments<T>::StencilArguments(const core::Field<const T, 3>& the_in, const core::Field<T, 3>& the_out,
                                      const core::ProblemAxes<T>& the_axes, const T* the_weight,
                                      const Kokkos::Array<int, 3>* the_offset, int the_taps)
    : in(the_in), out(the_out), axes(the_axes), weight(the_weight), offset(the_offset), taps(the_taps)
{
  std::map<std::pair<int, int>, int> piece_of_row;
  for (int t = 0; t < taps; ++t) {
    const auto [x, y, z] = std::array{offset[t][0], offset[t][1], offset[t][2]};
    displacement.push_back(x * in.stride[0] + y * in.stride[1] + z * in.stride[2]);
    if (x == 0) {
      piece.push_back(-1);
      continue;
    }
    const auto [entry, is_new] = piece_of_row.try_emplace({y, z}, static_cast<int>(piece_tap.size()));
    if (is_new) piece_tap.push_back(t);
    piece.push_back(entry->second);
  }
}

template <class T>
StencilRuns<T>::StencilRuns(const StencilArguments<T>& arguments)
    : arguments_(arguments), tap_(arguments.taps), strip_tap_(arguments.taps)
{
}

template <class T>
void StencilRuns<T>::select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k)
{
  first_ = first;
  last_ = last;
  j_ = j;
  k_ = k;
  point_taps_at_rows();
}

template <class T>
void StencilRuns<T>::point_taps_at_rows()
{
  const auto& [in, axes] = std::tie(arguments_.in, arguments_.axes);
  const auto inside = [](const core::ProblemAxis<T>& axis, std::int64_t index) {
    return index - axis.reach_low >= axis.valid_begin && index + axis.reach_high < axis.valid_end;
  };
  const T* centre = in.data + first_ * in.stride[0] + j_ * in.stride[1] + k_ * in.stride[2];
  if (inside(axes[1], j_) && inside(axes[2], k_)) {
    for (int t = 0; t < arguments_.taps; ++t) tap_[t] = centre + arguments_.displacement[t];
    return;
  }
  for (int t = 0; t < arguments_.taps; ++t) {
    const auto& offset = arguments_.offset[t];
    // The place of the row: an x that is surely inside, so that only the rules of the other two axes speak.
    core::Index3 place{axes[0].valid_begin, j_ + offset[1], k_ + offset[2]};
    T value{};
    if (axes.resolve(place, value))
      tap_[t] = in.data + (first_ + offset[0]) * in.stride[0] + place[1] * in.stride[1] + place[2] * in.stride[2];
    else
      tap_[t] = constant_row(value);
  }
}

template <class T>
const T* StencilRuns<T>::constant_row(T value)
{
  for (const auto& row : constants_)
    if (std::memcmp(row.data(), &value, sizeof(T)) == 0) return row.data(); // bits, so that NaN finds itself
  if (constants_.empty()) constants_.reserve(4);                            // two axes of two sides: rows never move
  constants_.emplace_back(longest_run, value);
  return constants_.back().data();
}

/// A task meets at most two strips, low and high.
template <class T>
const typename StencilRuns<T>::Strip& StencilRuns<T>::strip_at(std::int64_t begin, std::int64_t end)
{
  for (const Strip& strip : strips_)
    if (strip.begin == begin && strip.end == end) return strip;
  const auto& axis = arguments_.axes[0];
  Strip strip{begin, end, begin - axis.reach_low, end + axis.reach_high, {}};
  for (std::int64_t x = strip.piece_begin; x < strip.piece_end; ++x) {
    T value;
    strip.place.push_back(axis.resolve(x, value));
  }
  return strips_.emplace_back(std::move(strip));
}

/// The strip [begin, end) of the run: taps with an offset along it read a padded piece.
template <class T>
void StencilRuns<T>::point_taps_at_pieces(std::int64_t begin, std::int64_t end)
{
  const Strip& strip = strip_at(begin, end);
  const std::int64_t length = strip.piece_end - strip.piece_begin;
  const int pieces = static_cast<int>(arguments_.piece_tap.size());
  pieces_.resize(std::max<std::size_t>(pieces_.size(), pieces * length));
  for (int p = 0; p < pieces; ++p) fill_piece(p, strip, &pieces_[p * length]);
  for (int t = 0; t < arguments_.taps; ++t) {
    const int piece = arguments_.piece[t];
    strip_tap_[t] = piece < 0 ? tap_[t] + (begin - first_)
                              : &pieces_[piece * length + (begin - strip.piece_begin) + arguments_.offset[t][0]];
  }
}

template <class T>
void StencilRuns<T>::fill_piece(int piece, const Strip& strip, T* to) const
{
  const auto& [in, axes] = std::tie(arguments_.in, arguments_.axes);
  const auto& offset = arguments_.offset[arguments_.piece_tap[piece]];
  core::Index3 row{axes[0].valid_begin, j_ + offset[1], k_ + offset[2]};
  T value{};
  const bool is_place = axes.resolve(row, value);
  const T* from = is_place ? in.data + row[1] * in.stride[1] + row[2] * in.stride[2] : nullptr;
  const auto beyond = [&](std::int64_t x) { // both the row and the element may have a rule
    core::Index3 place{x, j_ + offset[1], k_ + offset[2]};
    return axes.resolve(place, value) ? in[place] : value;
  };
  for (std::int64_t x = strip.piece_begin; x < strip.piece_end; ++x) {
    const std::int64_t place = strip.place[x - strip.piece_begin];
    to[x - strip.piece_begin] = is_place && place != core::no_index ? from[place] : beyond(x);
  }
}

/// The three parts of the run: calls call(row) with pointers moved to the part.
template <class T>
template <class Call>
void StencilRuns<T>::for_each_part(Row row, Call call)
{
  const auto& axis = arguments_.axes[0];
  const std::int64_t clear_begin = std::clamp(axis.valid_begin + axis.reach_low, first_, last_);
  const std::int64_t clear_end = std::clamp(axis.valid_end - axis.reach_high, clear_begin, last_);
  row.weight = arguments_.weight;
  row.taps = arguments_.taps;
  const auto part = [&](std::int64_t begin, std::int64_t end, bool strip) {
    if (begin == end) return;
    const std::int64_t skip = begin - first_;
    Row moved = row;
    moved.length = end - begin;
    moved.out += skip;
    if (row.centre) {
      moved.centre += skip;
      moved.previous += skip;
      if (row.scale) moved.scale += skip;
    }
    if (strip) {
      point_taps_at_pieces(begin, end);
      moved.tap = strip_tap_.data();
    } else {
      for (int t = 0; t < row.taps && skip > 0; ++t) strip_tap_[t] = tap_[t] + skip;
      moved.tap = skip > 0 ? strip_tap_.data() : tap_.data();
    }
    call(moved);
  };
  part(first_, clear_begin, true);
  part(clear_begin, clear_end, false);
  part(clear_end, last_, true);
}

template <class T>
void StencilRuns<T>::sum(T* out)
{
  const StencilKernels& kernels = stencil_kernels();
  Row row{};
  row.out = out;
  for_each_part(row, [&](const Row& part) {
    if constexpr (sizeof(T) == 4)
      kernels.sum_f32(part);
    else
      kernels.sum_f64(part);
  });
}

template <class T>
void StencilRuns<T>::leap_frog(const core::LeapFrogFields<T>& fields)
{
  const StencilKernels& kernels = stencil_kernels();
  Row row{};
  row.out = &arguments_.out(first_, j_, k_);
  row.centre = &arguments_.in(first_, j_, k_);
  row.previous = &fields.previous(first_, j_, k_);
  row.scale = fields.scale.data ? &fields.scale(first_, j_, k_) : nullptr;
  row.scale_value = fields.scale_value;
  for_each_part(row, [&](const Row& part) {
    if constexpr (sizeof(T) == 4)
      kernels.leap_frog_f32(part);
    else
      kernels.leap_frog_f64(part);
  });
}

template struct StencilArguments<float>;
template struct StencilArguments<double>;
template class StencilRuns<float>;
template class StencilRuns<double>;

core::Index3 stencil_tile(const core::Index3& points, const core::Index3& planes, std::int64_t element_bytes,
                          int concurrency)
{
  // A tile marches along axis 2; the rows of axis 1 that `planes[2]` planes need stay in half of a 1 MiB second-level
  // cache.
  constexpr std::int64_t cache = 512 * 1024;
  core::Index3 tile;
  const bool one_axis = points[1] == 1 && points[2] == 1;
  tile[0] = std::min<std::int64_t>(points[0], one_axis ? 32 * longest_run : longest_run);
  const std::int64_t rows = cache / (element_bytes * std::max<std::int64_t>(tile[0], 1) * (planes[2] + 1));
  tile[1] = std::clamp<std::int64_t>(rows - planes[1] + 1, 4, 256);
  tile[1] = std::clamp<std::int64_t>(tile[1], 1, std::max<std::int64_t>(points[1], 1));
  // Along axis 2: at least 8 tasks a thread where a task keeps 4 times its halo.
  const std::int64_t others =
      ((points[0] + tile[0] - 1) / std::max<std::int64_t>(tile[0], 1)) * ((points[1] + tile[1] - 1) / tile[1]);
  const std::int64_t chunks = std::max<std::int64_t>(1, 8 * concurrency / std::max<std::int64_t>(others, 1));
  tile[2] =
      std::clamp<std::int64_t>((points[2] + chunks - 1) / chunks, std::min<std::int64_t>(points[2], 4 * planes[2]),
                               std::max<std::int64_t>(points[2], 1));
  for (int p = 0; p < 3; ++p) tile[p] = std::max<std::int64_t>(tile[p], 1);
  return tile;
}

std::string stencil_variant(Shape shape, int rank, int radius, int taps, const char* epilogue)
{
  return core::shape_text(shape, rank, radius, taps) + " rows" + epilogue + " " + instruction_set_name();
}

} // namespace Keramos::openmp
