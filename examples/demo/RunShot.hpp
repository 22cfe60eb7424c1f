// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shot from its first step to its pictures, whoever steps it: one process or several.
#pragma once

#include "Progress.hpp"
#include "Results.hpp"
#include "Shot.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace demo {

/// What pictures are made of.
struct Observation {
  Plane wave;         ///< (depth, x) through the source
  double time = 0;    ///< of the wave, in seconds
  Plane seismogram;   ///< (step, receiver)
  double seconds = 0; ///< that all steps took
  std::string took;   ///< by what
};

/// What is about to run.
void announce(const Survey& survey, const Volume& velocity, double time_step);

/// Checks, figures and pictures.
void report(const Where& where, const Observation& seen, const Survey& survey, double time_step, const Volume& velocity,
            Results& results);

template <class AnyShot>
void run_steps(AnyShot& shot, int steps, std::optional<Progress>& progress)
{
  constexpr int at_once = 10; // work is asynchronous: wait now and then, to tell the truth about the progress
  while (shot.steps_done() < steps) {
    shot.advance(std::min(at_once, steps - shot.steps_done()));
    shot.where().space.fence();
    if (progress) progress->at(shot.steps_done());
  }
}

template <class AnyShot>
Observation observe(AnyShot& shot, bool tells)
{
  Observation seen;
  Kokkos::Timer timer;
  const int steps = shot.survey().steps, snapshot = (steps + 1) / 2;
  {
    std::optional<Progress> progress;
    if (tells) progress.emplace("shot", steps);
    run_steps(shot, snapshot, progress);
    seen.wave = shot.section();
    run_steps(shot, steps, progress);
  }
  seen.seconds = timer.seconds();
  seen.time = snapshot * shot.time_step();
  seen.seismogram = shot.seismogram();
  seen.took = shot.took();
  return seen;
}

/// Of several processes one has results, and tells.
template <class AnyShot>
void run_shot(AnyShot& shot, const Volume& velocity, Results* results)
{
  if (results) announce(shot.survey(), velocity, shot.time_step());
  const Observation seen = observe(shot, results != nullptr);
  if (results) report(shot.where(), seen, shot.survey(), shot.time_step(), velocity, *results);
}

} // namespace demo
