// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunShot.hpp"

#include "SeismicPictures.hpp"

#include <cmath>
#include <cstdio>

namespace demo {

void announce(const Survey& survey, const Volume& velocity, double time_step)
{
  const auto [n0, n1, n2] = velocity.extent;
  std::printf("\nShot: %zu x %zu x %zu points of %g m, %d steps of %.3f ms, %.0f Hz\n", n0, n1, n2, survey.spacing,
              survey.steps, 1000 * time_step, survey.peak_frequency);
}

void report(const Where& where, const Observation& seen, const Survey& survey, double time_step, const Volume& velocity,
            Results& results)
{
  const bool is_finite = std::ranges::all_of(seen.seismogram.value, [](float v) { return std::isfinite(v); });
  const double peak = is_finite ? seen.seismogram.magnitude(1) : NAN;
  if (survey.steps > first_arrival(survey))
    results.check("the seismogram is finite and not silent", peak > 0);
  else
    results.check("the seismogram is silent before the wave arrives", peak == 0);
  results.number("shot", "seconds", seen.seconds);
  results.number("shot", "seismogram_peak", peak);
  std::printf("  %.1f s with everything, %.2f Gpoint/s; by %s\n", seen.seconds,
              static_cast<double>(velocity.value.size()) * survey.steps / seen.seconds / 1e9, seen.took.c_str());

  draw_seismogram(results.file("seismogram.png"), seen.seismogram, survey, time_step);
  const Plane ground = depth_section(where, to_device(where.space, "velocity", velocity), survey.source[1]);
  draw_wavefield(results.file("wavefield.png"), seen.wave, ground, survey, seen.time);
}

} // namespace demo
