// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strips, for arrays whose rows lie on no common boundary (odd pitches, odd offsets): a block walks along a, the axis
// along which the output is contiguous, and keeps what does not yet fill a line of 128 bytes in a ring in shared memory.
// So the output is written in whole lines whatever the pitch, but for the ends of a strip. The next step is on its way
// from memory while one is written.
//
//          a ->      step 0     step 1     step 2
//     row b       [..........|..........|..........      what a step reads: the same a for all rows
//     row b + 1   [..........|..........|..........
//     row b       |.......|..........|..........|..      what it writes: up to the last whole line of each row
//     row b + 1   |....|..........|..........|.....
//
// Everything moves in units of 4 bytes or of an element, the larger. Units of 2 or 4 elements are read as two aligned
// words and shifted, transposed as square blocks in registers, and shifted once more on the way out.
#pragma once

#include "TransposeAccess.hpp"
#include "TransposeJobs.hpp"

namespace Keramos::cuda {

/// What a block walks: AUnits x BUnits units a step.
template <int Size, int AUnits, int BUnits, int Threads>
struct StripShape {
  static constexpr int unit_bytes = Size > 4 ? Size : 4;
  static constexpr int v = unit_bytes / Size;   ///< elements of a unit
  static constexpr int line = 128 / unit_bytes; ///< units of a line, and of all banks
  static constexpr int a_units = AUnits, b_units = BUnits, threads = Threads;
  static constexpr int a = AUnits * v, b = BUnits * v; ///< elements of a step
  static constexpr int ring = AUnits + line;           ///< units of a row that the ring holds
  static constexpr int groups = AUnits * BUnits / Threads;
  static constexpr int warps = Threads / 32;
  static_assert(AUnits % line == 0 && groups * Threads == AUnits * BUnits && Threads % BUnits == 0);
};

/// The word of `V` elements from `from` on, as two aligned words and a shift, or near the end of the row by elements.
template <int V>
struct ShiftedWord {
  unsigned low, high;

  template <class T>
  __device__ __forceinline__ void read(const T* from, std::int64_t left)
  {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    if (left >= 2 * V) {
      const auto* words = reinterpret_cast<const unsigned*>(address & ~std::uintptr_t{3});
      low = __ldg(words);
      high = __ldg(words + 1);
    } else {
      std::uint64_t word = 0;
#pragma unroll
      for (int e = 0; e < V; ++e)
        if (e < left) word |= static_cast<std::uint64_t>(from[e]) << (8 * static_cast<int>(sizeof(T)) * e);
      word <<= 8 * (address & 3);
      low = static_cast<unsigned>(word);
      high = static_cast<unsigned>(word >> 32);
    }
  }
  __device__ __forceinline__ unsigned word(unsigned bytes) const { return __funnelshift_r(low, high, 8 * bytes); }
};

/// V x V elements in V words.
template <int V>
__device__ __forceinline__ void transpose_words(unsigned (&w)[V])
{
  if constexpr (V == 2) {
    const unsigned first = w[0];
    w[0] = __byte_perm(first, w[1], 0x5410);
    w[1] = __byte_perm(first, w[1], 0x7632);
  } else {
    static_assert(V == 4);
    const unsigned low01 = __byte_perm(w[0], w[1], 0x5140), high01 = __byte_perm(w[0], w[1], 0x7362);
    const unsigned low23 = __byte_perm(w[2], w[3], 0x5140), high23 = __byte_perm(w[2], w[3], 0x7362);
    w[0] = __byte_perm(low01, low23, 0x5410);
    w[1] = __byte_perm(low01, low23, 0x7632);
    w[2] = __byte_perm(high01, high23, 0x5410);
    w[3] = __byte_perm(high01, high23, 0x7632);
  }
}

/// in_b == out_a == 1, all other strides any.
template <int Size, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    strip_kernel(const __grid_constant__ StripJob job, const Word<Size>* in_data, Word<Size>* out_data)
{
  using T = Word<Size>;
  using Unit = Word<Shape::unit_bytes>;
  constexpr int v = Shape::v, line = Shape::line, ring_units = Shape::ring;
  __shared__ Unit ring[Shape::b * ring_units];

  const unsigned tb = blockIdx.x % job.tiles_b, rest = blockIdx.x / job.tiles_b;
  const unsigned part = rest % job.parts, batch = rest / job.parts;
  const Offsets at = offsets_of(job.batch, batch);
  const std::int64_t b0 = std::int64_t{tb} * Shape::b, left_b = job.extent_b - b0;
  const std::int64_t begin = std::int64_t{part} * job.steps * Shape::a;
  const std::int64_t left_a = job.extent_a - begin, most_a = std::int64_t{job.steps} * Shape::a;
  const int length = static_cast<int>(left_a < most_a ? left_a : most_a); // elements along a
  const int nb = static_cast<int>(left_b < Shape::b ? left_b : Shape::b);
  const T* const in = in_data + at.in + begin * job.in_a + b0;
  T* const out = out_data + at.out + b0 * job.out_b + begin;

  // Reading: neighbouring threads take neighbouring units of a row.
  const int bu = threadIdx.x % Shape::b_units, first_group = threadIdx.x / Shape::b_units;
  constexpr int group_step = Shape::threads / Shape::b_units;
  const int b = bu * v;
  std::conditional_t<v == 1, Unit, ShiftedWord<v>> fetched[Shape::groups][v];
  const auto fetch = [&](int a0) {
#pragma unroll
    for (int k = 0; k < Shape::groups; ++k)
#pragma unroll
      for (int r = 0; r < v; ++r) {
        const int a = a0 + (first_group + k * group_step) * v + r;
        if (a < length && b < nb) {
          const T* from = in + a * job.in_a + b;
          if constexpr (v == 1)
            fetched[k][r] = __ldcs(from);
          else
            fetched[k][r].read(from, left_b - b);
        }
      }
  };
  // Unit number c of row `row`: neighbouring rows (v at a time) start in different banks.
  const auto slot = [&](int row, int c) -> Unit& { return ring[row * ring_units + (c ^ (row / v % line))]; };
  const auto keep = [&](int a0, int slot0) {
#pragma unroll
    for (int k = 0; k < Shape::groups; ++k) {
      const int group = first_group + k * group_step, wrapped = slot0 + group;
      const int c = wrapped < ring_units ? wrapped : wrapped - ring_units;
      if constexpr (v == 1) {
        slot(b, c) = fetched[k][0];
      } else {
        unsigned words[v];
#pragma unroll
        for (int r = 0; r < v; ++r) {
          const T* from = in + (a0 + group * v + r) * job.in_a + b;
          words[r] = fetched[k][r].word(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) & 3));
        }
        transpose_words<v>(words);
#pragma unroll
        for (int r = 0; r < v; ++r) slot(b + r, c) = words[r];
      }
    }
  };
  // Writing: a warp a row. The row's window begins `lag` elements before the step, on a line.
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto write = [&](int a0, int slot0, bool last) {
    for (int row = warp; row < nb; row += Shape::warps) {
      T* const to = out + row * job.out_b;
      const int lag = static_cast<int>((reinterpret_cast<std::uintptr_t>(to + a0) & 127) / Size);
      const int end = last ? length : a0 + Shape::a - lag;
#pragma unroll
      for (int j = 0; j < Shape::a_units + line; j += 32) {
        if (j >= Shape::a_units && !last) break;
        const int offset = (j + lane) * v - lag, a = a0 + offset;
        if (a >= end || a + v <= 0) continue;
        const int unit = slot0 + (v == 1 ? offset : offset >> (v / 2));
        const int c = unit < 0 ? unit + ring_units : unit < ring_units ? unit : unit - ring_units;
        if constexpr (v == 1) {
          if (a >= 0) __stcs(to + a, slot(row, c));
        } else {
          const int next = c + 1 < ring_units ? c + 1 : 0;
          const unsigned shift = 8 * Size * static_cast<unsigned>(offset & (v - 1));
          const unsigned word = __funnelshift_r(slot(row, c), slot(row, next), shift);
          if (a >= 0 && a + v <= end) {
            __stcs(reinterpret_cast<unsigned*>(to + a), word);
          } else {
#pragma unroll
            for (int e = 0; e < v; ++e)
              if (a + e >= 0 && a + e < end) to[a + e] = static_cast<T>(word >> (8 * Size * e));
          }
        }
      }
    }
  };

  fetch(0);
  int slot0 = 0;
#pragma unroll 1
  for (int a0 = 0; a0 < length; a0 += Shape::a) {
    keep(a0, slot0);
    __syncthreads();
    const int next = a0 + Shape::a;
    if (next < length) fetch(next);
    write(a0, slot0, next >= length);
    __syncthreads();
    slot0 += Shape::a_units;
    if (slot0 >= ring_units) slot0 -= ring_units;
  }
}

} // namespace Keramos::cuda
