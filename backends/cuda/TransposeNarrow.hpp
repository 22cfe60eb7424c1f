// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow matrices: points of K = 2, 3 or 4 components, packed on one side and a plane for each component on the other.
// A warp loads K coalesced rows of chunks and deals them out by shuffles, so that each lane owns K neighbouring chunks,
// which are whole points; and the other way round. No shared memory and no barrier.
#pragma once

#include "TransposeAccess.hpp"
#include "TransposeJobs.hpp"

namespace Keramos::cuda {

/// V neighbouring elements in one access.
template <int Size, int V>
struct Pack {
  Word<Size> element[V];
};

/// Rows and points of a warp. Packed chunk number q lies in register q / 32 of lane q % 32 as a row, and is number q % K
/// of lane q / K as a point:
///
///     K = 3    row 0:  lane 0 1 2 3 ... 31      point:  lane 0: 0 1 2    lane 1: 3 4 5    ...
///              row 1:       32 33 34 ...
///
/// In step m lane l trades its number c = (m + l / (32 / g)) % K, g = gcd(K, 32). Two lanes with one partner in a step
/// would have K * l + c equal modulo 32, that is, l apart by a multiple of 32 / g and c equal modulo g; but c differs.
template <int K>
struct Deal {
  static constexpr int g = K % 4 == 0 ? 4 : K % 2 == 0 ? 2 : 1;
  static constexpr int shift = 32 / g;
  int lane;

  /// The number that this lane, as the owner of a point, trades in step m.
  __device__ __forceinline__ int number(int m) const { return (m + lane / shift) % K; }
  /// The step in which this lane trades register j of its rows.
  __device__ __forceinline__ int step(int j) const
  {
    const int q = 32 * j + lane, l = q / K;
    return (q % K - l / shift % K + K) % K;
  }
  /// The lane that owns the point of register j.
  __device__ __forceinline__ int owner(int j) const { return (32 * j + lane) / K; }

  template <class T>
  __device__ __forceinline__ void to_points(const T (&row)[K], T (&point)[K]) const
  {
#pragma unroll
    for (int m = 0; m < K; ++m) {
      const int c = number(m);
      T sent = row[0];
#pragma unroll
      for (int j = 1; j < K; ++j)
        if (step(j) == m) sent = row[j];
      const T got = shuffled(sent, (K * lane + c) % 32);
#pragma unroll
      for (int k = 0; k < K; ++k)
        if (k == c) point[k] = got;
    }
  }

  template <class T>
  __device__ __forceinline__ void to_rows(const T (&point)[K], T (&row)[K]) const
  {
#pragma unroll
    for (int m = 0; m < K; ++m) {
      const int c = number(m);
      T sent = point[0];
#pragma unroll
      for (int k = 1; k < K; ++k)
        if (k == c) sent = point[k];
      int from = owner(0);
#pragma unroll
      for (int j = 1; j < K; ++j)
        if (step(j) == m) from = owner(j);
      const T got = shuffled(sent, from);
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (step(j) == m) row[j] = got;
    }
  }

  template <class T>
  __device__ __forceinline__ static T shuffled(T value, int from)
  {
    static_assert(sizeof(T) % 4 == 0);
    struct Parts {
      unsigned part[sizeof(T) / 4];
    } parts = __builtin_bit_cast(Parts, value);
#pragma unroll
    for (auto& part : parts.part) part = __shfl_sync(0xffffffffu, part, from);
    return __builtin_bit_cast(T, parts);
  }
};

/// What a warp moves at once, U times in flight: 32 * V points, as rows of chunks of V elements.
template <int Size, int ChunkBytes, int K>
struct NarrowShape {
  static constexpr int threads = 256;
  static constexpr int v = ChunkBytes / Size;
  static constexpr int in_flight = ChunkBytes * K > 32 ? 1 : 64 / (ChunkBytes * K); ///< 48 bytes a lane and more
  static constexpr int points = 32 * v;                                             ///< of a warp, once
  static constexpr int block_points = points * in_flight * (threads / 32);
};

template <int Size, int ChunkBytes, int K, bool ToPlanes>
__global__ void __launch_bounds__(NarrowShape<Size, ChunkBytes, K>::threads)
    narrow_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ NarrowJob job)
{
  using Shape = NarrowShape<Size, ChunkBytes, K>;
  using Access = Word<ChunkBytes>;
  constexpr int v = Shape::v, in_flight = Shape::in_flight;
  const unsigned batch = quotient(blockIdx.x, job.blocks);
  const Offsets at = offsets_of(job.batch, batch);
  const int lane = threadIdx.x % 32;
  const std::int64_t first = std::int64_t{blockIdx.x - batch * job.blocks.d} * Shape::block_points +
                             threadIdx.x / 32 * (Shape::points * in_flight);
  const Deal<K> deal{lane};
  // packed: this warp's first point; plane: this lane's first element of component 0
  const Word<Size>* in = in_data + at.in + (ToPlanes ? first * K : first);
  Word<Size>* out = out_data + at.out + (ToPlanes ? first : first * K);

  if (first + Shape::points * in_flight > job.points) { // the last warp: an element a lane
    const std::int64_t left = job.points - first;
    for (int n = lane; n < left; n += 32)
#pragma unroll
      for (int c = 0; c < K; ++c)
        if constexpr (ToPlanes)
          out[c * job.plane + n] = in[n * K + c];
        else
          out[n * K + c] = in[c * job.plane + n];
    return;
  }

  Access loaded[in_flight][K];
#pragma unroll
  for (int u = 0; u < in_flight; ++u)
#pragma unroll
    for (int k = 0; k < K; ++k)
      loaded[u][k] = __ldcs(reinterpret_cast<const Access*>(ToPlanes ? in + (u * K + k) * Shape::points
                                                                     : in + k * job.plane + u * Shape::points) +
                            lane);
#pragma unroll
  for (int u = 0; u < in_flight; ++u) {
    Access stored[K];
    using Elements = Pack<Size, v * K>; // V points of this lane, packed; or K planes of V elements
    struct Chunks {
      Access chunk[K];
    };
    if constexpr (ToPlanes) {
      Chunks points;
      deal.to_points(loaded[u], points.chunk);
      const Elements packed = __builtin_bit_cast(Elements, points);
      Elements planes;
#pragma unroll
      for (int p = 0; p < v; ++p)
#pragma unroll
        for (int c = 0; c < K; ++c) planes.element[c * v + p] = packed.element[p * K + c];
      const Chunks result = __builtin_bit_cast(Chunks, planes);
#pragma unroll
      for (int k = 0; k < K; ++k) stored[k] = result.chunk[k];
    } else {
      Chunks given;
#pragma unroll
      for (int k = 0; k < K; ++k) given.chunk[k] = loaded[u][k];
      const Elements planes = __builtin_bit_cast(Elements, given);
      Elements packed;
#pragma unroll
      for (int p = 0; p < v; ++p)
#pragma unroll
        for (int c = 0; c < K; ++c) packed.element[p * K + c] = planes.element[c * v + p];
      const Chunks points = __builtin_bit_cast(Chunks, packed);
      deal.to_rows(points.chunk, stored);
    }
#pragma unroll
    for (int k = 0; k < K; ++k)
      __stcs(reinterpret_cast<Access*>(ToPlanes ? out + k * job.plane + u * Shape::points
                                                : out + (u * K + k) * Shape::points) +
                 lane,
             stored[k]);
  }
}

} // namespace Keramos::cuda
