// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's moving kernels: what one part of a transpose, permute or copy does in the calling thread. Elements are
// bytes: a table entry stands for one element size, 1 << entry. Pitches are in bytes; nothing need be aligned.
#pragma once

#include <cstdint>

namespace Keramos::openmp {

/// What a user's functor does to the input of a kernel, in his translation unit: `rows` rows of `length` elements go through it
/// to `out`. Pitches are in bytes.
struct Conversion {
  void (*convert)(const void* functor, const unsigned char* in, std::int64_t in_pitch, std::int64_t rows,
                  std::int64_t length, unsigned char* out, std::int64_t out_pitch);
  const void* functor;
  std::int64_t in_size; ///< bytes of an element before it
};

/// Rows a pitch apart. Those of two axes lie in stretches of `inner` rows, which begin `outer_pitch` apart.
constexpr std::int64_t no_inner = INT64_MAX;
struct PlaneRows {
  std::int64_t pitch, inner = no_inner, outer_pitch = 0;
};

/// out(y, x) = in(x, y): the elements of a row of `in` lie side by side along y, those of a row of `out` along x.
///
///     in + row x of in_rows + y * size      ->      out + row y of out_rows + x * size
struct Plane {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t x_extent, y_extent;
  PlaneRows in_rows, out_rows;
  bool streaming;                      ///< the output is too large to stay in the caches: write whole lines past them
  const unsigned char* next = nullptr; ///< where the next plane of this shape begins in the input, or null
  const Conversion* conversion = nullptr; ///< then an element of `in` has its size; null: elements move as they are
};

/// Groups that a plane of them takes: larger ones are runs.
constexpr std::int64_t max_group_bytes = 255, group_tile_bytes = 512;

/// out(x, c) = in(c, x), where the components c of all x lie side by side in `out`.
///
///     in + c * in_pitch + x * size      ->      out + (x * components + c) * size
struct Interleave {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t extent, components;
  std::int64_t in_pitch;
  bool streaming;
  const unsigned char* next = nullptr; ///< where the next one of this shape begins in the input, or null
};

/// `rows` runs of `bytes` bytes that are contiguous in both arrays.
struct Runs {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t bytes, rows;
  std::int64_t in_pitch, out_pitch;
  bool streaming;
};

/// Any strides, axes fastest first by those of the output. The elements are collected in the cache in the order of the output
/// and leave from there, so that either array is visited in its own order.
struct Box {
  const unsigned char* in;
  unsigned char* out;
  int axes; ///< at least one
  std::int64_t extent[6], in_pitch[6], out_pitch[6];
  int inner;   ///< the axis of the innermost loop over the input
  int across;  ///< the axis whose neighbours are neighbours in `in`, if those of axis 0 are in `out`; else -1
  bool groups; ///< axis 0 is contiguous in both arrays, 2 to 64 bytes, and not the inner one
  const unsigned char* next; ///< where the next box of this shape begins in the input, or null
  bool streaming;            ///< as in Plane
};

/// Bytes of the elements of a Box at most: with the input, it stays in a first-level cache of 32 KiB.
constexpr std::int64_t max_box_bytes = 16 << 10;

/// How many hops further on a kernel prefetches. Runs of 1 KiB of 12288 x 8192 f32 on Zen 3: 43 ms, with 2 hops 55 ms.
constexpr int max_hops_ahead = 5;

/// Runs of `bytes` bytes that move one after the other, from[i] to to[i]; `known` of them stand there, the first `count` move.
struct Hops {
  const unsigned char* const* from;
  unsigned char* const* to;
  int count, known;
  std::int64_t bytes;
  bool streaming; ///< as in Plane
};

/// Tiles of one matrix that trade places: a(x, y) at a + x * slow + y * fast with b(y, x) at b + y * slow + x * fast. They are
/// one tile of the diagonal (a == b) or apart, and no larger than swap_tile().
struct TilePair {
  unsigned char* a;
  unsigned char* b;
  std::int64_t x_extent, y_extent;
  std::int64_t fast, slow;
  std::int64_t matrices, matrix_pitch; ///< the same in so many; more than one only where a tile is a whole matrix
  const unsigned char* next_a;         ///< of the pair that follows, or of the same
  const unsigned char* next_b;
  std::int64_t next_x_extent, next_y_extent;
};

/// Elements along a side of a TilePair at most: rows of 256 bytes, or of a line where that would take too many of
/// them.
constexpr std::int64_t swap_tile(std::int64_t size) { return size < 4 ? 64 : 256 / size; }

struct TransposeKernels {
  void (*runs)(const Runs&);
  void (*hops)(const Hops&);
  void (*plane[5])(const Plane&);
  void (*groups)(const Plane&, std::int64_t size); ///< a plane of elements of any size, max_group_bytes at most
  void (*interleave[5])(const Interleave&);
  void (*box[5])(const Box&);
  void (*swap_tiles[5])(const TilePair&);
};

namespace baseline {
extern const TransposeKernels transpose_kernels;
}
namespace avx2 {
extern const TransposeKernels transpose_kernels;
}
namespace avx512 {
extern const TransposeKernels transpose_kernels;
}

} // namespace Keramos::openmp
