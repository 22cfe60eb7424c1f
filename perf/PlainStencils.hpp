// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils as one writes them in Kokkos without a library: the formula at a point, under an MDRangePolicy over the points
// whose neighbourhood lies inside. Formulas take the View and its indices.
#pragma once

#include "Harness.hpp"

#include <array>
#include <cstdint>

namespace perf {

/// The star with the same weights along each axis: weight[r] for the points at distance r.
template <class T, int Radius>
struct StarFormula {
  T weight[Radius + 1];

  template <class View>
  KOKKOS_FUNCTION T operator()(const View& u, int i, int j, int k) const
  {
    T sum = weight[0] * u(i, j, k);
    for (int r = 1; r <= Radius; ++r)
      sum += weight[r] *
             (u(i - r, j, k) + u(i + r, j, k) + u(i, j - r, k) + u(i, j + r, k) + u(i, j, k - r) + u(i, j, k + r));
    return sum;
  }
  template <class View>
  KOKKOS_FUNCTION T operator()(const View& u, int i, int j) const
  {
    T sum = weight[0] * u(i, j);
    for (int r = 1; r <= Radius; ++r) sum += weight[r] * (u(i - r, j) + u(i + r, j) + u(i, j - r) + u(i, j + r));
    return sum;
  }
};

/// All points of a cube of side 2 * Radius + 1, in row-major order.
template <class T, int Rank, int Radius = 1>
struct BoxFormula {
  static constexpr int side = 2 * Radius + 1;
  T weight[Rank == 3 ? side * side * side : side * side];

  template <class View>
  KOKKOS_FUNCTION T operator()(const View& u, int i, int j, int k) const
  {
    T sum = 0;
    for (int a = -Radius; a <= Radius; ++a)
      for (int b = -Radius; b <= Radius; ++b)
        for (int c = -Radius; c <= Radius; ++c)
          sum += weight[((a + Radius) * side + b + Radius) * side + c + Radius] * u(i + a, j + b, k + c);
    return sum;
  }
  template <class View>
  KOKKOS_FUNCTION T operator()(const View& u, int i, int j) const
  {
    T sum = 0;
    for (int a = -Radius; a <= Radius; ++a)
      for (int b = -Radius; b <= Radius; ++b) sum += weight[(a + Radius) * side + b + Radius] * u(i + a, j + b);
    return sum;
  }
};

/// An antisymmetric line along one axis: weight[r] * (u(+r) - u(-r)).
template <class T, int Radius, int Axis>
struct DerivativeFormula {
  T weight[Radius + 1];

  template <class View>
  KOKKOS_FUNCTION T operator()(const View& u, int i, int j, int k) const
  {
    T sum = 0;
    for (int r = 1; r <= Radius; ++r) {
      const int a = Axis == 0 ? r : 0, b = Axis == 1 ? r : 0, c = Axis == 2 ? r : 0;
      sum += weight[r] * (u(i + a, j + b, k + c) - u(i - a, j - b, k - c));
    }
    return sum;
  }
};

template <class In, class Out, class Formula>
struct AtEachPoint {
  In in;
  Out out;
  Formula formula;

  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... at) const
  {
    out(at...) = formula(in, at...);
  }
};

/// Points [margin, extent - margin) along each axis. A tile of zeros is Kokkos' own choice.
template <class View, class Body>
void over_inner_points(const char* label, const View& view, const std::array<int, View::rank>& margin,
                       const std::array<int, View::rank>& tile, const Body& body)
{
  constexpr int rank = View::rank;
  using Policy = Kokkos::MDRangePolicy<typename View::execution_space, Kokkos::Rank<rank>, Kokkos::IndexType<int>>;
  typename Policy::point_type begin, end;
  typename Policy::tile_type tiles;
  for (int axis = 0; axis < rank; ++axis) {
    begin[axis] = margin[axis];
    end[axis] = view.extent_int(axis) - margin[axis];
    tiles[axis] = tile[axis];
  }
  Kokkos::parallel_for(label, tile[0] == 0 ? Policy(begin, end) : Policy(begin, end, tiles), body);
}

/// The same points of three axes as one writes loops, the outermost in parallel.
template <class View, class Body>
void over_planes(const char* label, const View& view, const std::array<int, 3>& margin, const Body& body)
{
  const int rows = view.extent_int(1) - margin[1], points = view.extent_int(2) - margin[2];
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<typename View::execution_space, Kokkos::IndexType<int>>(
                           margin[0], view.extent_int(0) - margin[0]),
                       [=](int i) {
                         for (int j = margin[1]; j < rows; ++j)
#pragma GCC ivdep
                           for (int k = margin[2]; k < points; ++k) body(i, j, k);
                       });
}

} // namespace perf
