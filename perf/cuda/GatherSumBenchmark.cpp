// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct Coulomb sums on a GPU: Keramos beside the classics, plain Kokkos and, on a small grid, the sequential orders in plain C
// on one thread of the host. The table of cases is at the end.
//
// Coulomb sums take one reciprocal square root a pair, which special units compute: a figure's fraction is pairs by the
// measured roots. A kernel that computes some of them on the other pipes may pass 100%. Beside Keramos stands, for a grid, the sum of
// sources that need not be read: nothing but the roots and what a pair needs, in registers.
#include "../PlainSums.hpp"
#include "CoulombData.hpp"
#include "CoulombPeers.hpp"
#include "SumCheck.hpp"

#include <Keramos_GatherSum.hpp>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace perf {

// Kernels, in double and as functors of a user's.
struct CoulombWithin {
  double limit; ///< of r^2
  __device__ double operator()(double r2) const { return r2 < limit ? rsqrt(r2) : 0; }
};
struct RootFunctor {
  static constexpr bool singular = true;
  KOKKOS_FUNCTION float operator()(float r2) const { return Keramos::rsqrt(r2); }
};
struct InverseFunctor {
  static constexpr bool singular = true;
  KOKKOS_FUNCTION float operator()(float, float inverse_r) const { return inverse_r; }
};
struct SquareRootFunctor {
  static constexpr bool singular = true;
  KOKKOS_FUNCTION float operator()(float r2) const { return 1 / Kokkos::sqrt(r2); }
};
struct ExponentialFunctor {
  double rate;
  template <class T>
  KOKKOS_FUNCTION T operator()(T r2) const
  {
    return Keramos::exp(-static_cast<T>(rate) * r2);
  }
};

namespace {

template <class Term = CoulombTerm>
Case sum_case(const std::string& name, const Data& data, double pairs, const Term& kernel = {})
{
  Case the_case{name, pairs, pairs, Yardstick::arithmetic, {}, {}, pairs < 1e9 ? 50 : 1};
  the_case.poison = [=] { poison_device(data->out(), data->targets() * sizeof(float)); };
  the_case.mistake = [=](double share) { return compare(*data, share, kernel); };
  return the_case;
}

template <class Kernel, class... Scratch>
std::string keramos_sum(const Charges& c, const Kernel& kernel, const Scratch&... scratch)
{
  const Keramos::Sources sources{c.sources};
  return name_of(c.on_grid() ? Keramos::gather_sum(Gpu(), kernel, grid_of(c), sources, c.potential, scratch...)
                             : Keramos::gather_sum(Gpu(), kernel, c.points, sources, c.at_points, scratch...));
}

template <class Kernel = Keramos::Coulomb>
Contender by_keramos(const Data& data, const std::string& name = "Keramos", const Kernel& kernel = {})
{
  return {name, [=] { return keramos_sum(*data, kernel); }};
}

Contender exact(const Data& data) { return by_keramos(data, "Keramos, exact", Keramos::Exact{Keramos::Coulomb{}}); }

/// Scratch for a call, made for the first one of its data.
Keramos::Workspace<Kokkos::View<char*, Gpu>> workspace(Charges& c, std::size_t bytes)
{
  if (c.scratch.size() < bytes) c.scratch = device_array<Kokkos::View<char*, Gpu>>("scratch", bytes);
  return {c.scratch};
}

/// Without the allocation that a call of several chunks makes.
Contender in_workspace(const Data& data)
{
  return {"Keramos, in a Workspace", [=] {
            const auto bytes_for = [&](const auto& targets, const auto& out) {
              return Keramos::gather_sum_workspace_size(Gpu(), Keramos::Coulomb{}, targets,
                                                        Keramos::Sources{data->sources}, out);
            };
            const std::size_t bytes =
                data->on_grid() ? bytes_for(grid_of(*data), data->potential) : bytes_for(data->points, data->at_points);
            return keramos_sum(*data, Keramos::Coulomb{}, workspace(*data, bytes));
          }};
}

// ---- Cases ----------------------------------------------------------------------------------------------------------

std::string product(std::initializer_list<int> factors)
{
  std::string text;
  for (const int factor : factors) text.append(text.empty() ? "" : "x").append(std::to_string(factor));
  return text;
}

void add_small_grid(int side, int sources)
{
  const Data data = grid_of(1, side, sources);
  std::vector<Contender> contenders{by_keramos(data), in_workspace(data)};
  for (const auto& one : classics(data, side, side)) contenders.push_back(one);
  contenders.push_back(by_kokkos(data));
  contenders.push_back(by_host(data, "C on the host, grid outside", grid_outside));
  contenders.push_back(by_host(data, "C on the host, dy2 + dz2 precomputed", sources_outside));
  add("cuda_gather_sum",
      sum_case("Coulomb on a small grid f32 " + product({side, side}) + ", " + std::to_string(sources) + " sources",
               data, double(side) * side * sources),
      contenders);
}

void add_grid(int planes, int side, int sources)
{
  const Data data = grid_of(planes, side, sources);
  std::vector<Contender> contenders{by_keramos(data), exact(data)};
  for (const auto& one : classics(data, side, planes == 1 ? 16 : side)) contenders.push_back(one);
  if (planes > 1) contenders.pop_back(); // the scatter's rows are those of one plane
  contenders.push_back(by_roots(data));
  contenders.push_back(by_kokkos(data));
  const std::string extents = planes == 1 ? product({side, side}) : product({planes, side, side});
  add("cuda_gather_sum",
      sum_case("Coulomb on a grid f32 " + extents + ", " + std::to_string(sources) + " sources", data,
               double(planes) * side * side * sources),
      contenders);
}

void add_points(int targets, int sources, bool few)
{
  const Data data = points_of(targets, sources);
  const std::vector<Contender> contenders{by_keramos(data), in_workspace(data), exact(data),
                                          few ? by_kokkos_teams(data) : by_kokkos(data)};
  add("cuda_gather_sum",
      sum_case("Coulomb at " + std::to_string(targets) + " points f32, " + std::to_string(sources) + " sources", data,
               double(targets) * sources),
      contenders);
}

/// The built-in kernels and functors of the same formula.
void add_functors(const std::string& where, const Data& data, double pairs)
{
  std::vector<Contender> coulomb{by_keramos(data), by_keramos(data, "functor of Keramos::rsqrt", RootFunctor{}),
                                 by_keramos(data, "functor of r^2 and the inverse of r", InverseFunctor{}),
                                 by_keramos(data, "functor of Kokkos::sqrt", SquareRootFunctor{})};
  if (data->on_grid()) coulomb.push_back(by_roots(data));
  add("cuda_gather_sum", sum_case("Coulomb and functors " + where, data, pairs), coulomb);
  constexpr double sigma = 4, rate = 0.5 / (sigma * sigma);
  add("cuda_gather_sum", sum_case("Gaussian and a functor " + where, data, pairs, GaussianTerm{rate}),
      {by_keramos(data, "Keramos", Keramos::Gaussian{sigma}),
       by_keramos(data, "functor of Keramos::exp", ExponentialFunctor{rate})});
}

void add_functors_on_a_grid(int side, int sources)
{
  add_functors("on a grid f32 " + product({side, side, side}) + ", " + std::to_string(sources) + " sources",
               grid_of(side, side, sources), double(side) * side * side * sources);
}

void add_functors_at_points(int targets, int sources)
{
  add_functors("at " + std::to_string(targets) + " points f32, " + std::to_string(sources) + " sources",
               points_of(targets, sources), double(targets) * sources);
}

/// Points among as many sources, of which about 50 are within the radius; sorted into cells in every call. Other sizes, alone, show
/// what a pair costs then.
void add_cutoff(int count, bool alone)
{
  constexpr double neighbours = 50, pi = 3.14159265358979323846, volume = -8. * origin * origin * origin;
  const double radius = std::cbrt(neighbours * volume / count / (4 * pi / 3));
  const Data data = points_of(count, count);
  const auto within = [=](const auto& exec, const auto& kernel, const auto& out, const auto&... scratch) {
    return name_of(Keramos::gather_sum(exec, kernel, data->points, Keramos::Sources{data->sources}, out,
                                       Keramos::Cutoff{radius}, scratch...));
  };
  const auto both = [=] { return Keramos::PotentialAndGradient{data->at_points, data->gradient}; };
  std::vector<Contender> contenders{
      {"Keramos", [=] { return within(Gpu(), Keramos::Coulomb{}, data->at_points); }},
      {"Keramos, in a Workspace",
       [=] { return within(Gpu(), Keramos::Coulomb{}, data->at_points, workspace(*data, 128 * std::size_t(count))); }},
      {"Keramos, gradient as well", [=] { return within(Gpu(), Keramos::Coulomb{}, both()); }},
      {"functor of Keramos::rsqrt", [=] { return within(Gpu(), RootFunctor{}, data->at_points); }},
      {"Keramos, portable kernels", [=] {
         return within(Keramos::with_backend(Gpu(), Keramos::Backend::portable), Keramos::Coulomb{}, data->at_points);
       }}};
  if (alone) contenders.resize(2);
  add("cuda_gather_sum",
      sum_case("Coulomb within a radius of 50 neighbours f32, " + std::to_string(count) + " points and sources", data,
               neighbours * count, CoulombWithin{radius * radius}),
      contenders);
}

} // namespace

void add_cases()
{
  add_small_grid(128, 500);
  add_grid(1, sized(512, 2048, 4096), sized(4000, 4000, 4096));
  add_grid(sized(32, 256), sized(64, 256), 1000);
  add_points(sized(65536, 1048576), sized(4096, 16384), false);
  add_points(64, sized(131072, 1048576), true);
  add_small_grid(128, 4000);
  add_points(3000, 3000, false);
  add_points(20000, 20000, false);
  add_points(1, sized(100000, 10'000'000), true);
  add_points(100, sized(100000, 10'000'000), true);
  add_points(sized(100000, 10'000'000), 100, false);
  add_functors_on_a_grid(sized(64, 256), 4000);
  add_functors_at_points(sized(65536, 1048576), sized(4096, 16384));
  add_cutoff(sized(20000, 1000000), false);
  add_cutoff(sized(5000, 100000), true);
  add_cutoff(sized(80000, 4000000), true);
  add_kernel_cases();
}

} // namespace perf
