// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies: the fast axis is one on both sides. A block writes a box that is several rows high where rows are short.
// Plain moves of contiguous rows write aligned vectors of 16 bytes wherever the rows begin; other strides and functors go element
// by element.
#pragma once

#include "Box.hpp"

namespace Keramos::cuda::transpose {

/// Offsets into both arrays of element t of a box, in the order of the output.
__device__ __forceinline__ Offsets copy_offsets(const BoxJob& job, const Divisor* extent, unsigned t, unsigned& along)
{
  Offsets sum{0, 0};
#pragma unroll
  for (int k = 0; k < max_box_axes; ++k) {
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

__device__ __forceinline__ void copy_extents(const BoxJob& job, const BoxPosition& position,
                                             Divisor (&extent)[max_box_axes])
{
#pragma unroll
  for (int k = 0; k < max_box_axes; ++k)
    if (k < job.inner) {
      const int axis = job.out_order[k];
      extent[k] = position.at_edge ? divisor(position.extent[axis]) : job.box[k];
    }
}

template <int Threads, int InFlight, class In, class Out, class F>
__global__ void __launch_bounds__(Threads)
    copy_kernel(const In* in_data, Out* out_data, const __grid_constant__ BoxJob job, const __grid_constant__ F f)
{
  __shared__ BoxPosition position;
  find_box(job, blockIdx.x, position);
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + position.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + position.at.out;
  const unsigned volume = position.volume;
  Divisor extent[max_box_axes];
  copy_extents(job, position, extent);

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

/// The first axis counts vectors of V = 16 / Size elements, aligned in the output: one more than fit a row, since the
/// row begins `misalignment` elements behind the first.
///
///     row            |xxxxxxxxxxxxxxxxxx|
///     vectors     |..xx|xxxx|xxxx|xxxx|xx..|
template <int Size, int Threads, int InFlight>
__global__ void __launch_bounds__(Threads)
    copy_rows_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ BoxJob job)
{
  constexpr int v = 16 / Size;
  __shared__ BoxPosition position;
  find_box(job, blockIdx.x, position);
  const Word<Size>* in = in_data + position.at.in;
  Word<Size>* out = out_data + position.at.out;
  const unsigned volume = position.volume;
  Divisor extent[max_box_axes];
  copy_extents(job, position, extent);

  for (unsigned first = threadIdx.x; first < volume; first += Threads * InFlight) {
    UnalignedVector<Size> value[InFlight];
    const Word<Size>* from[InFlight];
    Word<Size>* to[InFlight];
    std::int64_t at[InFlight];                                                            // of the vector in its row
    const auto is_whole = [&](std::int64_t a) { return a >= 0 && a + 2 * v <= job.row; }; // a read may go V further
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        unsigned along = 0;
        const Offsets offset = copy_offsets(job, extent, first + k * Threads, along);
        const int misalignment = misalignment_of<Size>(out + offset.out);
        at[k] = (position.first + along) * v - misalignment;
        from[k] = in + offset.in - misalignment;
        to[k] = out + offset.out - misalignment;
        if (is_whole(at[k])) {
          if constexpr (Size == 16)
            value[k].low = load_vector(from[k]);
          else
            value[k].read(from[k]);
        }
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        if (is_whole(at[k])) {
          store_vector(to[k], Size == 16 ? value[k].low : value[k].vector(from[k]));
        } else {
#pragma unroll 1
          for (int e = 0; e < v; ++e)
            if (at[k] + e >= 0 && at[k] + e < job.row) to[k][e] = from[k][e];
        }
      }
  }
}

} // namespace Keramos::cuda::transpose
