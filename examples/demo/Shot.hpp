// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A seismic shot: the acoustic wave equation u_tt = c^2 (laplacian u + source) on a box of points, 8th order in space,
// 2nd in time. Each time step is one Keramos::apply_stencil.
#pragma once

#include "Setting.hpp"

#include <array>
#include <string>
#include <vector>

namespace demo {

using Point = std::array<int, 3>; ///< grid indices (x, y, depth)

struct Survey {
  double spacing;        ///< metres between neighbouring points
  double peak_frequency; ///< hertz, of the source's Ricker wavelet
  Point source;
  std::vector<Point> receivers;
  int steps;
  bool free_surface = true; ///< the top reflects, as the sea's surface does; all other sides absorb
};

/// Ricker's wavelet, whose peak of 1 comes 1.2 periods after time 0, so that it begins with nothing.
double ricker(double time, double peak_frequency);

/// One time step with Cerjan's absorbing edges (Geophysics 50 (1985) 705), as the epilogue of the Laplacian: near an
/// edge the new and the old wave are multiplied by a taper a little below 1. `previous` is also what the step writes.
struct AbsorbingLeapFrog {
  View3D previous;
  View3D c2dt2; ///< c^2 dt^2
  View1D taper0, taper1, taper2;

  KOKKOS_FUNCTION float operator()(float laplacian, float centre, std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    const float taper = taper0(i) * taper1(j) * taper2(k);
    return taper * (2 * centre - taper * previous(i, j, k) + c2dt2(i, j, k) * laplacian);
  }
};

/// The wave at two times, and what a step needs beside it.
struct Wave {
  View3D now, before;
  View3D c2dt2;
  View1D taper0, taper1, taper2;
  double spacing;

  /// `now` becomes one time step later.
  Keramos::Kernel advance(const Where& where);
};

/// The first step at which a receiver hears anything: the source pushes at the end of step 0, and from there on a step
/// carries the wave along one axis, by the radius of the Laplacian at most.
int first_arrival(const Survey& survey);

/// The plane (depth, x) at y of a field (x, y, depth): a transpose of a sub-view.
Plane depth_section(const Where& where, const View3D& field, int y);

class Shot {
public:
  Shot(const Where& where, const Volume& velocity, Survey survey);

  /// The next `count` steps.
  void advance(int count);

  const Where& where() const { return where_; }
  int steps_done() const { return steps_done_; }
  double time_step() const { return time_step_; } ///< seconds
  const Survey& survey() const { return survey_; }
  const Keramos::Kernel& kernel() const { return kernel_; } ///< what the steps took
  std::string took() const { return kernel_.name(); }

  /// The wave in the plane (depth, x) through the source.
  Plane section() const;
  /// What the receivers heard, as it is looked at: (step, receiver).
  Plane seismogram() const;

  /// What the receivers heard: (receiver, step); column n is time n * time_step().
  const View2D& record() const { return record_; }
  Wave& wave() { return wave_; }

private:
  Where where_;
  Survey survey_;
  double time_step_;
  float source_scale_ = 0;
  Wave wave_;
  View2D record_;
  Kokkos::View<int* [3], Space> receivers_;
  int steps_done_ = 0;
  Keramos::Kernel kernel_;
};

/// Points at an absorbing end of an axis that take the wave away.
int absorbing_width(int extent);

/// Fewest points along an axis of a shot: the absorbing edges on both sides and something between them.
inline constexpr int fewest_points = 32;

} // namespace demo
