// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums: every backend against the reference over value types, kernels, outputs, layouts and sizes, to the bound that
// backends/reference/GatherSum.hpp states. The targets come from the tests: grids and points, each in a source of its own.
#pragma once

#include "GatherSumSupport.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

namespace test {

using Keramos::Backend, Keramos::Update;

/// 1 + log(1 + s): finite at r = 0, and no built-in.
struct Logarithm {
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return 1 + Kokkos::log(1 + s);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s) const
  {
    return 1 / (1 + s);
  }
};

/// s^(-3/2): a singularity, said by a constant.
struct InverseCube {
  static constexpr bool singular = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return 1 / (s * Kokkos::sqrt(s));
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s) const
  {
    return T(-1.5) / (s * s * Kokkos::sqrt(s));
  }
};

/// exp(-r) / r of r^2 and 1/r; a function says that there is a singularity. What a compiler might fuse here and not there is
/// written as fma, for the property tests compare bits.
struct Screened {
  KOKKOS_FUNCTION bool singular() const { return true; }
  template <class T>
  KOKKOS_FUNCTION T operator()(T s, T inverse) const
  {
    return Keramos::exp(-s * inverse) * inverse;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s, T inverse) const
  {
    return (*this)(s, inverse) * Kokkos::fma(s, inverse, T(1)) * inverse * inverse / -2;
  }
};

/// 1/r, called with vectors where there are any.
struct RootVectors {
  static constexpr bool singular = true, takes_vectors = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return Keramos::rsqrt(s);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s) const
  {
    const T value = (*this)(s);
    return value * value * value / -2;
  }
};

/// exp(-r / 2) / r - 1/2 of r^2 and 1/r, likewise.
struct ScreenedVectors {
  static constexpr bool singular = true, takes_vectors = true;
  template <class T>
  KOKKOS_FUNCTION auto operator()(T s, T inverse) const
  {
    return Keramos::exp(-(s * inverse) / 2) * inverse - 0.5f;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s, T inverse) const
  {
    return -Keramos::exp(-(s * inverse) / 2) * (0.5f + inverse) * inverse * inverse / 2;
  }
};

/// 1 / (1 + d0^2 + 2 d1^2 + 3 d2^2) of two points.
struct Anisotropic {
  template <class T>
  KOKKOS_FUNCTION T operator()(const Kokkos::Array<T, 3>& target, const Kokkos::Array<T, 3>& source) const
  {
    T sum = 1;
    for (int k = 0; k < 3; ++k) sum += (k + 1) * (target[k] - source[k]) * (target[k] - source[k]);
    return 1 / sum;
  }
  template <class T>
  KOKKOS_FUNCTION Kokkos::Array<T, 3> gradient(const Kokkos::Array<T, 3>& target,
                                               const Kokkos::Array<T, 3>& source) const
  {
    const T value = (*this)(target, source);
    Kokkos::Array<T, 3> result{};
    for (int k = 0; k < 3; ++k) result[k] = -2 * (k + 1) * (target[k] - source[k]) * value * value;
    return result;
  }
};

// Kernels with their parameters, as types.
struct PlainCoulomb {
  static auto make() { return Keramos::Coulomb{}; }
};
struct SoftenedCoulomb {
  static auto make() { return Keramos::Coulomb{.softening = 0.05}; }
};
struct SomeYukawa {
  static auto make() { return Keramos::Yukawa{.kappa = 1.3}; }
};
struct SomeGaussian {
  static auto make() { return Keramos::Gaussian{.sigma = 0.4}; }
};
struct SomeMultiquadric {
  static auto make() { return Keramos::InverseMultiquadric{.c = 0.2}; }
};
template <class K>
struct Functor {
  static auto make() { return K{}; }
};

/// What a call of this kernel runs on the host.
template <class K>
std::string variant(const std::string& targets, bool with_gradient)
{
  const std::string gradient = with_gradient ? " gradient" : "";
  if constexpr (Keramos::core::BuiltInKernel<K>)
    return targets + " " + K::name + gradient + " " + Keramos::openmp::instruction_set_name();
  else
    return targets + (Keramos::core::Interaction<double, K>::is_radial ? " radial functor" : " pair functor") +
           gradient + " " + Keramos::openmp::vectorised_name();
}

template <class Parameter>
class GatherSumCase : public testing::Test {
public:
  using T = std::tuple_element_t<0, Parameter>;
  using Maker = std::tuple_element_t<1, Parameter>;
  using K = decltype(Maker::make());

  /// One call, on the reference and on the other backends.
  template <bool WithGradient, int Rank, int Dimension, class Targets>
  void run(const Targets& targets, const std::array<std::int64_t, Rank>& extents, std::int64_t sources, int turn)
  {
    SCOPED_TRACE(
        Keramos::core::text("extents ", Keramos::core::tuple_text(extents), ", sources ", sources, ", turn ", turn));
    const Keramos::Update update = turn % 2 ? Keramos::accumulate : Keramos::overwrite;
    Data<T, Rank, Dimension, WithGradient> data(extents, sources, memories[turn / 2 % 6], memories[turn % 6]);
    data.out.potential.for_each([&](const auto& i) { data.targets.push_back(coordinates<T>(targets, i)); });
    data.place_on_targets();
    for (const auto& target : data.targets)
      data.bounds.push_back(gather_bound<T>(Maker::make(), target, data.positions, data.weights));
    const auto sum = [&](Backend backend, const auto& output) {
      return test::run(backend, [&](const auto& exec) {
        return Keramos::gather_sum(exec, Maker::make(), argument_of(targets), data.sources(), output, update);
      });
    };
    const auto call = [&](Backend backend, const auto& output) {
      output.fill(update);
      return sum(backend, output.argument());
    };
    call(Backend::reference, data.expected);
    for (const Backend backend : fast_backends()) {
      SCOPED_TRACE(Keramos::to_string(backend));
      const Keramos::Kernel kernel = call(backend, data.out);
      data.compare();
      EXPECT_EQ(kernel.backend, backend);
      if constexpr (WithGradient) check_gradient_alone(backend, sum, data.out, update, kernel);
      if (backend == Backend::portable) {
        EXPECT_EQ(kernel.variant, WithGradient ? "target gradient" : "target");
      } else if (backend == Backend::openmp && kernel.variant != variant<K>("grid points", WithGradient)) {
        const char* rows = std::is_same_v<K, Keramos::Gaussian> ? "grid product" : "grid rows";
        EXPECT_EQ(kernel.variant, variant<K>(Rank == 1 ? "points" : rows, WithGradient));
      }
    }
  }

  /// The gradient alone has the bits that it has beside the potential, of which the output is there.
  template <class Sum, class Output>
  void check_gradient_alone(Backend backend, const Sum& sum, const Output& out, Update update,
                            const Keramos::Kernel& of_both) const
  {
    const auto& memory = out.gradient.buffer;
    const std::vector<T> beside(memory.data(), memory.data() + memory.size());
    out.fill(update);
    const Keramos::Kernel kernel = sum(backend, out.gradient_alone());
    EXPECT_EQ(std::memcmp(memory.data(), beside.data(), beside.size() * sizeof(T)), 0);
    std::string name = of_both.variant;
    name.insert(name.find(" gradient") + 9, " alone");
    EXPECT_EQ(kernel.variant, name);
  }

  /// Potential alone and with gradient, over shapes and numbers of sources; memories take turns.
  template <int Rank, int Dimension, class MakeTargets>
  void run_all(const MakeTargets& make_targets, const std::vector<std::array<std::int64_t, Rank>>& shapes)
  {
    constexpr std::array sources{0, 257, 1, 601, 256, 255};
    for (int turn = 0; const auto& extents : shapes)
      for (int each = 0; each < 3; ++each, ++turn) {
        run<false, Rank, Dimension>(make_targets(extents, turn), extents, sources[turn % 6], turn);
        run<true, Rank, Dimension>(make_targets(extents, turn), extents, sources[turn % 6], turn);
      }
  }
};

using GatherSumParameters =
    testing::Types<std::tuple<float, PlainCoulomb>, std::tuple<double, PlainCoulomb>,
                   std::tuple<float, SoftenedCoulomb>, std::tuple<float, SomeYukawa>, std::tuple<double, SomeYukawa>,
                   std::tuple<float, SomeGaussian>, std::tuple<double, SomeGaussian>,
                   std::tuple<float, SomeMultiquadric>, std::tuple<double, SomeMultiquadric>,
                   std::tuple<float, Functor<Logarithm>>, std::tuple<double, Functor<InverseCube>>,
                   std::tuple<float, Functor<Screened>>, std::tuple<double, Functor<Screened>>,
                   std::tuple<float, Functor<RootVectors>>, std::tuple<double, Functor<RootVectors>>,
                   std::tuple<float, Functor<ScreenedVectors>>, std::tuple<float, Functor<Anisotropic>>>;

} // namespace test
