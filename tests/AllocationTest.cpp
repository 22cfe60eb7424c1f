// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call costs before it launches anything: no memory is allocated between its first line and its kernel. This
// program counts what operator new is asked for (Allocations.cpp).
#include "Support.hpp"

#include <Keramos.hpp>

#include <gtest/gtest.h>

#include <atomic>

extern std::atomic<long> allocations; // Allocations.cpp

namespace {

using namespace test;

/// Of the second call: the first may read the environment.
template <class Call>
long allocations_of(const Call& call)
{
  call();
  const long before = allocations;
  call();
  return allocations - before;
}

struct Squared {
  KOKKOS_FUNCTION float operator()(float r_squared) const { return r_squared; }
};

TEST(Allocation, TheCounterCounts)
{
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(3)); }), 1);
}

TEST(Allocation, NoneInAGatherSum)
{
  const auto exec = Keramos::dry_run(Host());
  const Kokkos::View<float*[3], Host> positions("positions", 20), points("points", 10), slopes("slopes", 10);
  const Kokkos::View<float*, Host> weights("weights", 20), out("out", 10);
  const Kokkos::View<float*[4], Host> packed("packed", 20), both("both", 10);
  const Kokkos::View<float***, Host> volume("volume", 3, 4, 5);
  const Kokkos::View<float**, Host> plane("plane", 3, 4);
  const Kokkos::View<char*, Host> scratch("scratch", 64);
  const Keramos::Sources sources{positions, weights};
  const Keramos::UniformGrid<3> grid{{0, 0, 0}, {1, 1, 1}};
  const auto expect_none = [&](const auto&... arguments) {
    EXPECT_EQ(allocations_of([&] { Keramos::gather_sum(exec, arguments...); }), 0);
    const auto portable = Keramos::with_backend(exec, Keramos::Backend::portable);
    EXPECT_EQ(allocations_of([&] { Keramos::gather_sum(portable, arguments...); }), 0);
  };
  expect_none(Keramos::Coulomb{}, points, sources, out);
  expect_none(Squared{}, points, sources, out, Keramos::accumulate);
  expect_none(Keramos::Gaussian{}, grid, Keramos::Sources{packed}, volume);
  expect_none(Keramos::InverseMultiquadric{}, grid.plane(2, 1), sources, plane, Keramos::Workspace{scratch});
  expect_none(Keramos::Yukawa{}, points, sources, Keramos::PotentialAndGradient{out, slopes});
  // In one array, where the checks have to search.
  expect_none(Keramos::Coulomb{}, points, sources,
              Keramos::PotentialAndGradient{Kokkos::subview(both, Kokkos::ALL, 3),
                                            Kokkos::subview(both, Kokkos::ALL, std::pair(0, 3))});
  EXPECT_EQ(allocations_of([&] { Keramos::gather_sum_workspace_size(exec, Keramos::Coulomb{}, points, sources, out); }),
            0);
}

TEST(Allocation, NoneInAStencil)
{
  const auto exec = Keramos::dry_run(Host());
  const Kokkos::View<double***, Host> u("u", 8, 9, 10), out("out", 8, 9, 10), z("z", 8, 9, 10);
  const Kokkos::View<double*** [3], Kokkos::LayoutRight, Host> velocity("velocity", 8, 9, 10);
  const auto component = Kokkos::subview(velocity, Kokkos::ALL, Kokkos::ALL, Kokkos::ALL, 1);
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 8>(1, 1, 1);
  const auto expect_none = [&](const auto&... arguments) {
    EXPECT_EQ(allocations_of([&] { Keramos::apply_stencil(exec, arguments...); }), 0);
  };
  expect_none(laplacian, u, out, Keramos::periodic);
  expect_none(laplacian, u, component, Keramos::constant(0));
  expect_none(laplacian, u, out, Keramos::nearest, Keramos::LeapFrog{out, 0.1});
  expect_none(Keramos::Box<3, 1>(), u, out, Keramos::mirror);
  expect_none(Keramos::FiniteDifference::first_derivative<3, 8>(1, 0.5), u, out, Keramos::reflect);
}

/// As the docstrings have them: the operator is named in the call.
TEST(Allocation, NoneInAnOperator)
{
  namespace fd = Keramos::FiniteDifference;
  EXPECT_EQ(allocations_of([] { return fd::laplacian<3, 8>(0.5, 1, 2); }), 0);
  EXPECT_EQ(allocations_of([] { return fd::first_derivative<3, 8>(1, 0.5); }), 0);
  EXPECT_EQ(allocations_of([] { return fd::second_derivative<2, 4>(0, 0.5); }), 0);
}

TEST(Allocation, NoneInATranspose)
{
  const auto exec = Keramos::dry_run(Host());
  const Kokkos::View<float**, Host> a("a", 8, 9), b("b", 9, 8), square("square", 8, 8);
  const Kokkos::View<float**, Kokkos::LayoutLeft, Host> left("left", 8, 9);
  const Kokkos::View<float***, Host> in("in", 8, 9, 10), out("out", 10, 8, 9);
  EXPECT_EQ(allocations_of([&] { Keramos::transpose(exec, a, b); }), 0);
  EXPECT_EQ(allocations_of([&] { Keramos::permute<2, 0, 1>(exec, in, out); }), 0);
  EXPECT_EQ(allocations_of([&] { Keramos::transpose_in_place(exec, square); }), 0);
  EXPECT_EQ(allocations_of([&] { Keramos::copy(exec, a, left); }), 0);
}

/// Neither for its text nor for the call: no tool and no log reads it.
TEST(Allocation, NoneForALabel)
{
  const Kokkos::View<float**, Host> a("a", 8, 9), b("b", 9, 8);
  const Kokkos::View<float*, Host> points("points", 10), sums("sums", 10);
  const auto exec = Keramos::dry_run(Host());
  const auto labelled = [&] {
    return Keramos::with_label(exec, "a text that is too long to stand in a std::string itself");
  };
  EXPECT_EQ(allocations_of([&] { labelled(); }), 0);
  EXPECT_EQ(allocations_of([&] { Keramos::transpose(labelled(), a, b); }), 0);
  EXPECT_EQ(allocations_of(
                [&] { Keramos::apply_stencil(labelled(), Keramos::Star<1, 1>(), points, sums, Keramos::periodic); }),
            0);
}

} // namespace
