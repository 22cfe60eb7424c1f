// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of what is no tile: boxes through shared memory, and copies.
#pragma once

#include "Layout.hpp"
#include "Plan.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// Boxes of at most so many elements: warps move them.
inline core::BoxLimits box_limits(std::int64_t max_elements) { return {max_elements, max_box_axes, 32}; }

/// Through shared memory, where an element has `shared_size` bytes.
std::optional<MovePlan> plan_box(const Layout& layout, const core::BoxShape& shape, int shared_size);

/// Through boxes of the shape that suits short axes on either side.
std::optional<MovePlan> plan_boxes(const Layout& layout, int shared_size);

/// The fast axis is one on both sides: element by element.
std::optional<MovePlan> plan_copy(const MoveAxes& axes, int size);

/// The boxes of a shape. False: more than a grid has.
bool make_grid(const MoveAxes& axes, const core::BoxShape& shape, BoxGrid& grid);

} // namespace Keramos::cuda::transpose
