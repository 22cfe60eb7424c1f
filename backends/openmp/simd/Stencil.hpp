// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector kernels of the host's stencils. A run is a stretch of the fastest axis; pointers stand at its first point, and
// a tap's pointer includes the tap's offset. Taps read rows of the input, all of them `shift` elements further on than their
// pointers say, or padded rows (stencil/PaddedRows.hpp), which are where their pointers say: a list of taps is a sequence of segments of
// one kind.
//
// StencilRow sums the taps of one run:     out[x] = sum over t of weight[t] * tap[t][x]
//
// StencilBlock sums four runs at once, in consecutive planes. Where the operator has a column, taps (0, 0, -radius ... radius)
// and no others across the planes, as stars have, each row of it is loaded once for the planes below it and once for those
// above, instead of four times:
//
//     column[s]  0 1 2 3 4 5 6 7 8 9 10 11      radius 4: plane p = 0 ... 3 reads column[p ... p + 8]
//
// A point's sum is one chain of multiply-adds in the order of the problem's taps, in every kernel and at every width: before
// the centre's plane the column below, then the taps of the list, then the column above.
#pragma once

#include <cstdint>

namespace Keramos::openmp {

/// Operands of an epilogue in the library: the previous values and the scale of the wave update.
inline constexpr int kernel_operands = 2;

/// What an epilogue reads along a run: an operand without a row is the number.
template <class T>
struct OperandRows {
  const T* centre;
  const T* operand[kernel_operands];
  T number[kernel_operands];
};

/// The taps up to `end` of a list, and how far on from their pointers they read.
struct TapSegment {
  int end;
  std::int64_t shift;
};

/// A list of taps; in a block tap[t * block_planes + p] is tap t of plane p.
template <class T>
struct StencilTaps {
  const T* const* tap;
  const T* weight;
  const TapSegment* segment;
  int segments;
};

template <class T>
struct StencilRow {
  StencilTaps<T> taps;
  std::int64_t length;
  T* out;
  OperandRows<T> operands;
};

inline constexpr int block_planes = 4;
inline constexpr int max_block_radius = 8; ///< of a column that a block kernel exists for

template <class T>
struct StencilBlock {
  const T* const* column; ///< 2 * radius + block_planes rows; none if radius is 0
  const T* column_weight; ///< 2 * radius + 1; the centre's is not asked for
  std::int64_t column_shift;
  StencilTaps<T> taps; ///< without the column, but for its centre
  std::int64_t length;
  T* out[block_planes];
  OperandRows<T> operands[block_planes];
};

/// The kernels with one epilogue.
template <class T>
struct FinishedKernels {
  void (*row)(const StencilRow<T>&);
  void (*block[max_block_radius + 1])(const StencilBlock<T>&); ///< by radius of the column
};

template <class T>
struct StencilKernelsOf {
  FinishedKernels<T> store;     ///< out = sum
  FinishedKernels<T> leap_frog; ///< out = 2 * centre - operand 0 + operand 1 * sum; operand 0 has a row
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
