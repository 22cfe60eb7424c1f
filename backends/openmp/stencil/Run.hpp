// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of points, and where its results go.
#pragma once

#include "../simd/Stencil.hpp"

#include <cstdint>

namespace Keramos::openmp::stencil {

/// The points [first, last) of the fastest axis at (j, k), (j, k + 1), ... in `planes` planes: 1, or block_planes of them; and, away
/// from edges, those at j + 1, ... as well.
struct Run {
  std::int64_t first, last, j, k;
  int planes, rows = 1;
  bool is_star_block = false; ///< of star_rows rows in block_planes planes

  std::int64_t points() const { return last - first; }
};

/// Rows that begin at the run's first point, one in each plane: of the results, and of what an epilogue in the library reads.
template <class T>
struct RunRows {
  T* out[block_planes] = {};
  OperandRows<T> operands[block_planes] = {};
  std::int64_t out_pitch = 0, operand_pitch[kernel_operands] = {}; ///< to the same in the next row, if there is one
  bool streaming = false; ///< whole lines of the results are written past the caches
};

} // namespace Keramos::openmp::stencil
