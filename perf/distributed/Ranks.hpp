// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a figure of several ranks is taken. All ranks run the same cases, and of each contender the same number of calls. Of every
// contender, the answer is checked on all ranks once, over a poisoned output and at the timed size; then each repetition times a
// batch of calls, which all ranks begin together. A figure is the time of the slowest rank. Where a case has a measure, as much of it
// is timed right before and right after each repetition. Rank 0 prints and writes the JSON.
#pragma once

#include "../Harness.hpp"

#include <Keramos_Distributed.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perf::distributed {

using Exec = Kokkos::DefaultExecutionSpace;

int rank();
int ranks();

/// What ranks compute in: on GPUs the default stream, on hosts so many threads that all ranks together have those of Kokkos.
const Exec& exec();

/// (collective) All ranks are here. Who waits leaves its core to others.
void meet();
/// (collective) The largest of all ranks' numbers. Who waits leaves its core to others.
double largest(double mine);

/// "peer", "nccl" or "mpi", and the ranks whose messages travel so.
struct Way {
  std::string name;
  Keramos::Transport transport;
  /// (collective) Made when first asked for, and kept.
  std::shared_ptr<Keramos::core::Communicator> ranks() const;
};
/// Those that this program has; a machine may lack one nevertheless.
const std::vector<Way>& ways();

struct Case {
  std::string name; ///< "halo 4x512x512"
  double work;      ///< bytes that each rank sends, or points that all write
  int calls;        ///< in one repetition
  std::function<void()> poison;
  std::function<std::string()> mistake; ///< what is wrong on this rank; empty where nothing is
  std::function<void()> measure = {};   ///< (collective) does the case's work: what the figures are fractions of
};

/// Its name is "WHO, WAY" or "WHO", which is how tables find what it stands beside.
struct Contender {
  std::string name;
  std::function<std::string()> run;          ///< (collective) one call; returns the kernel it took, if that has a name
  double share = 1;                          ///< the part of the case's work that it does
  std::function<void()> before = {};         ///< (collective) after poison, for who needs more than the input
  std::function<Columns()> columns = {};     ///< (collective) asked once, after the check
  std::function<std::string()> mistake = {}; ///< instead of the case's
};

/// Registers distributed/CASE/CONTENDER with Google Benchmark.
void add(const Case& the_case, std::vector<Contender> contenders);

/// The cases, each in the file of its name.
void add_links();
void add_halos();
void add_waves();
void add_transposes();

} // namespace perf::distributed
