// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Acoustics.hpp"

#include <algorithm>
#include <cmath>

namespace demo {

double stable_time_step(const Volume& velocity, double spacing)
{
  const auto op = laplacian(spacing);
  double most = 0;
  for (int tap = 0; tap < op.tap_count; ++tap) most += std::abs(op.weight(tap));
  const double fastest = *std::max_element(velocity.value.begin(), velocity.value.end());
  return 0.9 * 2 / (fastest * std::sqrt(most));
}

View1D absorbing_taper(const Space& space, int extent, bool low_end_absorbs)
{
  const int width = absorbing_width(extent);
  View1D taper("taper", extent);
  const auto host = Kokkos::create_mirror_view(taper);
  for (int n = 0; n < extent; ++n) {
    const int from_end = low_end_absorbs ? std::min(n, extent - 1 - n) : extent - 1 - n;
    const double depth = std::max(0, width - from_end) / static_cast<double>(width);
    host(n) = static_cast<float>(std::exp(-3.0 / width * depth * depth));
  }
  Kokkos::deep_copy(space, taper, host);
  space.fence();
  return taper;
}

Volume scaled_squares(const Volume& velocity, double dt)
{
  Volume c2dt2(velocity.extent);
  std::transform(velocity.value.begin(), velocity.value.end(), c2dt2.value.begin(),
                 [dt](double c) { return static_cast<float>(c * c * dt * dt); });
  return c2dt2;
}

float source_scale(const Volume& c2dt2, const Survey& survey)
{
  const auto [i, j, k] = survey.source;
  return static_cast<float>(c2dt2(i, j, k) / std::pow(survey.spacing, 3));
}

void inject(const Space& space, const View3D& wave, const Point& at, float amount)
{
  const int i = at[0], j = at[1], k = at[2];
  Kokkos::parallel_for(
      "demo::inject", Kokkos::RangePolicy(space, 0, 1), KOKKOS_LAMBDA(int) { wave(i, j, k) += amount; });
}

void listen(const Space& space, const View3D& wave, const Receivers& receivers, const View2D& record, int step)
{
  Kokkos::parallel_for(
      "demo::listen", Kokkos::RangePolicy(space, 0, receivers.extent_int(0)),
      KOKKOS_LAMBDA(int r) { record(r, step) = wave(receivers(r, 0), receivers(r, 1), receivers(r, 2)); });
}

Receivers receiver_view(const Space& space, const std::vector<Point>& receivers)
{
  Receivers view("receivers", receivers.size());
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t r = 0; r < receivers.size(); ++r)
    for (int axis = 0; axis < 3; ++axis) host(r, axis) = receivers[r][axis];
  Kokkos::deep_copy(space, view, host);
  space.fence();
  return view;
}

} // namespace demo
