// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums beside plain Kokkos and the historical orders of direct Coulomb summation. The table of cases is at the end.
//
// Arithmetic bounds them: `slots` is the number of vector instructions that a pair takes in our AVX-512 kernels, all of
// which run at the rate of a multiply-add or slower, and a figure's fraction is slots times pairs by the measured
// multiply-adds. Coulomb on a grid, 7: dx, dx^2 + the rest, estimate of the root, Newton's step (3), weight and sum.
// A Gaussian on a grid is a product of three functions, hence a matrix product, hence 1.
#include "Charges.hpp"
#include "Harness.hpp"
#include "PlainSums.hpp"
#include "SumPeers.hpp"

#include <Keramos_GatherSum.hpp>

#include <cmath>
#include <optional>

namespace perf {
namespace {

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
