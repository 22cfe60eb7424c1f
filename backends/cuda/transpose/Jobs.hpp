// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the transpose kernels get as parameters: extents, strides and how the blocks of a grid partition the work. Strides are
// in elements and of 64 bits; whatever counts blocks, or elements within a block, has 32.
// Kernels take their pointers before the job, and a job begins with what every block needs: small matrices feel each line
// that is missing in the cache of constants.
#pragma once

#include "../../../src/keramos/transpose/Problem.hpp"
#include "../BlockDivisor.hpp"

#include <cstdint>

namespace Keramos::cuda::transpose {

/// The axes that a block walks no part of: one combination of their indices per block.
struct Batch {
  struct Axis {
    BlockDivisor extent;
    std::int64_t in, out;
  };
  int count = 0;
  unsigned size = 1;
  Axis axis[core::max_rank] = {};
};

/// Offsets into both arrays.
struct Offsets {
  std::int64_t in, out;
};

__device__ __forceinline__ Offsets offsets_of(const Batch& batch, unsigned index)
{
  Offsets sum{0, 0};
#pragma unroll 1
  for (int k = 0; k < batch.count; ++k) {
    const bool last = k == batch.count - 1;
    const unsigned rest = last ? 0 : quotient(index, batch.axis[k].extent);
    const unsigned at = index - rest * batch.axis[k].extent.d;
    index = rest;
    sum.in += at * batch.axis[k].in;
    sum.out += at * batch.axis[k].out;
  }
  return sum;
}

/// Tiles over two axes: a, along which neighbours of the output lie, and b, along which those of the input do. Blocks walk
/// along a first, then along b, then through the batch; where `batch_first`, through the batch before they walk along b. Unaligned
/// tiles may lie in bands: blocks walk through a band of so many tiles along a before the next one.
struct TileJob {
  std::int64_t extent_a, extent_b;
  std::int64_t in_a, in_b, out_a, out_b;
  BlockDivisor tiles_a, inner; ///< along a; in front of the last of the three
  int peel_a, peel_b;          ///< elements by which the first tile along an axis is shorter than a tile
  bool batch_first;            ///< of aligned vectors
  BlockDivisor band;           ///< blocks of a band, of unaligned tiles; tiles_a are those of a band
  Batch batch;
  std::int64_t in_begin, in_end; ///< what the input covers, in elements
};

/// Axes in which the output is contiguous, numbered through as it has them.
struct JoinedAxes {
  struct Axis {
    BlockDivisor extent;
    std::int64_t in;
  };
  int count;
  Axis axis[core::max_rank];

  __host__ void add(const core::MoveAxis& more) { axis[count++] = {block_divisor(more.extent), more.in}; }
};

/// Of what has this number, into the input.
__device__ __forceinline__ std::int64_t input_offset_of(const JoinedAxes& axes, unsigned number)
{
  std::int64_t sum = 0;
#pragma unroll 1
  for (int k = 0; k < axes.count; ++k) {
    const auto& axis = axes.axis[k];
    const unsigned rest = k == axes.count - 1 ? 0 : quotient(number, axis.extent);
    sum += (number - rest * axis.extent.d) * axis.in;
    number = rest;
  }
  return sum;
}

/// Tiles over axis b, in which the input is contiguous, and joined axes: their rows, of which a tile has `a` for itself. Blocks walk along
/// either side, as `b_first` says, and then through the batch.
struct JoinedTileJob {
  JoinedAxes axes;
  std::int64_t extent_a, extent_b, out_b;
  int a, b;           ///< the sides of a tile
  int pitch, vectors; ///< of a row in shared memory: elements, and the vectors that it may meet
  unsigned first_row; ///< of shared memory: the table of rows, in bytes
  bool b_first;
  BlockDivisor first, tiles; ///< along the first side; of one batch
  Batch batch;
  std::int64_t in_begin, in_end; ///< what the input covers, in elements
};

/// Division of t < 2^15 by d <= 2^15 as a multiplication: ceil(2^31 / d) errs by less than t / 2^31 < 1 / d.
struct Divisor {
  unsigned d, factor;
};
KOKKOS_FUNCTION constexpr Divisor divisor(unsigned d) { return {d, (0x80000000u + d - 1) / d}; }
__device__ __forceinline__ unsigned quotient(unsigned t, const Divisor& by) { return __umulhi(2 * t, by.factor); }

/// Small matrices that are contiguous on both sides and turned, or, of one row, stay as they are; numbered as the output has them, which goes
/// on from one to the next. A block moves a few whole ones.
struct MatricesJob {
  unsigned columns;        ///< of a matrix, as the input has it
  Divisor rows, elements;  ///< of a matrix
  unsigned count, own;     ///< matrices of one batch, and of a block
  unsigned vectors, pitch; ///< of a matrix in shared memory: the vectors that it may meet, and elements
  unsigned first_matrix;   ///< of shared memory: the table of matrices, in bytes
  JoinedAxes axes;
  BlockDivisor blocks; ///< of one batch
  Batch batch;
  std::int64_t in_begin, in_end; ///< what the input covers, in elements
};

/// Axes along which a box may be longer than one element; and its elements.
inline constexpr int max_box_axes = 4, max_box_elements = 32768;

/// A walk through a box in the order of one array. Axes that nest in that array and in the slots of shared memory are one.
struct BoxWalk {
  struct Axis {
    Divisor extent;
    unsigned slot; ///< between neighbours
    std::int64_t stride;
  };
  int count;
  unsigned units; ///< of the walk: elements, or 16 bytes of them
  bool vector;    ///< units are 16 bytes along the first axis
  unsigned step;  ///< slots between elements of a unit
  Axis axis[max_box_axes];
};

/// The boxes that blocks move, over any axes.
struct BoxGrid {
  struct Axis {
    std::int64_t extent, in, out;
    unsigned box;        ///< extent of a box
    unsigned peel;       ///< elements by which the first one is shorter
    BlockDivisor blocks; ///< boxes along this axis
    BlockDivisor before; ///< boxes along the axes in front of this one, multiplied
  };
  int count; ///< axes, in the order of the output
  unsigned boxes;
  Axis axis[core::max_rank];
};

/// A box that is read in the order of the input and written in the order of the output, element by element or vector by vector.
struct BoxJob : BoxGrid {
  int inner;                      ///< axes along which a box is longer than one
  int in_order[max_box_axes];     ///< these, as the input has them
  int out_order[max_box_axes];    ///< these, as the output has them
  Divisor box[max_box_axes];      ///< its extents along these
  bool slots_as_output;           ///< the order of the slots in shared memory
  bool read_vector, write_vector; ///< boxes begin on 16 bytes
  BoxWalk read, write;            ///< of a box that is not at an edge
};

/// A box that is read and written run by run: the first axes of either order make up runs of contiguous elements. Slots of
/// shared memory, in bytes, are numbered as the input lies, as far behind a sector as there, with a gap behind each run.
struct BoxRowsJob {
  struct Axis {
    int number;          ///< in the grid
    Divisor box;         ///< extent of a box that is not at an edge
    unsigned slot;       ///< between neighbours
    std::int64_t stride; ///< of this side's array
  };
  struct Side {
    Axis axis[max_box_axes]; ///< those along which a box is longer than one element
    int run_axes;            ///< the first of them, which make up a run
    unsigned unit;           ///< bytes: where threads begin with a run, a line or a sector
    unsigned along, across;  ///< a bit for each axis of the grid: along its runs, or from run to run
    unsigned first_row;      ///< of shared memory: the table of rows, in bytes
  };
  BoxGrid grid;
  int inner; ///< axes along which a box is longer than one element
  Side in, out;
  std::int64_t in_begin, in_end; ///< what the input covers, in elements
  Divisor period;                ///< of the output's runs: their axes without the last
  unsigned pitch;                ///< slots of the last axis
  unsigned step;                 ///< of the columns of a period, where they have one; else 0, and there is a table
  unsigned columns;              ///< of that table
  unsigned first_extent; ///< of shared memory: the extents of a block's box, and behind them the table, in bytes
  unsigned first_held;   ///< and what the output holds, for an accumulation
  unsigned shift;        ///< see SwizzledBytes
  int cut, shared;       ///< along this axis of the grid, if any, boxes begin so many elements in front of themselves
  bool by_patches;       ///< see for_each_vector_of_patches
};

/// The walk of a box of these extents (one for each axis of the job) through the output or the input.
KOKKOS_FUNCTION inline BoxWalk box_walk(const BoxJob& job, const unsigned* extent, bool output,
                                        int elements_of_16_bytes)
{
  unsigned slot[core::max_rank] = {}, product = 1;
  for (int k = 0; k < job.inner; ++k) {
    const int axis = job.slots_as_output ? job.out_order[k] : job.in_order[k];
    slot[axis] = product;
    product *= extent[axis];
  }
  BoxWalk walk{};
  for (int k = 0; k < job.inner; ++k) {
    const int axis = output ? job.out_order[k] : job.in_order[k];
    const std::int64_t stride = output ? job.axis[axis].out : job.axis[axis].in;
    if (walk.count > 0) {
      auto& last = walk.axis[walk.count - 1];
      if (stride == last.stride * last.extent.d && slot[axis] == last.slot * last.extent.d) {
        last.extent.d *= extent[axis];
        continue;
      }
    }
    walk.axis[walk.count++] = {{extent[axis], 0}, slot[axis], stride};
  }
  auto& first = walk.axis[0];
  const unsigned v = elements_of_16_bytes;
  walk.vector = (output ? job.write_vector : job.read_vector) && first.stride == 1 && first.extent.d % v == 0;
  for (int k = 1; k < walk.count; ++k) walk.vector = walk.vector && walk.axis[k].stride % v == 0;
  walk.step = first.slot;
  walk.units = product;
  if (walk.vector) {
    first.extent.d /= v;
    first.slot *= v;
    first.stride = v;
    walk.units /= v;
  }
  for (int k = 0; k < walk.count; ++k) walk.axis[k].extent = divisor(walk.axis[k].extent.d);
  return walk;
}

/// Rows that are contiguous on both sides, in vectors of 16 bytes of the output; see Rows.hpp.
struct RowsJob {
  std::int64_t in_begin, in_end; ///< what the input covers, in elements
  std::int64_t row;              ///< elements
  std::int64_t vectors;          ///< of one batch
  BlockDivisor blocks;           ///< of one batch
  BlockDivisor row_vectors;      ///< of a row, wherever it begins
  Batch rows;                    ///< the rows of one batch; none: a single one, of any length
  Batch batch;
  bool has_gaps; ///< between rows of the output, which do not continue each other
};

/// Points of few components. On one side the points are packed, on the other each component has a plane.
struct NarrowJob {
  std::int64_t points;
  std::int64_t plane;  ///< elements between planes
  BlockDivisor blocks; ///< of one batch
  Batch batch;
};

/// Pairs of tiles of square matrices.
struct SwapJob {
  std::int64_t order, fast, slow;
  unsigned tiles;     ///< along a side
  int group;          ///< 2^group x 2^group tiles come after one another
  int peel;           ///< elements by which the first of them is shorter than a tile
  BlockDivisor line;  ///< of a line of pairs, see swap_position
  BlockDivisor pairs; ///< blocks of a matrix: pairs of tiles, the diagonal ones alone
  Batch stack;
  bool keeps; ///< there is more than the L2 cache holds, see until_written
};

} // namespace Keramos::cuda::transpose
