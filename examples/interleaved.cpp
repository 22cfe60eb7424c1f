// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes: particles come as x y z x y z ..., the computation wants all x, then all y, then all z, and then back.
#include <Keramos.hpp>
#include <Kokkos_Core.hpp>

#include <cstdio>

using Interleaved = Kokkos::View<float**, Kokkos::LayoutRight>; // (particle, coordinate)
using Separate = Kokkos::View<float**, Kokkos::LayoutRight>;    // (coordinate, particle)

int main(int argc, char** argv)
{
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int particles = 2'000'000;

  Interleaved in("particles", particles, 3), back("particles again", particles, 3);
  Kokkos::parallel_for(
      "fill", particles, KOKKOS_LAMBDA(int n) {
        for (int axis = 0; axis < 3; ++axis) in(n, axis) = static_cast<float>(n % 1000 + 1000 * axis);
      });

  Separate separate("x, y and z", 3, particles);
  Kokkos::fence();
  Kokkos::Timer timer;
  const auto kernel = Keramos::transpose(exec, in, separate); // separate(axis, n) = in(n, axis)
  exec.fence("the clock waits for the result");
  const double seconds = timer.seconds();
  Keramos::transpose(exec, separate, back);

  int wrong = 0;
  Kokkos::parallel_reduce(
      "compare", particles,
      KOKKOS_LAMBDA(int n, int& count) {
        for (int axis = 0; axis < 3; ++axis) count += separate(axis, n) != in(n, axis) || back(n, axis) != in(n, axis);
      },
      wrong);
  std::printf("%d particles by %s, %.1f GB/s: %d elements at the wrong place\n", particles, kernel.name().c_str(),
              2.0 * sizeof(float) * in.size() / seconds / 1e9, wrong);
  return wrong == 0 ? 0 : 1;
}
