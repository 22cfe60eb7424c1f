// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather-sums: every wrong use that run time can tell, with its message; nothing is written before it. What must not
// compile is in compile_fail/.
#include "Support.hpp"

#include <Keramos_GatherSum.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using Keramos::Coulomb, Keramos::Gaussian, Keramos::Gradient, Keramos::InverseMultiquadric, Keramos::Points,
    Keramos::PotentialAndGradient, Keramos::Sources, Keramos::UniformGrid, Keramos::Yukawa;
using test::Host;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The message of a call that must not be made, behind "Keramos::gather_sum: argument ".
template <class Call>
std::string message(const Call& call)
{
  const std::string text = test::message(call), head = "Keramos::gather_sum: argument ";
  return text.rfind(head, 0) == 0 ? text.substr(head.size()) : text;
}

class GatherSumErrors : public testing::Test {
protected:
  template <class T>
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Host>;
  template <class T>
  using Vector = Kokkos::View<T*, Host>;

  Host exec;
  Matrix<float> positions{"positions", 5, 3}, points{"points", 4, 3}, gradient{"gradient", 4, 3},
      packed{"packed", 5, 4};
  Vector<float> weights{"weights", 5}, potential{"potential", 4};
  Kokkos::View<float***, Host> volume{"volume", 2, 3, 4};
  Kokkos::View<float*** [3], Host> field { "field", 2, 3, 4 };
  Kokkos::View<float**, Host> plane{"plane", 2, 3};
  UniformGrid<3> grid{{0, 0, 0}, {1, 1, 1}};

  template <class K, class Targets, class S, class Out>
  std::string said(const K& kernel, const Targets& targets, const S& sources, const Out& out) const
  {
    return message([&] { Keramos::gather_sum(exec, kernel, targets, sources, out); });
  }
  template <class K>
  std::string said(const K& kernel) const
  {
    return said(kernel, grid, Sources{positions, weights}, volume);
  }
  template <class Grid>
  std::string said_of_grid(const Grid& wrong) const
  {
    return said(Coulomb{}, wrong, Sources{positions, weights}, volume);
  }
};

TEST_F(GatherSumErrors, RightUse)
{
  EXPECT_EQ(said(Coulomb{}), "no error");
  EXPECT_EQ(said(Coulomb{}, points, Sources{packed}, PotentialAndGradient{potential, gradient}), "no error");
  EXPECT_EQ(said(Coulomb{}, grid, Sources{positions, weights}, PotentialAndGradient{volume, field}), "no error");
  EXPECT_EQ(said(Coulomb{}, grid, Sources{positions, weights}, Gradient{field}), "no error");
  EXPECT_EQ(said(Coulomb{}, points, Sources{packed}, Gradient{gradient}), "no error");
}

float inverse_square(float s) { return 1 / (s + 1); }

/// A functor may be a function, by its name as by its address.
TEST_F(GatherSumErrors, AFunctionIsAKernel)
{
  positions(1, 0) = 2;
  weights(0) = weights(1) = 1;
  const auto check = [&](const auto& kernel) {
    Keramos::gather_sum(exec, kernel, points, Sources{positions, weights}, potential);
    exec.fence("the test reads the sums");
    EXPECT_FLOAT_EQ(potential(0), 1.2f);
    Keramos::gather_sum(exec, kernel, points, Sources{positions, weights}, potential, Keramos::Cutoff{1.5});
    exec.fence("the test reads the sums");
    EXPECT_FLOAT_EQ(potential(0), 1);
  };
  check(inverse_square);
  check(&inverse_square);
}

struct RootNoVectors {
  static constexpr bool takes_vectors = false;
  template <class T>
  auto operator()(T s, T inverse) const
  {
    return s * inverse;
  }
};
struct RootWithDerivative {
  auto operator()(auto s, auto inverse) const { return s * inverse; }
  auto derivative(auto, auto inverse) const { return inverse / 2; }
};
struct FirstOffset {
  auto operator()(const auto& target, const auto& source) const { return source[0] - target[0]; }
};

/// Nobody asks for points what is no function of them, nor for distances: `auto` has the compiler look inside.
TEST_F(GatherSumErrors, AutoIsTheResultOfAKernel)
{
  positions(1, 0) = 2;
  points(0, 1) = 1;
  weights(1) = 1;
  const auto value = [&](const auto& kernel) {
    Keramos::gather_sum(exec, kernel, points, Sources{positions, weights}, potential);
    exec.fence("the test reads the sums");
    return potential(0);
  };
  EXPECT_FLOAT_EQ(value(RootNoVectors()), std::sqrt(5.f));
  EXPECT_FLOAT_EQ(value(RootWithDerivative()), std::sqrt(5.f));
  EXPECT_FLOAT_EQ(value(FirstOffset()), 2);
}

TEST_F(GatherSumErrors, KernelParameters)
{
  EXPECT_EQ(said(Coulomb{.softening = -1}),
            "'kernel.softening': expected 0, or a positive number with its square, in the range of float, got -1");
  EXPECT_EQ(said(Coulomb{.softening = not_a_number}),
            "'kernel.softening': expected 0, or a positive number with its square, in the range of float, got nan");
  EXPECT_EQ(said(Coulomb{.softening = 1e-30}),
            "'kernel.softening': expected 0, or a positive number with its square, in the range of float, got 1e-30");
  EXPECT_EQ(said(Yukawa{.kappa = -2}), "'kernel.kappa': expected a finite number >= 0, in the range of float, got -2");
  EXPECT_EQ(said(Yukawa{.kappa = infinity}),
            "'kernel.kappa': expected a finite number >= 0, in the range of float, got inf");
  EXPECT_EQ(said(Gaussian{.sigma = 0}),
            "'kernel.sigma': expected a positive number with 1 / (2 sigma^2), in the range of float, got 0");
  EXPECT_EQ(said(Gaussian{.sigma = infinity}),
            "'kernel.sigma': expected a positive number with 1 / (2 sigma^2), in the range of float, got inf");
  EXPECT_EQ(said(InverseMultiquadric{.c = 0}),
            "'kernel.c': expected a positive number with its square, in the range of float, got 0");
  EXPECT_EQ(said(InverseMultiquadric{.c = -0.5}),
            "'kernel.c': expected a positive number with its square, in the range of float, got -0.5");
}

TEST_F(GatherSumErrors, Grid)
{
  using Grid = UniformGrid<3>;
  EXPECT_EQ(said_of_grid(Grid{{0, infinity, 0}, {1, 1, 1}}),
            "'targets.origin': expected finite coordinates, in the range of float, got (0, inf, 0)");
  EXPECT_EQ(said_of_grid(Grid{{0, 1e39, 0}, {1, 1, 1}}),
            "'targets.origin': expected finite coordinates, in the range of float, got (0, 1e+39, 0)");
  EXPECT_EQ(said_of_grid(Grid{{0, 0, 0}, {1, 0, 1}}),
            "'targets.spacing': expected positive and finite spacings, in the range of float, got (1, 0, 1)");
  EXPECT_EQ(said_of_grid(Grid{{0, 0, 0}, {1, 1, -0.5}}),
            "'targets.spacing': expected positive and finite spacings, in the range of float, got (1, 1, -0.5)");
  EXPECT_EQ(said_of_grid(Grid{{0, 0, 0}, {not_a_number, 1, 1}}),
            "'targets.spacing': expected positive and finite spacings, in the range of float, got (nan, 1, 1)");
  EXPECT_EQ(said(Coulomb{}, grid.plane(3, 0), Sources{positions, weights}, plane),
            "'targets.axis': expected 0, 1 or 2, got 3");
  EXPECT_EQ(said(Coulomb{}, grid.plane(-1, 0), Sources{positions, weights}, plane),
            "'targets.axis': expected 0, 1 or 2, got -1");
}

TEST_F(GatherSumErrors, Extents)
{
  const Matrix<float> wide("wide", 4, 5), flat("flat", 5, 2);
  const Vector<float> longer("longer", 7);
  EXPECT_EQ(said(Coulomb{}, wide, Sources{positions, weights}, potential),
            "'targets': expected 2 or 3 coordinates a point, got 5");
  EXPECT_EQ(said(Coulomb{}, points, Sources{flat, weights}, potential),
            "'sources.positions': expected 3 coordinates a source, as the targets have, got 2");
  EXPECT_EQ(said(Coulomb{}, UniformGrid<2>{{0, 0}, {1, 1}}, Sources{positions, weights}, plane),
            "'sources.positions': expected 2 coordinates a source, as the targets have, got 3");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, longer}, potential),
            "'sources.weights': expected extents (5), got (7)");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions}, potential),
            "'sources': expected 3 coordinates, as the targets have, and a weight in each row, got 3 columns");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, longer), "'out': expected extents (4), got (7)");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, PotentialAndGradient{longer, gradient}),
            "'out.potential': expected extents (4), got (7)");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, PotentialAndGradient{potential, wide}),
            "'out.gradient': expected extents (4, 3), got (4, 5)");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, Gradient{wide}),
            "'out.gradient': expected extents (4, 3), got (4, 5)");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, Gradient{positions}),
            "'out.gradient': expected extents (4, 3), got (5, 3)");
  EXPECT_EQ(said(Coulomb{}, grid, Sources{positions, weights}, Gradient{Kokkos::View<float****, Host>("", 2, 3, 4, 2)}),
            "'out.gradient': expected extents (2, 3, 4, 3), got (2, 3, 4, 2)");
  const Vector<float> x("x", 5), y("y", 5), u("u", 4), v("v", 4);
  EXPECT_EQ(said(Coulomb{}, points, Sources{x, y, weights}, potential),
            "'sources.positions': expected 3 coordinates a source, as the targets have, got 2");
  EXPECT_EQ(said(Coulomb{}, points, Sources{x, y, u, weights}, potential),
            "'sources.z': expected extents (5), got (4)");
  EXPECT_EQ(said(Coulomb{}, points, Sources{x, y, x, u}, potential),
            "'sources.weights': expected extents (5), got (4)");
  EXPECT_EQ(said(Coulomb{}, Points{u, y}, Sources{x, y, weights}, potential),
            "'targets.y': expected extents (4), got (5)");
  EXPECT_EQ(said(Coulomb{}, Points{u, v}, Sources{x, y, weights}, x), "'out': expected extents (4), got (5)");
  EXPECT_EQ(said(Coulomb{}, Points{u, v}, Sources{x, y, weights}, potential), "no error");
  EXPECT_EQ(said(Coulomb{}, wide, Sources{wide, u}, potential),
            "'targets': expected 2 or 3 coordinates a point, got 5");
  EXPECT_EQ(said(Coulomb{}, points, Sources{wide, u}, potential),
            "'sources.positions': expected 2 or 3 coordinates a point, got 5");
}

TEST_F(GatherSumErrors, Overlaps)
{
  const auto column = [](const Matrix<float>& matrix, int k) { return Kokkos::subview(matrix, std::pair(0, 4), k); };
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, column(positions, 1)),
            "'out': expected no element in common with 'sources.positions', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{packed}, column(packed, 3)),
            "'out': expected no element in common with 'sources.weights', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, column(points, 0)),
            "'out': expected no element in common with 'targets', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, PotentialAndGradient{potential, points}),
            "'out.gradient': expected no element in common with 'targets', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, PotentialAndGradient{column(gradient, 2), gradient}),
            "'out.gradient': expected no element in common with 'out.potential', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, Gradient{points}),
            "'out.gradient': expected no element in common with 'targets', got Views that overlap in memory");
  EXPECT_EQ(
      said(Coulomb{}, points, Sources{packed}, Gradient{Kokkos::subview(packed, std::pair(0, 4), std::pair(1, 4))}),
      "'out.gradient': expected no element in common with 'sources.positions', got Views that overlap in memory");
  const Vector<float> x("x", 5), y("y", 5), z("z", 5), u("u", 4), v("v", 4), w("w", 4);
  const auto first = [](const Vector<float>& values) { return Kokkos::subview(values, std::pair(0, 4)); };
  EXPECT_EQ(said(Coulomb{}, points, Sources{x, y, z, weights}, first(x)),
            "'out': expected no element in common with 'sources.x', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{x, y, z, weights}, first(z)),
            "'out': expected no element in common with 'sources.z', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, points, Sources{x, y, z, weights}, first(weights)),
            "'out': expected no element in common with 'sources.weights', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, Points{u, v, w}, Sources{x, y, z, weights}, v),
            "'out': expected no element in common with 'targets.y', got Views that overlap in memory");
  EXPECT_EQ(said(Coulomb{}, Points{u, v, Kokkos::subview(gradient, Kokkos::ALL, 2)}, Sources{x, y, z, weights},
                 Gradient{gradient}),
            "'out.gradient': expected no element in common with 'targets.z', got Views that overlap in memory");
  EXPECT_EQ(message([&] {
              Keramos::gather_sum(exec, Coulomb{}, Points{u, v, w}, Sources{x, y, z, weights}, potential,
                                  Keramos::Workspace{y});
            }),
            "'workspace': expected no element in common with 'sources.y', got Views that overlap in memory");
  const Kokkos::View<float*, Kokkos::LayoutStride, Host> repeated(potential.data(), Kokkos::LayoutStride(4, 0));
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, repeated),
            "'out': expected a View in which every index is its own element, got strides that repeat elements");
}

/// Extents that are part of the type are there without memory.
TEST_F(GatherSumErrors, NeverAllocated)
{
  const char* const null = "': expected allocated memory, got a null pointer";
  const Kokkos::View<float[5], Host> no_weights;
  const Kokkos::View<float[5][3], Host> no_positions;
  const Kokkos::View<float[4][3], Host> no_points;
  const Kokkos::View<float[4], Host> nothing;
  const Sources sources{positions, weights};
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, no_weights}, potential),
            Keramos::core::text("'sources.weights", null));
  EXPECT_EQ(said(Coulomb{}, points, Sources{no_positions, weights}, potential),
            Keramos::core::text("'sources.positions", null));
  EXPECT_EQ(said(Coulomb{}, no_points, sources, potential), Keramos::core::text("'targets", null));
  EXPECT_EQ(said(Coulomb{}, points, sources, nothing), Keramos::core::text("'out", null));
  EXPECT_EQ(said(Coulomb{}, points, sources, PotentialAndGradient{nothing, gradient}),
            Keramos::core::text("'out.potential", null));
  EXPECT_EQ(said(Coulomb{}, points, sources, Gradient{no_points}), Keramos::core::text("'out.gradient", null));
}

/// Potential and gradient side by side in one array, and an output between the columns of the sources, share no
/// element.
TEST_F(GatherSumErrors, InterleavedIsRight)
{
  const auto values = Kokkos::subview(packed, std::pair(0, 4), 3);
  const auto slopes = Kokkos::subview(packed, std::pair(0, 4), std::pair(0, 3));
  EXPECT_EQ(said(Coulomb{}, points, Sources{positions, weights}, PotentialAndGradient{values, slopes}), "no error");
  const auto places = Kokkos::subview(packed, Kokkos::ALL, std::pair(0, 3));
  EXPECT_EQ(said(Coulomb{}, points, Sources{places, weights}, values), "no error");
}

TEST_F(GatherSumErrors, NothingIsWritten)
{
  Kokkos::deep_copy(volume, 7);
  EXPECT_NE(said(Gaussian{.sigma = 0}), "no error");
  EXPECT_NE(said_of_grid(UniformGrid<3>{{0, 0, 0}, {1, 1, 0}}), "no error");
  for (std::size_t i = 0; i < volume.size(); ++i) EXPECT_EQ(volume.data()[i], 7);
}

TEST_F(GatherSumErrors, NoBackend)
{
  const auto call = [&] {
    Keramos::gather_sum(Keramos::with_backend(exec, Keramos::Backend::cuda), Coulomb{}, grid,
                        Sources{positions, weights}, volume);
  };
  EXPECT_EQ(message(call),
            std::string("'exec': expected a backend that covers this call, got cuda on ") + Host::name());
}

} // namespace
