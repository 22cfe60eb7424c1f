// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of what has long runs of contiguous elements: rows that both sides share, and boxes whose runs differ.
#pragma once

#include "BoxTuning.hpp"
#include "Layout.hpp"
#include "Plan.hpp"

namespace Keramos::cuda::transpose {

/// Rows that are contiguous on both sides are copied. None: more blocks than a grid has.
std::optional<MovePlan> plan_rows(const MoveAxes& axes, int size);

/// Boxes whose runs are long on both sides; where an array has no runs of min_box_run_bytes, its own if they have so many bytes. None: there
/// are no such boxes.
std::optional<MovePlan> plan_box_rows(const Device& device, const Layout& layout,
                                      int shortest_run_bytes = min_box_run_bytes);

} // namespace Keramos::cuda::transpose
