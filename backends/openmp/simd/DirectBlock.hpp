// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A column's points in rows of column_planes planes at once: 16 sums and its weights fill the registers of AVX-512. Each row of the input
// is loaded once for all planes that read it, 2 * radius + 8 loads for 8 results where StencilBlock takes 2 * radius + 4 for 4. What
// that gave on two Zen 4 cores: docs/tuning/hosts.md.
//
// As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Finished.hpp"
#include "Line.hpp"

namespace Keramos::openmp {
namespace {

#if defined(__AVX512F__)
/// Rows that lie a pitch apart, by a pointer to every fourth of them: loops that go through more rows than there are registers would keep
/// pointers in memory.
template <class T, int Count>
struct Rows {
  T* fourth[(Count + 3) / 4];
  std::int64_t pitch;

  [[gnu::always_inline]] Rows(T* first, std::int64_t pitch_) : pitch(pitch_)
  {
    for (int n = 0; n < (Count + 3) / 4; ++n) fourth[n] = first + 4 * n * pitch;
  }
  [[gnu::always_inline]] T* operator[](int n) const { return fourth[n / 4] + n % 4 * pitch; }
  [[gnu::always_inline]] void advance(std::int64_t elements)
  {
#pragma GCC unroll 4
    for (T*& row : fourth) {
      row += elements;
      asm("" : "+r"(row)); // which hides how far apart they are
    }
  }
};
template <int Radius, class T>
using ColumnInput = Rows<const T, column_planes + 2 * Radius>;
template <class T>
using ColumnOutput = Rows<T, column_planes>;

/// The points at the first elements of these rows. `ahead`: how far on are the rows to come, or 0.
template <int Radius, int Vectors, class T, class Access = Whole>
[[gnu::always_inline]] inline void column_points(const ColumnInput<Radius, T>& in, const ColumnOutput<T>& out,
                                                 const T (&weight)[2 * Radius + 1], std::int64_t ahead, bool streaming,
                                                 const Access& access = {})
{
  constexpr int lanes = native_lanes<T>;
  using V = Vector<T, lanes>;
  V sum[column_planes][Vectors] = {};
#pragma GCC unroll 16
  for (int s = 0; s < column_planes + 2 * Radius; ++s)
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
      if (s >= 2 * Radius) __builtin_prefetch(in[s] + ahead + v * lanes, 0, 2);
      const V value = access.template get<V>(in[s] + v * lanes);
#pragma GCC unroll 8
      for (int p = 0; p < column_planes; ++p)
        if (s >= p && s <= p + 2 * Radius) sum[p][v] = multiply_add(sum[p][v], weight[s - p], value);
    }
#pragma GCC unroll 8
  for (int p = 0; p < column_planes; ++p) store_all<lanes>(out[p], sum[p], streaming, access);
}

// The ends of a row, compiled once a kernel.
template <int Radius, class T>
[[gnu::noinline]] void column_ends(const ColumnInput<Radius, T>& in, const ColumnOutput<T>& out,
                                   const T (&weight)[2 * Radius + 1], const SomeLanes& lanes)
{
  column_points<Radius, 1>(in, out, weight, 0, false, lanes);
}

/// Whether nothing of a row is read before it is written.
template <class T>
[[gnu::always_inline]] inline bool is_whole_lines(const T* row, std::int64_t length)
{
  return offset_in_line(reinterpret_cast<const Byte*>(row)) == 0 && length % native_lanes<T> == 0;
}

/// One row of every plane.
template <int Radius, class T>
[[gnu::always_inline]] inline void column_row(const DirectBlock<T>& block, const T (&weight)[2 * Radius + 1],
                                              std::int64_t ahead)
{
  constexpr int lanes = native_lanes<T>;
  const bool is_long = block.length >= std::int64_t{4} * lanes, streaming = is_long && block.streaming;
  ColumnInput<Radius, T> in(block.in.data - Radius * block.in.plane, block.in.plane);
  ColumnOutput<T> out(block.out.data, block.out.plane);
  const auto advance = [&](std::int64_t elements) {
    in.advance(elements);
    out.advance(elements);
  };
  std::int64_t left = block.length;
  if (const auto head = static_cast<int>(points_before_line(block.out.data, is_long)); head > 0) {
    advance(head - lanes);
    column_ends<Radius>(in, out, weight, {lanes - head, lanes});
    advance(lanes);
    left -= head;
  }
  for (; left >= 2 * lanes; left -= 2 * lanes, advance(2 * lanes))
    column_points<Radius, 2>(in, out, weight, ahead, streaming);
  for (; left >= lanes; left -= lanes, advance(lanes)) column_points<Radius, 1>(in, out, weight, ahead, streaming);
  if (left > 0) column_ends<Radius>(in, out, weight, {0, static_cast<int>(left)});
}

template <int Radius, class T>
void column_block_kernel(const DirectBlock<T>& rows)
{
  DirectBlock<T> block = rows;
  T weight[2 * Radius + 1]; // of its own, so that no store can change it
  for (int n = 0; n <= 2 * Radius; ++n) weight[n] = rows.weight[n];
  for (; block.rows > 0; --block.rows, --block.rows_ahead) {
    const T* const next = block.out.data + block.out.row;
    if (block.streaming && block.rows > 1 && !is_whole_lines(next, block.length))
      for (int p = 0; p < column_planes; ++p) prefetch_ends(next + p * block.out.plane, block.length);
    column_row<Radius>(block, weight, block.rows_ahead > 0 ? block.ahead : 0);
    block.in.data += block.in.row;
    block.out.data += block.out.row;
  }
}

template <int Radius, class T>
constexpr auto column_kernel() -> void (*)(const DirectBlock<T>&)
{
  return column_block_kernel<Radius, T>;
}
#else
template <int Radius, class T>
constexpr auto column_kernel() -> void (*)(const DirectBlock<T>&)
{
  return nullptr;
}
#endif

} // namespace
} // namespace Keramos::openmp
