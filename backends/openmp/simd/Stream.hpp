// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole lines written past the caches: a plain store first reads the line it writes, which is half as much traffic
// again. As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace Keramos::openmp {
namespace {

using Byte = unsigned char;
constexpr int line_bytes = 64;

/// Stores one line; `to` stands on a line, `from` anywhere.
inline __attribute__((always_inline)) void stream_line(Byte* to, const Byte* from)
{
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  for (int at = 0; at < line_bytes; at += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + at),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at)));
#elif defined(__SSE2__)
  for (int at = 0; at < line_bytes; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
#else
  __builtin_memcpy(to, from, line_bytes);
#endif
}

/// Stores a vector, which is aligned to its size; a scalar in the usual way.
template <class V, class T>
inline __attribute__((always_inline)) void stream_vector(T* to, V v)
{
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)v);
#endif
#if defined(__AVX__)
  if constexpr (sizeof(V) == 32) return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)v);
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16) return _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
#endif
  __builtin_memcpy(to, &v, sizeof(V));
}

/// What was streamed becomes visible to whoever waits for this task.
inline void end_of_stream()
{
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

inline int offset_in_line(const Byte* address)
{
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % line_bytes);
}

/// One run past the caches, while `next` is prefetched into them.
inline void stream_run(Byte* out, const Byte* in, const Byte* next, std::int64_t bytes)
{
  const std::int64_t to_line = (line_bytes - offset_in_line(out)) % line_bytes,
                     head = to_line < bytes ? to_line : bytes;
  __builtin_memcpy(out, in, head);
  std::int64_t at = head;
  for (; at + line_bytes <= bytes; at += line_bytes) {
    __builtin_prefetch(next + at, 0, 2);
    stream_line(out + at, in + at);
  }
  __builtin_memcpy(out + at, in + at, bytes - at);
}

/// One run of what the cache holds, past it or not.
inline void write_run(Byte* out, const Byte* in, std::int64_t bytes, bool streaming)
{
  if (streaming)
    stream_run(out, in, in, bytes);
  else
    __builtin_memcpy(out, in, bytes);
}

/// A row of the output under way. A tile always fills `more`, which stands on a line; what filled no whole line of the output
/// waits in front of it for the next tile. So vectors are stored within lines, and only what is loaded on the way out is as
/// unaligned as the output: stores across lines would wait behind the streamed ones. The buffer holds a line more than a tile.
struct Row {
  Byte* more;
  Byte* to; ///< where the first of the waiting bytes belongs
  int waiting;

  void start(Byte* buffer, Byte* out)
  {
    more = buffer + line_bytes;
    to = out;
    waiting = 0;
  }

  /// Whole lines of what waits and of the `bytes` that have come to `more`; after_line() is called after each.
  template <class AfterLine>
  void flush(int bytes, const AfterLine& after_line)
  {
    const Byte* from = more - waiting;
    waiting += bytes;
    const int head = (line_bytes - offset_in_line(to)) % line_bytes;
    if (head > 0 && head <= waiting) { // the row begins within a line
      __builtin_memcpy(to, from, head);
      advance(from, head);
    }
    for (; waiting >= line_bytes; advance(from, line_bytes)) {
      stream_line(to, from);
      after_line();
    }
    Byte last[line_bytes];
    __builtin_memcpy(last, more + bytes - line_bytes, line_bytes);
    __builtin_memcpy(more - line_bytes, last, line_bytes);
  }

  void flush(int bytes)
  {
    flush(bytes, [] {});
  }

  void finish() { __builtin_memcpy(to, more - waiting, waiting); }

private:
  void advance(const Byte*& from, int bytes)
  {
    from += bytes;
    to += bytes;
    waiting -= bytes;
  }
};

/// Prefetches the lines of a tile, a few at a time. Spread over the stores of the present tile, its
/// reads are under way while the memory would else only be written: 58% instead of 45% of a copy for f32 8192 x 8192.
class Ahead {
public:
  Ahead(const Byte* from, std::int64_t pitch, std::int64_t rows, std::int64_t row_bytes)
      : from_(from), pitch_(pitch), rows_(rows),
        lines_(static_cast<int>((row_bytes + line_bytes - 1) / line_bytes +
                                ((pitch | offset_in_line(from)) % line_bytes != 0)))
  {
  }

  /// Rows in stretches of `inner`, which begin `outer_pitch` apart; the first has `left` rows.
  void in_stretches(std::int64_t left, std::int64_t inner, std::int64_t outer_pitch)
  {
    left_ = left;
    inner_ = inner;
    jump_ = outer_pitch - inner * pitch_;
  }

  std::int64_t lines() const { return rows_ > 0 ? rows_ * lines_ : 0; }

  /// Lines at each of `times` times.
  std::int64_t share(std::int64_t times) const { return (lines() + times - 1) / times; }

  void prefetch(std::int64_t count)
  {
    for (; count > 0 && rows_ > 0; --count) {
      __builtin_prefetch(from_ + line_ * line_bytes, 0, 2);
      if (++line_ < lines_) continue;
      line_ = 0;
      from_ += pitch_;
      --rows_;
      if (--left_ > 0) continue;
      from_ += jump_;
      left_ = inner_;
    }
  }

private:
  const Byte* from_;
  std::int64_t pitch_, rows_;
  std::int64_t left_ = INT64_MAX, inner_ = 0, jump_ = 0;
  int lines_, line_ = 0;
};

} // namespace
} // namespace Keramos::openmp
