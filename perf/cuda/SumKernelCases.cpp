// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums of every kernel, in float and double: with the gradient, Yukawa's, Gaussians in double, functors of two points, and
// a molecule from pinned memory of the host and back. Keramos alone, and users' functors beside it.
#include "SumCheck.hpp"

#include <Keramos_GatherSum.hpp>

namespace perf {

/// 1 / (1 + r^2), in double and of a user's, who divides.
struct LorentzianTerm {
  __device__ double operator()(double r2) const { return 1 / (1 + r2); }
};
struct LorentzianOfPoints {
  template <class T>
  KOKKOS_FUNCTION T operator()(const Kokkos::Array<T, 3>& target, const Kokkos::Array<T, 3>& source) const
  {
    const T dx = target[0] - source[0], dy = target[1] - source[1], dz = target[2] - source[2];
    return 1 / (1 + dx * dx + dy * dy + dz * dz);
  }
};
struct ExponentialOf {
  double rate;
  template <class T>
  KOKKOS_FUNCTION T operator()(T r2) const
  {
    return Keramos::exp(-static_cast<T>(rate) * r2);
  }
};
struct RootOf {
  static constexpr bool singular = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T r2) const
  {
    return Keramos::rsqrt(r2);
  }
};

namespace {

/// Sums on a grid of side^3 points, or at points where side is 0.
template <class T>
struct Sums {
  int side;
  SourceRows<T> sources;
  PointRows<T> points;
  Kokkos::View<T*, Gpu> potential, gradient; ///< one and three numbers a target
  Kokkos::View<T*, Kokkos::CudaHostPinnedSpace> host_sources = {}, host_potential = {};

  std::int64_t targets() const { return static_cast<std::int64_t>(potential.size()); }
  Places<T> places() const { return {side, std::max(side, 1), points}; }
};

template <class T>
using SumData = Lazy<Sums<T>>;

template <class T>
SumData<T> sums_on_a_grid(int side, int sources)
{
  return SumData<T>([=] {
    const std::int64_t targets = std::int64_t{side} * side * side;
    return Sums<T>{side,
                   random_sources<T>(sources),
                   {},
                   device_array<Kokkos::View<T*, Gpu>>("potential", targets),
                   device_array<Kokkos::View<T*, Gpu>>("gradient", 3 * targets)};
  });
}

template <class T>
SumData<T> sums_at_points(int targets, int sources)
{
  return SumData<T>([=] {
    return Sums<T>{0, random_sources<T>(sources), random_points<T>(targets),
                   device_array<Kokkos::View<T*, Gpu>>("potential", targets),
                   device_array<Kokkos::View<T*, Gpu>>("gradient", 3 * targets)};
  });
}

/// call(targets, potential, gradient) with the Views that they are.
template <class T, class Call>
std::string with_views(const Sums<T>& s, const Call& call)
{
  if (s.side == 0) return call(s.points, s.potential, PointRows<T>(s.gradient.data(), s.targets()));
  const double spacing = spacing_of(s.side);
  return call(Keramos::UniformGrid<3>{{origin, origin, origin}, {spacing, spacing, spacing}},
              Kokkos::View<T***, Kokkos::LayoutRight, Gpu>(s.potential.data(), s.side, s.side, s.side),
              Kokkos::View<T*** [3], Kokkos::LayoutRight, Gpu>(s.gradient.data(), s.side, s.side, s.side));
}

template <class T, class Kernel>
Contender by(const std::string& name, const SumData<T>& data, const Kernel& kernel)
{
  return {name, [=] {
            return with_views(*data, [&](const auto& targets, const auto& potential, const auto&) {
              return name_of(Keramos::gather_sum(Gpu(), kernel, targets, Keramos::Sources{data->sources}, potential));
            });
          }};
}

template <class T>
Contender coulomb_with_gradient(const SumData<T>& data)
{
  return {"Keramos", [=] {
            return with_views(*data, [&](const auto& targets, const auto& potential, const auto& gradient) {
              return name_of(Keramos::gather_sum(Gpu(), Keramos::Coulomb{}, targets, Keramos::Sources{data->sources},
                                                 Keramos::PotentialAndGradient{potential, gradient}));
            });
          }};
}

/// What a case is about, and where.
struct Named {
  std::string what;
  bool on_grid;
  int targets, sources; ///< of a grid the points along an axis

  double pairs() const { return (on_grid ? std::pow(targets, 3) : targets) * sources; }
  template <class T>
  std::string text() const
  {
    const std::string side = std::to_string(targets), type = sizeof(T) == 4 ? " f32 " : " f64 ";
    return what +
           (on_grid ? " on a grid" + type + side + "x" + side + "x" + side
                    : " at " + side + " points" + type.substr(0, 4)) +
           ", " + std::to_string(sources) + " sources";
  }
  template <class T>
  SumData<T> data() const
  {
    return on_grid ? sums_on_a_grid<T>(targets, sources) : sums_at_points<T>(targets, sources);
  }
};

template <class T, class Term>
Case sum_case(const Named& named, const SumData<T>& data, const Term& term)
{
  Case the_case{named.text<T>(), named.pairs(), named.pairs(), Yardstick::arithmetic, {}, {}};
  the_case.poison = [=] {
    poison_device(data->potential.data(), data->potential.size() * sizeof(T));
    poison_device(data->gradient.data(), data->gradient.size() * sizeof(T));
  };
  the_case.mistake = [=](double share) {
    return compare_sums(data->sources, data->places(), PotentialOf<Term>{term}, data->potential.data(), 1,
                        static_cast<std::int64_t>(share * data->targets()));
  };
  return the_case;
}

/// The built-in kernel and functors of its formula.
template <class T, class Term, class... Contenders>
void add_kernel(const Named& named, const Term& term, const Contenders&... of)
{
  const auto data = named.data<T>();
  add("cuda_gather_sum", sum_case(named, data, term), {of(data)...});
}

template <class Kernel>
auto keramos(const Kernel& kernel, const std::string& name = "Keramos")
{
  return [=](const auto& data) { return by(name, data, kernel); };
}

template <class T>
void add_gradient(const Named& named)
{
  const auto data = named.data<T>();
  Case the_case = sum_case(named, data, CoulombTerm{});
  the_case.mistake = [=, of_potential = the_case.mistake](double share) {
    std::string wrong = of_potential(share);
    for (int axis = 0; axis < 3 && wrong.empty(); ++axis)
      wrong = compare_sums(data->sources, data->places(), ComponentOf<CoulombTerm>{{}, axis},
                           data->gradient.data() + axis, 3, data->targets());
    return wrong;
  };
  add("cuda_gather_sum", the_case, {coulomb_with_gradient(data)});
}

/// Sources from the host, the potential back to it: beside the kernel alone and the transfers alone.
void add_from_the_host(int side, int sources)
{
  const Named named{"Coulomb from the host and back", true, side, sources};
  const auto data = named.data<float>();
  const auto copy = [=](void* to, const void* from, std::size_t bytes) {
    require_success(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "copy");
  };
  const auto there = [=] {
    if (data->host_sources.size() == 0) {
      data->host_sources = decltype(data->host_sources)("sources", data->sources.size());
      data->host_potential = decltype(data->host_potential)("potential", data->potential.size());
      Kokkos::deep_copy(data->host_sources, Kokkos::View<float*, Gpu>(data->sources.data(), data->sources.size()));
    }
    copy(data->sources.data(), data->host_sources.data(), data->sources.size() * sizeof(float));
  };
  const auto back = [=] {
    copy(data->host_potential.data(), data->potential.data(), data->potential.size() * sizeof(float));
  };
  const auto kernel = by("the kernel alone", data, Keramos::Coulomb{});
  Contender whole{"Keramos", [=] {
                    there();
                    const std::string name = kernel.run();
                    back();
                    return name;
                  }};
  const Case the_case = sum_case(named, data, CoulombTerm{});
  whole.mistake = [=] {
    poison_device(data->potential.data(), data->potential.size() * sizeof(float));
    copy(data->potential.data(), data->host_potential.data(), data->potential.size() * sizeof(float));
    return the_case.mistake(1);
  };
  Contender transfers{"the transfers alone", [=]() -> std::string { return there(), back(), ""; }};
  transfers.mistake = [] { return std::string(); };
  transfers.rival = false;
  add("cuda_gather_sum", the_case, {whole, kernel, transfers});
}

} // namespace

void add_kernel_cases()
{
  const int side = sized(32, 256), points = sized(65536, 1048576);
  constexpr double kappa = 0.5, sigma = 4, rate = 0.5 / (sigma * sigma);
  const Named grid{"", true, side, 1000}, cloud{"", false, points, sized(1024, 16384)};
  const auto named = [](Named where, const char* what) {
    where.what = what;
    return where;
  };
  add_gradient<float>(named(grid, "Coulomb with gradient"));
  add_gradient<float>(named(cloud, "Coulomb with gradient"));
  add_kernel<float>(named(grid, "Yukawa"), YukawaTerm{kappa}, keramos(Keramos::Yukawa{kappa}));
  add_kernel<float>(named(cloud, "Yukawa"), YukawaTerm{kappa}, keramos(Keramos::Yukawa{kappa}));
  add_kernel<float>(named(cloud, "Functor of two points"), LorentzianTerm{}, keramos(LorentzianOfPoints{}));
  add_kernel<double>(named(grid, "Coulomb"), CoulombTerm{}, keramos(Keramos::Coulomb{}),
                     keramos(RootOf{}, "functor of Keramos::rsqrt"));
  add_kernel<double>(named(cloud, "Coulomb"), CoulombTerm{}, keramos(Keramos::Coulomb{}),
                     keramos(RootOf{}, "functor of Keramos::rsqrt"));
  add_kernel<double>(named(grid, "Yukawa"), YukawaTerm{kappa}, keramos(Keramos::Yukawa{kappa}));
  add_kernel<double>(named(cloud, "Yukawa"), YukawaTerm{kappa}, keramos(Keramos::Yukawa{kappa}));
  add_kernel<double>(named(grid, "Gaussian and a functor"), GaussianTerm{rate}, keramos(Keramos::Gaussian{sigma}),
                     keramos(ExponentialOf{rate}, "functor of Keramos::exp"));
  const Named with_more_sources{"Gaussian", true, side, 4000}; // the setup of a product is small then
  add_kernel<double>(with_more_sources, GaussianTerm{rate}, keramos(Keramos::Gaussian{sigma}));
  add_gradient<double>(named(grid, "Coulomb with gradient"));
  add_gradient<double>(named(cloud, "Coulomb with gradient"));
  add_from_the_host(side, sized(1000, 16000));
}

} // namespace perf
