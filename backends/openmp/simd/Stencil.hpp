// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector kernels of the host's stencils. A run is a stretch of the fastest axis; pointers stand at its first point.
//
// StencilRow sums the taps of one run:     out[x] = sum over t of weight[t] * tap[t][x]
// Lines of taps along the run, all of one radius, are segments of their own, which AVX-512 shifts in registers (Line.hpp). Away from
// edges it does so for the rows below that one as well, and short rows are summed several at once, a vector of each.
//
// A tap is a pointer, so that edge rules can send it anywhere. A list of taps is a sequence of segments whose taps read rows of one
// kind: of the input, `shift` elements further on than their pointers say, or padded rows and rows of constants
// (stencil/Stretch.hpp), which are where their pointers say.
//
// StencilBlock sums four runs at once, in consecutive planes: a tap is one pointer for all four, whose rows lie the pitch of its
// segment apart. With a pointer for each plane, a third of all loads with AVX2 were those of pointers.
//
// Where the operator has a column, taps (0, 0, -radius ... radius) and no others across the planes, as stars have, each row of it
// is loaded once for the planes below it and once for those above, instead of four times. Each has a pointer, for an edge may be
// within its reach:
//
//     column row  -4 -3 -2 -1 0 1 2 3 4 5 6 7      radius 4: plane p = 0 ... 3 reads rows p - 4 ... p + 4
//
// StarBlock, with AVX-512, is a star's points in four rows of four planes, all of whose taps read the input at their own indices.
// DirectBlock is those of a column alone in eight planes, or in eight rows of one, or of a star of radius 1 in rows of one plane; PlaneStar those of a star within its plane, of a line along
// the run, or of a star of radius 1, in the caches, the last of which the leap-frog may follow.
//
// A point's sum is one chain of multiply-adds in the order of the problem's taps, in every kernel and at every width: before
// the centre's plane the column below, then the taps of the list, then the column above.
//
// With `streaming` whole lines are written past the caches (Stream.hpp); until end_of_stream() others may not see them.
#pragma once

#include <cstdint>

namespace Keramos::openmp {

/// Operands of an epilogue in the library: the previous values and the scale of the wave update.
inline constexpr int kernel_operands = 2;

/// Sums on their way through an application's functor: so many points of the run from x on, in its row `row` of its plane `plane`, in
/// the rows below and in the same of the next planes.
template <class T>
struct SumPiece {
  T *sum, *result;                      ///< of the first point; they may be the same
  std::int64_t sum_pitch, result_pitch; ///< to the next row
  std::int64_t x, count;
  int row, plane, rows;
  int planes = 1;
  std::int64_t sum_plane = 0, result_plane = 0; ///< to the same in the next plane
};

inline constexpr int max_piece_bytes = 2048; ///< in a row

/// What an application's functor makes of sums, compiled where the application is.
template <class T>
struct Functor {
  void (*apply)(const void* context, const SumPiece<T>& piece);
  const void* context;
};

/// What an epilogue reads along a run: an operand without a row is the number. A functor knows by itself what to read at the points from
/// x on in this row.
template <class T>
struct OperandRows {
  const T* centre;
  const T* operand[kernel_operands];
  T number[kernel_operands];
  const Functor<T>* functor = nullptr;
  std::int64_t x = 0;
  int row = 0, plane = 0;
};

/// The taps up to `end` of a list: how far on from their pointers they read, and the distance of the next plane. Those of a line read
/// one element after the other.
struct TapSegment {
  int end;
  bool is_line;
  std::int64_t shift, pitch;
};

template <class T>
struct StencilTaps {
  const T* const* tap;
  const T* weight;
  const TapSegment* segment;
  int segments;
  std::int64_t shift = 0; ///< of all segments, in the rows below
};

template <class T>
struct StencilRow {
  StencilTaps<T> taps;
  const T* ahead; ///< a row to come, or null
  std::int64_t length;
  T* out;
  OperandRows<T> operands;
  bool streaming;
  int rows = 1;       ///< with those below: if there are any, all taps read the input
  int rows_ahead = 0; ///< of them have a row to come
  std::int64_t pitch = 0, out_pitch = 0, operand_pitch[kernel_operands] = {}; ///< to the row below
};

inline constexpr int max_line_radius = 4; ///< of lines of taps along a run that a kernel exists for

inline constexpr int block_planes = 4;
inline constexpr int max_block_radius = 8; ///< of a column that a block kernel exists for

template <class T>
struct StencilBlock {
  StencilTaps<T> taps;    ///< of the first plane, without the column, but for its centre
  const T* const* column; ///< its 2 * radius + block_planes rows, if there is one, from the lowest on
  std::int64_t column_shift;
  const T* column_weight; ///< 2 * radius + 1; the centre's is not asked for
  const T* ahead;         ///< a row to come, or null, and those of the next planes a pitch apart
  std::int64_t pitch;
  std::int64_t length;
  T* out[block_planes];
  OperandRows<T> operands[block_planes];
  bool streaming;
  int rows = 1, rows_ahead = 0; ///< as those of StencilRow, in every plane
  std::int64_t row_pitch = 0, out_pitch = 0, operand_pitch[kernel_operands] = {};
};

inline constexpr int star_rows = 4;       ///< of a StarBlock, in each of block_planes planes
inline constexpr int max_star_radius = 4; ///< of a star that has a kernel for them

/// The points of a StarBlock in a field.
template <class T>
struct BlockField {
  T* data = nullptr; ///< of the first one, or null: a number
  std::int64_t row = 0, plane = 0;
};

template <class T>
struct StarBlock {
  BlockField<const T> in;
  BlockField<T> out;
  BlockField<const T> operand[kernel_operands];
  T number[kernel_operands];
  const Functor<T>* functor;
  const T* weight; ///< 6 * radius + 1, in the order of the taps
  std::int64_t length;
  std::int64_t ahead; ///< how far on are the rows to come
  bool streaming;
};

/// Of the DirectBlock of a column: 4, 6, 8, 12 and 16 made 0.68, 0.77, 0.85, 0.77 and 0.68 of a copy (radius 4, f32 512^3, one Zen 4 core).
inline constexpr int column_planes = 8;
inline constexpr int max_column_radius = 4; ///< of a column that has a kernel for it

/// Rows of several planes, one after the other, all of whose taps read the input at their own indices.
template <class T>
struct DirectBlock {
  BlockField<const T> in;
  BlockField<T> out;
  const T* weight; ///< in the order of the taps
  std::int64_t length;
  bool streaming;
  int rows, rows_ahead;                ///< of them have a row to come
  std::int64_t ahead;                  ///< how far on from the last rows that its taps read it is
  const Functor<T>* functor = nullptr; ///< or null: the sums are stored
};

inline constexpr int plane_rows = 4;       ///< of a PlaneStar, at once
inline constexpr int max_plane_radius = 4; ///< of one that has a kernel

/// How far the taps of a star within a plane reach: across the rows of the plane, and along them.
struct PlaneReach {
  int rows = 0, elements = 0;
};

/// Rows of a plane, one after the other, all of whose taps read the input at their own indices; at least plane_rows.
template <class T>
struct PlaneStar {
  BlockField<const T> in;
  BlockField<T> out;
  const T* weight; ///< in the order of the taps
  std::int64_t length;
  int rows;
  const Functor<T>* functor = nullptr;               ///< or null: the sums are stored
  BlockField<const T> operand[kernel_operands] = {}; ///< of the leap-frog, as those of a StarBlock
  T number[kernel_operands] = {};
};

/// The kernels with one epilogue.
template <class T>
struct FinishedKernels {
  void (*row[max_line_radius + 1])(const StencilRow<T>&);      ///< by radius of the lines
  void (*block[max_block_radius + 1])(const StencilBlock<T>&); ///< by radius of the column
  void (*star[max_star_radius + 1])(const StarBlock<T>&);      ///< by radius, or null
};

template <class T>
struct StencilKernelsOf {
  FinishedKernels<T> store;     ///< out = sum
  FinishedKernels<T> leap_frog; ///< out = 2 * centre - operand 0 + operand 1 * sum; operand 0 has a row
  FinishedKernels<T> functor;   ///< out = what the functor makes of the sums; without `out` it stores by itself
  void (*column[max_column_radius + 1])(
      const DirectBlock<T>&); ///< out = sum, by radius of a column that is all taps; or null
  void (*plane[max_plane_radius + 1][max_plane_radius + 1])(const PlaneStar<T>&); ///< by reach; or null
  void (*streamed_star)(const DirectBlock<T>&); ///< past the caches, of a star of radius 1 over three axes; or null
  void (*plane_star)(const PlaneStar<T>&);      ///< of a star of radius 1 over three axes; or null
  void (*leap_plane_star)(const PlaneStar<T>&); ///< the leap-frog behind it; or null
};

struct StencilKernels {
  StencilKernelsOf<float> f32;
  StencilKernelsOf<double> f64;
  /// Writes a run past the caches.
  void (*stream)(void* out, const void* values, std::int64_t bytes);
  /// What was streamed becomes visible to whoever waits for this task.
  void (*end_of_stream)();
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
