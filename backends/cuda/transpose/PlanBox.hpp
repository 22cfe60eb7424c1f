// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of boxes through shared memory, element by element or by vectors.
#pragma once

#include "Layout.hpp"
#include "Plan.hpp"

namespace Keramos::cuda::transpose {

/// Boxes of at most so many elements: warps move them.
inline core::BoxLimits box_limits(std::int64_t max_elements) { return {max_elements, max_box_axes, 32}; }

std::optional<MovePlan> plan_box(const Layout& layout, const core::BoxShape& shape);

/// Boxes of the shape that suits short axes on either side.
std::optional<MovePlan> plan_boxes(const Layout& layout);

using Extents = std::array<std::int64_t, core::max_rank>;

inline Extents extents_of(const core::BoxShape& shape)
{
  Extents extents;
  for (int k = 0; k < core::max_rank; ++k) extents[k] = shape.extent(k);
  return extents;
}

/// Axes by their numbers; those of MoveAxes are in the order of the output.
using Order = std::array<int, core::max_rank>;
inline constexpr Order output_order{0, 1, 2, 3, 4, 5};

/// The boxes of these extents, the first along an axis shorter by its peel, of which blocks walk those along the first axis of
/// `order` first. False: more than a grid has.
bool make_grid(const MoveAxes& axes, const Extents& extent, const Extents& peel, const Order& order, BoxGrid& grid);

} // namespace Keramos::cuda::transpose
