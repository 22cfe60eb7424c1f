// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

namespace demo {
namespace {

auto laplacian(double spacing) { return Keramos::FiniteDifference::laplacian<3, 8>(spacing, spacing, spacing); }

/// The leap-frog scheme is stable while c dt sqrt(L) <= 2, where -L is the Laplacian's most negative eigenvalue: the
/// sum of its weights' magnitudes, because they alternate in sign. 0.9 of that.
double stable_time_step(const Volume& velocity, double spacing)
{
  const auto op = laplacian(spacing);
  double most = 0;
  for (int tap = 0; tap < op.tap_count; ++tap) most += std::abs(op.weight(tap));
  const double fastest = *std::max_element(velocity.value.begin(), velocity.value.end());
  return 0.9 * 2 / (fastest * std::sqrt(most));
}

/// 1 inside, falling over `width` points towards an absorbing end. The fall is smooth, so that the taper itself
/// reflects little, and its strength is Cerjan's, scaled to the width.
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

void inject(const Space& space, const View3D& wave, const Point& at, float amount)
{
  const int i = at[0], j = at[1], k = at[2];
  Kokkos::parallel_for(
      "demo::inject", Kokkos::RangePolicy(space, 0, 1), KOKKOS_LAMBDA(int) { wave(i, j, k) += amount; });
}

void listen(const Space& space, const View3D& wave, const Kokkos::View<int* [3], Space>& receivers,
            const View2D& record, int step)
{
  Kokkos::parallel_for(
      "demo::listen", Kokkos::RangePolicy(space, 0, receivers.extent_int(0)),
      KOKKOS_LAMBDA(int r) { record(r, step) = wave(receivers(r, 0), receivers(r, 1), receivers(r, 2)); });
}

Kokkos::View<int* [3], Space> receiver_view(const Space& space, const std::vector<Point>& receivers) {
  Kokkos::View<int* [3], Space> view("receivers", receivers.size());
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t r = 0; r < receivers.size(); ++r)
    for (int axis = 0; axis < 3; ++axis) host(r, axis) = receivers[r][axis];
  Kokkos::deep_copy(space, view, host);
  space.fence();
  return view;
}

} // namespace

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
  // A source at one point is a delta function: 1 over the volume of a cell.
  const auto [i, j, k] = survey_.source;
  source_scale_ = static_cast<float>(c2dt2(i, j, k) / std::pow(survey_.spacing, 3));
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

} // namespace demo
