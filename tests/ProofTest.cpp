// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The application's answers against mathematics: a wave that spreads from a point, the potential of a crystal, the
// derivative of a cosine as a known example prints it.
#include "Electrostatics.hpp"
#include "Run.hpp"
#include "Shot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

namespace {

using demo::Space;
using Keramos::Backend;

std::string backend_name(const testing::TestParamInfo<std::optional<Backend>>& info)
{
  return info.param ? Keramos::to_string(*info.param) : "chosen";
}

class Proof : public testing::TestWithParam<std::optional<Backend>> {
protected:
  demo::Where where() const { return Keramos::with_backend(Space(), GetParam()); }

  void expect_ran(const Keramos::Kernel& kernel) const
  {
    EXPECT_EQ(kernel.backend, GetParam().value_or(test::first_backend)) << kernel;
  }
};
std::vector<std::optional<Backend>> backends()
{
  if constexpr (test::has_cuda) return {std::nullopt, Backend::portable}; // the reference runs on hosts
  return {std::nullopt, Backend::portable, Backend::reference};
}
INSTANTIATE_TEST_SUITE_P(Backends, Proof, testing::ValuesIn(backends()), backend_name);

// ---- The wave ------------------------------------------------------------------------------------------------------

/// The time of a trace's largest value, between the samples by the parabola through the three around it, and that
/// value.
struct Peak {
  double time, value;
};

template <class Trace>
Peak peak_of(int samples, const Trace& trace)
{
  int top = 1;
  for (int n = 1; n + 1 < samples; ++n)
    if (trace(n) > trace(top)) top = n;
  const double left = trace(top - 1), middle = trace(top), right = trace(top + 1);
  const double shift = 0.5 * (left - right) / (left - 2 * middle + right);
  return {top + shift, middle - 0.25 * (left - right) * shift};
}

/// In a homogeneous medium the wave of a point source s(t) is s(t - r / c) / (4 pi r).
TEST(ShotProof, AHomogeneousShotIsTheAnalyticWave)
{
  const demo::Where where = Keramos::with_backend(Space(), std::nullopt); // the others take too long
  constexpr int n = 120, middle = n / 2, steps = 135;                     // before anything comes back from the edges
  constexpr double speed = 2000, spacing = 10, frequency = 18;
  demo::Volume velocity({n, n, n});
  std::fill(velocity.value.begin(), velocity.value.end(), static_cast<float>(speed));
  const std::vector<demo::Point> offsets{{22, 0, 0}, {0, -20, 0}, {0, 0, 24}, {13, 13, 13}, {-18, 9, 0}};
  demo::Survey survey{spacing, frequency, {middle, middle, middle}, {}, steps, /*free_surface*/ false};
  for (const auto& [x, y, z] : offsets) survey.receivers.push_back({middle + x, middle + y, middle + z});

  demo::Shot shot(where, velocity, survey);
  shot.advance(steps);
  EXPECT_EQ(shot.kernel().backend, test::first_backend);
  const demo::Plane record = demo::to_host(where.space, shot.record());

  for (std::size_t r = 0; r < offsets.size(); ++r) {
    const auto& [x, y, z] = offsets[r];
    const double distance = spacing * std::hypot(x, y, z);
    const Peak heard = peak_of(steps, [&](int step) { return record(r, step); });
    const Peak right = peak_of(steps, [&](int step) {
      return demo::ricker(step * shot.time_step() - distance / speed, frequency) / (4 * std::numbers::pi * distance);
    });
    EXPECT_NEAR(heard.time, right.time, 1) << "samples, at " << distance << " m";
    EXPECT_NEAR(heard.value / right.value, 1, 0.02) << "at " << distance << " m";
  }
}

// ---- The potential -------------------------------------------------------------------------------------------------

TEST_P(Proof, TheCrystalsPotentialIsTheSumInDouble)
{
  const auto crystal = demo::read_pqr(KERAMOS_DEMO_DATA "/rock_salt.pqr");
  constexpr int n = 21;
  const auto grid = demo::grid_around(crystal, n, 6);
  const demo::Charges charges(where().space, crystal);
  const demo::View3D potential("potential", n, n, n);
  expect_ran(Keramos::gather_sum(where(), Keramos::Coulomb{}, grid, charges.sources(), potential));
  // Ions alternate, so that sums in their order, which every backend keeps, stay small.
  EXPECT_LE(demo::max_error(crystal, grid, demo::to_host(where().space, potential), n * n * n), 1e-5);
}

TEST_P(Proof, TheCrystalHasMadelungsConstant)
{
  const auto crystal = demo::read_pqr(KERAMOS_DEMO_DATA "/rock_salt.pqr");
  const double found = demo::madelung_constant(where(), crystal);
  EXPECT_NEAR(found, 1.7476, 5e-5);
  EXPECT_NEAR(found, 1.747595517, 1e-6); // Evjen's sum over this very cube, in integers of the neighbour's distance
}

// ---- The derivative ------------------------------------------------------------------------------------------------

/// cos(2 pi x) on 64 points over the unit length, the last the same as the first, in float as NVIDIA's
/// finite-difference example has it, which prints a root mean square error of 7.2e-6 and a largest one of 2.86e-5 (both
/// come from rounding, so they move a little with the order of the additions; a weight that is 1e-5 off gives fifty times
/// as much).
TEST_P(Proof, TheDerivativeOfACosineHasTheKnownError)
{
  constexpr int n = 64;
  const float two_pi = 8.f * std::atan(1.f);
  for (int axis = 0; axis < 3; ++axis) {
    const demo::View3D f("f", n, n, n), derivative("derivative", n, n, n);
    const auto host = Kokkos::create_mirror_view(f);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const int index[] = {i, j, k};
          host(i, j, k) = std::cos(two_pi * static_cast<float>(index[axis]) / (n - 1.f));
        }
    Kokkos::deep_copy(f, host);
    const auto op = Keramos::FiniteDifference::first_derivative<3, 8>(axis, 1.0 / (n - 1));
    expect_ran(Keramos::apply_stencil(where(), op, f, derivative, Keramos::periodic_closed));

    const demo::Volume result = demo::to_host(where().space, derivative);
    double square = 0, largest = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const int index[] = {i, j, k};
          const float right = -two_pi * std::sin(two_pi * static_cast<float>(index[axis]) / (n - 1.f));
          const double error = result(i, j, k) - right;
          square += error * error;
          largest = std::max(largest, std::abs(error));
        }
    EXPECT_NEAR(std::sqrt(square / (n * n * n)), 7.2e-6, 0.05 * 7.2e-6) << "axis " << axis;
    EXPECT_NEAR(largest, 2.86e-5, 0.05 * 2.86e-5) << "axis " << axis;
  }
}

} // namespace
