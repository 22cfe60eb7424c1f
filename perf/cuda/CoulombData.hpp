// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The charges of Coulomb sums in float, the grids and points where they are summed, and the check of their potential.
#pragma once

#include "SumCheck.hpp"

#include <Keramos_GatherSum.hpp>

#include <cstdint>
#include <string>

namespace perf {

using Rows = SourceRows<float>;
using Grid = Kokkos::View<float***, Kokkos::LayoutRight, Gpu>;
using Points = PointRows<float>;
using Values = Kokkos::View<float*, Kokkos::LayoutRight, Gpu>;

/// Targets are the points of a grid, one plane after the other, or any points; never both.
struct Charges {
  int planes, side;
  Rows sources; ///< three coordinates and the charge
  Kokkos::View<float* [4], Kokkos::LayoutRight, Space> host_sources;
  Grid potential;
  Points points;
  Values at_points;
  Points gradient; ///< of the potential at points
  Kokkos::View<char*, Gpu> scratch;

  float spacing() const { return spacing_of(side); }
  bool on_grid() const { return planes > 0; }
  int count() const { return sources.extent_int(0); }
  const float4* atoms() const { return reinterpret_cast<const float4*>(sources.data()); }
  float* out() const { return on_grid() ? potential.data() : at_points.data(); }
  std::int64_t targets() const { return on_grid() ? potential.size() : points.extent(0); }
};

using Data = Lazy<Charges>;

inline Places<float> places_of(const Charges& c) { return {c.planes, c.side, c.points}; }

inline Keramos::UniformGrid<3> grid_of(const Charges& c)
{
  return {{origin, origin, origin}, {c.spacing(), c.spacing(), c.spacing()}};
}

inline Charges with_random_sources(Charges charges, int count)
{
  charges.sources = random_sources<float>(count);
  charges.host_sources = Kokkos::create_mirror_view_and_copy(Space(), charges.sources);
  return charges;
}

inline Data grid_of(int planes, int side, int sources)
{
  return Data([=] {
    return with_random_sources(
        {planes, side, {}, {}, device_array<Grid>("potential", planes, side, side), {}, {}, {}, {}}, sources);
  });
}

inline Data points_of(int targets, int sources)
{
  return Data([=] {
    const Charges charges{0,
                          1,
                          {},
                          {},
                          {},
                          random_points<float>(targets),
                          device_array<Values>("out", targets),
                          device_array<Points>("gradient", targets),
                          {}};
    return with_random_sources(charges, sources);
  });
}

template <class Term = CoulombTerm>
std::string compare(const Charges& c, double share, const Term& kernel = {})
{
  return compare_sums(c.sources, places_of(c), PotentialOf<Term>{kernel}, c.out(), 1,
                      static_cast<std::int64_t>(share * c.targets()));
}

} // namespace perf
