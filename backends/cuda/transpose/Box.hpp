// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes: a block moves a box that is longer than one element along up to four axes through shared memory, reading it
// in the order of the input and writing it in that of the output, where a functor is applied; plain moves go by 16 bytes per lane
// on a side where rows are aligned to 16 bytes. For axes too short to fill a tile: many components, small planes, short runs, small matrices in position.
#pragma once

#include "Access.hpp"
#include "Jobs.hpp"
#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// What all threads of a block know of its box.
struct BoxPosition {
  Offsets at;
  unsigned volume;
  bool at_edge;
  unsigned extent[core::max_rank];
};
/// The walks of a box at an edge.
struct BoxWalks {
  BoxWalk read, write;
};

/// Lane k of the first warp does the divisions for axis k.
__device__ __forceinline__ void find_box(const BoxGrid& job, unsigned box, BoxPosition& position)
{
  if (threadIdx.x < 32) {
    const int k = threadIdx.x;
    std::int64_t in = 0, out = 0;
    unsigned volume = 1;
    bool at_edge = false;
    if (k < job.count) {
      const auto& axis = job.axis[k];
      const unsigned here = quotient(box, axis.before), rest = quotient(here, axis.blocks);
      const std::int64_t first = std::int64_t{here - rest * axis.blocks.d} * axis.box;
      const std::int64_t left = axis.extent - first;
      at_edge = left < axis.box;
      volume = at_edge ? static_cast<unsigned>(left) : axis.box;
      position.extent[k] = volume;
      in = first * axis.in;
      out = first * axis.out;
    }
#pragma unroll
    for (int distance = 4; distance > 0; distance /= 2) {
      in += __shfl_xor_sync(0xffffffffu, in, distance);
      out += __shfl_xor_sync(0xffffffffu, out, distance);
      volume *= __shfl_xor_sync(0xffffffffu, volume, distance);
    }
    at_edge = __any_sync(0xffffffffu, at_edge);
    if (k == 0) {
      position.at = {in, out};
      position.volume = volume;
      position.at_edge = at_edge;
    }
  }
  __syncthreads();
}

/// Offset of unit t of a walk over Count axes, and its slot.
template <int Count>
__device__ __forceinline__ std::int64_t offset_in(const BoxWalk& walk, unsigned t, unsigned& slot)
{
  std::int64_t sum = 0;
  slot = 0;
#pragma unroll
  for (int k = 0; k < Count; ++k) {
    const unsigned rest = k < Count - 1 ? quotient(t, walk.axis[k].extent) : 0;
    const unsigned at = t - rest * walk.axis[k].extent.d;
    t = rest;
    sum += at * walk.axis[k].stride;
    slot += at * walk.axis[k].slot;
  }
  return sum;
}

/// Calls f with the number of axes of a walk as a constant: each index then costs the divisions that it needs.
template <class F>
__device__ __forceinline__ void with_count(int count, const F& f)
{
  static_assert(max_box_axes == 4);
  if (count == 1)
    f(std::integral_constant<int, 1>());
  else if (count == 2)
    f(std::integral_constant<int, 2>());
  else if (count == 3)
    f(std::integral_constant<int, 3>());
  else
    f(std::integral_constant<int, 4>());
}

/// The shared memory of a box.
template <class T>
struct BoxSlots {
  static constexpr int size = sizeof(T), v = 16 / size;
  unsigned char* memory;

  __device__ __forceinline__ Stored<T>& at(unsigned slot) const
  {
    return *reinterpret_cast<Stored<T>*>(memory + BoxMemory<size>::offset(slot));
  }
  __device__ __forceinline__ unsigned* words(unsigned slot) const
  {
    return reinterpret_cast<unsigned*>(memory + BoxMemory<size>::offset(slot));
  }

  /// V elements, `step` slots apart.
  __device__ __forceinline__ void put(unsigned slot, unsigned step, const Vector& vector) const
  {
    if (step == 1) { // within the same 128 bytes
#pragma unroll
      for (int w = 0; w < 4; ++w) words(slot)[w] = vector.word[w];
    } else {
#pragma unroll
      for (int e = 0; e < v; ++e) at(slot + e * step) = __builtin_bit_cast(Stored<T>, element_of<size>(vector, e));
    }
  }
  __device__ __forceinline__ Vector get(unsigned slot, unsigned step) const
  {
    Vector vector;
    if (step == 1) {
#pragma unroll
      for (int w = 0; w < 4; ++w) vector.word[w] = words(slot)[w];
    } else {
      struct Elements {
        Stored<T> element[v];
      } elements;
#pragma unroll
      for (int e = 0; e < v; ++e) elements.element[e] = at(slot + e * step);
      vector = __builtin_bit_cast(Vector, elements);
    }
    return vector;
  }
};

/// Units of a walk into shared memory, `InFlight` on their way at a time.
template <int Count, bool ByVector, int Threads, int InFlight, class In>
__device__ __forceinline__ void read_box(const BoxWalk& walk, const Stored<In>* in, const BoxSlots<In>& slots)
{
  using Unit = std::conditional_t<ByVector, Vector, Stored<In>>;
  for (unsigned first = threadIdx.x; first < walk.units; first += Threads * InFlight) {
    Unit value[InFlight];
    unsigned slot[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < walk.units) {
        const Stored<In>* const from = in + offset_in<Count>(walk, first + k * Threads, slot[k]);
        if constexpr (ByVector)
          value[k] = load_vector(from);
        else
          value[k] = load(from);
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < walk.units) {
        if constexpr (ByVector)
          slots.put(slot[k], walk.step, value[k]);
        else
          slots.at(slot[k]) = value[k];
      }
  }
}

/// Shared memory into the units of a walk, through f.
template <int Count, bool ByVector, int Threads, class In, class Out, class F>
__device__ __forceinline__ void write_box(const BoxWalk& walk, Stored<Out>* out, const BoxSlots<In>& slots, const F& f)
{
#pragma unroll ByVector ? 2 : 4
  for (unsigned t = threadIdx.x; t < walk.units; t += Threads) {
    unsigned slot;
    Stored<Out>* const to = out + offset_in<Count>(walk, t, slot);
    if constexpr (ByVector)
      store_vector(to, slots.get(slot, walk.step));
    else
      store(to, result_of<In, Out>(f, slots.at(slot), *to));
  }
}

/// The same for accumulations, element by element: what the output holds at `InFlight` of them is on its way at a time.
template <int Count, int Threads, int InFlight, class In, class Out, class F>
__device__ __forceinline__ void add_box(const BoxWalk& walk, Stored<Out>* out, const BoxSlots<In>& slots, const F& f)
{
  for (unsigned first = threadIdx.x; first < walk.units; first += Threads * InFlight) {
    Stored<Out>* to[InFlight];
    Stored<Out> held[InFlight];
    unsigned slot[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < walk.units) {
        to[k] = out + offset_in<Count>(walk, first + k * Threads, slot[k]);
        held[k] = load(to[k]);
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (first + k * Threads < walk.units) store(to[k], result_of<In, Out>(f, slots.at(slot[k]), held[k]));
  }
}

template <int Threads, int InFlight, class In, class Out, class F>
__global__ void __launch_bounds__(Threads, 4)
    box_kernel(const In* in_data, Out* out_data, const __grid_constant__ BoxJob job, const __grid_constant__ F f)
{
  constexpr int size = sizeof(In);
  constexpr bool may_be_vector = std::is_same_v<F, core::Move> && size < 16;
  extern __shared__ uint4 box_memory[];
  __shared__ BoxPosition position;
  __shared__ BoxWalks walks;
  find_box(job, blockIdx.x, position);
  if (position.at_edge) { // else the walks come with the job
    if (threadIdx.x == 0) walks.read = box_walk(job, position.extent, false, 16 / size);
    if (threadIdx.x == 32) walks.write = box_walk(job, position.extent, true, 16 / size);
    __syncthreads();
  }
  const auto* in = reinterpret_cast<const Stored<In>*>(in_data) + position.at.in;
  auto* out = reinterpret_cast<Stored<Out>*>(out_data) + position.at.out;
  const BoxSlots<In> slots{reinterpret_cast<unsigned char*>(box_memory)};

  const BoxWalk read = position.at_edge ? walks.read : job.read, write = position.at_edge ? walks.write : job.write;
  with_count(read.count, [&](auto count) {
    if constexpr (may_be_vector)
      if (read.vector) return read_box<count, true, Threads, 4>(read, in, slots);
    read_box<count, false, Threads, InFlight>(read, in, slots);
  });
  __syncthreads();
  with_count(write.count, [&](auto count) {
    if constexpr (may_be_vector)
      if (write.vector) return write_box<count, true, Threads, In, Out>(write, out, slots, f);
    if constexpr (core::is_accumulation<F>)
      add_box<count, Threads, 4, In, Out>(write, out, slots, f);
    else
      write_box<count, false, Threads, In, Out>(write, out, slots, f);
  });
}

} // namespace Keramos::cuda::transpose
