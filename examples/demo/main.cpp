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
#include "Processes.hpp"
#include "Progress.hpp"
#include "Results.hpp"
#include "RunShot.hpp"
#include "Shot.hpp"
#include "VelocityModel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

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

/// Of one process: the molecule; its sums are those of the table as well.
struct Potential {
  Keramos::UniformGrid<3> grid;
  Charges charges;
  View3D value;

  Potential(const Where& where, const Molecule& molecule, const Options& options)
      : grid(grid_around(molecule, options.grid, margin)), charges(where.space, molecule),
        value("potential", options.grid, options.grid, options.grid)
  {
  }

  static constexpr double margin = 6; // angstrom
};

bool run(const Where& where, const Options& options, const Input& input)
{
  Results results(options.output);
  Shot shot(where, input.velocity, survey_over(input.velocity, options));
  run_shot(shot, input.velocity, &results);
  const Potential potential(where, input.molecule, options);
  run_molecule(where, input.molecule, potential.grid, potential.charges, potential.value, options, results);
  compare(where, shot, potential.grid, potential.charges, potential.value, results);
  return results.finish(options.json);
}

/// The shot over all processes; the first one has the pictures, and the molecule. A table of one process' operators there
/// is none.
bool run_by_all(const Processes& processes, const Where& where, const Options& options, const Input& input)
{
  std::unique_ptr<Results> results;
  if (processes.is_first()) results = std::make_unique<Results>(options.output);
  processes.run_shot(where, input.velocity, survey_over(input.velocity, options), results.get());
  if (!results) return true;
  const Potential potential(where, input.molecule, options);
  run_molecule(where, input.molecule, potential.grid, potential.charges, potential.value, options, *results);
  return results->finish(options.json);
}

/// The exit code. What is wrong with the input is said once, whoever finds it.
int run(const Processes& processes, const Options& options)
{
  Input input;
  std::string wrong;
  try {
    processes.check(options.ranks);
    input = read_input(options);
  } catch (const InputError& error) {
    wrong = error.what();
  }
  if (processes.any_says(wrong)) return 2;
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  const Where where = Keramos::with_backend(Space(), options.backend);
  if (processes.is_first())
    std::printf("Keramos on Kokkos::%s, concurrency %d\n", Space::name(), where.space.concurrency());
  const bool is_right = options.ranks > 0 || processes.count() > 1 ? run_by_all(processes, where, options, input)
                                                                   : run(where, options, input);
  return is_right ? 0 : 1;
}

} // namespace
} // namespace demo

int main(int argc, char** argv)
{
  const demo::Processes processes(argc, argv);
  const auto [options, exit_code] = demo::parse(argc, argv, processes.is_first());
  if (exit_code) return *exit_code;
  try {
    return demo::run(processes, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "keramos_demo: %s\n", error.what());
    return processes.end_all(1);
  }
}
