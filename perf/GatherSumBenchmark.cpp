// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums beside plain Kokkos and the historical orders of direct Coulomb summation. The table of cases is at the end.
//
// Arithmetic bounds them: `slots` is the number of vector instructions that a pair takes in our AVX-512 kernels, all of
// which run at the rate of a multiply-add or slower, and a figure's fraction is slots times pairs by the measured
// multiply-adds. Coulomb on a grid, 7: dx, dx^2 + the rest, estimate of the root, Newton's step (3), weight and sum.
// A Gaussian on a grid is a product of three functions, hence a matrix product, hence 1.
#include "Arrays.hpp"
#include "Harness.hpp"
#include "PlainSums.hpp"

#include <Keramos_GatherSum.hpp>

#include <optional>
#include <sstream>

namespace perf {
namespace {

constexpr double origin = -8;

template <class T>
using Vector = Kokkos::View<T*, Kokkos::LayoutRight, Space>;
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
  Vector<T> at_points;
  Vector<T> x, y, z, weight;                                ///< the sources once more,
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
  charges.at_points = large_array<Vector<T>>("potential at points", charges.targets());
  fill(charges.sources,
       [](std::int64_t n) { return random_number<T>(n) * (n % 4 == 3 ? 1 : -static_cast<T>(origin)); });
  charges.atoms = decltype(charges.atoms)("atoms", count);
  for (auto* values : {&charges.x, &charges.y, &charges.z, &charges.weight}) *values = Vector<T>("apart", count);
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

/// As many multiply-adds of float as the pairs' vector instructions take the room of.
template <class T>
Case sum_case(const std::string& name, double pairs, int slots)
{
  return {name + (sizeof(T) == 4 ? " f32" : " f64"),
          pairs,
          pairs * slots * sizeof(T) / sizeof(float),
          Yardstick::arithmetic,
          {},
          {}};
}

using Targets = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// The first `count` targets of the grid.
template <class T, class Kernel>
void plain_on_grid(const Charges<T>& charges, std::int64_t count, const Kernel& kernel)
{
  const auto on = charges.plain();
  T* const out = charges.potential.data();
  Kokkos::parallel_for("perf::plain sum on a grid", Targets(0, count), [=](std::int64_t n) {
    const auto i = n / (on.side * on.side), j = n / on.side % on.side, k = n % on.side;
    out[n] = plain_sum(on.source, on.origin + i * on.spacing, on.origin + j * on.spacing, on.origin + k * on.spacing,
                       kernel);
  });
}

template <class T>
void plain_gradient_on_grid(const Charges<T>& charges, std::int64_t count)
{
  const auto on = charges.plain();
  T *const out = charges.potential.data(), *const gradient = charges.gradient.data();
  Kokkos::parallel_for("perf::plain sum and gradient on a grid", Targets(0, count), [=](std::int64_t n) {
    const auto i = n / (on.side * on.side), j = n / on.side % on.side, k = n % on.side;
    plain_coulomb_gradient(on.source, on.origin + i * on.spacing, on.origin + j * on.spacing,
                           on.origin + k * on.spacing, out[n], gradient + 3 * n);
  });
}

template <class T, class Kernel>
void plain_at_points(const Charges<T>& charges, std::int64_t count, const Kernel& kernel)
{
  const auto sources = charges.sources;
  const auto points = charges.points;
  const auto out = charges.at_points;
  Kokkos::parallel_for("perf::plain sum at points", Targets(0, count), [=](std::int64_t n) {
    out(n) = plain_sum(sources, points(n, 0), points(n, 1), points(n, 2), kernel);
  });
}

/// Peers take a few planes of the grid, or as many points: whole grids would take them minutes.
int planes_of_peers() { return sized(2, 4); }

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

/// Keramos on the whole grid, plain Kokkos on a few planes; more contenders may follow.
template <class T, class Kernel, class PlainKernel>
void add_on_grid(const std::string& name, const Setting<T>& setting, int slots, const Kernel& kernel,
                 const PlainKernel& plain_kernel, const std::vector<Contender>& more = {})
{
  const auto charges = setting.charges;
  const auto count = setting.targets_of_peers();
  Case the_case = sum_case<T>(name, setting.pairs(), slots);
  the_case.poison = [=] { poison_all(*charges); };
  the_case.mistake = [=](double share) { return compare_grid(*charges, share, potential, kernel); };
  std::vector<Contender> contenders{
      {"Keramos",
       [=] {
         return name_of(Keramos::gather_sum(Space(), kernel, charges->grid(), Keramos::Sources{charges->sources},
                                            charges->potential));
       }},
      {"Kokkos RangePolicy", [=] { return plain_on_grid(*charges, count, plain_kernel), ""; }, setting.share()}};
  contenders.insert(contenders.end(), more.begin(), more.end());
  add("gather_sum", the_case, contenders);
}

void add_gradient(const std::string& name, const Setting<float>& setting, int slots)
{
  const auto charges = setting.charges;
  const auto count = setting.targets_of_peers();
  Case the_case = sum_case<float>(name, setting.pairs(), slots);
  the_case.poison = [=] { poison_all(*charges); };
  the_case.mistake = [=](double share) { return compare_grid(*charges, share, both, Keramos::Coulomb{}); };
  add("gather_sum", the_case,
      {{"Keramos",
        [=] {
          return name_of(Keramos::gather_sum(Space(), Keramos::Coulomb{}, charges->grid(),
                                             Keramos::Sources{charges->sources},
                                             Keramos::PotentialAndGradient{charges->potential, charges->gradient}));
        }},
       {"Kokkos RangePolicy", [=] { return plain_gradient_on_grid(*charges, count), ""; }, setting.share()}});
}

/// Forces: nobody asks for the potential.
void add_gradient_alone(const std::string& name, const Setting<float>& setting, int slots)
{
  const auto charges = setting.charges;
  Case the_case = sum_case<float>(name, setting.pairs(), slots);
  the_case.poison = [=] { poison_all(*charges); };
  the_case.mistake = [=](double share) { return compare_grid(*charges, share, gradient, Keramos::Coulomb{}); };
  const auto keramos = [=](const auto& output_of) {
    return [=] {
      return name_of(Keramos::gather_sum(Space(), Keramos::Coulomb{}, charges->grid(),
                                         Keramos::Sources{charges->sources}, output_of(*charges)));
    };
  };
  add("gather_sum", the_case,
      {{"Keramos", keramos([](const auto& of) { return Keramos::Gradient{of.gradient}; })},
       {"Keramos, with a potential that nobody reads", keramos([](const auto& of) {
          return Keramos::PotentialAndGradient{of.potential, of.gradient};
        })}});
}

/// Formulas as an application writes them.
struct RootFunctor {
  static constexpr bool singular = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return Keramos::rsqrt(r_squared);
  }
};
struct InverseFunctor {
  static constexpr bool singular = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T, T inverse_r) const
  {
    return inverse_r;
  }
};
struct ExponentialFunctor {
  double rate;
  template <class T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return Keramos::exp(-static_cast<T>(rate) * r_squared);
  }
};
/// The same, called with whole vectors.
template <class Functor>
struct OfVectors : Functor {
  static constexpr bool takes_vectors = true;
};
/// 1/r of two points, none of which is at the same place as another.
struct PairFunctor {
  template <class T>
  KOKKOS_FUNCTION T operator()(const Kokkos::Array<T, 3>& target, const Kokkos::Array<T, 3>& source) const
  {
    const T dx = target[0] - source[0], dy = target[1] - source[1], dz = target[2] - source[2];
    return Keramos::rsqrt(dx * dx + dy * dy + dz * dz);
  }
};

template <class T, class Kernel>
Contender functor_at_points(const char* what, const Setting<T>& setting, const Kernel& kernel)
{
  return {what, [=, charges = setting.charges] {
            return name_of(Keramos::gather_sum(Space(), kernel, charges->points, Keramos::Sources{charges->sources},
                                               charges->at_points));
          }};
}

/// sources_of(charges): the same sources in some form.
template <class T, class SourcesOf>
Contender coulomb_at_points(const char* what, const Setting<T>& setting, const SourcesOf& sources_of)
{
  return {what, [=, charges = setting.charges] {
            return name_of(Keramos::gather_sum(Space(), Keramos::Coulomb{}, charges->points, sources_of(*charges),
                                               charges->at_points));
          }};
}

template <class T>
void add_at_points(const std::string& name, const Setting<T>& setting, int slots)
{
  const auto charges = setting.charges;
  const auto count = setting.targets_of_peers();
  Case the_case = sum_case<T>(name, setting.pairs(), slots);
  the_case.poison = [=] { poison_all(*charges); };
  the_case.mistake = [=](double share) { return compare_points(*charges, share, Keramos::Coulomb{}); };
  add("gather_sum", the_case,
      {coulomb_at_points("Keramos", setting, [](const auto& of) { return Keramos::Sources{of.sources}; }),
       coulomb_at_points("sources in an array per coordinate", setting,
                         [](const auto& of) {
                           return Keramos::Sources{of.x, of.y, of.z, of.weight};
                         }),
       coulomb_at_points("sources in structs", setting,
                         [](const auto& of) {
                           return Keramos::Sources{Keramos::member(of.atoms, &Atom<T>::position),
                                                   Keramos::member(of.atoms, &Atom<T>::weight)};
                         }),
       functor_at_points("functor of Keramos::rsqrt", setting, RootFunctor{}),
       functor_at_points("functor of Keramos::rsqrt of vectors", setting, OfVectors<RootFunctor>{}),
       functor_at_points("functor of r^2 and the inverse of r", setting, InverseFunctor{}),
       functor_at_points("functor of two points", setting, PairFunctor{}),
       {"Kokkos RangePolicy", [=] { return plain_at_points(*charges, count, PlainCoulomb{}), ""; }, setting.share()}});
}

template <class T>
void add_gaussian_at_points(const std::string& name, const Setting<T>& setting, int slots, double sigma)
{
  const auto charges = setting.charges;
  const Keramos::Gaussian kernel{sigma};
  Case the_case = sum_case<T>(name, setting.pairs(), slots);
  the_case.poison = [=] { poison_all(*charges); };
  the_case.mistake = [=](double share) { return compare_points(*charges, share, kernel); };
  add("gather_sum", the_case,
      {{"Keramos",
        [=] {
          return name_of(Keramos::gather_sum(Space(), kernel, charges->points, Keramos::Sources{charges->sources},
                                             charges->at_points));
        }},
       functor_at_points("functor of Keramos::exp", setting, ExponentialFunctor{kernel.rate()}),
       functor_at_points("functor of Keramos::exp of vectors", setting,
                         OfVectors<ExponentialFunctor>{{kernel.rate()}})});
}

/// 1/r up to a radius, as written down.
struct CoulombWithin {
  double limit; ///< r^2
  template <class T>
  KOKKOS_FUNCTION T operator()(T r2) const
  {
    return r2 < static_cast<T>(limit) ? 1 / Kokkos::sqrt(r2) : 0;
  }
  double derivative(double r2) const { return r2 < limit ? Keramos::Coulomb{}.derivative(r2) : 0; }
};

/// Points among as many sources, of which about 50 are within the radius. Keramos sorts into cells in every call; plain
/// Kokkos looks at all pairs of a few targets.
void add_cutoff(const std::string& name, const Setting<float>& setting, int slots)
{
  constexpr double neighbours = 50, pi = 3.14159265358979323846;
  const double targets = std::pow(setting.side, 3), volume = std::pow(-2 * origin, 3);
  const double radius = std::cbrt(neighbours * volume / setting.count / (4 * pi / 3));
  const auto charges = setting.charges;
  const std::int64_t few = sized(500, 1000);
  Case the_case = sum_case<float>(name, neighbours * targets, slots);
  the_case.poison = [=] { poison_all(*charges); };
  the_case.mistake = [=](double share) { return compare_points(*charges, share, CoulombWithin{radius * radius}); };
  const auto keramos = [=](std::optional<Keramos::Backend> backend) {
    return [=] {
      return name_of(Keramos::gather_sum(Keramos::with_backend(Space(), backend), Keramos::Coulomb{}, charges->points,
                                         Keramos::Sources{charges->sources}, charges->at_points,
                                         Keramos::Cutoff{radius}));
    };
  };
  add("gather_sum", the_case,
      {{"Keramos", keramos(std::nullopt)},
       {"Keramos, portable kernels", keramos(Keramos::Backend::portable)},
       {"Kokkos RangePolicy", [=] { return plain_at_points(*charges, few, CoulombWithin{radius * radius}), ""; },
        static_cast<double>(few) / targets}});
}

/// The plain C orders, one plane a call, on one thread or with the planes spread over all.
std::vector<Contender> historical_orders(const Setting<float>& setting)
{
  const auto run = [=](auto order, bool parallel) {
    return [=, charges = setting.charges]() -> std::string {
      const auto on = charges->plain();
      float* const out = charges->potential.data();
      const auto plane = [=](std::int64_t i) { order(on, static_cast<int>(i), out + i * on.side * on.side); };
      const int planes = planes_of_peers();
      if (parallel)
        Kokkos::parallel_for("perf::plain C by planes", Targets(0, planes, Kokkos::ChunkSize(1)), plane);
      else
        for (int i = 0; i < planes; ++i) plane(i);
      return "";
    };
  };
  const double share = setting.share();
  return {{"C, grid outside, 1 thread", run(grid_outside, false), share},
          {"C, grid outside, all threads", run(grid_outside, true), share},
          {"C, dy2 + dz2 precomputed, 1 thread", run(sources_outside, false), share},
          {"C, dy2 + dz2 precomputed, all threads", run(sources_outside, true), share}};
}

/// In double, rounded once.
Contender exact_on_grid(const Setting<float>& setting)
{
  return {"Keramos, exact", [charges = setting.charges] {
            return name_of(Keramos::gather_sum(Space(), Keramos::Exact{Keramos::Coulomb{}}, charges->grid(),
                                               Keramos::Sources{charges->sources}, charges->potential));
          }};
}

} // namespace

void add_cases()
{
  const Setting<float> single(sized(32, 128), 1000);                  // 2.1e9 pairs
  const Setting<double> twice(sized(32, 64, 128), 2000);              // 5.2e8 pairs, as many seconds
  const Setting<float> crowd(sized(16, 100), sized(4096, 1'000'000)); // as many targets as sources
  constexpr double kappa = 0.5, sigma = 4;

  std::vector<Contender> beside_coulomb = historical_orders(single);
  beside_coulomb.push_back(exact_on_grid(single));
  add_on_grid("Coulomb on a grid", single, 7, Keramos::Coulomb{}, PlainCoulomb{}, beside_coulomb);
  add_at_points("Coulomb at points", single, 11);
  add_gradient("Coulomb with gradient on a grid", single, 13);
  add_gradient_alone("Coulomb, gradient alone on a grid", single, 12);
  add_on_grid("Yukawa on a grid", single, 21, Keramos::Yukawa{kappa}, PlainYukawa{kappa});
  add_on_grid("Gaussian on a grid", single, 1, Keramos::Gaussian{sigma},
              PlainGaussian{static_cast<float>(Keramos::Gaussian{sigma}.rate())});
  add_on_grid("Coulomb on a grid", twice, 10, Keramos::Coulomb{}, PlainCoulomb{});
  add_at_points("Coulomb at points", twice, 14);
  add_gaussian_at_points("Gaussian at points", single, 16, sigma);
  add_cutoff("Coulomb within a radius of 50 neighbours", crowd, 11);
}

} // namespace perf
