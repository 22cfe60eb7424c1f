// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <map>

namespace demo {

std::string rock_salt()
{
  const std::string source = KERAMOS_DEMO_DATA "/rock_salt.pqr";
  if (std::filesystem::exists(source)) return source;
  std::error_code no_proc; // then the path is relative, and the message names it
  const auto program = std::filesystem::read_symlink("/proc/self/exe", no_proc);
  return program.parent_path().parent_path() / "share/keramos/rock_salt.pqr";
}

namespace {

/// Those that can work where the demo's arrays are.
std::map<std::string, std::optional<Keramos::Backend>> backends_here()
{
  std::map<std::string, std::optional<Keramos::Backend>> backends{{"auto", std::nullopt},
                                                                  {"portable", Keramos::Backend::portable}};
  if (std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>) {
    backends["openmp"] = Keramos::Backend::openmp;
    backends["reference"] = Keramos::Backend::reference;
  } else {
    backends["cuda"] = Keramos::Backend::cuda;
  }
  return backends;
}

} // namespace

Parsed parse(int argc, char** argv, bool says_why)
{
  const auto backends = backends_here();
  Parsed parsed;
  Options& options = parsed.options;
  std::string backend = "auto";

  CLI::App app{"A seismic shot and the electrostatic potential of a molecule, by Keramos."};
  app.add_option("--pqr", options.pqr, "Molecule, a PQR file (default: a crystal of rock salt)");
  auto* velocity = app.add_option("--velocity", options.velocity,
                                  "Wave speeds in m/s, a NumPy file of float32 or float64 with axes x, y, depth "
                                  "(default: a salt dome)");
  app.add_option("--shot-size", options.shot_size, "Points along each axis of the salt dome")
      ->check(CLI::Range(fewest_points, 4096))
      ->excludes(velocity)
      ->capture_default_str();
  app.add_option("--spacing", options.spacing, "Metres between the points of the velocity model")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--steps", options.steps, "Time steps of the shot")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--grid", options.grid, "Points along each axis of the potential's grid")
      ->check(CLI::Range(2, 1290))
      ->capture_default_str();
  app.add_option("--backend", backend, "Who computes")->check(CLI::IsMember(backends))->capture_default_str();
  app.add_option("--ranks", options.ranks, "Processes that share the shot, as mpirun has started them (default: all)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--output", options.output, "Folder for the results")->capture_default_str();
  app.add_option("--json", options.json, "File for all numbers, as JSON");

  try {
    app.parse(argc, argv);
    options.backend = backends.at(backend);
  } catch (const CLI::ParseError& error) {
    std::ostream nowhere(nullptr);
    parsed.exit_code = app.exit(error, says_why ? std::cout : nowhere, says_why ? std::cerr : nowhere) == 0 ? 0 : 2;
  }
  return parsed;
}

} // namespace demo
