// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Past the caches: the points of a star of radius 1 over three axes, row after row of one plane, each row once from its first line to its
// last. One row is read from memory and one is written at a time, which these cores do faster than several side by side; every line of the
// input is loaded once a row, on a line, and its neighbours are shifted in registers: loads across lines would meet stores under way whose
// addresses end in the same 12 bits. The ends of a row are masked vectors of the same loop. Behind a functor a row goes through the
// first-level cache. What that gave on two Zen 4 cores: docs/tuning/hosts.md.
//
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Finished.hpp"
#include "Line.hpp"
#include "Pieces.hpp"
#include "Rows.hpp"

namespace Keramos::openmp {
namespace {

#if defined(__AVX512F__)
constexpr int streamed_star_taps = 7;
/// Lines that are stored one after the other (1, 2 and 4 of them, f32 512^3, two Zen 4 cores: 0.63, 0.70 and 0.77 of a copy).
constexpr int streamed_vectors = 4;

/// What the sums of a row go through.
template <class T>
struct StreamedRow {
  const T *in, *ahead; ///< its first point, and that of the row that is prefetched
  T* out;
  std::int64_t row, plane, length;
  const T (&weight)[streamed_star_taps];
};

/// The lines of the row itself before the next vector and at it.
template <class V>
struct PassedLines {
  V left, centre;
};

/// The lanes of a vector at x that lie in [-margin, length + margin).
template <class T>
[[gnu::always_inline]] inline SomeLanes lanes_within(std::int64_t x, std::int64_t length, int margin)
{
  constexpr std::int64_t lanes = native_lanes<T>;
  const auto lane = [](std::int64_t n) { return static_cast<int>(n < 0 ? 0 : n < lanes ? n : lanes); };
  return {lane(-margin - x), lane(length + margin - x)};
}

/// Past the caches, line after line: in an order that g++ had chosen (the third, the first, the second, the fourth) a call took 1.3 times as
/// long (f32 512^3, one Zen 4 core: 2.65 and 3.39 Gpoint/s). What other kernels store gains nothing by it.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void store_in_order(T* to, const V (&sum)[Vectors], const Whole&)
{
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; ++v) {
    stream_vector(to + v * native_lanes<T>, sum[v]);
    asm volatile("" ::: "memory");
  }
}
template <class V, class T>
[[gnu::always_inline]] inline void store_in_order(T* to, const V (&sum)[1], const SomeLanes& some)
{
  some.put(to, sum[0]);
}

/// Where the sums go.
struct PastCaches {
  template <class T, class V, int Vectors, class Access>
  [[gnu::always_inline]] static void put(T* to, const V (&sum)[Vectors], const Access& access)
  {
    store_in_order(to, sum, access);
  }
};
struct IntoBuffer {
  template <class T, class V, int Vectors, class Access>
  [[gnu::always_inline]] static void put(T* to, const V (&sum)[Vectors], const Access& access)
  {
    store_all<native_lanes<T>>(to, sum, false, access);
  }
};

/// The points at x, where `right` are the lines behind each of the vectors.
template <class Store, int Vectors, class V, class T, class Access>
[[gnu::always_inline]] inline void streamed_points(const StreamedRow<T>& star, std::int64_t x, PassedLines<V>& passed,
                                                   const V (&right)[Vectors], const Access& access)
{
  constexpr int lanes = native_lanes<T>;
  V sum[Vectors] = {};
  const auto add = [&](int tap, const auto& value) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) sum[v] = multiply_add(sum[v], star.weight[tap], value(v));
  };
  const auto at = [&](std::int64_t distance) {
    return [&, distance](int v) { return access.template get<V>(star.in + distance + x + v * lanes); };
  };
  const auto line = [&](int v) { return v < 0 ? passed.left : v == 0 ? passed.centre : right[v - 1]; };
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; ++v) __builtin_prefetch(star.ahead + x + v * lanes, 0, 2);
  add(0, at(-star.plane));
  add(1, at(-star.row));
  add(2, [&](int v) { return shifted<lanes - 1>(line(v - 1), line(v)); });
  add(3, line);
  add(4, [&](int v) { return shifted<1>(line(v), right[v]); });
  add(5, at(star.row));
  add(6, at(star.plane));
  Store::put(star.out + x, sum, access);
  passed = {line(Vectors - 1), right[Vectors - 1]};
}

/// What the taps of the points read there along the row.
template <class V, class T>
[[gnu::always_inline]] inline V load_line(const StreamedRow<T>& star, std::int64_t x)
{
  return lanes_within<T>(x, star.length, 1).template get<V>(star.in + x);
}

/// One vector of them.
template <class Store, class V, class T, class Access>
[[gnu::always_inline]] inline void streamed_vector(const StreamedRow<T>& star, std::int64_t x, PassedLines<V>& passed,
                                                   const Access& access)
{
  const V right[] = {load_line<V>(star, x + native_lanes<T>)};
  streamed_points<Store, 1>(star, x, passed, right, access);
}

template <class Store, class T>
[[gnu::always_inline]] inline void streamed_row(const StreamedRow<T>& star)
{
  constexpr int lanes = native_lanes<T>, vectors = streamed_vectors;
  using V = Vector<T, lanes>;
  const std::int64_t length = star.length, before = points_before_line(star.out, true);
  const auto end = [&](std::int64_t at) { return lanes_within<T>(at, length, 0); };
  std::int64_t x = before > 0 ? before - lanes : 0;
  PassedLines<V> passed{load_line<V>(star, x - lanes), load_line<V>(star, x)};
  if (before > 0) streamed_vector<Store>(star, x, passed, end(x)), x = before;
  for (; x + (vectors + 1) * lanes <= length + 1; x += vectors * lanes) {
    V right[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) right[v] = load<V>(star.in + x + (v + 1) * lanes);
    streamed_points<Store, vectors>(star, x, passed, right, Whole());
  }
  for (; x + lanes <= length; x += lanes) streamed_vector<Store>(star, x, passed, Whole());
  if (x < length) streamed_vector<Store>(star, x, passed, end(x));
}

/// The same through a functor, piece by piece: a row as a whole, if it is not too long, for the sums of pieces of 256, 512, 1024 and 2048 bytes
/// took 8.8, 7.4, 6.9 and 7.1 ms (f64 200^3, one Zen 4 core) and 10.1, 8.6, 7.7 and 7.6 (f32 256^3).
template <class T>
[[gnu::always_inline]] inline void streamed_functor_row(const StreamedRow<T>& star, const Functor<T>& functor, int row)
{
  constexpr int most = max_piece_bytes / static_cast<int>(sizeof(T));
  alignas(line_bytes) T sum[most];
  const std::int64_t before = points_before_line(star.out, true);
  StreamedRow<T> piece{star.in, star.ahead, sum, star.row, star.plane, 0, star.weight};
  for (std::int64_t x = 0; x < star.length; x += piece.length) {
    const std::int64_t left = star.length - x, some = x == 0 && before > 0 ? before : most;
    piece.length = left < some ? left : some;
    piece.in = star.in + x;
    piece.ahead = star.ahead + x;
    streamed_row<IntoBuffer>(piece);
    finish(functor, {sum, sum, 0, 0, x, piece.length, row, 0, 1}, moved(star.out, x), 0, star.out && x >= before);
  }
}

/// `block.ahead`: how far on is the row of the plane to come, or 0; the rows above and below the block are prefetched with it.
template <bool HasFunctor, class T>
[[gnu::noinline]] void streamed_star_rows(const DirectBlock<T>& block)
{
  T weight[streamed_star_taps]; // of its own, so that no store can change it
  for (int n = 0; n < streamed_star_taps; ++n) weight[n] = block.weight[n];
  StreamedRow<T> star{
      block.in.data, block.in.data + block.ahead, block.out.data, block.in.row, block.in.plane, block.length, weight};
  if (block.ahead > 0) {
    prefetch_points(star.ahead - star.row, 0, star.length);
    prefetch_points(star.ahead + block.rows * star.row, 0, star.length);
  }
  for (int left = block.rows; left > 0; --left) {
    if (left > 1 && star.out) prefetch_ends(star.out + block.out.row, star.length);
    if constexpr (HasFunctor)
      streamed_functor_row(star, *block.functor, block.rows - left);
    else
      streamed_row<PastCaches>(star);
    star.in += star.row;
    star.ahead += star.row;
    star.out += block.out.row;
  }
}

template <class T>
void streamed_star_kernel(const DirectBlock<T>& block)
{
  block.functor ? streamed_star_rows<true>(block) : streamed_star_rows<false>(block);
}

template <class T>
constexpr auto streamed_star() -> void (*)(const DirectBlock<T>&)
{
  return streamed_star_kernel<T>;
}
#else
template <class T>
constexpr auto streamed_star() -> void (*)(const DirectBlock<T>&)
{
  return nullptr;
}
#endif

} // namespace
} // namespace Keramos::openmp
