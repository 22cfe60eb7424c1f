// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small application that embeds Keramos: one call of each family, each with an answer known beforehand. It calls into the
// compiled library (host or CUDA kernels) and instantiates the headers with a functor of its own.
#include <Keramos.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>

// The version that CMake knows is the one that the program is compiled with.
#ifdef CONSUMER_KERAMOS_VERSION
static_assert(std::string_view(KERAMOS_VERSION_STRING) == CONSUMER_KERAMOS_VERSION);
#endif
static_assert(KERAMOS_VERSION == 10000 * KERAMOS_VERSION_MAJOR + 100 * KERAMOS_VERSION_MINOR + KERAMOS_VERSION_PATCH);
static_assert(KERAMOS_VERSION >= 200);

namespace {

/// out = minus the Laplacian: an epilogue that only this program has.
struct Negate {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(double value, double /*centre*/, Index...) const
  {
    return -value;
  }
};

bool expect(const char* what, double got, double expected)
{
  const bool good = std::abs(got - expected) <= 1e-9 * std::abs(expected);
  std::cout << what << ": " << got << (good ? "" : "  WRONG, expected ") << (good ? "" : std::to_string(expected))
            << '\n';
  return good;
}

/// The Laplacian of x^2 + 2 y^2 is 6; Negate makes it -6.
bool stencil(const Kokkos::DefaultExecutionSpace& exec)
{
  constexpr int n = 24;
  Kokkos::View<double**, Kokkos::SharedSpace> in("in", n, n), out("out", n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) in(i, j) = i * i + 2.0 * j * j;
  const auto laplacian = Keramos::FiniteDifference::laplacian<2, 4>(1.0, 1.0);
  std::cout << Keramos::apply_stencil(exec, laplacian, in, out, Keramos::interior) << '\n';
  exec.fence("consumer: plain");
  bool good = expect("laplacian", out(n / 2, n / 2), 6);
  std::cout << Keramos::apply_stencil(exec, laplacian, in, out, Keramos::interior, Negate{}) << '\n';
  exec.fence("consumer: epilogue");
  return expect("epilogue", out(n / 2, n / 2), -6) && good;
}

bool transpose(const Kokkos::DefaultExecutionSpace& exec)
{
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::SharedSpace> in("in", 70, 130), out("out", 130, 70);
  in(69, 128) = 42;
  std::cout << Keramos::transpose(exec, in, out) << '\n';
  exec.fence("consumer: transpose");
  return expect("transpose", out(128, 69), 42);
}

/// Two unit charges at distance 2 from the point between them.
bool gather_sum(const Kokkos::DefaultExecutionSpace& exec)
{
  Kokkos::View<double*[3], Kokkos::SharedSpace> positions("positions", 2), points("points", 1);
  Kokkos::View<double*, Kokkos::SharedSpace> weights("weights", 2), potential("potential", 1);
  positions(0, 0) = 2;
  positions(1, 0) = -2;
  Kokkos::deep_copy(weights, 1.0);
  std::cout << Keramos::gather_sum(exec, Keramos::Coulomb{}, points, Keramos::Sources{positions, weights}, potential)
            << '\n';
  exec.fence("consumer: gather-sum");
  return expect("gather-sum", potential(0), 1);
}

} // namespace

int main(int argc, char** argv)
{
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const bool stencil_good = stencil(exec), transpose_good = transpose(exec), gather_sum_good = gather_sum(exec);
  return stencil_good && transpose_good && gather_sum_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
