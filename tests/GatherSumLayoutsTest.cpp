// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points and sources as applications hold them: an array per coordinate, members of structs, packed rows. Every form of the same
// numbers gives the same bits on every backend, and sums go into structs as well.
#include "GatherSumCloud.hpp"

namespace {

using namespace test;
using Keramos::Coulomb, Keramos::Cutoff, Keramos::Gaussian, Keramos::Gradient, Keramos::member, Keramos::Sources,
    Keramos::UniformGrid;

class GatherSumLayouts : public GatherSumOnBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GatherSumLayouts, testing::ValuesIn(all_backends()),
                         [](const auto& info) { return Keramos::to_string(info.param); });

template <class T>
struct Vector3 {
  T x, y, z;
};

/// An application's particle: in float its size is no multiple of 8 or 16 bytes, its members lie at odd places.
template <class T>
struct Particle {
  char kind;
  T charge;
  T position[3];
  Vector3<T> place; ///< the same
  Kokkos::Array<T, 3> force;
  T potential;
  int number;
};

template <class T>
using Particles = Kokkos::View<Particle<T>*, Shared>;

/// An array per coordinate, each of another layout.
template <class T>
struct Apart {
  Array<T, 1> x, y, z, weight;

  explicit Apart(const Cloud<T>& cloud)
      : Apart(cloud.positions.extent_int(0),
              [&](int j, int k) { return k == 3 ? cloud.weights(j) : cloud.positions(j, k); })
  {
  }
  template <class Value>
  Apart(std::int64_t count, const Value& value)
      : x({count}, Memory::right), y({count}, Memory::spread), z({count}, Memory::inside),
        weight({count}, Memory::spread)
  {
    const Array<T, 1>* const all[] = {&x, &y, &z, &weight};
    for (int k = 0; k < 4; ++k)
      all[k]->for_each([&](const auto& j) { all[k]->at(j) = value(static_cast<int>(j[0]), k); });
  }
  auto points() const { return Keramos::Points{x.view, y.view, z.view}; }
  auto sources() const { return Sources{x.view, y.view, z.view, weight.view}; }
};

template <class T>
Particles<T> particles_of(const Cloud<T>& cloud)
{
  const Particles<T> particles("particles", cloud.weights.size());
  for (std::size_t j = 0; j < particles.size(); ++j) {
    for (int d = 0; d < 3; ++d) particles(j).position[d] = cloud.positions(j, d);
    particles(j).place = {cloud.positions(j, 0), cloud.positions(j, 1), cloud.positions(j, 2)};
    particles(j).charge = cloud.weights(j);
    particles(j).number = static_cast<int>(j);
  }
  return particles;
}

template <class T>
auto places_of(const Particles<T>& particles)
{
  using P = Particle<T>;
  using V = Vector3<T>;
  return Keramos::Points{member(particles, &P::place, &V::x), member(particles, &P::place, &V::y),
                         member(particles, &P::place, &V::z)};
}

template <class T>
bool same_bits(const Points<T>& a, const Points<T>& b)
{
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// sum_of(targets, sources, gradient), with every form of both.
template <class T, class Sum>
void check_every_form(const Cloud<T>& cloud, const Cloud<T>& targets, const Sum& sum_of)
{
  using P = Particle<T>;
  const auto count = targets.positions.extent(0);
  const Points<T> expected("expected", count), got("got", count);
  sum_of(targets.positions, cloud.sources(), expected);
  const Apart<T> apart(cloud), targets_apart(targets);
  const Particles<T> particles = particles_of(cloud), target_particles = particles_of(targets);
  const Kokkos::View<const P*, Shared> fixed = particles;
  const auto check = [&](const char* what, const auto& the_targets, const auto& sources) {
    Kokkos::deep_copy(got, 77);
    sum_of(the_targets, sources, got);
    EXPECT_TRUE(same_bits(got, expected)) << what << ", " << cloud.weights.size() << " sources";
  };
  check("sources apart", targets.positions, apart.sources());
  check("points and weights", targets_apart.points(), Sources{apart.points(), cloud.weights});
  check("members that are arrays", member(target_particles, &P::position),
        Sources{member(fixed, &P::position), member(fixed, &P::charge)});
  check("members of members", places_of(target_particles), Sources{places_of(particles), member(fixed, &P::charge)});
  check("of every kind",
        Keramos::Points{targets_apart.x.view, Kokkos::subview(targets.positions, Kokkos::ALL, 1),
                        member(target_particles, &P::place, &Vector3<T>::z)},
        Sources{apart.x.view, Kokkos::subview(cloud.positions, Kokkos::ALL, 1),
                member(fixed, &P::place, &Vector3<T>::z), apart.weight.view});
}

/// Not finite at r = 0, where no target stands on a source.
struct InverseSquare {
  static constexpr bool singular = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return 1 / s;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s) const
  {
    return -1 / (s * s);
  }
};

template <class T, class Test>
void check_kernels(Keramos::Backend backend, const Test& sum)
{
  for (const int count : {0, 1, 255, 257, 900}) {
    const Cloud<T> cloud(count), targets(130, 3);
    if (count > 9) Kokkos::deep_copy(Kokkos::subview(targets.positions, 9, Kokkos::ALL), cloud.positions(9, 0));
    const auto check = [&](const auto& kernel, const auto&... more) {
      check_every_form(cloud, targets, [&](const auto& where, const auto& sources, const Points<T>& gradient) {
        sum(kernel, where, sources, Gradient{gradient}, more...);
      });
    };
    check(Coulomb{});
    check(Gaussian{.sigma = 0.5}, Keramos::overwrite);
    check(InverseSquare{});
    check(Coulomb{}, Cutoff{.radius = 0.4, .box = {2, 2, 2}});
    if (backend != Keramos::Backend::openmp) check(InverseSquare{}, Cutoff{0.4}); // it has none for functors
  }
}

TEST_P(GatherSumLayouts, EveryFormInFloat)
{
  check_kernels<float>(GetParam(), [](const auto&... arguments) { sum(arguments...); });
}
TEST_P(GatherSumLayouts, EveryFormInDouble)
{
  check_kernels<double>(GetParam(), [](const auto&... arguments) { sum(arguments...); });
}

/// In the plane Sources{x, y, weights} has three Views, as many as points in space have coordinates.
TEST_P(GatherSumLayouts, InThePlane)
{
  const Cloud<double> cloud(600), targets(50, 4);
  const Apart<double> apart(cloud), there(targets);
  const auto both = std::pair(0, 2);
  const auto flat = Kokkos::subview(cloud.positions, Kokkos::ALL, both);
  const auto flat_targets = Kokkos::subview(targets.positions, Kokkos::ALL, both);
  Values<double> expected("expected", 50), got("got", 50);
  sum(Coulomb{}, flat_targets, Sources{flat, cloud.weights}, expected);
  sum(Coulomb{}, Keramos::Points{there.x.view, there.y.view}, Sources{apart.x.view, apart.y.view, apart.weight.view},
      got);
  EXPECT_TRUE(test::same_bits(got, expected));
  const UniformGrid<2> grid{{-1, -1}, {0.1, 0.2}};
  const Kokkos::View<double**, Shared> of_rows("of rows", 7, 33), of_columns("of columns", 7, 33);
  sum(Coulomb{}, grid, Sources{flat, cloud.weights}, of_rows);
  sum(Coulomb{}, grid, Sources{apart.x.view, apart.y.view, apart.weight.view}, of_columns);
  EXPECT_EQ(std::memcmp(of_rows.data(), of_columns.data(), of_rows.size() * sizeof(double)), 0);
}

/// A grid's rows, with all that is read from structs that lie two apart.
TEST_P(GatherSumLayouts, OnAGridFromEverySecondStruct)
{
  using P = Particle<float>;
  const Cloud<float> cloud(300);
  const Particles<float> particles = particles_of(cloud), both("both", 600);
  for (int j = 0; j < 300; ++j) both(2 * j) = particles(j);
  const Kokkos::View<P*, Kokkos::LayoutStride, Shared> second(both.data(), Kokkos::LayoutStride(300, 2));
  const UniformGrid<3> grid{{-1, -1, -1}, {0.3, 0.2, 0.1}};
  const Volume<float> expected("expected", 4, 5, 37), got("got", 4, 5, 37);
  sum(Coulomb{}, grid, cloud.sources(), expected);
  sum(Coulomb{}, grid, Sources{member(second, &P::position), member(second, &P::charge)}, got);
  EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)), 0);
}

/// Particles feel one another: all that is read and written lies in the same structs.
TEST_P(GatherSumLayouts, IntoStructs)
{
  using P = Particle<double>;
  const Cloud<double> cloud(333);
  const Particles<double> particles = particles_of(cloud);
  Values<double> potential("potential", 333);
  const Points<double> gradient("gradient", 333);
  sum(Coulomb{}, cloud.positions, cloud.sources(), Keramos::PotentialAndGradient{potential, gradient});
  sum(Coulomb{}, member(particles, &P::position),
      Sources{member(particles, &P::position), member(particles, &P::charge)},
      Keramos::PotentialAndGradient{member(particles, &P::potential), member(particles, &P::force)});
  for (int j = 0; j < 333; ++j) {
    EXPECT_EQ(particles(j).potential, potential(j));
    for (int d = 0; d < 3; ++d) EXPECT_EQ(particles(j).force[d], gradient(j, d));
    EXPECT_EQ(particles(j).number, j);
    EXPECT_EQ(particles(j).charge, cloud.weights(j));
  }
}

TEST(Member, IsWhereTheMembersAre)
{
  using P = Particle<float>;
  const Particles<float> particles("particles", 11);
  const auto charges = member(particles, &P::charge);
  const auto forces = member(particles, &P::force);
  const auto heights = member(Kokkos::View<const P*, Shared>(particles), &P::place, &Vector3<float>::z);
  static_assert(decltype(charges)::rank == 1 && decltype(forces)::rank == 2);
  static_assert(std::is_same_v<decltype(heights)::value_type, const float>);
  EXPECT_EQ(charges.extent(0), 11u);
  EXPECT_EQ(forces.extent(1), 3u);
  for (std::size_t j = 0; j < 11; ++j) {
    EXPECT_EQ(charges.data() + j * charges.stride(0), &particles(j).charge);
    EXPECT_EQ(heights.data() + j * heights.stride(0), &particles(j).place.z);
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_EQ(forces.data() + j * forces.stride(0) + d * forces.stride(1), &particles(j).force[d]);
  }
  EXPECT_EQ(member(Particles<float>(), &P::charge).extent(0), 0u);
  EXPECT_EQ(member(Particles<float>(), &P::position).data(), nullptr);
}

} // namespace
