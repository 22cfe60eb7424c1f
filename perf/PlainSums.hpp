// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over all sources as one writes them without a library: with Kokkos, and the two orders of direct Coulomb summation
// on a grid in plain C that the first GPU papers and textbooks compare with. Grids begin at `origin`, along every axis.
#pragma once

#include "Harness.hpp"

#include <cmath>

namespace perf {

/// What a sum is over: sources (x, y, z, weight) row by row, on a grid of `side` points a row and a column.
template <class T>
struct GridOfSources {
  Kokkos::View<T* [4], Kokkos::LayoutRight, Space> source;
  T origin, spacing;
  int side;
};

/// 1/r, exp(-kappa r)/r, exp(-r^2 rate), each as written down.
struct PlainCoulomb {
  template <class T>
  KOKKOS_FUNCTION T operator()(T r2) const
  {
    return 1 / Kokkos::sqrt(r2);
  }
};
struct PlainYukawa {
  float kappa;
  KOKKOS_FUNCTION float operator()(float r2) const
  {
    const float r = Kokkos::sqrt(r2);
    return Kokkos::exp(-kappa * r) / r;
  }
};
struct PlainGaussian {
  float rate;
  KOKKOS_FUNCTION float operator()(float r2) const { return Kokkos::exp(-rate * r2); }
};

/// One target: the sum over all sources, and with a gradient that of d(1/r).
template <class T, class Rows, class Kernel>
KOKKOS_FUNCTION T plain_sum(const Rows& source, T x, T y, T z, const Kernel& kernel)
{
  T sum = 0;
  for (int s = 0; s < source.extent_int(0); ++s) {
    const T dx = x - source(s, 0), dy = y - source(s, 1), dz = z - source(s, 2);
    sum += source(s, 3) * kernel(dx * dx + dy * dy + dz * dz);
  }
  return sum;
}

template <class T>
KOKKOS_FUNCTION void plain_coulomb_gradient(const Kokkos::View<T* [4], Kokkos::LayoutRight, Space>& source, T x, T y,
                                            T z, T& potential, T* gradient)
{
  potential = gradient[0] = gradient[1] = gradient[2] = 0;
  for (int s = 0; s < source.extent_int(0); ++s) {
    const T dx = x - source(s, 0), dy = y - source(s, 1), dz = z - source(s, 2);
    const T r2 = dx * dx + dy * dy + dz * dz, value = source(s, 3) / Kokkos::sqrt(r2), slope = -value / r2;
    potential += value;
    gradient[0] += slope * dx;
    gradient[1] += slope * dy;
    gradient[2] += slope * dz;
  }
}

/// The grid outside: for each point all sources, and every difference anew. out: the plane `plane` of the grid.
inline void grid_outside(const GridOfSources<float>& on, int plane, float* out)
{
  const float origin = on.origin, spacing = on.spacing, z = origin + plane * spacing;
  const float* const source = on.source.data();
  const int count = on.source.extent_int(0), side = on.side;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const float y = origin + j * spacing, x = origin + i * spacing;
      float energy = 0;
      for (int n = 0; n < 4 * count; n += 4) {
        const float dx = source[n + 2] - x, dy = source[n + 1] - y, dz = source[n] - z;
        energy += source[n + 3] / std::sqrt(dx * dx + dy * dy + dz * dz);
      }
      out[j * side + i] = energy;
    }
}

/// The sources outside: dz^2 once a plane and dy^2 + dz^2 once a row; the innermost loop walks along the row.
inline void sources_outside(const GridOfSources<float>& on, int plane, float* out)
{
  const float origin = on.origin, spacing = on.spacing, z = origin + plane * spacing;
  const float* const source = on.source.data();
  const int count = on.source.extent_int(0), side = on.side;
  for (int n = 0; n < side * side; ++n) out[n] = 0;
  for (int n = 0; n < 4 * count; n += 4) {
    const float dz = source[n] - z, dz2 = dz * dz, charge = source[n + 3];
    for (int j = 0; j < side; ++j) {
      const float dy = source[n + 1] - (origin + j * spacing), dydz2 = dy * dy + dz2;
      for (int i = 0; i < side; ++i) {
        const float dx = source[n + 2] - (origin + i * spacing);
        out[j * side + i] += charge / std::sqrt(dx * dx + dydz2);
      }
    }
  }
}

} // namespace perf
