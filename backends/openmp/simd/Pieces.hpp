// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that lie in the first-level cache on their way through an application's functor to where its results go. As Vector.hpp: unnamed
// namespace, no C++ library header with functions.
#pragma once

#include "Stencil.hpp"
#include "Stream.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

/// Stores a row of results that lie in the cache, whole lines past the caches; `out` stands on a line.
template <class T>
[[gnu::always_inline]] inline void stream_results(T* out, const T* result, std::int64_t count)
{
  constexpr int lanes = native_lanes<T>;
  std::int64_t at = 0;
  for (; at + lanes <= count; at += lanes) stream_vector(out + at, load<Vector<T, lanes>>(result + at));
  if (at < count) __builtin_memcpy(out + at, result + at, (count - at) * sizeof(T));
}

/// Hands a piece over and stores its results in the rows from `out` on, if the functor does not store by itself.
template <class T>
[[gnu::always_inline]] inline void finish(const Functor<T>& functor, SumPiece<T> piece, T* out, std::int64_t out_pitch,
                                          bool streaming, std::int64_t out_plane = 0)
{
  const bool goes_on = !out || streaming;
  piece.result = goes_on ? piece.sum : out;
  piece.result_pitch = goes_on ? piece.sum_pitch : out_pitch;
  piece.result_plane = goes_on ? piece.sum_plane : out_plane;
  functor.apply(functor.context, piece);
  for (int p = 0; streaming && p < piece.planes; ++p)
    for (int r = 0; r < piece.rows; ++r)
      stream_results(out + p * out_plane + r * out_pitch, piece.sum + p * piece.sum_plane + r * piece.sum_pitch,
                     piece.count);
}

template <class T>
[[gnu::always_inline]] inline T* moved(T* out, std::int64_t x)
{
  return out ? out + x : nullptr;
}

} // namespace
} // namespace Keramos::openmp
