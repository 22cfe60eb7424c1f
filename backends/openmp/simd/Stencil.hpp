// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector kernels of the host's stencils. A run is a stretch of the fastest axis; pointers stand at its first point, and
// a tap's pointer includes the tap's offset. Taps are of two kinds: rows of the input, all of them `shift` elements
// further on than their pointers say, and pieces (StencilRuns.hpp), which are where their pointers say.
//
// StencilRow sums the taps of one run:     out[x] = sum over t of weight[t] * tap[t][x]
//
// StencilBlock sums four runs at once, in consecutive planes, for operators with a column of taps across the planes: each
// row of the column is loaded once and serves every plane that it belongs to, 2 * radius + 4 loads instead of
// 4 * (2 * radius + 1).
//
//     column[s]  0 1 2 3 4 5 6 7 8 9 10 11      radius 4: plane p = 0 ... 3 reads column[p ... p + 8]
#pragma once

#include <cstdint>

namespace Keramos::openmp {

/// The wave update instead of the plain sum: out = 2 * centre - previous + scale * sum; without `scale`, scale_value.
template <class T>
struct LeapFrogRow {
  const T* centre;
  const T* previous;
  const T* scale;
  T scale_value;
};

/// `count` taps; in a block tap[t * block_planes + p] is tap t of plane p.
template <class T>
struct StencilTaps {
  const T* const* tap;
  const T* weight;
  int count;
};

template <class T>
struct StencilRow {
  StencilTaps<T> rows;
  std::int64_t shift;
  StencilTaps<T> pieces;
  std::int64_t length;
  T* out;
  LeapFrogRow<T> leap_frog;
};

inline constexpr int block_planes = 4;
inline constexpr int block_radius = 8; ///< the largest column that a block kernel exists for

template <class T>
struct StencilBlock {
  const T* const* column; ///< 2 * radius + block_planes rows
  const T* column_weight; ///< 2 * radius + 1
  StencilTaps<T> rows;    ///< without the column
  std::int64_t shift;     ///< of the column, too
  StencilTaps<T> pieces;
  std::int64_t length;
  T* out[block_planes];
  LeapFrogRow<T> leap_frog[block_planes];
};

template <class T>
struct StencilKernelsOf {
  void (*sum)(const StencilRow<T>&);
  void (*leap_frog)(const StencilRow<T>&);
  void (*sum_block[block_radius + 1])(const StencilBlock<T>&); ///< by radius; [0] is null
  void (*leap_frog_block[block_radius + 1])(const StencilBlock<T>&);
};

struct StencilKernels {
  StencilKernelsOf<float> f32;
  StencilKernelsOf<double> f64;
};

namespace baseline {
extern const StencilKernels stencil_kernels;
}
namespace avx2 {
extern const StencilKernels stencil_kernels;
}
namespace avx512 {
extern const StencilKernels stencil_kernels;
}

} // namespace Keramos::openmp
