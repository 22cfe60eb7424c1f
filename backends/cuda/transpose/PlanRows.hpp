// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of what has long runs of contiguous elements: rows that both sides share, and boxes whose runs differ.
#pragma once

#include "Layout.hpp"
#include "Plan.hpp"

namespace Keramos::cuda::transpose {

/// Rows that are contiguous on both sides are copied. None: more blocks than a grid has.
std::optional<MovePlan> plan_rows(const MoveAxes& axes, int size);

/// Boxes whose runs are long on both sides. None: there are no such boxes.
std::optional<MovePlan> plan_box_rows(const Device& device, const Layout& layout);

} // namespace Keramos::cuda::transpose
