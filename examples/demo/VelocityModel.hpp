// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ground that the shot is fired into: wave speeds in metres a second at points (x, y, depth).
#pragma once

#include "Volume.hpp"

#include <string>

namespace demo {

/// The demo's own model, n points along each axis: water, six sediment layers that dip, fold and rise towards a salt
/// dome with an overhang. It keeps its shape at every size.
Volume salt_dome_model(int n);

/// A model from a NumPy file, in the index order (x, y, depth). Throws InputError as read_npy does, and for a speed
/// that is not positive and finite, and for fewer than `fewest` points along an axis.
Volume read_velocity_model(const std::string& file, std::size_t fewest);

} // namespace demo
