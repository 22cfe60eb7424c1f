// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a volume on a uniform grid as OpenDX text, which VMD, PyMOL, ChimeraX and ParaView open.
#pragma once

#include "Volume.hpp"

#include <array>
#include <string>

namespace demo {

/// `origin` is the position of point (0, 0, 0); `comment` becomes the first line. Throws std::runtime_error if it
/// cannot write.
void write_open_dx(const std::string& file, const Volume& volume, const std::array<double, 3>& origin,
                   const std::array<double, 3>& spacing, const std::string& comment);

} // namespace demo
