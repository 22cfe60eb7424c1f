// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the caches: the points of a star within a plane, of a line along the run or of a star of radius 1 over three axes, in rows of one plane
// that follow each other: eight sums at once, two vectors of each of four rows, hide the latency of multiply-adds. The taps are known when
// this is compiled, so that no pointer to one is loaded, and a row is loaded once for the rows on either side of it. The leap-frog behind
// the last of these as well. What that gave on two Zen 4 cores: docs/tuning/hosts.md.
//
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Finished.hpp"
#include "Line.hpp"
#include "Pieces.hpp"

namespace Keramos::openmp {
namespace {

#if defined(__AVX512F__)
/// Of a vector: those of 32 bytes lose less at the ends of short rows, and shifts of them take turns with fewer multiply-adds
/// (radius 4 along the run, f32 64^3, one Zen 4 core: 4.9 Gpoint/s for 2.9).
constexpr int plane_lanes = 8;

/// How far the taps reach: across the planes, across the rows of one, and along them.
template <int Planes, int Rows, int Elements>
struct Reach {
  static constexpr int planes = Planes, rows = Rows, elements = Elements;
  static constexpr int line = Planes + Rows; ///< taps before those along the row
  static constexpr int taps = 2 * (line + Elements) + 1;
  using Line = typename MakeLanes<2 * Elements + 1>::type;
};

/// What the tap N - Elements along the run reads at `in`. Every other one of radius 4 is shifted, from two vectors that other taps load:
/// shifts and multiply-adds share a unit, and loads across lines take the time of two.
template <int Elements, int N, class V, class T, class Access>
[[gnu::always_inline]] inline V tap_of_row(const T* in, const Access& access)
{
  if constexpr (N % 2 == 1 && 2 * Elements * sizeof(T) == sizeof(V) && __is_same(Access, Whole))
    return shifted<N>(access.template get<V>(in - Elements), access.template get<V>(in + Elements));
  else
    return access.template get<V>(in + N - Elements);
}

template <class V, int Vectors>
using PlaneSums = V[plane_rows][Vectors]; // NOLINT(modernize-avoid-c-arrays)

/// Adds a tap to all sums: value(r, v) is what vector v of row r reads.
template <class V, int Vectors, class T, class Value>
[[gnu::always_inline]] inline void add_plane_tap(PlaneSums<V, Vectors>& sum, T weight, const Value& value)
{
#pragma GCC unroll 4
  for (int r = 0; r < plane_rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) sum[r][v] = multiply_add(sum[r][v], weight, value(r, v));
}

/// What the leap-frog reads in this row.
template <class T>
[[gnu::always_inline]] inline OperandRows<T> operands_at(const PlaneStar<T>& star, int row)
{
  OperandRows<T> rows{star.in.data + row * star.in.row, {}, {}};
  for (int n = 0; n < kernel_operands; ++n) {
    if (star.operand[n].data) rows.operand[n] = star.operand[n].data + row * star.operand[n].row;
    rows.number[n] = star.number[n];
  }
  return rows;
}

/// The points at x of the first rows; results of the last `fresh` of them are stored.
template <class Reach, bool LeapFrog, int LaneCount, int Vectors, class T, class Access, int... N>
[[gnu::always_inline]] inline void plane_points(const PlaneStar<T>& star, std::int64_t x, int fresh,
                                                const Access& access, Lanes<N...>)
{
  using V = Vector<T, LaneCount>;
  asm("" : "+r"(x)); // or products of the first vector are made where the paths to it part, and fused with no sum
  PlaneSums<V, Vectors> sum = {};
  const BlockField<const T>& in = star.in;
  const auto at = [&](int r, int v) { return in.data + r * in.row + x + v * LaneCount; };
  const auto add_row = [&](std::int64_t distance, T weight) {
    add_plane_tap<V, Vectors>(sum, weight, [&](int r, int v) { return access.template get<V>(at(r, v) + distance); });
  };
#pragma GCC unroll 4
  for (int n = 0; n < Reach::planes; ++n) add_row((n - Reach::planes) * in.plane, star.weight[n]);
#pragma GCC unroll 4
  for (int n = 0; n < Reach::rows; ++n) add_row((n - Reach::rows) * in.row, star.weight[Reach::planes + n]);
  (add_plane_tap<V, Vectors>(sum, star.weight[Reach::line + N],
                             [&](int r, int v) { return tap_of_row<Reach::elements, N, V>(at(r, v), access); }),
   ...);
#pragma GCC unroll 4
  for (int n = 1; n <= Reach::rows; ++n) add_row(n * in.row, star.weight[Reach::taps - 1 - Reach::line + n]);
#pragma GCC unroll 4
  for (int n = 1; n <= Reach::planes; ++n) add_row(n * in.plane, star.weight[Reach::taps - 1 - Reach::planes + n]);
#pragma GCC unroll 4
  for (int r = 0; r < plane_rows; ++r) {
    if constexpr (LeapFrog) {
      if (r < plane_rows - fresh) continue;
      const OperandRows<T> operands = operands_at(star, r);
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[r][v] = finished<true>(operands, x + v * LaneCount, sum[r][v], access);
    }
    store_all<LaneCount>(star.out.data + r * star.out.row + x, sum[r], false, access);
  }
}
template <class Reach, int LaneCount, int Vectors, class T, class Access = Whole>
[[gnu::always_inline]] inline void plane_points(const PlaneStar<T>& star, std::int64_t x, const Access& access = {})
{
  plane_points<Reach, false, LaneCount, Vectors>(star, x, plane_rows, access, typename Reach::Line());
}

/// The leap-frog of every point once, in vectors of whole registers that stand on the lines of the output where that takes no vector more, or
/// few of many.
template <class Reach, class T>
[[gnu::always_inline]] inline void leap_plane_rows(const PlaneStar<T>& star, int fresh)
{
  constexpr int lanes = native_lanes<T>;
  const auto points = [&]<int Vectors>(std::int64_t x, const auto& access) {
    plane_points<Reach, true, lanes, Vectors>(star, x, fresh, access, typename Reach::Line());
  };
  const std::int64_t length = star.length, before = points_before_vectors(star.out.data, length);
  for (std::int64_t x = before > 0 ? before - lanes : 0; x < length;) {
    if (x >= 0 && x + 2 * lanes <= length && sizeof(T) == 8) {
      points.template operator()<2>(x, Whole());
      x += 2 * lanes;
    } else {
      const std::int64_t begin = x < 0 ? -x : 0, end = length - x < lanes ? length - x : lanes;
      if (begin == 0 && end == lanes)
        points.template operator()<1>(x, Whole());
      else
        points.template operator()<1>(x, SomeLanes{static_cast<int>(begin), static_cast<int>(end)});
      x += lanes;
    }
  }
}

/// Sums may be computed twice: the last vector overlaps the one before, and the first ones those on lines of the output. A line along the
/// run, most of whose loads are on none, goes from its first point.
template <class Reach, class T>
[[gnu::always_inline]] inline void sum_plane_rows(const PlaneStar<T>& star)
{
  constexpr int lanes = plane_lanes;
  const std::int64_t length = star.length;
  std::int64_t x = 0;
  if (Reach::rows > 0 && length >= std::int64_t{4} * lanes) {
    const std::int64_t before = points_before_line(star.out.data, true);
    for (; x < before; x += lanes) plane_points<Reach, lanes, 1>(star, x);
    x = before;
  }
  for (; x + 2 * lanes <= length; x += 2 * lanes) plane_points<Reach, lanes, 2>(star, x);
  for (; x < length; x += lanes) plane_points<Reach, lanes, 1>(star, x + lanes < length ? x : length - lanes);
}

// Rows of less than a vector.
template <class Reach, class T>
[[gnu::noinline]] void plane_ends(const PlaneStar<T>& star)
{
  plane_points<Reach, native_lanes<T>, 1>(star, 0, SomeLanes{0, static_cast<int>(star.length)});
}

/// Sums that a functor makes results of lie in their lines as the input does in its own.
template <class T>
struct PlanePieces {
  static constexpr int line = line_bytes / static_cast<int>(sizeof(T)),
                       most = max_piece_bytes / static_cast<int>(sizeof(T)), pitch = most + line;
  alignas(line_bytes) T sum[plane_rows * pitch];

  BlockField<T> field(const T* in)
  {
    return {sum + offset_in_line(reinterpret_cast<const Byte*>(in)) / sizeof(T), pitch, 0};
  }
};

/// Of the sums of plane_rows rows that begin at `row`, the last `fresh` ones go through the functor.
template <class T>
[[gnu::always_inline]] inline void finish_plane_rows(const PlaneStar<T>& rows, const PlaneStar<T>& sums, std::int64_t x,
                                                     int row, int fresh)
{
  const int first = plane_rows - fresh;
  T* const sum = sums.out.data + first * sums.out.row;
  finish(*rows.functor, {sum, sum, sums.out.row, sums.out.row, x, sums.length, row + first, 0, fresh},
         moved(rows.out.data, (row + first) * rows.out.row + x), rows.out.row, false);
}

template <class Reach, class T>
[[gnu::always_inline]] inline void sum_rows(const PlaneStar<T>& star)
{
  star.length < plane_lanes ? plane_ends<Reach>(star) : sum_plane_rows<Reach>(star);
}

/// body(row, fresh) for plane_rows rows at a time, the last `fresh` of which no other has; the last ones overlap those before.
template <class T, class Body>
[[gnu::always_inline]] inline void over_plane_rows(const PlaneStar<T>& rows, const Body& body)
{
  for (int row = 0, step = plane_rows;;) {
    body(row, step);
    const int left = rows.rows - row - plane_rows;
    step = left < plane_rows ? left : plane_rows;
    if (left <= 0) return;
    row += step;
  }
}

/// Apart from the kernel that stores: in one loop with it the functor cost that one 1.03 to 1.1 times its time (32^3, one Zen 4 core).
template <class Reach, class T>
[[gnu::noinline]] void functor_plane_rows(const PlaneStar<T>& rows, PlaneStar<T> star)
{
  PlanePieces<T> pieces;
  star.out = pieces.field(rows.in.data);
  over_plane_rows(rows, [&](int row, int fresh) {
    for (std::int64_t x = 0; x < rows.length; x += star.length) {
      star.length = rows.length - x < pieces.most ? rows.length - x : pieces.most;
      star.in.data = rows.in.data + row * rows.in.row + x;
      sum_rows<Reach>(star);
      finish_plane_rows(rows, star, x, row, fresh);
    }
  });
}

template <class Reach, class T>
void plane_kernel(const PlaneStar<T>& rows)
{
  T weight[Reach::taps]; // of its own, so that no store can change it
  for (int n = 0; n < Reach::taps; ++n) weight[n] = rows.weight[n];
  PlaneStar<T> star = rows;
  star.weight = weight;
  if (rows.functor) return functor_plane_rows<Reach>(rows, star);
  over_plane_rows(rows, [&](int row, int) {
    star.in.data = rows.in.data + row * rows.in.row;
    star.out.data = rows.out.data + row * rows.out.row;
    sum_rows<Reach>(star);
  });
}

/// The leap-frog behind a star of radius 1: its output may be an operand, so that no point is computed twice.
template <class T>
void leap_plane_kernel(const PlaneStar<T>& rows)
{
  using Star = Reach<1, 1, 1>;
  T weight[Star::taps];
  for (int n = 0; n < Star::taps; ++n) weight[n] = rows.weight[n];
  PlaneStar<T> star = rows;
  star.weight = weight;
  over_plane_rows(rows, [&](int row, int fresh) {
    star.in.data = rows.in.data + row * rows.in.row;
    star.out.data = rows.out.data + row * rows.out.row;
    for (int n = 0; n < kernel_operands; ++n)
      if (rows.operand[n].data) star.operand[n].data = rows.operand[n].data + row * rows.operand[n].row;
    leap_plane_rows<Star>(star, fresh);
  });
}

template <class Reach, class T>
constexpr auto plane_star() -> void (*)(const PlaneStar<T>&)
{
  return plane_kernel<Reach, T>;
}
template <class T>
constexpr auto leap_plane_star() -> void (*)(const PlaneStar<T>&)
{
  return leap_plane_kernel<T>;
}
#else
template <int Planes, int Rows, int Elements>
struct Reach {
};
template <class Reach, class T>
constexpr auto plane_star() -> void (*)(const PlaneStar<T>&)
{
  return nullptr;
}
template <class T>
constexpr auto leap_plane_star() -> void (*)(const PlaneStar<T>&)
{
  return nullptr;
}
#endif

} // namespace
} // namespace Keramos::openmp
