// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of few components, packed to planes and back, past the caches without a buffer: whole vectors go from registers to the
// lines of the output, wherever its rows begin (AVX-512 alone). Reads and writes alternate line by line, at which the memory is
// fastest: 12000000 x 3 f32 to planes and back 76 and 80 GB/s on two Zen 4 cores, through a buffer 52 and 58 (a copy: 72). As
// Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include "Fill.hpp"
#include "Stream.hpp"

namespace Keramos::openmp {
namespace {

/// What joins lines takes elements of this size, whose rows begin on a multiple of 4 bytes.
template <int Size>
constexpr bool joins_lines()
{
#if defined(__AVX512F__)
  return Size == 4 || Size == 8;
#else
  return false;
#endif
}

/// Calls body(Constant<K>) if there is a kernel that joins this number of components: sixteen fill half of the registers.
template <int Size, class Body>
inline bool with_joined_components(std::int64_t components, const Body& body)
{
  if constexpr (joins_lines<Size>()) return with_components(components, body, Lanes<2, 3, 4, 5, 6, 7, 8, 16>());
  return false;
}

#if defined(__AVX512F__)
/// A row of the output to which whole vectors come one after the other; a line of it is joined of two of them.
class JoinedRow {
public:
  using V = Vector<unsigned, 16>;

  /// The first vector, with plain stores: its lines may be others' as well.
  [[gnu::always_inline]] void start(Byte* out, V first)
  {
    store(out, first);
    phase_ = offset_in_line(out) / 4;
    line_ = out - 4 * phase_;
    before_ = first;
    for (int i = 0; i < 16; ++i) from_[i] = static_cast<unsigned>(i - phase_) & 31u;
  }

  /// The one that begins `offset` bytes behind the first.
  [[gnu::always_inline]] void push(V next, std::int64_t offset)
  {
    stream_vector(line_ + offset, joined(next));
    before_ = next;
  }

  /// What has filled no line; the vectors have so many bytes in all.
  void finish(std::int64_t offset)
  {
    const auto rest = static_cast<__mmask16>((1u << phase_) - 1);
    _mm512_mask_storeu_epi32(line_ + offset, rest, (__m512i)joined(before_));
  }

private:
  /// Lanes from `phase_` on are the first of `next`, those before them the last of what came before it.
  [[gnu::always_inline]] V joined(V next) const
  {
    return (V)_mm512_permutex2var_epi32((__m512i)next, (__m512i)from_, (__m512i)before_);
  }

  V before_, from_;
  Byte* line_;
  int phase_;
};

/// One that begins on a line. More than 8 at once must: joined ones would take more registers than there are, and what is spilled
/// waits behind the streamed lines (2500000 x 16 f32: 32 GB/s on one core, aligned 43).
class AlignedRow {
public:
  [[gnu::always_inline]] void start(Byte* out, JoinedRow::V first)
  {
    out_ = out;
    push(first, 0);
  }
  [[gnu::always_inline]] void push(JoinedRow::V next, std::int64_t offset) { stream_vector(out_ + offset, next); }
  void finish(std::int64_t) {}

private:
  Byte* out_;
};

/// Of each plane, or of packed points: lines so far ahead come straight into the first-level cache.
inline constexpr std::int64_t plane_ahead = 256, packed_ahead = 2048;

template <class V>
[[gnu::always_inline]] inline V load_ahead(const Byte* from, std::int64_t ahead)
{
  __builtin_prefetch(from + ahead, 0, 0);
  return load<V>(from);
}

/// A vector of each of K components.
template <int Size, int K>
struct PointVectors {
  static constexpr std::int64_t points = line_bytes / Size;
  using V = Vector<typename UnsignedOf<Size>::type, points>;
  V v[K];

  [[gnu::always_inline]] void from_packed(const Byte* in)
  {
#pragma GCC unroll 16
    for (int j = 0; j < K; ++j) v[j] = load_ahead<V>(in + j * line_bytes, packed_ahead);
    take_apart<K>(v);
  }
  [[gnu::always_inline]] void from_planes(const Byte* in, std::int64_t pitch)
  {
#pragma GCC unroll 16
    for (int c = 0; c < K; ++c) v[c] = load_ahead<V>(in + c * pitch, plane_ahead);
    put_together<K>(v);
  }
  [[gnu::always_inline]] JoinedRow::V operator[](int k) const { return (JoinedRow::V)v[k]; }
};

/// K components packed side by side in, K planes out: row[c] + x * Size = in + (x * K + c) * Size
template <class Row, int Size, int K>
void join_components(const Byte* in, std::int64_t extent, Byte* const* row)
{
  using Vectors = PointVectors<Size, K>;
  Row joined[K];
  Vectors v;
  v.from_packed(in);
#pragma GCC unroll 16
  for (int c = 0; c < K; ++c) joined[c].start(row[c], v[c]);
  std::int64_t x = Vectors::points;
  for (; x + Vectors::points <= extent; x += Vectors::points) {
    v.from_packed(in + x * K * Size);
#pragma GCC unroll 16
    for (int c = 0; c < K; ++c) joined[c].push(v[c], x * Size);
  }
  for (int c = 0; c < K; ++c) {
    joined[c].finish(x * Size);
    for (std::int64_t i = x; i < extent; ++i) __builtin_memcpy(row[c] + i * Size, in + (i * K + c) * Size, Size);
  }
}

/// K planes in, K components packed side by side out: out + (x * K + c) * Size = in + c * pitch + x * Size
template <int Size, int K>
void join_interleaved(const Byte* in, std::int64_t pitch, std::int64_t extent, Byte* out)
{
  using Vectors = PointVectors<Size, K>;
  JoinedRow joined;
  Vectors v;
  v.from_planes(in, pitch);
  joined.start(out, v[0]);
#pragma GCC unroll 16
  for (int j = 1; j < K; ++j) joined.push(v[j], j * line_bytes);
  std::int64_t x = Vectors::points;
  for (; x + Vectors::points <= extent; x += Vectors::points) {
    v.from_planes(in + x * Size, pitch);
#pragma GCC unroll 16
    for (int j = 0; j < K; ++j) joined.push(v[j], x * K * Size + j * line_bytes);
  }
  joined.finish(x * K * Size);
  for (; x < extent; ++x)
    for (int c = 0; c < K; ++c) __builtin_memcpy(out + (x * K + c) * Size, in + c * pitch + x * Size, Size);
}
#endif

} // namespace
} // namespace Keramos::openmp
