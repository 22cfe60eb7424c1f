// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demo: a seismic shot into a salt dome and the electrostatic potential of a crystal, or of your own model and
// molecule; then what each operator of Keramos did for it, beside plain Kokkos.
#include "Comparison.hpp"
#include "Electrostatics.hpp"
#include "InputError.hpp"
#include "OpenDx.hpp"
#include "Options.hpp"
#include "Progress.hpp"
#include "Results.hpp"
#include "SeismicPictures.hpp"
#include "Shot.hpp"
#include "VelocityModel.hpp"

#include <Keramos_Transpose.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>

namespace demo {
namespace {

/// What the user gave us, read and checked before anything is computed or written.
struct Input {
  Volume velocity;
  Molecule molecule;
};

Input read_input(const Options& options)
{
  Input input;
  input.molecule = read_pqr(options.pqr);
  input.velocity = options.velocity.empty() ? salt_dome_model(options.shot_size)
                                            : read_velocity_model(options.velocity, fewest_points);
  return input;
}

/// A source near the surface and a line of receivers along x beside it; as high a frequency as the grid carries.
Survey survey_over(const Volume& velocity, const Options& options)
{
  constexpr double points_a_wavelength = 7.5; // at the wavelet's peak; its strong part reaches 2.5 times as high
  const auto n0 = static_cast<int>(velocity.extent[0]), n1 = static_cast<int>(velocity.extent[1]);
  const double slowest = *std::min_element(velocity.value.begin(), velocity.value.end());
  Survey survey{
      options.spacing, slowest / (points_a_wavelength * options.spacing), {2 * n0 / 5, n1 / 2, 3}, {}, options.steps};
  for (int i = absorbing_width(n0); i < n0 - absorbing_width(n0); ++i) survey.receivers.push_back({i, n1 / 2, 4});
  return survey;
}

/// The plane (depth, x) through the source of a field (x, y, depth): a transpose of a sub-view.
Plane depth_section(const Where& where, const View3D& field, int y)
{
  const View2D section("section", field.extent(2), field.extent(0));
  Keramos::transpose(where, Kokkos::subview(field, Kokkos::ALL, y, Kokkos::ALL), section);
  return to_host(where.space, section);
}

void run_steps(Shot& shot, int steps, Progress& progress)
{
  constexpr int at_once = 10; // work is asynchronous: wait now and then, to tell the truth about the progress
  while (shot.steps_done() < steps) {
    shot.advance(std::min(at_once, steps - shot.steps_done()));
    shot.where().space.fence();
    progress.at(shot.steps_done());
  }
}

void run_shot(Shot& shot, const Volume& velocity, Results& results)
{
  const Where& where = shot.where();
  const Survey& survey = shot.survey();
  const auto [n0, n1, n2] = velocity.extent;
  std::printf("\nShot: %zu x %zu x %zu points of %g m, %d steps of %.3f ms, %.0f Hz\n", n0, n1, n2, survey.spacing,
              survey.steps, 1000 * shot.time_step(), survey.peak_frequency);

  Kokkos::Timer timer;
  Plane wave;
  const int snapshot = (survey.steps + 1) / 2;
  {
    Progress progress("shot", survey.steps);
    run_steps(shot, snapshot, progress);
    wave = depth_section(where, shot.wave().now, survey.source[1]);
    run_steps(shot, survey.steps, progress);
  }
  const double seconds = timer.seconds();

  const View2D gather("time-major seismogram", shot.record().extent(1), shot.record().extent(0));
  Keramos::transpose(where, shot.record(), gather);
  const Plane seismogram = to_host(where.space, gather);
  const bool is_finite = std::ranges::all_of(seismogram.value, [](float v) { return std::isfinite(v); });
  const double peak = is_finite ? seismogram.magnitude(1) : NAN;
  if (survey.steps > first_arrival(survey))
    results.check("the seismogram is finite and not silent", peak > 0);
  else
    results.check("the seismogram is silent before the wave arrives", peak == 0);
  results.number("shot", "seconds", seconds);
  results.number("shot", "seismogram_peak", peak);
  std::printf("  %.1f s with everything, %.2f Gpoint/s; by %s\n", seconds,
              static_cast<double>(velocity.value.size()) * survey.steps / seconds / 1e9, shot.kernel().name().c_str());

  draw_seismogram(results.file("seismogram.png"), seismogram, survey, shot.time_step());
  draw_wavefield(results.file("wavefield.png"), wave,
                 depth_section(where, to_device(where.space, "velocity", velocity), survey.source[1]), survey,
                 snapshot * shot.time_step());
}

/// Plane by plane, so that there is progress to tell.
void compute_potential(const Where& where, const Keramos::UniformGrid<3>& grid, const Charges& charges,
                       const View3D& potential)
{
  constexpr int at_once = 8;
  const int planes = potential.extent_int(0);
  Progress progress("potential", planes);
  for (int first = 0; first < planes; first += at_once) {
    const int last = std::min(first + at_once, planes);
    Keramos::UniformGrid<3> part = grid;
    part.origin[0] += first * grid.spacing[0];
    Keramos::gather_sum(where, Keramos::Coulomb{}, part, charges.sources(),
                        Kokkos::subview(potential, std::pair(first, last), Kokkos::ALL, Kokkos::ALL));
    where.space.fence();
    progress.at(last);
  }
}

void run_molecule(const Where& where, const Molecule& molecule, const Keramos::UniformGrid<3>& grid,
                  const Charges& charges, const View3D& potential, const Options& options, Results& results)
{
  const int n = potential.extent_int(0);
  std::printf("\nMolecule: %zu charges of %s, potential on %d x %d x %d points of %.3f angstrom\n",
              molecule.charge.size(), std::filesystem::path(options.pqr).filename().c_str(), n, n, n, grid.spacing[0]);
  Kokkos::Timer timer;
  compute_potential(where, grid, charges, potential);
  const double seconds = timer.seconds();
  std::printf("  %.2f s, %.2f Gpair/s\n", seconds,
              static_cast<double>(potential.size()) * static_cast<double>(molecule.charge.size()) / seconds / 1e9);
  results.number("molecule", "seconds", seconds);

  const Volume volume = to_host(where.space, potential);
  const double error = max_error(molecule, grid, volume, 500);
  std::printf("  largest relative error at 500 points, against the sum in double: %.1e\n", error);
  results.number("molecule", "max_relative_error", error);
  results.check("the potential agrees with the sum in double to 1e-5", error <= 1e-5);

  if (options.own_molecule()) {
    constexpr double exact = 1.747564594633;
    const double madelung = madelung_constant(where, molecule);
    std::printf(
        "  Madelung's constant of rock salt: %.4f (this cube: %.6f, the infinite crystal: %.6f, apart by %.1e)\n",
        madelung, madelung, exact, madelung - exact);
    results.number("molecule", "madelung_constant", madelung);
    results.check("Madelung's constant is 1.7476", std::abs(madelung - 1.7476) < 5e-5);
  }

  write_open_dx(results.file("potential.dx"), volume, grid.origin, grid.spacing,
                "electrostatic potential in vacuum, e/angstrom");
  draw_potential(results.file("potential.png"), where, charges, grid, n);
}

void compare(const Where& where, Shot& shot, const Keramos::UniformGrid<3>& grid, const Charges& charges,
             const View3D& potential, Results& results)
{
  Progress progress("table", 3);
  const CopyBandwidth copy(where.space);
  std::vector<Comparison> comparisons{compare_wave_update(where, shot.wave(), copy)};
  progress.at(1);
  comparisons.push_back(compare_transpose(where, shot.record().extent_int(0), shot.record().extent_int(1), copy));
  progress.at(2);
  comparisons.push_back(compare_gather_sum(where, grid, charges, potential));
  progress.at(3);
  results.comparisons(comparisons);
}

bool run(const Options& options, const Input& input)
{
  const Where where = Keramos::with_backend(Space(), options.backend);
  std::printf("Keramos on Kokkos::%s, concurrency %d\n", Space::name(), where.space.concurrency());
  Results results(options.output);

  Shot shot(where, input.velocity, survey_over(input.velocity, options));
  run_shot(shot, input.velocity, results);

  constexpr double margin = 6; // angstrom
  const auto grid = grid_around(input.molecule, options.grid, margin);
  const Charges charges(where.space, input.molecule);
  const View3D potential("potential", options.grid, options.grid, options.grid);
  run_molecule(where, input.molecule, grid, charges, potential, options, results);

  compare(where, shot, grid, charges, potential, results);
  return results.finish(options.json);
}

} // namespace
} // namespace demo

int main(int argc, char** argv)
{
  const auto [options, exit_code] = demo::parse(argc, argv);
  if (exit_code) return *exit_code;
  try {
    const demo::Input input = demo::read_input(options);
    const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
    return demo::run(options, input) ? 0 : 1;
  } catch (const demo::InputError& error) {
    std::fprintf(stderr, "keramos_demo: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "keramos_demo: %s\n", error.what());
    return 1;
  }
}
