// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources and targets of the gather-sum benchmark, and the check of sums against those in double.
#pragma once

#include "Arrays.hpp"
#include "Harness.hpp"
#include "PlainSums.hpp"

#include <Keramos_GatherSum.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

namespace perf {

constexpr double origin = -8;

template <class T>
using Scalars = Kokkos::View<T*, Kokkos::LayoutRight, Space>;
template <class T>
using Rows = Kokkos::View<T* [4], Kokkos::LayoutRight, Space>;

/// A particle of an application.
template <class T>
struct Atom {
  T position[3], velocity[3], weight;
  int kind;
};

/// Targets on a grid, in row-major order, or as points at the same places in a random order; and their sums.
template <class T>
struct Charges {
  int side;
  Rows<T> sources; ///< x, y, z, weight
  Kokkos::View<T***, Kokkos::LayoutRight, Space> potential;
  Kokkos::View<T*** [3], Kokkos::LayoutRight, Space> gradient;
  Kokkos::View<T* [3], Kokkos::LayoutRight, Space> points;
  Scalars<T> at_points;
  Scalars<T> x, y, z, weight;                               ///< the sources once more,
  Kokkos::View<Atom<T>*, Kokkos::LayoutRight, Space> atoms; ///< and again

  std::int64_t targets() const { return static_cast<std::int64_t>(potential.size()); }
  double spacing() const { return -2 * origin / side; }
  Keramos::UniformGrid<3> grid() const { return {{origin, origin, origin}, {spacing(), spacing(), spacing()}}; }
  GridOfSources<T> plain() const { return {sources, static_cast<T>(origin), static_cast<T>(spacing()), side}; }

  /// Coordinate k of target n, exact in float: spacings are powers of two.
  double coordinate(std::int64_t n, int k) const
  {
    const std::int64_t index = k == 0 ? n / (side * side) : k == 1 ? n / side % side : n % side;
    return origin + static_cast<double>(index) * spacing();
  }
};

template <class T>
Charges<T> make_charges(int side, int count)
{
  Charges<T> charges{side, Rows<T>("sources", count), {}, {}, {}, {}, {}, {}, {}, {}, {}};
  using Potential = decltype(charges.potential);
  using Gradient = decltype(charges.gradient);
  using Points = decltype(charges.points);
  charges.potential = large_array<Potential>("potential", side, side, side);
  charges.gradient = large_array<Gradient>("gradient", side, side, side);
  charges.points = large_array<Points>("points", charges.targets());
  charges.at_points = large_array<Scalars<T>>("potential at points", charges.targets());
  fill(charges.sources,
       [](std::int64_t n) { return random_number<T>(n) * (n % 4 == 3 ? 1 : -static_cast<T>(origin)); });
  charges.atoms = decltype(charges.atoms)("atoms", count);
  for (auto* values : {&charges.x, &charges.y, &charges.z, &charges.weight}) *values = Scalars<T>("apart", count);
  for (int s = 0; s < count; ++s) {
    const auto source = Kokkos::subview(charges.sources, s, Kokkos::ALL);
    charges.atoms(s) = {{source(0), source(1), source(2)}, {}, source(3), 0};
    charges.x(s) = source(0), charges.y(s) = source(1), charges.z(s) = source(2), charges.weight(s) = source(3);
  }
  fill(charges.points, [=](std::int64_t n) { return -static_cast<T>(origin) * random_number<T>(77'000'000 + n); });
  return charges;
}

/// value[0] is the sum over the sources at a point, value[1 ... 3] its gradient, computed in double; and what the sizes of
/// the terms add up to.
struct Exact {
  double value[4] = {}, size[4] = {};
};
template <class T, class Kernel>
Exact exact_sum(const Charges<T>& charges, const double* point, const Kernel& kernel)
{
  Exact exact;
  for (int s = 0; s < charges.sources.extent_int(0); ++s) {
    double d[3], r2 = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = point[k] - charges.sources(s, k);
      r2 += d[k] * d[k];
    }
    const double weight = charges.sources(s, 3);
    const double terms[4] = {kernel(r2), 2 * kernel.derivative(r2) * d[0], 2 * kernel.derivative(r2) * d[1],
                             2 * kernel.derivative(r2) * d[2]};
    for (int k = 0; k < 4; ++k) {
      exact.value[k] += weight * terms[k];
      exact.size[k] += std::abs(weight * terms[k]);
    }
  }
  return exact;
}

/// Values of an Exact: the potential is 0, the gradient 1 to 3.
struct Values {
  int first, end;
};
constexpr Values potential{0, 1}, both{0, 4}, gradient{1, 4};

/// The mistake at sample targets: got(n, k) is value k of target n, place(n, k) its coordinate.
template <class T, class Kernel, class Got, class Place>
std::string compare(const Charges<T>& charges, std::int64_t targets, const Values& values, const Kernel& kernel,
                    const Got& got, const Place& place)
{
  constexpr std::int64_t samples = 251;
  const double tolerance = charges.sources.extent_int(0) * double{std::numeric_limits<T>::epsilon()};
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    const std::int64_t n = sample == 0 ? targets - 1 : static_cast<std::int64_t>(mixed(sample) % targets);
    const double point[3] = {place(n, 0), place(n, 1), place(n, 2)};
    const Exact exact = exact_sum(charges, point, kernel);
    for (int k = values.first; k < values.end; ++k)
      if (!(std::abs(got(n, k) - exact.value[k]) <= tolerance * exact.size[k])) {
        std::ostringstream mistake;
        mistake << "value " << k << " of target " << n << ": expected " << exact.value[k] << ", got " << got(n, k);
        return mistake.str();
      }
  }
  return "";
}

template <class T>
std::string compare_grid(const Charges<T>& charges, double share, const Values& values, const auto& kernel)
{
  const auto targets = static_cast<std::int64_t>(share * charges.targets());
  return compare(
      charges, targets, values, kernel,
      [&](std::int64_t n, int k) -> double {
        return k == 0 ? charges.potential.data()[n] : charges.gradient.data()[3 * n + k - 1];
      },
      [&](std::int64_t n, int k) { return charges.coordinate(n, k); });
}

template <class T>
std::string compare_points(const Charges<T>& charges, double share, const auto& kernel)
{
  const auto targets = static_cast<std::int64_t>(share * charges.targets());
  return compare(
      charges, targets, potential, kernel, [&](std::int64_t n, int) -> double { return charges.at_points(n); },
      [&](std::int64_t n, int k) -> double { return charges.points(n, k); });
}

template <class T>
void poison_all(const Charges<T>& charges)
{
  poison(charges.potential);
  poison(charges.gradient);
  poison(charges.at_points);
}

/// Peers take a few planes of the grid, or as many points: whole grids would take them minutes.
inline int planes_of_peers() { return sized(2, 4); }

template <class T>
struct Setting {
  int side, count;
  Lazy<Charges<T>> charges;

  Setting(int the_side, int the_count)
      : side(the_side), count(the_count), charges([=] { return make_charges<T>(the_side, the_count); })
  {
  }
  double pairs() const { return std::pow(side, 3) * count; }
  double share() const { return static_cast<double>(planes_of_peers()) / side; }
  std::int64_t targets_of_peers() const { return std::int64_t{planes_of_peers()} * side * side; }
};

} // namespace perf
