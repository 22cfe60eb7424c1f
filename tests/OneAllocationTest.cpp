// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What applications keep in one allocation, at sizes at which no search pair by pair ends: components of a field, a
// potential with its gradient, particles, complex numbers. Each is right where the parts are apart and refused where not.
#include "Support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;

/// What is only asked costs no time.
auto asked() { return Keramos::dry_run(Host()); }

TEST(OneAllocation, ComponentsOfAField)
{
  const Kokkos::View<double*** [2], Kokkos::LayoutRight, Host> field("field", 64, 64, 64);
  const auto component = [&](int c, std::pair<int, int> rows) {
    return Kokkos::subview(field, rows, Kokkos::ALL, Kokkos::ALL, c);
  };
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 4>(1.0, 1.0, 1.0);
  const auto said = [&](const auto& in, const auto& out) {
    return message([&] { Keramos::apply_stencil(asked(), laplacian, in, out, Keramos::periodic); });
  };
  EXPECT_EQ(said(component(0, {0, 64}), component(1, {0, 64})), "no error");
  EXPECT_EQ(
      said(component(0, {0, 63}), component(0, {1, 64})),
      "Keramos::apply_stencil: argument 'out': expected no element in common with 'in', got Views that overlap in "
      "memory");
}

TEST(OneAllocation, PotentialAndGradient)
{
  const Kokkos::View<float*** [4], Kokkos::LayoutRight, Host> both("both", 47, 47, 47);
  const Kokkos::View<float* [4], Kokkos::LayoutRight, Host> charges("charges", 3);
  const auto phi = Kokkos::subview(both, Kokkos::ALL, Kokkos::ALL, Kokkos::ALL, 0);
  const auto slopes = [&](int first) {
    return Kokkos::subview(both, Kokkos::ALL, Kokkos::ALL, Kokkos::ALL, std::pair(first, first + 3));
  };
  const Keramos::UniformGrid<3> grid{{0, 0, 0}, {1, 1, 1}};
  const auto said = [&](const auto& gradient) {
    return message([&] {
      Keramos::gather_sum(asked(), Keramos::Coulomb{}, grid, Keramos::Sources{charges},
                          Keramos::PotentialAndGradient{phi, gradient});
    });
  };
  EXPECT_EQ(said(slopes(1)), "no error");
  EXPECT_EQ(said(slopes(0)), "Keramos::gather_sum: argument 'out.gradient': expected no element in common with "
                             "'out.potential', got Views that overlap in memory");
}

TEST(OneAllocation, ParticlesWithTheirPotential)
{
  const Kokkos::View<float*[4], Kokkos::LayoutRight, Host> particles("particles", 101000), charges("charges", 3);
  const auto positions = Kokkos::subview(particles, Kokkos::ALL, std::pair(0, 3));
  const auto said = [&](int column) {
    return message([&] {
      Keramos::gather_sum(asked(), Keramos::Coulomb{}, positions, Keramos::Sources{charges},
                          Kokkos::subview(particles, Kokkos::ALL, column));
    });
  };
  EXPECT_EQ(said(3), "no error");
  EXPECT_EQ(said(2),
            "Keramos::gather_sum: argument 'out': expected no element in common with 'targets', got Views that "
            "overlap in memory");
}

TEST(OneAllocation, PartsOfComplexNumbers)
{
  const Kokkos::View<double** [2], Kokkos::LayoutRight, Host> numbers("numbers", 316, 316);
  const auto real = Kokkos::subview(numbers, Kokkos::ALL, Kokkos::ALL, 0);
  const auto imaginary = Kokkos::subview(numbers, Kokkos::ALL, Kokkos::ALL, 1);
  EXPECT_EQ(message([&] { Keramos::transpose(asked(), real, imaginary); }), "no error");
}

TEST(OneAllocation, UniqueStridesThatDoNotNest)
{
  const Kokkos::View<float*, Host> memory("memory", 20);
  const Kokkos::View<float**, Kokkos::LayoutRight, Host> in("in", 3, 2);
  const Kokkos::View<float**, Kokkos::LayoutStride, Host> out(memory.data(), Kokkos::LayoutStride(3, 2, 2, 3));
  Kokkos::deep_copy(in, 5);
  EXPECT_EQ(message([&] { Keramos::copy(Host(), in, out); }), "no error");
  Host().fence("the test reads what was written");
  const float expected[] = {5, 0, 5, 5, 5, 5, 0, 5, 0}; // 0 2 4 and 3 5 7
  for (int k = 0; k < 9; ++k) EXPECT_EQ(memory(k), expected[k]) << k;
}

} // namespace
