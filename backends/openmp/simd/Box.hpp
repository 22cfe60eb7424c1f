// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any strides: the elements of a box come into a buffer in the order of the output, loop by loop over the input, and leave it in
// runs. Two short passes within the cache cost less than one that jumps about in either array.
#pragma once

#include "Fill.hpp"
#include "Groups.hpp"
#include "Transpose.hpp"

namespace Keramos::openmp {
namespace {

/// The loops of a box other than the ones in `skip`, innermost first: body(offset in a, offset in b) for each combination.
template <class Body>
inline void for_each_offset(const Box& box, const std::int64_t* pitch_a, const std::int64_t* pitch_b, unsigned skip,
                            const Body& body)
{
  int loop[6], loops = 0;
  for (int k = 0; k < box.axes; ++k)
    if (!(skip >> k & 1u) && box.extent[k] > 1) loop[loops++] = k;
  std::int64_t index[6] = {}, a = 0, b = 0;
  while (true) {
    body(a, b);
    int at = 0;
    for (; at < loops; ++at) {
      const int k = loop[at];
      a += pitch_a[k];
      b += pitch_b[k];
      if (++index[at] < box.extent[k]) break;
      a -= box.extent[k] * pitch_a[k];
      b -= box.extent[k] * pitch_b[k];
      index[at] = 0;
    }
    if (at == loops) return;
  }
}

template <int Size>
inline __attribute__((always_inline)) void copy_strided(const Byte* from, std::int64_t from_pitch, Byte* to,
                                                        std::int64_t to_pitch, std::int64_t count)
{
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < count; ++i, from += from_pitch, to += to_pitch) __builtin_memcpy(to, from, Size);
}

/// The axes whose elements, taken together, are one run in the output; its bytes in `run`.
template <int Size>
inline int axes_of_run(const Box& box, std::int64_t& run)
{
  int axes = 0;
  for (run = Size; axes < box.axes && (box.extent[axes] == 1 || box.out_pitch[axes] == run); ++axes)
    run *= box.extent[axes];
  return axes;
}

/// Prefetches the lines of the next box: near axes together are one stretch of lines, the others are walked.
template <int Size>
inline void prefetch_next(const Box& b)
{
  if (!b.next) return;
  unsigned near = 0;
  std::int64_t stretch = Size;
  for (int pass = 0; pass < b.axes; ++pass)
    for (int k = 0; k < b.axes; ++k)
      if (!(near >> k & 1u) && b.in_pitch[k] <= stretch + line_bytes) {
        near |= 1u << k;
        stretch += (b.extent[k] - 1) * b.in_pitch[k];
      }
  for_each_offset(b, b.in_pitch, b.in_pitch, near, [&](std::int64_t from, std::int64_t) {
    Ahead(b.next + from, 0, 1, stretch).prefetch(stretch / line_bytes + 1);
  });
}

template <int Size>
void box(const Box& b)
{
  std::int64_t run = 0;
  const int run_axes = axes_of_run<Size>(b, run);
  // Long runs lie a line further apart than they need, so that their beginnings spread over the cache's sets.
  const std::int64_t gap = run >= 4 * line_bytes ? line_bytes : 0;
  alignas(line_bytes) Byte buffer[max_box_bytes + max_box_bytes / 4];
  std::int64_t pitch[6], packed = Size;
  for (int k = 0; k < b.axes; ++k) {
    if (k == run_axes) packed += gap;
    pitch[k] = packed;
    packed *= b.extent[k];
  }

  if (b.across > 0) { // blocks in registers, as in a Plane
    constexpr int rows = 64;
    Byte* row[rows];
    const int y = b.across;
    for_each_offset(b, b.in_pitch, pitch, 1u | 1u << y, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t first = 0; first < b.extent[y]; first += rows) {
        const std::int64_t rest = b.extent[y] - first, count = rest < rows ? rest : rows;
        for (std::int64_t k = 0; k < count; ++k) row[k] = buffer + to + (first + k) * pitch[y];
        fill<Size>(b.in + from + first * Size, b.in_pitch[0], b.extent[0], count, row);
      }
    });
  } else if (b.groups) { // neighbours along axis 0 stay together
    for_each_offset(b, b.in_pitch, pitch, 1u | 1u << b.inner, [&](std::int64_t from, std::int64_t to) {
      copy_groups(b.in + from, b.in_pitch[b.inner], buffer + to, pitch[b.inner], b.extent[b.inner], b.extent[0] * Size);
    });
  } else {
    for_each_offset(b, b.in_pitch, pitch, 1u << b.inner, [&](std::int64_t from, std::int64_t to) {
      copy_strided<Size>(b.in + from, b.in_pitch[b.inner], buffer + to, pitch[b.inner], b.extent[b.inner]);
    });
  }

  prefetch_next<Size>(b);
  if (run_axes == 0) {
    for_each_offset(b, pitch, b.out_pitch, 1u, [&](std::int64_t from, std::int64_t to) {
      copy_strided<Size>(buffer + from, pitch[0], b.out + to, b.out_pitch[0], b.extent[0]);
    });
  } else {
    const bool streaming = b.streaming && run >= 4 * line_bytes; // shorter runs are mostly broken lines
    for_each_offset(b, pitch, b.out_pitch, (1u << run_axes) - 1,
                    [&](std::int64_t from, std::int64_t to) { write_run(b.out + to, buffer + from, run, streaming); });
    if (streaming) end_of_stream();
  }
}

} // namespace
} // namespace Keramos::openmp
