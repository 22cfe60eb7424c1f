// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of stencils do with their sums, and where in a run they begin. As Vector.hpp: unnamed namespace, no C++ library
// header with functions.
#pragma once

#include "Stencil.hpp"
#include "Stream.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

/// What is stored at x: the sum, or the wave update of it.
template <bool LeapFrog, class V, class T, class Access>
[[gnu::always_inline]] inline V finished(const OperandRows<T>& rows, std::int64_t x, V sum, const Access& access)
{
  if constexpr (!LeapFrog) return sum;
  const auto at = [&](const T* row) { return access.template get<V>(row + x); };
  const V scale = rows.operand[1] ? at(rows.operand[1]) : V{} + rows.number[1];
  return multiply_add(2 * at(rows.centre) - at(rows.operand[0]), scale, sum);
}

template <int Lanes, int Vectors, class V, class T, class Access>
[[gnu::always_inline]] inline void store_all(T* to, const V (&value)[Vectors], bool streaming, const Access& access)
{
  if (streaming)
    for (int v = 0; v < Vectors; ++v) stream_vector(to + v * Lanes, value[v]);
  else
    for (int v = 0; v < Vectors; ++v) access.put(to + v * Lanes, value[v]);
}

/// Runs of fewer bytes are neither aligned nor streamed: on a grid of 96^3 their ends cost more than that gains (star<3,1>, Zen 3).
constexpr int long_run_bytes = 1024;

/// The points in front of the first whole line of `out`, where a run is long: lines can be streamed from there on, and no load of
/// a row that is aligned as `out` is, as most are, crosses a line.
template <class T>
inline std::int64_t points_before_line(const T* out, bool is_long)
{
  if (!is_long) return 0;
  return (line_bytes - offset_in_line(reinterpret_cast<const Byte*>(out))) % line_bytes / static_cast<int>(sizeof(T));
}

/// The points in front of the first whole line of the output, if the vectors are to stand on lines: where that takes no vector more, or few
/// of many.
template <class T>
inline std::int64_t points_before_vectors(const T* out, std::int64_t length)
{
  constexpr int lanes = native_lanes<T>;
  const auto vectors = [](std::int64_t points) { return (points + lanes - 1) / lanes; };
  const std::int64_t before = points_before_line(out, true);
  const bool costs = before > 0 && 1 + vectors(length - before) > vectors(length);
  return costs && length < std::int64_t{4} * lanes ? 0 : before;
}

/// The lines at the ends of a row to come, which are read before they are written where they are not whole; and with them the places of
/// its pages (rows of whole lines, derivative along axis 1 f32 512^3, one Zen 4 core: 3.01 Gpoint/s without, 3.22 with this).
template <class T>
[[gnu::always_inline]] inline void prefetch_ends(const T* out, std::int64_t length)
{
  __builtin_prefetch(out, 1);
  __builtin_prefetch(out + length - 1, 1);
}

} // namespace
} // namespace Keramos::openmp
