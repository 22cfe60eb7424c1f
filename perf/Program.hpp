// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs have in common that measure one process (Harness.hpp) and several (distributed/Ranks.hpp): options, and
// what a person sees meanwhile.
#pragma once

#include <keramos/core/Kernel.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace benchmark {
class BenchmarkReporter;
}

namespace perf {

/// --quick: smaller and fewer, to see that everything works. --full: the largest sizes, which take their time.
enum class Effort { quick, usual, full };
Effort effort();

/// --profile: every contender once, marked for a profiler.
bool profiling();

/// --extents-seed=N: cases at other extents and places in memory, too, see Nearby.hpp.
std::optional<std::uint32_t> extents_seed();

/// --extents=N0xN1xN2: those of a grid instead of the program's own, of programs that ask.
std::optional<std::array<std::int64_t, 3>> wanted_extents();

/// The side of a cube, the number of elements, ... by effort.
template <class T>
T sized(T quick, T usual, T full)
{
  return effort() == Effort::quick ? quick : effort() == Effort::usual ? usual : full;
}
template <class T>
T sized(T quick, T usual)
{
  return sized(quick, usual, usual);
}

/// As tables show it: "openmp: tiles 4B avx512".
std::string name_of(const Keramos::Kernel& kernel);

/// Removes our options from the command line and leaves the others to Google Benchmark; --help says what ours are.
void take_options(int& argc, char** argv);

/// A line for every contender.
std::unique_ptr<benchmark::BenchmarkReporter> progress();

} // namespace perf
