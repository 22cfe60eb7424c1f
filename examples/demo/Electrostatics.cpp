// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Electrostatics.hpp"

#include "Plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace demo {
namespace {

using Position = std::array<double, 3>;

double distance(const Position& a, const Position& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

Position rounded_to_float(const Position& p)
{
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

struct Box {
  Position low, high;

  explicit Box(const Molecule& molecule) : low(molecule.position.front()), high(low)
  {
    for (const Position& p : molecule.position)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], p[axis]);
        high[axis] = std::max(high[axis], p[axis]);
      }
  }
  Position middle() const { return {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2}; }
  double max_side() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
};

template <class T>
auto sources_of(const Space& space, const Molecule& molecule)
{
  const std::size_t count = molecule.charge.size();
  Kokkos::View<T* [3], Kokkos::LayoutRight, Space> position("position", count);
  Kokkos::View<T*, Kokkos::LayoutRight, Space> charge("charge", count);
  const auto host_position = Kokkos::create_mirror_view(position);
  const auto host_charge = Kokkos::create_mirror_view(charge);
  for (std::size_t n = 0; n < count; ++n) {
    for (int axis = 0; axis < 3; ++axis) host_position(n, axis) = static_cast<T>(molecule.position[n][axis]);
    host_charge(n) = static_cast<T>(molecule.charge[n]);
  }
  Kokkos::deep_copy(space, position, host_position);
  Kokkos::deep_copy(space, charge, host_charge);
  space.fence();
  return Keramos::Sources{position, charge};
}

/// Potentials span decades between a bond and the surroundings: linear near zero, logarithmic beyond.
double compressed(double potential) { return std::asinh(potential / 0.02); }
constexpr double shown_potential = 2; // e/angstrom, where the colours end

} // namespace

Charges::Charges(const Space& space, const Molecule& molecule)
{
  const auto sources = sources_of<float>(space, molecule);
  position = sources.positions;
  charge = sources.weights;
}

Keramos::UniformGrid<3> grid_around(const Molecule& molecule, int n, double margin)
{
  const Box box(molecule);
  const double side = box.max_side() + 2 * margin;
  const double spacing = side / (n - 1);
  const Position middle = box.middle();
  return {{middle[0] - side / 2, middle[1] - side / 2, middle[2] - side / 2}, {spacing, spacing, spacing}};
}

double potential_in_double(const Molecule& molecule, const Position& at)
{
  const Position target = rounded_to_float(at);
  double sum = 0;
  for (std::size_t n = 0; n < molecule.charge.size(); ++n) {
    const double r = distance(rounded_to_float(molecule.position[n]), target);
    if (r > 0) sum += molecule.charge[n] / r;
  }
  return sum;
}

double max_error(const Molecule& molecule, const Keramos::UniformGrid<3>& grid, const Volume& potential, int samples)
{
  const std::size_t stride = std::max<std::size_t>(1, potential.value.size() / samples) | 1; // odd: follows no plane
  std::vector<double> found, right;
  double square = 0;
  for (std::size_t n = stride / 2; n < potential.value.size(); n += stride) {
    const std::size_t index[3] = {n / (potential.extent[1] * potential.extent[2]),
                                  n / potential.extent[2] % potential.extent[1], n % potential.extent[2]};
    Position at;
    for (int axis = 0; axis < 3; ++axis) {
      // As the operator places its targets: a compiler that fuses the two (-march=native) would move one off its ion.
      const volatile double offset = static_cast<double>(index[axis]) * grid.spacing[axis];
      at[axis] = grid.origin[axis] + offset;
    }
    found.push_back(potential.value[n]);
    right.push_back(potential_in_double(molecule, at));
    square += right.back() * right.back();
  }
  const double typical = std::sqrt(square / static_cast<double>(right.size()));
  double largest = 0;
  for (std::size_t n = 0; n < right.size(); ++n)
    largest = std::max(largest, std::abs(found[n] - right[n]) / std::max(std::abs(right[n]), typical));
  return largest;
}

double madelung_constant(const Where& where, const Molecule& molecule)
{
  const Position middle = Box(molecule).middle();
  const auto nearest_to = [&](const Position& place, double beyond) {
    std::size_t nearest = 0;
    double found = INFINITY;
    for (std::size_t n = 0; n < molecule.position.size(); ++n)
      if (const double r = distance(molecule.position[n], place); r > beyond && r < found) nearest = n, found = r;
    return nearest;
  };
  const std::size_t centre = nearest_to(middle, -1);
  const std::size_t neighbour = nearest_to(molecule.position[centre], 0);

  Molecule target{{molecule.position[centre]}, {0}};
  const auto target_view = sources_of<double>(where.space, target).positions;
  Kokkos::View<double*, Kokkos::LayoutRight, Space> potential("potential at the centre", 1);
  Keramos::gather_sum(where, Keramos::Coulomb{}, target_view, sources_of<double>(where.space, molecule), potential);
  const auto host = Kokkos::create_mirror_view(potential);
  Kokkos::deep_copy(where.space, host, potential);
  where.space.fence();
  return -host(0) * distance(molecule.position[centre], molecule.position[neighbour]) / molecule.charge[centre];
}

void draw_potential(const std::string& file, const Where& where, const Charges& charges,
                    const Keramos::UniformGrid<3>& grid, int n)
{
  constexpr int pixels = 760;
  Keramos::UniformGrid<3> fine = grid;
  for (int axis = 0; axis < 2; ++axis) fine.spacing[axis] *= (n - 1) / static_cast<double>(pixels - 1);
  View2D view("plane", pixels, pixels);
  Keramos::gather_sum(where, Keramos::Coulomb{}, fine.plane(2, n / 2), charges.sources(), view);
  const auto host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(where.space, host, view);
  where.space.fence();

  const double ends = compressed(shown_potential);
  const auto color = [&](double potential) { return diverging(0.5 + 0.5 * compressed(potential) / ends); };
  const double side = grid.spacing[0] * (n - 1);
  Plot plot(pixels, pixels, {grid.origin[0], grid.origin[0] + side, "x (angstrom)"},
            {grid.origin[1] + side, grid.origin[1], "y (angstrom)"});
  plot.image([&](double down, double across) {
    const int i = static_cast<int>(across * pixels), j = pixels - 1 - static_cast<int>(down * pixels);
    return color(host(i, j));
  });
  char caption[80];
  std::snprintf(caption, sizeof(caption), "electrostatic potential in the plane z = %.2f angstrom",
                grid.origin[2] + (n / 2) * grid.spacing[2]);
  plot.caption(caption);
  ColorBar bar{diverging, {}, "potential (e/angstrom)"};
  for (const double tick : {0.02, 0.1, 0.5, 2.0})
    for (const double sign : {-1.0, 1.0}) {
      char label[16];
      std::snprintf(label, sizeof(label), "%g", sign * tick);
      bar.ticks.push_back({0.5 + 0.5 * sign * compressed(tick) / ends, label});
    }
  bar.ticks.push_back({0.5, "0"});
  plot.color_bar(bar);
  plot.write_png(file);
}

} // namespace demo
