// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shot.hpp"

#include "Acoustics.hpp"

#include <Keramos_Transpose.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

namespace demo {

int absorbing_width(int extent) { return std::min(30, extent / 6); }

double ricker(double time, double peak_frequency)
{
  const double phase = std::numbers::pi * (peak_frequency * time - 1.2);
  return (1 - 2 * phase * phase) * std::exp(-phase * phase);
}

Keramos::Kernel Wave::advance(const Where& where)
{
  const AbsorbingLeapFrog step{before, c2dt2, taper0, taper1, taper2};
  auto kernel = Keramos::apply_stencil(where, laplacian(spacing), now, before, Keramos::constant(0), step);
  std::swap(now, before);
  return kernel;
}

int first_arrival(const Survey& survey)
{
  constexpr int reach = decltype(laplacian(1))::radius;
  int first = std::numeric_limits<int>::max();
  for (const Point& receiver : survey.receivers) {
    int steps = 1;
    for (int axis = 0; axis < 3; ++axis) steps += (std::abs(receiver[axis] - survey.source[axis]) + reach - 1) / reach;
    first = std::min(first, steps);
  }
  return first;
}

Plane depth_section(const Where& where, const View3D& field, int y)
{
  const View2D section("section", field.extent(2), field.extent(0));
  Keramos::transpose(where, Kokkos::subview(field, Kokkos::ALL, y, Kokkos::ALL), section);
  return to_host(where.space, section);
}

Shot::Shot(const Where& where, const Volume& velocity, Survey survey)
    : where_(where), survey_(std::move(survey)), time_step_(stable_time_step(velocity, survey_.spacing)),
      record_("record", survey_.receivers.size(), survey_.steps),
      receivers_(receiver_view(where.space, survey_.receivers))
{
  const auto [n0, n1, n2] = velocity.extent;
  const Volume c2dt2 = scaled_squares(velocity, time_step_);
  wave_.spacing = survey_.spacing;
  wave_.now = View3D("wave now", n0, n1, n2);
  wave_.before = View3D("wave before", n0, n1, n2);
  wave_.c2dt2 = to_device(where.space, "c^2 dt^2", c2dt2);
  wave_.taper0 = absorbing_taper(where.space, static_cast<int>(n0), true);
  wave_.taper1 = absorbing_taper(where.space, static_cast<int>(n1), true);
  wave_.taper2 = absorbing_taper(where.space, static_cast<int>(n2), !survey_.free_surface);
  source_scale_ = source_scale(c2dt2, survey_);
}

void Shot::advance(int count)
{
  for (int n = 0; n < count; ++n, ++steps_done_) {
    listen(where_.space, wave_.now, receivers_, record_, steps_done_);
    kernel_ = wave_.advance(where_);
    const double pulse = ricker(steps_done_ * time_step_, survey_.peak_frequency);
    inject(where_.space, wave_.now, survey_.source, static_cast<float>(source_scale_ * pulse));
  }
}

Plane Shot::section() const { return depth_section(where_, wave_.now, survey_.source[1]); }

Plane Shot::seismogram() const
{
  const View2D gather("time-major seismogram", record_.extent(1), record_.extent(0));
  Keramos::transpose(where_, record_, gather);
  return to_host(where_.space, gather);
}

} // namespace demo
