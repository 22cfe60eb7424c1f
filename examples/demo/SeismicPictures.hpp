// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two pictures of a shot: what the receivers heard, and the wave in the ground.
#pragma once

#include "Plane.hpp"
#include "Shot.hpp"

#include <string>

namespace demo {

/// `gather` is time-major: (step, receiver). With automatic gain control, as such sections are shown.
void draw_seismogram(const std::string& file, const Plane& gather, const Survey& survey, double time_step);

/// Both planes are (depth, x) through the source; the wave is drawn over the speeds of the ground.
void draw_wavefield(const std::string& file, const Plane& wave, const Plane& velocity, const Survey& survey,
                    double time);

} // namespace demo
