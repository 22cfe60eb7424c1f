// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taps along a run with AVX-512: neighbours are shifted in registers, because a load across lines takes the time of two. As Vector.hpp:
// unnamed namespace, no C++ library header with functions.
#pragma once

#include "Shuffle.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

#if defined(__AVX512F__)
constexpr bool shifts_lines = true;

/// Elements Shift, Shift + 1, ... of those of `low` and then of `high`.
template <int Shift, class V>
[[gnu::always_inline]] inline V shifted(V low, V high)
{
  constexpr int lanes = sizeof(V) / sizeof(low[0]);
  if constexpr (Shift == 0) return low;
  if constexpr (Shift == lanes) return high;
  if constexpr (sizeof(V) == 32)
    return (V)_mm256_alignr_epi32((__m256i)high, (__m256i)low, Shift % 8);
  else if constexpr (lanes == 16)
    return (V)_mm512_alignr_epi32((__m512i)high, (__m512i)low, Shift % lanes);
  else
    return (V)_mm512_alignr_epi64((__m512i)high, (__m512i)low, Shift % 8);
}

template <class V>
[[gnu::always_inline]] inline V load_some(const float* from, unsigned lanes)
{
  return (V)_mm512_maskz_loadu_ps(static_cast<__mmask16>(lanes), from);
}
template <class V>
[[gnu::always_inline]] inline V load_some(const double* from, unsigned lanes)
{
  return (V)_mm512_maskz_loadu_pd(static_cast<__mmask8>(lanes), from);
}

/// The lanes [begin, end) of a vector: the others are neither read nor written.
struct SomeLanes {
  int begin, end;

  /// And those up to `more` behind them, which may be in the next vector.
  unsigned mask(int more = 0) const { return (1u << (end + more)) - (1u << begin); }
  template <class V, class T>
  [[gnu::always_inline]] V get(const T* from) const
  {
    return load_some<V>(from, mask());
  }
  template <class V>
  [[gnu::always_inline]] void put(float* to, V v) const
  {
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>(mask()), (__m512)v);
  }
  template <class V>
  [[gnu::always_inline]] void put(double* to, V v) const
  {
    _mm512_mask_storeu_pd(to, static_cast<__mmask8>(mask()), (__m512d)v);
  }
};

/// Adds the tap n of a line that begins at `line` to all sums.
template <int N, class V, int Vectors, class T>
[[gnu::always_inline]] inline void add_shifted(V (&sum)[Vectors], const V (&line)[Vectors + 1], T weight)
{
  for (int v = 0; v < Vectors; ++v) sum[v] = multiply_add(sum[v], weight, shifted<N>(line[v], line[v + 1]));
}
template <class V, int Vectors, class T, int... N>
[[gnu::always_inline]] inline void add_all_shifted(V (&sum)[Vectors], const V (&line)[Vectors + 1], const T* weight,
                                                   Lanes<N...>)
{
  (add_shifted<N>(sum, line, weight[N]), ...);
}

/// Adds 2 * Radius + 1 taps, which read `first`, `first` + 1, ..., to whole vectors of sums. Nothing else is read.
template <int Radius, class V, int Vectors, class T>
[[gnu::always_inline]] inline void add_line(V (&sum)[Vectors], const T* first, const T* weight)
{
  V line[Vectors + 1];
  for (int v = 0; v < Vectors; ++v) line[v] = load<V>(first + v * native_lanes<T>);
  line[Vectors] = load_some<V>(first + Vectors * native_lanes<T>, (1u << 2 * Radius) - 1);
  add_all_shifted(sum, line, weight, typename MakeLanes<2 * Radius + 1>::type());
}

/// What taps read in front of and behind a vector at `in`: the vector from `radius` elements before it, and 2 * radius more.
template <int Radius, class V, class T>
[[gnu::always_inline]] inline void load_line(const T* in, V& low, V& high, const Whole&)
{
  low = load<V>(in - Radius);
  high = load_some<V>(in - Radius + native_lanes<T>, (1u << 2 * Radius) - 1);
}
template <int Radius, class V, class T, class Some>
[[gnu::always_inline]] inline void load_line(const T* in, V& low, V& high, const Some& some)
{
  const unsigned lanes = some.mask(2 * Radius);
  low = load_some<V>(in - Radius, lanes);
  high = load_some<V>(in - Radius + native_lanes<T>, lanes >> native_lanes<T>);
}

/// Adds the taps along the run, -Radius ... Radius, to the sum of the points at `in`: nine loads across lines take twice the time of
/// two and shifts; but of radius 1 the neighbours are two loads.
template <int Radius, class V, class T, class Access, int... N>
[[gnu::always_inline]] inline V with_line(V sum, const T* in, const T* weight, const Access& access, Lanes<N...>)
{
  const V centre = access.template get<V>(in);
  if constexpr (Radius == 1) {
    sum = multiply_add(sum, weight[0], access.template get<V>(in - 1));
    return multiply_add(multiply_add(sum, weight[1], centre), weight[2], access.template get<V>(in + 1));
  }
  V low, high;
  load_line<Radius>(in, low, high, access);
  ((sum = multiply_add(sum, weight[N], N == Radius ? centre : shifted<N>(low, high))), ...);
  return sum;
}
#else
constexpr bool shifts_lines = false;
#endif

} // namespace
} // namespace Keramos::openmp
