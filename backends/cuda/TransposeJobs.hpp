// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the transpose kernels get as parameters: extents, strides and how the blocks of a grid are dealt out. Strides are
// in elements and of 64 bits; whatever counts blocks, or elements within a block, has 32.
#pragma once

#include "../../src/core/TransposeProblem.hpp"

#include <cstdint>

namespace Keramos::cuda {

/// The axes that a block walks no part of: one combination of their indices a block.
struct Batch {
  struct Axis {
    unsigned extent;
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
    const unsigned rest = last ? 0 : index / batch.axis[k].extent;
    const unsigned at = last ? index : index - rest * batch.axis[k].extent;
    index = rest;
    sum.in += at * batch.axis[k].in;
    sum.out += at * batch.axis[k].out;
  }
  return sum;
}

/// Tiles over two axes: a, along which neighbours of the output lie, and b, along which those of the input do.
struct TileJob {
  std::int64_t extent_a, extent_b;
  std::int64_t in_a, in_b, out_a, out_b;
  unsigned tiles_a, tiles_b;
  unsigned group;     ///< neighbouring blocks walk so many tiles along a, then one along b
  bool batches_first; ///< and all batches before either
  Batch batch;
};

/// Strips along a, cut in parts of some steps; neighbouring blocks walk neighbouring strips.
struct StripJob {
  std::int64_t extent_a, extent_b;
  std::int64_t in_a, out_b;
  unsigned tiles_b, parts;
  int steps; ///< of a part
  Batch batch;
};

/// A box over any axes: read in the order of the input, written in the order of the output.
inline constexpr int box_axes = 4; ///< axes along which a box is longer than one element, at most
struct BoxJob {
  struct Axis {
    std::int64_t extent, in, out;
    unsigned chunk;  ///< of a box
    unsigned blocks; ///< boxes along this axis
    unsigned before; ///< boxes along the axes in front of this one, multiplied
  };
  int count;               ///< axes, in the order of the output
  int inner;               ///< those along which a box is longer than one
  int out_order[box_axes]; ///< these, as the output has them
  int in_order[box_axes];  ///< these, as the input has them
  unsigned boxes;
  Axis axis[core::max_rank];
};

/// Points of few components. On one side the points are packed, on the other each component has a plane.
struct NarrowJob {
  std::int64_t points;
  std::int64_t plane; ///< elements between planes
  unsigned blocks;    ///< of one batch
  Batch batch;
};

/// Pairs of tiles of square matrices.
struct SwapJob {
  std::int64_t order, fast, slow;
  unsigned tiles; ///< along a side
  unsigned pairs; ///< blocks of a matrix: pairs of tiles, the diagonal ones alone
  Batch stack;
};

} // namespace Keramos::cuda
