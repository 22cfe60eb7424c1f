// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies: the fast axis is one on both sides. A block writes a piece that is several rows high where rows are short.
// Plain moves of contiguous rows write chunks of 16 bytes wherever the rows begin; other strides and functors go element
// by element.
#pragma once

#include "TransposeBox.hpp"

namespace Keramos::cuda {

/// Offsets into both arrays of element t of a box, in the order of the output.
__device__ __forceinline__ Offsets copy_offsets(const BoxJob& job, const Divisor* extent, unsigned t, unsigned& along)
{
  Offsets sum{0, 0};
#pragma unroll
  for (int k = 0; k < box_axes; ++k) {
    const int axis = job.out_order[k];
    const bool last = k >= job.inner - 1;
    const unsigned rest = last ? 0 : quotient(t, extent[k]);
    const unsigned at = t - rest * extent[k].d;
    t = rest;
    sum.in += at * job.axis[axis].in;
    sum.out += at * job.axis[axis].out;
    if (axis == 0) along = at;
    if (last) break;
  }
  return sum;
}

__device__ __forceinline__ void copy_extents(const BoxJob& job, const BoxPlace& place, Divisor (&extent)[box_axes])
{
#pragma unroll
  for (int k = 0; k < box_axes; ++k)
    if (k < job.inner) {
      const int axis = job.out_order[k];
      extent[k] = place.at_edge ? divisor(place.extent[axis]) : job.chunk[k];
    }
}

template <int Threads, int InFlight, class In, class Out, class F>
__global__ void __launch_bounds__(Threads)
    copy_kernel(const In* in_data, Out* out_data, const __grid_constant__ BoxJob job, const __grid_constant__ F f)
{
  __shared__ BoxPlace place;
  find_box(job, blockIdx.x, place);
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + place.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + place.at.out;
  const unsigned volume = place.volume;
  Divisor extent[box_axes];
  copy_extents(job, place, extent);

  for (unsigned first = threadIdx.x; first < volume; first += Threads * InFlight) {
    Stored<In> value[InFlight];
    std::int64_t to[InFlight];
    unsigned unused;
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        const Offsets offset = copy_offsets(job, extent, first + k * Threads, unused);
        value[k] = load(in + offset.in);
        to[k] = offset.out;
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) store(out + to[k], passed_through<Out, In>(f, value[k]));
  }
}

/// The first axis counts chunks of V = 16 / Size elements on 16 bytes of the output: one more than fit a row, since the
/// row begins `lag` elements behind the first.
///
///     row            |xxxxxxxxxxxxxxxxxx|
///     chunks      |..xx|xxxx|xxxx|xxxx|xx..|
template <int Size, int Threads, int InFlight>
__global__ void __launch_bounds__(Threads)
    copy_rows_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ BoxJob job)
{
  constexpr int v = 16 / Size;
  __shared__ BoxPlace place;
  find_box(job, blockIdx.x, place);
  const Word<Size>* in = in_data + place.at.in;
  Word<Size>* out = out_data + place.at.out;
  const unsigned volume = place.volume;
  Divisor extent[box_axes];
  copy_extents(job, place, extent);

  for (unsigned first = threadIdx.x; first < volume; first += Threads * InFlight) {
    StraddlingChunk<Size> value[InFlight];
    const Word<Size>* from[InFlight];
    Word<Size>* to[InFlight];
    std::int64_t at[InFlight];                                                            // of the chunk in its row
    const auto is_whole = [&](std::int64_t a) { return a >= 0 && a + 2 * v <= job.row; }; // a read may go V further
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        unsigned chunk = 0;
        const Offsets offset = copy_offsets(job, extent, first + k * Threads, chunk);
        const int lag = static_cast<int>((reinterpret_cast<std::uintptr_t>(out + offset.out) & 15) / Size);
        at[k] = (place.first + chunk) * v - lag;
        from[k] = in + offset.in - lag;
        to[k] = out + offset.out - lag;
        if (is_whole(at[k])) {
          if constexpr (Size == 16)
            value[k].low = load_chunk(from[k]);
          else
            value[k].read(from[k]);
        }
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        if (is_whole(at[k])) {
          store_chunk(to[k], Size == 16 ? value[k].low : value[k].chunk(from[k]));
        } else {
#pragma unroll 1
          for (int e = 0; e < v; ++e)
            if (at[k] + e >= 0 && at[k] + e < job.row) to[k][e] = from[k][e];
        }
      }
  }
}

} // namespace Keramos::cuda
