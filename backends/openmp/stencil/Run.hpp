// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of points, and where its results go.
#pragma once

#include "../../../src/keramos/core/Field.hpp"
#include "../simd/Stencil.hpp"

#include <cstdint>

namespace Keramos::openmp::stencil {

/// What computes a run: its stretches, or one kernel.
enum class RunKind { stretches, star_block, direct_block };

/// The points [first, last) of the fastest axis at (j, k), (j, k + 1), ... in `planes` planes: 1, or block_planes of them, or those of
/// a DirectBlock; and, away from edges, those at j + 1, ... as well.
struct Run {
  std::int64_t first, last, j, k;
  int planes, rows = 1;
  RunKind kind = RunKind::stretches;

  std::int64_t points() const { return last - first; }
};

/// The points of a run in a field.
template <class T>
BlockField<T> block_field(const core::Field<T, 3>& field, const Run& run)
{
  return {&field(run.first, run.j, run.k), field.stride[1], field.stride[2]};
}

/// Rows that begin at the run's first point, one in each plane: of the results, and of what an epilogue in the library reads.
template <class T>
struct RunRows {
  T* out[block_planes] = {};
  OperandRows<T> operands[block_planes] = {};
  std::int64_t out_pitch = 0, operand_pitch[kernel_operands] = {}; ///< to the same in the next row, if there is one
  bool streaming = false; ///< whole lines of the results are written past the caches
};

} // namespace Keramos::openmp::stencil
