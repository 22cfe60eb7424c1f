// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks of register shuffles that transpose blocks and take interleaved components apart or together. As Vector.hpp:
// unnamed namespace, no C++ library header with functions.
#pragma once

#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

template <int... Lane>
struct Lanes {
};
template <int Count, int... Lane>
struct MakeLanes : MakeLanes<Count - 1, Count - 1, Lane...> {
};
template <int... Lane>
struct MakeLanes<0, Lane...> {
  using type = Lanes<Lane...>;
};

/// Lane i of the result is lane Pattern::at(i) of the 2 * Count lanes of a and b.
template <class Pattern, class V, int... Lane>
inline __attribute__((always_inline)) V shuffled(V a, V b, Lanes<Lane...>)
{
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, Pattern::at(Lane)...);
#else
  constexpr int count = sizeof...(Lane);
  constexpr int from[] = {Pattern::at(Lane)...};
  V result;
  for (int i = 0; i < count; ++i) result[i] = from[i] < count ? a[from[i]] : b[from[i] - count];
  return result;
#endif
}
template <class Pattern, class V>
inline __attribute__((always_inline)) V shuffled(V a, V b)
{
  return shuffled<Pattern>(a, b, typename MakeLanes<static_cast<int>(sizeof(V) / sizeof(a[0]))>::type());
}

/// a0 b0 a1 b1 ... of the low or the high halves, within groups of Group lanes (an instruction where a group is 16
/// bytes).
template <int Count, int Group, int High>
struct Zip {
  static constexpr int at(int i)
  {
    const int within = i % Group;
    return (within % 2) * Count + i - within + High * Group / 2 + within / 2;
  }
};

/// The even or the odd lanes of a and then of b.
template <int Odd>
struct Unzip {
  static constexpr int at(int i) { return 2 * i + Odd; }
};

/// 128-bit lane I of a register.
template <int I, class V>
inline __attribute__((always_inline)) Vector<unsigned long long, 2> lane_of(V v)
{
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 2 * I, 2 * I + 1);
#else
  return {v[2 * I], v[2 * I + 1]};
#endif
}

// ---- Blocks: rows of `in` become columns ----------------------------------------------------------------------------

using Word = unsigned long long; // registers are vectors of words; 128-bit lanes are pairs of them

template <int Size>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = unsigned char;
};
template <>
struct UnsignedOf<2> {
  using type = unsigned short;
};
template <>
struct UnsignedOf<4> {
  using type = unsigned int;
};
template <>
struct UnsignedOf<8> {
  using type = Word;
};

/// 128-bit lanes (I, J) of a, then (I, J) of b.
template <int I, int J>
struct FourLanes {
  static constexpr int at(int word)
  {
    const int lane = word / 2;
    return (lane < 2 ? 0 : 8) + 2 * (lane % 2 ? J : I) + word % 2;
  }
};

/// 128-bit lane I of a, then lane I of b.
template <int I>
struct TwoLanes {
  static constexpr int at(int word) { return (word / 2) * 4 + 2 * I + word % 2; }
};

/// Transposes a square of 128-bit lanes: registers row[0], row[Step], ...
template <int Step, class V>
inline __attribute__((always_inline)) void transpose_lanes(V* row)
{
  if constexpr (sizeof(V) == 32) {
    const V a = row[0], b = row[Step];
    row[0] = shuffled<TwoLanes<0>>(a, b);
    row[Step] = shuffled<TwoLanes<1>>(a, b);
  } else if constexpr (sizeof(V) == 64) {
    const V low01 = shuffled<FourLanes<0, 1>>(row[0], row[Step]);
    const V high01 = shuffled<FourLanes<2, 3>>(row[0], row[Step]);
    const V low23 = shuffled<FourLanes<0, 1>>(row[2 * Step], row[3 * Step]);
    const V high23 = shuffled<FourLanes<2, 3>>(row[2 * Step], row[3 * Step]);
    row[0] = shuffled<FourLanes<0, 2>>(low01, low23);
    row[Step] = shuffled<FourLanes<1, 3>>(low01, low23);
    row[2 * Step] = shuffled<FourLanes<0, 2>>(high01, high23);
    row[3 * Step] = shuffled<FourLanes<1, 3>>(high01, high23);
  }
}

/// Transposes PerLane rows of elements T within every 128-bit lane: log2(PerLane) times, row r meets row r + PerLane
/// / 2.
template <class T, int PerLane, class V>
inline __attribute__((always_inline)) void transpose_within_lanes(V* row)
{
  constexpr int count = sizeof(V) / sizeof(T);
  using Elements = Vector<T, count>;
#pragma GCC unroll 4
  for (int stage = 1; stage < PerLane; stage *= 2) {
    V next[PerLane];
#pragma GCC unroll 8
    for (int r = 0; r < PerLane / 2; ++r) {
      const Elements a = (Elements)row[r], b = (Elements)row[r + PerLane / 2];
      next[2 * r] = (V)shuffled<Zip<count, PerLane, 0>>(a, b);
      next[2 * r + 1] = (V)shuffled<Zip<count, PerLane, 1>>(a, b);
    }
#pragma GCC unroll 16
    for (int r = 0; r < PerLane; ++r) row[r] = next[r];
  }
}

/// A block of rows x columns elements of `Size` bytes in registers of `Bytes` bytes. Where 16 registers hold as many
/// rows as a register has elements, whole registers are stored, else their 128-bit lanes one by one.
template <int Size, int Bytes>
struct Block {
  static constexpr int per_lane = 16 / Size, lanes = Bytes / 16;
  static constexpr bool whole = lanes * per_lane <= 16;
  static constexpr int rows = whole ? lanes * per_lane : per_lane;
  static constexpr int columns = Bytes / Size;
  using Register = Vector<Word, Bytes / 8>;

  /// to[c] + offset receives column c of the rows from[0], from[1], ...
  template <class Rows>
  static inline __attribute__((always_inline)) void transpose(const Rows& from, unsigned char* const* to,
                                                              std::int64_t offset)
  {
    Register row[rows];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) row[r] = load<Register>(from[r]);
    if constexpr (per_lane > 1) {
#pragma GCC unroll 4
      for (int group = 0; group < rows; group += per_lane)
        transpose_within_lanes<typename UnsignedOf<Size>::type, per_lane>(row + group);
    }
    if constexpr (whole) {
#pragma GCC unroll 16
      for (int c = 0; c < per_lane; ++c) transpose_lanes<per_lane>(row + c);
#pragma GCC unroll 16
      for (int c = 0; c < columns; ++c) store(to[c] + offset, row[c]); // register lane * per_lane + c is that column
    } else {
#pragma GCC unroll 16
      for (int c = 0; c < per_lane; ++c) store_lanes(row[c], to + c, offset, typename MakeLanes<lanes>::type());
    }
  }

private:
  template <int... Lane>
  static inline __attribute__((always_inline)) void store_lanes(Register v, unsigned char* const* to,
                                                                std::int64_t offset, Lanes<Lane...>)
  {
    (store(to[Lane * per_lane] + offset, lane_of<Lane>(v)), ...);
  }
};

// ---- Components: x0 y0 z0 x1 y1 z1 ... and x0 x1 ..., y0 y1 ..., z0 z1 ... ------------------------------------------

/// Component C of K: at first from registers 0 and 1, then from what is there and register Source.
template <int Count, int K, int C, int Source>
struct TakeComponent {
  static constexpr int at(int i)
  {
    const int flat = K * i + C, from = flat / Count;
    if (Source == 1) return from < 2 ? flat : 0;
    return from == Source ? Count + flat % Count : i;
  }
};

/// Register R of K interleaved components: at first from components 0 and 1, then from what is there and component Source.
template <int Count, int K, int R, int Source>
struct MeetComponent {
  static constexpr int at(int i)
  {
    const int flat = R * Count + i, component = flat % K;
    if (Source == 1) return component < 2 ? component * Count + flat / K : 0;
    return component == Source ? Count + flat / K : i;
  }
};

/// v[0] ... v[K - 1] through the shuffles of one result, one source after the other.
template <template <int, int, int, int> class Pattern, int K, int Result, int Source = 1, class V>
inline __attribute__((always_inline)) V gathered(const V* v, V sum)
{
  constexpr int count = sizeof(V) / sizeof(v[0][0]);
  sum = shuffled<Pattern<count, K, Result, Source>>(sum, v[Source]);
  if constexpr (Source + 1 < K)
    return gathered<Pattern, K, Result, Source + 1>(v, sum);
  else
    return sum;
}

template <template <int, int, int, int> class Pattern, class V, int... Result>
inline __attribute__((always_inline)) void gather_all(V* v, Lanes<Result...>)
{
  const V results[] = {gathered<Pattern, sizeof...(Result), Result>(v, v[0])...};
  ((v[Result] = results[Result]), ...);
}

/// v holds K registers of packed K-component points; afterwards register c holds component c.
template <int K, class V>
inline __attribute__((always_inline)) void take_apart(V* v)
{
  if constexpr (K % 2 == 0) {
    V even[K / 2], odd[K / 2];
#pragma GCC unroll 8
    for (int j = 0; j < K / 2; ++j) {
      even[j] = shuffled<Unzip<0>>(v[2 * j], v[2 * j + 1]);
      odd[j] = shuffled<Unzip<1>>(v[2 * j], v[2 * j + 1]);
    }
    take_apart<K / 2>(even);
    take_apart<K / 2>(odd);
#pragma GCC unroll 8
    for (int j = 0; j < K / 2; ++j) {
      v[2 * j] = even[j];
      v[2 * j + 1] = odd[j];
    }
  } else if constexpr (K > 1) {
    gather_all<TakeComponent>(v, typename MakeLanes<K>::type());
  }
}

/// The inverse of take_apart.
template <int K, class V>
inline __attribute__((always_inline)) void put_together(V* v)
{
  if constexpr (K % 2 == 0) {
    constexpr int count = sizeof(V) / sizeof(v[0][0]);
    V even[K / 2], odd[K / 2];
#pragma GCC unroll 8
    for (int j = 0; j < K / 2; ++j) {
      even[j] = v[2 * j];
      odd[j] = v[2 * j + 1];
    }
    put_together<K / 2>(even);
    put_together<K / 2>(odd);
#pragma GCC unroll 8
    for (int j = 0; j < K / 2; ++j) {
      v[2 * j] = shuffled<Zip<count, count, 0>>(even[j], odd[j]);
      v[2 * j + 1] = shuffled<Zip<count, count, 1>>(even[j], odd[j]);
    }
  } else if constexpr (K > 1) {
    gather_all<MeetComponent>(v, typename MakeLanes<K>::type());
  }
}

} // namespace
} // namespace Keramos::openmp
