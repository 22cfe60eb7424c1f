// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies: the fast axis is one on both sides. A block writes a box that is several rows high where rows are short, element by
// element: any strides, and functors. Plain moves of contiguous rows go by Rows.hpp.
#pragma once

#include "Box.hpp"

namespace Keramos::cuda::transpose {

/// Offsets into both arrays of element t of a box, in the order of the output.
__device__ __forceinline__ Offsets copy_offsets(const BoxJob& job, const Divisor* extent, unsigned t)
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
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        const Offsets offset = copy_offsets(job, extent, first + k * Threads);
        value[k] = load(in + offset.in);
        to[k] = offset.out;
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) store(out + to[k], passed_through<Out, In>(f, value[k]));
  }
}

} // namespace Keramos::cuda::transpose
