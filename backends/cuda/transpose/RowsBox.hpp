// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extents of boxes by runs: long runs on both sides, in whole lines, sectors or vectors where they can be.
#pragma once

#include "BoxTuning.hpp"
#include "Layout.hpp"
#include "PlanBox.hpp"

#include <optional>

namespace Keramos::cuda::transpose {

/// The extents of a box, and the axis along which boxes cut the runs of the output, if any: along it a box begins `shared`
/// elements in front of its own, so that it can write whole sectors.
struct RowsBox {
  Extents own{};
  int cut = -1;
  std::int64_t shared = 0;

  bool operator==(const RowsBox&) const = default;
  std::int64_t extent(int k) const { return own[k] + (k == cut ? shared : 0); }
  std::int64_t volume() const ///< without what it shares
  {
    std::int64_t product = 1;
    for (const std::int64_t side : own) product *= side;
    return product;
  }
};

/// How large boxes may be, where nothing else limits them.
const BoxRowsBytes& box_bytes_of(const Layout& layout);

/// The box with the longest runs, of the same number of bytes on both sides to begin with, that so many elements allow; or one that
/// has whole rows of the input's fast axis. An empty one: they do not allow that.
RowsBox rows_box(const Layout& layout, std::int64_t most, bool whole_rows);

/// The box whose runs of the input have about so many bytes, and the longest of the output for which that leaves room: in even pieces,
/// or, where boxes may share elements, in pieces that are whole sectors.
RowsBox rows_box_by_input(const Layout& layout, std::int64_t most, int input_bytes, bool may_share);

/// Matrices whose rows all begin at one place of a line on both sides, and are long: boxes of whole lines.
std::optional<RowsBox> box_of_lines(const Layout& layout);

} // namespace Keramos::cuda::transpose
