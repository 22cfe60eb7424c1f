// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extents of boxes by runs: long runs on both sides, in whole lines, sectors or vectors where they can be.
#pragma once

#include "Layout.hpp"
#include "PlanBox.hpp"

namespace Keramos::cuda::transpose {

/// The extents of a box, and the axis along which boxes cut the runs of the output, if any: along it a box begins `shared`
/// elements in front of its own, so that it can write whole sectors.
struct RowsBox {
  Extents own;
  int cut = -1;
  std::int64_t shared = 0;

  std::int64_t extent(int k) const { return own[k] + (k == cut ? shared : 0); }
};

/// How large boxes may be, where nothing else limits them.
const BoxRowsBytes& box_bytes_of(const Layout& layout);

/// The box with the longest runs, of the same number of bytes on both sides to begin with, that so many elements allow.
RowsBox rows_box(const Layout& layout, std::int64_t most);

} // namespace Keramos::cuda::transpose
