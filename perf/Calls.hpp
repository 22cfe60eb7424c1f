// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host time of one call whose work is small: what a call costs before anything is computed. The calls are the same on
// the host and on a GPU; the programs add what they can be compared with there. Every contender is a batch of calls, issued
// back to back on one instance; its time ends when the last call returned, not when its work is done.
#pragma once

#include "Arrays.hpp"
#include "EmptyLaunch.hpp"
#include "Harness.hpp"

#include <Keramos_GatherSum.hpp>
#include <Keramos_Stencil.hpp>
#include <Keramos_Transpose.hpp>

#include <sstream>

namespace perf {

inline constexpr int cube_side = 8, matrix_side = 64, point_count = 100;

template <class View>
auto host_copy(const View& view)
{
  const auto copy = Kokkos::create_mirror(view);
  Kokkos::deep_copy(copy, view);
  return copy;
}
template <class View>
using HostCopy = decltype(Kokkos::create_mirror(std::declval<View>()));

/// Random numbers in [-size, size), the same on every space.
template <class View, class... Extents>
View random_array(const std::string& label, float size, Extents... extents)
{
  const View view(label, extents...);
  const auto host = Kokkos::create_mirror(view);
  for (std::size_t n = 0; n < host.span(); ++n)
    host.data()[n] = size * random_number<float>(label.size() << 40 ^ static_cast<std::uint64_t>(n));
  Kokkos::deep_copy(view, host);
  return view;
}

// The data of a call: `out`, what it is computed of, a copy of all on the host, and the deviation from the reference
// backend that is right, as a part of the largest value.

/// With a halo `in` is larger than `out`, which is then computed with `ghost`, without one with `periodic`.
template <class View, int Halo>
struct Cube {
  View in, previous, scale, out;
  static constexpr int halo = Halo;
  static constexpr double tolerance = 1e-5;

  Cube<HostCopy<View>, Halo> on_host() const
  {
    return {host_copy(in), host_copy(previous), host_copy(scale), host_copy(out)};
  }
};

template <class View>
struct Matrices {
  View in, out;
  static constexpr double tolerance = 0;

  Matrices<HostCopy<View>> on_host() const { return {host_copy(in), host_copy(out)}; }
};

/// Sources are rows (x, y, z, weight); scratch is what a Workspace takes.
template <class Points, class Rows, class Values, class Scratch>
struct Charges {
  Points points;
  Rows sources;
  Values out;
  Scratch scratch;
  static constexpr double tolerance = 1e-5;

  Charges<HostCopy<Points>, HostCopy<Rows>, HostCopy<Values>, HostCopy<Scratch>> on_host() const
  {
    return {host_copy(points), host_copy(sources), host_copy(out), host_copy(scratch)};
  }
};

template <class Exec, int Halo>
using CubeOn = Cube<Kokkos::View<float***, Exec>, Halo>;
template <class Exec>
using MatricesOn = Matrices<Kokkos::View<float**, Exec>>;
template <class Exec>
using ChargesOn = Charges<Kokkos::View<float* [3], Exec>, Kokkos::View<float* [4], Exec>, Kokkos::View<float*, Exec>,
                          Kokkos::View<char*, Exec>>;

template <class Exec, int Halo>
CubeOn<Exec, Halo> make_cube()
{
  using View = Kokkos::View<float***, Exec>;
  const auto array = [](const char* label, int side) { return random_array<View>(label, 1, side, side, side); };
  return {array("in", cube_side + 2 * Halo), array("previous", cube_side), array("scale", cube_side),
          View("out", cube_side, cube_side, cube_side)};
}

template <class Exec>
MatricesOn<Exec> make_matrices()
{
  using View = Kokkos::View<float**, Exec>;
  return {random_array<View>("in", 1, matrix_side, matrix_side), View("out", matrix_side, matrix_side)};
}

template <class Exec, int SourceCount>
ChargesOn<Exec> make_charges()
{
  ChargesOn<Exec> charges{random_array<Kokkos::View<float* [3], Exec>>("points", 8, point_count),
                          random_array<Kokkos::View<float* [4], Exec>>("sources", 8, SourceCount),
                          Kokkos::View<float*, Exec>("out", point_count),
                          {}};
  charges.scratch = Kokkos::View<char*, Exec>(
      "scratch", Keramos::gather_sum_workspace_size(Exec(), Keramos::Coulomb{}, charges.points,
                                                    Keramos::Sources{charges.sources}, charges.out));
  return charges;
}

// ---- The calls: call(exec, data) --------------------------------------------------------------------------------------

template <class Op>
struct StencilOn {
  Op op;
  template <class Exec, class Data>
  Keramos::Kernel operator()(const Exec& exec, const Data& data) const
  {
    return Keramos::apply_stencil(exec, op, data.in, data.out, Data::halo > 0 ? Keramos::ghost : Keramos::periodic);
  }
};

template <class Op>
struct WaveOn {
  Op op;
  template <class Exec, class Data>
  Keramos::Kernel operator()(const Exec& exec, const Data& data) const
  {
    return Keramos::apply_stencil(exec, op, data.in, data.out, Keramos::periodic,
                                  Keramos::LeapFrog{data.previous, data.scale});
  }
};

struct TransposeOf {
  template <class Exec, class Data>
  Keramos::Kernel operator()(const Exec& exec, const Data& data) const
  {
    return Keramos::transpose(exec, data.in, data.out);
  }
};

struct CoulombOf {
  template <class Exec, class Data>
  Keramos::Kernel operator()(const Exec& exec, const Data& data) const
  {
    return Keramos::gather_sum(exec, Keramos::Coulomb{}, data.points, Keramos::Sources{data.sources}, data.out);
  }
};

// ---- Operators --------------------------------------------------------------------------------------------------------

inline Keramos::Star<3, 1> small_star() { return {-6, {1}}; }
inline auto large_star() { return Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0); }

template <int Radius>
Keramos::Box<3, Radius> random_box()
{
  std::array<double, Keramos::Box<3, Radius>::tap_count> weights;
  for (std::size_t n = 0; n < weights.size(); ++n) weights[n] = random_number<double>(n);
  return Keramos::Box<3, Radius>(weights);
}

// ---- Contenders -------------------------------------------------------------------------------------------------------

/// A batch of call(exec); its label is what the first call says that it took.
template <class Exec, class Call>
std::function<std::string()> batch_of(const Call& call)
{
  return [call, label = std::make_shared<std::optional<std::string>>()] {
    const Exec exec;
    if (!*label) {
      if constexpr (std::is_void_v<decltype(call(exec))>)
        label->emplace();
      else
        *label = name_of(call(exec));
    }
    for (int n = 0; n < calls_per_batch; ++n) call(exec);
    return **label;
  };
}

/// Does none of the work, and is not checked.
template <class Exec, class Call>
Contender batch_without_work(const std::string& name, const Call& call)
{
  Contender contender{name, batch_of<Exec>(call)};
  contender.mistake = [] { return std::string(); };
  contender.rival = false;
  return contender;
}

template <class Data, class Call>
std::string compare_with_reference(const Data& data, const Call& call)
{
  const auto expected = data.on_host();
  call(Keramos::with_backend(Space(), Keramos::Backend::reference), expected);
  Space().fence();
  const auto got = host_copy(data.out);
  const float *const right = expected.out.data(), *const ours = got.data();
  float largest = 0;
  for (std::size_t n = 0; n < got.span(); ++n) largest = std::max(largest, std::abs(right[n]));
  for (std::size_t n = 0; n < got.span(); ++n)
    if (!(std::abs(double{ours[n]} - double{right[n]}) <= Data::tolerance * largest)) {
      std::ostringstream mistake;
      mistake << "element " << n << ": expected " << right[n] << ", got " << ours[n];
      return mistake.str();
    }
  return "";
}

/// dry_run writes nothing.
template <class Data>
std::string unless_poisoned(const Data& data)
{
  const auto got = host_copy(data.out);
  const auto untouched = std::count_if(got.data(), got.data() + got.span(), [](float x) { return std::isnan(x); });
  return static_cast<std::size_t>(untouched) == got.span() ? "" : "dry_run wrote to the output";
}

template <class Data>
struct CallCase {
  Case the_case;
  Lazy<Data> data;
  std::vector<Contender> contenders;
};

/// The call itself, its dry run and the empty launch; programs put more behind.
template <class Exec, class Data, class Call>
CallCase<Data> call_case(const std::string& name, Yardstick launch, Data (*make)(), const Call& call)
{
  const Lazy<Data> data(make);
  Case the_case{name,
                1,
                1,
                launch,
                [=] { Kokkos::deep_copy(data->out, std::nanf("")); },
                [=](double) { return compare_with_reference(*data, call); }};
  the_case.calls = calls_per_batch;
  the_case.host_time = true;
  Contender dry{"Keramos dry_run",
                batch_of<Exec>([=](const Exec& exec) { return call(Keramos::dry_run(exec), *data); })};
  dry.mistake = [=] { return unless_poisoned(*data); };
  return {the_case,
          data,
          {{"Keramos", batch_of<Exec>([=](const Exec& exec) { return call(exec, *data); })},
           dry,
           batch_without_work<Exec>("Kokkos parallel_for, empty", [](const Exec& exec) { launch_nothing(exec); })}};
}

} // namespace perf
