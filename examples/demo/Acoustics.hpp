// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a shot is made of, on one process and on several: the operator, the length of a step, the absorbing edges, the source
// and the receivers.
#pragma once

#include "Shot.hpp"

#include <vector>

namespace demo {

inline auto laplacian(double spacing) { return Keramos::FiniteDifference::laplacian<3, 8>(spacing, spacing, spacing); }

/// The leap-frog scheme is stable while c dt sqrt(L) <= 2, where -L is the Laplacian's most negative eigenvalue: the
/// sum of its weights' magnitudes, because they alternate in sign. 0.9 of that.
double stable_time_step(const Volume& velocity, double spacing);

/// 1 inside, falling over `width` points towards an absorbing end. The fall is smooth, so that the taper itself
/// reflects little, and its strength is Cerjan's, scaled to the width.
View1D absorbing_taper(const Space& space, int extent, bool low_end_absorbs);

/// c^2 dt^2 at every point.
Volume scaled_squares(const Volume& velocity, double dt);

/// What a wavelet of 1 adds to the wave at the source's point: a delta function, 1 over the volume of a cell.
float source_scale(const Volume& c2dt2, const Survey& survey);

/// wave(at) += amount.
void inject(const Space& space, const View3D& wave, const Point& at, float amount);

using Receivers = Kokkos::View<int* [3], Space>;
Receivers receiver_view(const Space& space, const std::vector<Point>& receivers);

/// record(r, step) = the wave at receiver r.
void listen(const Space& space, const View3D& wave, const Receivers& receivers, const View2D& record, int step);

} // namespace demo
