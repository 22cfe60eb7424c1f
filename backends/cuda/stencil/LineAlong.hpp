// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines that lie in the rows of large grids: pencils in shared memory. A block brings all it reads before its first sum, by asynchronous copies: so as
// many bytes are on their way as shared memory holds, and no register waits for them.
//
//     row y      halo | own points | halo |       vectors of 16 bytes from boundary to boundary of `in`; own points
//     row y + 1  halo | own points | halo |       begin at such a boundary of `out`, and lie `shift` elements further on
//
// Where a row begins alike in both fields its shift is 0.
#pragma once

#include "Line.hpp"

namespace Keramos::cuda::stencil {

/// Half-open range of elements of a row, counted from the block's place along x.
struct Span {
  int begin, end;

  __device__ bool has(int first, int last) const { return first >= begin && last <= end; }
};

__device__ inline Span span_from(std::int64_t place, std::int64_t begin, std::int64_t end)
{
  constexpr std::int64_t far = 1 << 30;
  return {static_cast<int>(max(begin - place, -far)), static_cast<int>(min(end - place, far))};
}

/// A thread of a block, which goes through some of its pencils with its neighbours.
template <class T, int Radius>
struct LineThread {
  static constexpr int points = vector_width<T>, halo = line_halo(Radius, points);

  /// A pencil.
  struct Row {
    int number, across, deep;
    const T* in; ///< at the block's place
    T* out;
    int first; ///< its own points begin there
    int shift;
    T* shared;
  };

  const LineArguments<T>& a;
  const core::Index3 corner;        ///< the block's place
  const Span range, valid;          ///< points to compute, elements that are read as they are
  const int rows_across, rows_deep; ///< pencils that there are
  const int length, lane;
  const T* const in; ///< at the block's place
  T* const out;
  T* const shared;
  const Row own; ///< the first one of the thread

  __device__ LineThread(const LineArguments<T>& arguments, unsigned char* memory)
      : a(arguments), corner(a.corner({a.width * points, 1 << a.block.across, 1 << a.block.deep})),
        range(span_from(corner[0], a.range[0].begin, a.range[0].end)),
        valid(span_from(corner[0], a.line.valid_begin, a.line.valid_end)),
        rows_across(span_from(corner[1], 0, a.range[1].end).end),
        rows_deep(span_from(corner[2], 0, a.range[2].end).end), length(pencil_length(a.width, Radius, points)),
        lane(threadIdx.x & ((1u << a.block.lanes) - 1)),
        in(a.in + corner[0] + corner[1] * a.in_stride[1] + corner[2] * a.in_stride[2]),
        out(a.out + corner[0] + corner[1] * a.out_stride[1] + corner[2] * a.out_stride[2]),
        shared(reinterpret_cast<T*>(memory)), own(row(threadIdx.x >> a.block.lanes))
  {
  }

  __device__ Row row(int number) const
  {
    Row r{number, number & ((1 << a.block.across) - 1), number >> a.block.across};
    r.in = in + r.across * a.in_stride[1] + r.deep * a.in_stride[2];
    r.out = out + r.across * a.out_stride[1] + r.deep * a.out_stride[2];
    r.first = -elements_from_boundary(r.out);
    r.shift = (elements_from_boundary(r.in) + r.first) & (points - 1);
    r.shared = shared + number * length * points;
    return r;
  }

  /// f(row) for the thread's rows.
  template <class F>
  __device__ void for_each_row(F f) const
  {
    Row r = own;
#pragma unroll 1
    while (true) {
      if (r.across < rows_across && r.deep < rows_deep) f(r);
      const int next = r.number + (blockDim.x >> a.block.lanes);
      if (next >= 1 << (a.block.across + a.block.deep)) break;
      r = row(next);
    }
  }

  /// Brings the pencils to shared memory.
  __device__ void fetch() const
  {
    for_each_row([&](const Row& r) {
      const Span needed{max(r.first, range.begin) - Radius, min(r.first + a.width * points, range.end) + Radius};
      const int slot = r.first - r.shift - halo * points; // the element of the first one in shared memory
      const auto down = [&](int to) { return to - ((to - slot) & (points - 1)); };
      const int begin = min(max(down(needed.begin), down(valid.begin + points - 1)), needed.end);
      const int end = max(min(down(needed.end + points - 1), down(valid.end)), begin);
#pragma unroll 1
      for (int first = begin + lane * points; first < end; first += points << a.block.lanes)
        copy_async<points* static_cast<int>(sizeof(T))>(r.shared + (first - slot), r.in + first);
      fetch_edges(r, slot, {needed.begin, begin}, {end, needed.end});
    });
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
  }

  /// What of a row no vector brings: an element a lane.
  __device__ void fetch_edges(const Row& r, int slot, const Span& low, const Span& high) const
  {
    const int below = max(low.end - low.begin, 0), count = below + max(high.end - high.begin, 0);
#pragma unroll 1
    for (int n = lane; n < count; n += 1 << a.block.lanes) {
      const int element = n < below ? low.begin + n : high.begin + (n - below);
      const std::int64_t offset = a.line.offset(corner[0] + element);
      T* const to = r.shared + (element - slot);
      if (offset == core::no_index)
        *to = a.line.value(corner[0] + element);
      else
        copy_async<sizeof(T)>(to, r.in + (offset - corner[0]));
    }
  }

  /// What a vector of points reads: window[0] is `halo` vectors below the first one, `from` a vector in shared memory at or before it.
  template <int Length>
  __device__ static void load(T (&window)[Length], const T* from, int shift)
  {
    T values[Length + points];
#pragma unroll
    for (int n = 0; n < Length; n += points) load_part(values, n, from);
    if (shift != 0) {
      load_part(values, Length, from);
      shift_down(window, values, shift);
    } else {
#pragma unroll
      for (int n = 0; n < Length; ++n) window[n] = values[n];
    }
  }

  template <int Length>
  __device__ static void load_part(T (&values)[Length], int n, const T* from)
  {
    T part[points];
    load_packed(part, from + n);
#pragma unroll
    for (int v = 0; v < points; ++v) values[n + v] = part[v];
  }

  /// Which points of a vector are to be computed.
  __device__ unsigned mask_of(int first) const
  {
    if (range.has(first, first + points)) return all_points<points>;
    unsigned mask = 0;
#pragma unroll
    for (int v = 0; v < points; ++v) mask |= static_cast<unsigned>(range.has(first + v, first + v + 1)) << v;
    return mask;
  }

  template <class Epilogue>
  __device__ void finish(const Epilogue& epilogue) const
  {
    for_each_row([&](const Row& r) {
#pragma unroll 1
      for (int n = lane; n < a.width; n += 1 << a.block.lanes) {
        const int first = r.first + n * points;
        const unsigned mask = mask_of(first);
        if (mask == 0) continue;
        T window[(2 * halo + 1) * points], sum[points], centre[points];
        load(window, r.shared + n * points, r.shift);
#pragma unroll
        for (int v = 0; v < points; ++v) {
          centre[v] = window[halo * points + v];
          sum[v] = 0;
#pragma unroll
          for (int k = -Radius; k <= Radius; ++k) sum[v] += a.weight[k + Radius] * window[halo * points + v + k];
        }
        if (!finish_points(epilogue, sum, centre, corner[0] + first, 1, corner[1] + r.across, corner[2] + r.deep, mask))
          continue;
        store_points<true>(r.out + first, 1, sum, 1, mask);
      }
    });
  }
};

template <class T, int Radius, class Epilogue>
__global__ void __launch_bounds__(large_pencil_threads)
    line_along_kernel(const __grid_constant__ LineArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char line_shared[];
  const LineThread<T, Radius> thread(a, line_shared);
  thread.fetch();
  thread.finish(epilogue);
}

} // namespace Keramos::cuda::stencil
