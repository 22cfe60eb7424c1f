// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow matrices: points of K = 2, 3 or 4 components, packed on one side and a plane for each component on the other.
// A warp loads K coalesced rows of accesses and exchanges them by shuffles, so that each lane owns K neighbouring ones,
// which are whole points; and the other way round. No shared memory and no barrier.
#pragma once

#include "Access.hpp"
#include "Jobs.hpp"
#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// V neighbouring elements in one access.
template <int Size, int V>
struct Pack {
  Word<Size> element[V];
};

/// Rows and points of a warp. Packed access number q lies in register q / 32 of lane q % 32 as a row, and is number q % K
/// of lane q / K as a point:
///
///     K = 3    row 0:  lane 0 1 2 3 ... 31      point:  lane 0: 0 1 2    lane 1: 3 4 5    ...
///              row 1:       32 33 34 ...
///
/// In step m lane l trades its number c = (m + l / (32 / g)) % K, g = gcd(K, 32). Two lanes with one partner in a step
/// would have K * l + c equal modulo 32, that is, l apart by a multiple of 32 / g and c equal modulo g; but c differs.
template <int K>
struct PointExchange {
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
    struct Words {
      unsigned word[sizeof(T) / 4];
    } words = __builtin_bit_cast(Words, value);
#pragma unroll
    for (auto& word : words.word) word = __shfl_sync(0xffffffffu, word, from);
    return __builtin_bit_cast(T, words);
  }
};

/// K accesses of V elements.
template <class Access, int K>
struct Accesses {
  Access access[K];
};

/// V packed points of K components as K vectors of a component each, or the other way round.
template <int Size, int V, bool ToPlanes, class Access, int K>
__device__ __forceinline__ Accesses<Access, K> repacked(const Accesses<Access, K>& from)
{
  using Elements = Pack<Size, V * K>;
  const Elements elements = __builtin_bit_cast(Elements, from);
  Elements result;
#pragma unroll
  for (int p = 0; p < V; ++p)
#pragma unroll
    for (int c = 0; c < K; ++c) {
      const int packed = p * K + c, plane = c * V + p;
      result.element[ToPlanes ? plane : packed] = elements.element[ToPlanes ? packed : plane];
    }
  using Result = Accesses<Access, K>;
  return __builtin_bit_cast(Result, result);
}

/// `count` points, an element per lane.
template <int K, bool ToPlanes, class T>
__device__ __forceinline__ void move_points(const T* in, T* out, std::int64_t plane, std::int64_t count)
{
  for (int n = threadIdx.x % 32; n < count; n += 32)
#pragma unroll
    for (int c = 0; c < K; ++c)
      if constexpr (ToPlanes)
        out[c * plane + n] = in[n * K + c];
      else
        out[n * K + c] = in[c * plane + n];
}

template <int Size, int AccessBytes, int K, bool ToPlanes>
__global__ void __launch_bounds__(NarrowShape::threads)
    narrow_kernel(const Word<Size>* in_data, Word<Size>* out_data, const __grid_constant__ NarrowJob job)
{
  using Access = Word<AccessBytes>;
  constexpr NarrowShape shape{Size, AccessBytes, K};
  constexpr int v = shape.v(), in_flight = shape.in_flight(), points = shape.points();
  const unsigned batch = quotient(blockIdx.x, job.blocks);
  const Offsets at = offsets_of(job.batch, batch);
  const int lane = threadIdx.x % 32;
  const std::int64_t first =
      std::int64_t{blockIdx.x - batch * job.blocks.d} * shape.block_points() + threadIdx.x / 32 * shape.warp_points();
  const PointExchange<K> exchange{lane};
  // packed: this warp's first point; plane: this lane's first element of component 0
  const Word<Size>* in = in_data + at.in + (ToPlanes ? first * K : first);
  Word<Size>* out = out_data + at.out + (ToPlanes ? first : first * K);
  if (first + shape.warp_points() > job.points) // the last warp
    return move_points<K, ToPlanes>(in, out, job.plane, job.points - first);

  Access loaded[in_flight][K];
#pragma unroll
  for (int u = 0; u < in_flight; ++u)
#pragma unroll
    for (int k = 0; k < K; ++k)
      loaded[u][k] = __ldcs(
          reinterpret_cast<const Access*>(ToPlanes ? in + (u * K + k) * points : in + k * job.plane + u * points) +
          lane);
#pragma unroll
  for (int u = 0; u < in_flight; ++u) {
    Access stored[K];
    Accesses<Access, K> accesses;
    if constexpr (ToPlanes) {
      exchange.to_points(loaded[u], accesses.access);
      accesses = repacked<Size, v, true>(accesses);
#pragma unroll
      for (int k = 0; k < K; ++k) stored[k] = accesses.access[k];
    } else {
#pragma unroll
      for (int k = 0; k < K; ++k) accesses.access[k] = loaded[u][k];
      exchange.to_rows(repacked<Size, v, false>(accesses).access, stored);
    }
#pragma unroll
    for (int k = 0; k < K; ++k)
      __stcs(reinterpret_cast<Access*>(ToPlanes ? out + k * job.plane + u * points : out + (u * K + k) * points) + lane,
             stored[k]);
  }
}

} // namespace Keramos::cuda::transpose
