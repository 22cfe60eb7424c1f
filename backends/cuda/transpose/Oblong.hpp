// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that are not square, in place: the longer side is cut into runs of some kilobytes. Of a high matrix each band of so many rows
// is transposed by itself, through scratch that stays in the L2 cache, and then the runs that come of it trade places; of a wide one the
// runs do so first, and then bands of columns are transposed. What the runs leave over of the longer side waits in scratch.
//
//     high, 6 x 3, runs of 2:    a b c         a d | b e | c f                a d g j m p
//                                d e f   ->    g j | h k | i l    the runs    b e h k n q
//                                g h i         m p | n q | o r    trade       c f i l o r
//                                ...           bands                          places
#pragma once

#include "../../../src/keramos/core/Kernel.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace Keramos::cuda::transpose {

/// How a matrix is cut, in elements of `size` bytes.
struct OblongCut {
  bool is_high;
  int size;
  std::int64_t longer, shorter, run; ///< sides; of a run
  std::int64_t runs, rest;           ///< along the longer side, and what they leave over of it
  std::int64_t band_bytes, rest_bytes, scratch_bytes;
  std::int64_t cut_every; ///< see RunCycles.hpp

  std::int64_t cut_bytes() const { return runs * run * size; } ///< of the longer side
};

/// None: too small, too narrow runs, or data that is not on 16 bytes.
std::optional<OblongCut> cut_oblong(std::int64_t rows, std::int64_t columns, int size, const void* data);

struct OblongPlan {
  Kernel kernel;
  OblongCut cut;
  char* data;
  char* scratch;
};

void launch(const OblongPlan& plan, const Kokkos::Cuda& space);

} // namespace Keramos::cuda::transpose
