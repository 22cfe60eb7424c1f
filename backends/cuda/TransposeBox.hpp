// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes: a block moves a piece that is longer than one element along up to four axes, its elements numbered first in the
// order of the input, then in that of the output. For axes too short to fill a tile: many components, small planes,
// short runs. Where both orders are one, the piece needs no shared memory; that kernel is the copy.
#pragma once

#include "TransposeAccess.hpp"
#include "TransposeJobs.hpp"

namespace Keramos::cuda {

/// Most elements of a box, so that the division below is exact.
inline constexpr int most_box_elements = 32768;

/// Division of t < 2^15 by d <= 2^15 as a multiplication: ceil(2^31 / d) errs by less than t / 2^31 < 1 / d.
struct Divisor {
  unsigned d, factor;
};
__device__ __forceinline__ Divisor divisor(unsigned d) { return {d, (0x80000000u + d - 1) / d}; }
__device__ __forceinline__ unsigned quotient(unsigned t, const Divisor& by) { return __umulhi(2 * t, by.factor); }

/// What all threads of a block know of its box.
struct BoxPlace {
  Offsets at;
  unsigned volume;
  Divisor extent[core::max_rank];
};

/// Lane k of the first warp does the divisions for axis k.
__device__ __forceinline__ void find_box(const BoxJob& job, unsigned box, BoxPlace& place)
{
  if (threadIdx.x < 32) {
    const int k = threadIdx.x;
    std::int64_t in = 0, out = 0;
    unsigned volume = 1;
    if (k < job.count) {
      const auto& axis = job.axis[k];
      const std::int64_t first = std::int64_t{box / axis.before % axis.blocks} * axis.chunk;
      const std::int64_t left = axis.extent - first;
      volume = static_cast<unsigned>(left < axis.chunk ? left : axis.chunk);
      place.extent[k] = divisor(volume);
      in = first * axis.in;
      out = first * axis.out;
    }
#pragma unroll
    for (int distance = 4; distance > 0; distance /= 2) {
      in += __shfl_xor_sync(0xffffffffu, in, distance);
      out += __shfl_xor_sync(0xffffffffu, out, distance);
      volume *= __shfl_xor_sync(0xffffffffu, volume, distance);
    }
    if (k == 0) {
      place.at = {in, out};
      place.volume = volume;
    }
  }
  __syncthreads();
}

/// A walk through a box in one of its two orders: index t, then t + step, ...
struct BoxWalk {
  struct Axis {
    Divisor extent;
    std::int64_t stride;
    unsigned slot; ///< in the other order
  };
  int count;
  Axis axis[box_axes];

  template <bool WithSlot>
  __device__ __forceinline__ std::int64_t offset(unsigned t, unsigned& slot) const
  {
    std::int64_t sum = 0;
    slot = 0;
#pragma unroll
    for (int k = 0; k < box_axes; ++k) {
      unsigned at = t;
      const bool last = k == count - 1;
      if (!last) {
        const unsigned rest = quotient(t, axis[k].extent);
        at -= rest * axis[k].extent.d;
        t = rest;
      }
      sum += at * axis[k].stride;
      if constexpr (WithSlot) slot += at * axis[k].slot;
      if (last) break;
    }
    return sum;
  }
};

/// Slots of shared memory: after each 128 bytes a gap of a word, or of an element where these are larger, so that strides
/// of a power of two meet every bank.
template <int Size>
__device__ __host__ constexpr unsigned box_slot_bytes(unsigned slot)
{
  return slot * Size + slot / (128 / Size) * (Size > 4 ? Size : 4);
}

template <int Threads, int InFlight, class In, class Out, class F>
__global__ void __launch_bounds__(Threads)
    box_kernel(const __grid_constant__ BoxJob job, const In* in_data, Out* out_data, const __grid_constant__ F f)
{
  extern __shared__ uint4 box_memory[];
  __shared__ BoxPlace place;
  auto* const memory = reinterpret_cast<unsigned char*>(box_memory);
  const auto slot_at = [&](unsigned slot) {
    return reinterpret_cast<Stored<Out>*>(memory + box_slot_bytes<sizeof(Out)>(slot));
  };
  find_box(job, blockIdx.x, place);
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + place.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + place.at.out;
  const unsigned volume = place.volume;

  BoxWalk read, write;
  read.count = write.count = job.inner;
  unsigned slots[core::max_rank], product = 1;
#pragma unroll
  for (int k = 0; k < box_axes; ++k)
    if (k < job.inner) {
      const int axis = job.in_order[k];
      read.axis[k] = {place.extent[axis], job.axis[axis].in, 0};
#pragma unroll
      for (int a = 0; a < core::max_rank; ++a)
        if (a == axis) slots[a] = product;
      product *= place.extent[axis].d;
    }
#pragma unroll
  for (int k = 0; k < box_axes; ++k)
    if (k < job.inner) {
      const int axis = job.out_order[k];
      write.axis[k] = {place.extent[axis], job.axis[axis].out, 0};
#pragma unroll
      for (int a = 0; a < core::max_rank; ++a)
        if (a == axis) write.axis[k].slot = slots[a];
    }

  for (unsigned first = threadIdx.x; first < volume; first += Threads * InFlight) {
    Stored<In> value[InFlight];
    unsigned unused;
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) value[k] = load(in + read.offset<false>(first + k * Threads, unused));
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) *slot_at(first + k * Threads) = passed_through<Out, In>(f, value[k]);
  }
  __syncthreads();
#pragma unroll 4
  for (unsigned t = threadIdx.x; t < volume; t += Threads) {
    unsigned slot;
    const std::int64_t offset = write.offset<true>(t, slot);
    store(out + offset, *slot_at(slot));
  }
}

/// The same without a second order: neighbours of the output are read as they are written.
template <int Threads, int InFlight, class In, class Out, class F>
__global__ void __launch_bounds__(Threads)
    copy_kernel(const __grid_constant__ BoxJob job, const In* in_data, Out* out_data, const __grid_constant__ F f)
{
  __shared__ BoxPlace place;
  find_box(job, blockIdx.x, place);
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + place.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + place.at.out;
  const unsigned volume = place.volume;
  const auto offsets = [&](unsigned t) {
    Offsets sum{0, 0};
#pragma unroll
    for (int k = 0; k < box_axes; ++k) {
      const int axis = job.out_order[k];
      const bool last = k >= job.inner - 1;
      const unsigned rest = last ? 0 : quotient(t, place.extent[axis]);
      const unsigned at = t - rest * place.extent[axis].d;
      t = rest;
      sum.in += at * job.axis[axis].in;
      sum.out += at * job.axis[axis].out;
      if (last) break;
    }
    return sum;
  };

  for (unsigned first = threadIdx.x; first < volume; first += Threads * InFlight) {
    Stored<In> value[InFlight];
    std::int64_t to[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) {
        const Offsets offset = offsets(first + k * Threads);
        value[k] = load(in + offset.in);
        to[k] = offset.out;
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < volume) store(out + to[k], passed_through<Out, In>(f, value[k]));
  }
}

} // namespace Keramos::cuda
